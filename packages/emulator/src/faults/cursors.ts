/** Faults in how pages follow each other: the cursor, the next page, records that repeat or change while a list is read. */
import { encodeCursor } from "../List.ts"
import { below } from "../Random.ts"
import { choice, integer, text } from "../Setting.ts"
import { RawNumber } from "../Wire.ts"
import type { Json } from "../Wire.ts"
import { define } from "./Fault.ts"

export const cursors = {
  /** A list without `next_before_id`, which is not the same as null. Endpoints 2. */
  "missing-next": define({
    description: "Leaves next_before_id out of a list.",
    attributes: {},
    start: () => ({
      content: (content) => (content.kind === "page" ? { ...content, next: undefined } : content),
    }),
  }),

  /** The first page is served for every cursor. A client that does not notice this loses records silently. Endpoints 5. */
  "cursor-ignored": define({
    description: "Serves the first page whatever the cursor says.",
    attributes: {},
    start: () => ({ assume: () => ({ cursorParameter: "" }) }),
  }),

  /** The cursor is read from another parameter than assumed. Endpoints 5. */
  "cursor-renamed": define({
    description: "Reads the cursor from a parameter of another name.",
    attributes: { parameter: text("page_token", "the name") },
    start: ({ parameter }) => ({ assume: () => ({ cursorParameter: parameter }) }),
  }),

  /** Each page begins with the last record of the previous one. Endpoints 5. */
  "cursor-inclusive": define({
    description: "Serves the record that the cursor names once more.",
    attributes: {},
    start: () => ({ assume: () => ({ cursorBoundary: "inclusive" }) }),
  }),

  /** Every page names the same cursor, so that a read never ends. Endpoints 2. */
  "cursor-constant": define({
    description: "Answers the cursor of the first page that it acted on, again and again.",
    attributes: {},
    start: () => {
      let constant: Json | undefined
      return {
        content: (content) => {
          if (content.kind !== "page") return content
          constant ??= content.next ?? undefined
          return { ...content, next: constant ?? content.next }
        },
      }
    },
  }),

  /** Pages 2 and 3 lead to each other, so that a read never ends. Endpoints 2. */
  "cursor-cycle": define({
    description: "Leads from the third page back to the second.",
    attributes: {},
    start: () => {
      let toSecond: Json | undefined
      let onThird = false
      return {
        content: (content, exchange) => {
          if (content.kind !== "page") return content
          if (toSecond === undefined || exchange.page === 1) {
            toSecond = content.next ?? undefined
            onThird = false
            return content
          }
          const next = onThird ? toSecond : content.next
          onThird = !onThird
          return { ...content, next }
        },
      }
    },
  }),

  /** Pages without records that name a further page, as when a filter is applied after the page is cut. Endpoints 2. */
  "empty-page": define({
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
          const next = encodeCursor((invented -= 1), cursorKind)
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
  }),

  /** Records at the boundary of two pages are served twice. Endpoints 2 promises nothing else. */
  duplicate: define({
    description: "Begins a page with the last records of the page before.",
    attributes: { count: integer(1, "records that are repeated", 1) },
    start: ({ count }) => ({
      content: (content, { store, endpoint }) => {
        if (content.kind !== "page") return content
        const all = endpoint === "contracts" ? store.contracts : store.apiKeys
        return {
          ...content,
          items: [...all.slice(Math.max(0, content.start - count), content.start), ...content.items],
        }
      },
    }),
  }),

  /** Records are inserted, updated and removed while a client reads them. Endpoints 2 promises no snapshot. */
  mutate: define({
    description: "Inserts, updates and removes contracts each time that a page of contracts has been served.",
    attributes: {
      insert: integer(0, "contracts that are added"),
      update: integer(0, "contracts that are changed"),
      remove: integer(0, "contracts that are taken away"),
      from: choice(
        ["any", "served", "rest"],
        "any",
        "which contracts: any, those up to this page, or those behind it",
      ),
    },
    start: (attributes, random) => ({
      content: (content, { store, endpoint }) => {
        if (content.kind !== "page" || endpoint !== "contracts") return content
        const end = content.start + content.items.length
        const [low, high] = { any: [0, Infinity], served: [0, end], rest: [end, Infinity] }[attributes.from]
        const pool = store.contracts.slice(low, high)
        const draw = () => pool.splice(below(random, pool.length), 1)
        for (let i = 0; i < attributes.insert; i++) store.insert()
        for (let i = 0; i < attributes.update; i++) {
          for (const { id, status } of draw())
            store.update(id, { status: status === "ended" ? "active" : "ended" })
        }
        for (let i = 0; i < attributes.remove; i++) {
          for (const { id } of draw()) store.remove(id)
        }
        return content
      },
    }),
  }),
}
