/** Fault `wrong-record`: a retrieve is answered with a record that was not requested. Endpoints 1. */
import { define } from "../fault/Fault.ts"

export const wrongRecord = define({
  name: "wrong-record",
  description: "Answers a retrieve with another record than the one asked for.",
  attributes: {},
  start: () => ({
    content: (content, { store }) => {
      if (content.kind !== "record") return content
      const all = content.member === "contract" ? store.contracts : store.apiKeys
      const other = all.find((record) => record.id !== content.record["id"])
      return other === undefined ? content : { ...content, record: other }
    },
  }),
})
