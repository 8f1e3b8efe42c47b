/** Fault `redirect`: a redirect, within the origin or to another origin, which must never get the key. Authentication 1. */
import { choice, text } from "../../settings/Setting.ts"
import { json, withHeaders } from "../../wire/Answer.ts"
import { define } from "../fault/Fault.ts"

export const redirect = define({
  name: "redirect",
  description: "Answers with a redirect.",
  attributes: {
    to: text("same-origin", "same-origin, other-host, or a whole URL"),
    status: choice([301, 302, 303, 307, 308], 302, "status"),
  },
  start: ({ to, status }) => ({
    before: ({ url }) => {
      const rest = `${url.pathname}${url.search}`
      const places: Readonly<Record<string, string>> = {
        "same-origin": `${url.origin}/moved${rest}`,
        "other-host": `https://elsewhere.example${rest}`,
      }
      return withHeaders(json(status, ""), { location: places[to] ?? to })
    },
  }),
})
