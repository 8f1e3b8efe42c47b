/** Fault `empty-page`: pages without records that name a further page, as when a filter is applied after the page is cut. Endpoints 2. */
import { integer } from "../../settings/Setting.ts"
import { encode } from "../../routes/Cursor.ts"
import { RawNumber } from "../../wire/Wire.ts"
import { define } from "../fault/Fault.ts"

export const emptyPage = define({
  name: "empty-page",
  description: "Serves empty pages with a cursor before a page; following them loses no record.",
  attributes: { count: integer(1, "empty pages in a row", 1) },
  start: ({ count }) => {
    const real = new Map<string, string>()
    let invented = 1_900_000_000
    let served = 0
    return {
      phase: (exchange) => (exchange.form === "list" && served > 0 ? "running" : "waiting"),
      cursor: (text) => real.get(text) ?? text,
      content: (content, exchange) => {
        if (content.kind !== "page") return content
        if (served === count) {
          served = 0
          return content
        }
        served += 1
        const { cursorKind, cursorParameter } = exchange.assumptions
        const next = encode((invented -= 1), cursorKind)
        const text =
          next instanceof RawNumber
            ? next.digits
            : typeof next === "object"
              ? JSON.stringify(next)
              : String(next)
        const asked = exchange.url.searchParams.get(cursorParameter) ?? ""
        real.set(text, real.get(asked) ?? asked)
        return { ...content, items: [], next, nextPage: exchange.page ?? 1 }
      },
    }
  },
})
