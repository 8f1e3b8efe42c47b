/** Fault `wrong-form`: a list is answered like a retrieve, and the other way round. Endpoints 1. */
import { define } from "../fault/Fault.ts"

export const wrongForm = define({
  name: "wrong-form",
  description: "Answers a list in the shape of a retrieve, and a retrieve in the shape of a list.",
  attributes: {},
  start: () => ({
    content: (content, exchange) => {
      switch (content.kind) {
        case "page":
          return {
            kind: "record",
            member: exchange.endpoint === "contracts" ? "contract" : "api_key",
            record: content.items[0] ?? {},
          }
        case "record":
          return { kind: "page", items: [content.record], next: null, start: 0, nextPage: 1 }
        case "single":
          return content
      }
    },
  }),
})
