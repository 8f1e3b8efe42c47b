/** Fault `burst`: a few 503 answers in a row, as during a deployment. Errors 3. */
import { integer } from "../../settings/Setting.ts"
import { define } from "../fault/Fault.ts"
import { failed } from "../fault/failed.ts"
import { retryAfter } from "../fault/retryAfter.ts"

export const burst = define({
  name: "burst",
  description: "From its first hit on, answers 503 to so many requests in a row, then never again.",
  attributes: { count: integer(3, "requests in a row", 1), retryAfter: retryAfter(null) },
  start: (attributes) => {
    let served = 0
    return {
      phase: () => (served === 0 ? "waiting" : served < attributes.count ? "running" : "over"),
      before: (exchange) => {
        served += 1
        return failed(exchange, 503, "unavailable", "Back in a moment.", attributes.retryAfter)
      },
    }
  },
})
