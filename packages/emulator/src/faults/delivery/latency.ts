/** Fault `latency`: the answer is delayed. For time limits and for the order of parallel calls. Limits 3. */
import { number } from "../../settings/Setting.ts"
import { define } from "../fault/Fault.ts"

export const latency = define({
  name: "latency",
  description: "Waits before anything else happens.",
  attributes: { ms: number(1000, "milliseconds of the clock") },
  start: ({ ms }) => ({
    before: async (exchange) => {
      await exchange.wait(ms)
      return undefined
    },
  }),
})
