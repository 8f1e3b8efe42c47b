/** Fault `cut`: the connection ends in the middle of the body, which is shorter than `content-length` promised. */
import { integer, number } from "../../settings/Setting.ts"
import { withDelivery } from "../../wire/Answer.ts"
import { define } from "../fault/Fault.ts"

export const cut = define({
  name: "cut",
  description: "Closes the connection in the middle of the body.",
  attributes: {
    bytes: integer(0, "bytes that still arrive; 0 leaves it to fraction"),
    fraction: number(0.5, "part of the body that still arrives"),
  },
  start: ({ bytes, fraction }) => ({
    answer: (answer) => {
      const length = new TextEncoder().encode(answer.body).length
      const kept = bytes > 0 ? bytes : Math.floor(length * fraction)
      return withDelivery(answer, { cutAfter: Math.min(kept, Math.max(0, length - 1)) })
    },
  }),
})
