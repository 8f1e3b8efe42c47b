/** Fault `invalid-json`: the right content-type with a text that is not JSON. */
import { choice } from "../../settings/Setting.ts"
import { define } from "../fault/Fault.ts"

export const invalidJson = define({
  name: "invalid-json",
  description: "Sends a body that no JSON parser takes.",
  attributes: {
    form: choice(
      ["trailing-comma", "two-documents", "single-quotes", "empty"],
      "trailing-comma",
      "what is wrong with it",
    ),
  },
  start: ({ form }) => ({
    answer: (answer) => {
      switch (form) {
        case "trailing-comma":
          return { ...answer, body: `${answer.body.slice(0, -1)},}` }
        case "two-documents":
          return { ...answer, body: `${answer.body}${answer.body}` }
        case "single-quotes":
          return { ...answer, body: answer.body.replaceAll('"', "'") }
        case "empty":
          return { ...answer, body: "" }
      }
    },
  }),
})
