/** Fault `duplicate`: records at the boundary of two pages are served twice. Endpoints 2 promises nothing else. */
import { integer } from "../../settings/Setting.ts"
import { define } from "../fault/Fault.ts"

export const duplicate = define({
  name: "duplicate",
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
})
