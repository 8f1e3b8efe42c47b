/** Fault `stall`: the connection stays open and silent until the client gives up. Limits 3. */
import { flag, integer } from "../../settings/Setting.ts"
import { withDelivery } from "../../wire/Answer.ts"
import { define } from "../fault/Fault.ts"

export const stall = define({
  name: "stall",
  description: "Sends the head and then nothing more until the client gives up.",
  attributes: {
    bytes: integer(0, "bytes of the body that still arrive"),
    head: flag(true, "whether the head is sent at all"),
  },
  start: ({ bytes, head }) => ({
    before: async (exchange) => {
      if (!head) await exchange.stall()
      return undefined
    },
    answer: (answer) => withDelivery(answer, { stallAfter: bytes }),
  }),
})
