/** Fault `storm`: 429 to every request for a while, as for a client that shares its rate limit with other clients. Errors 1. */
import { number } from "../../settings/Setting.ts"
import { define } from "../fault/Fault.ts"
import { failed } from "../fault/failed.ts"
import { retryAfter } from "../fault/retryAfter.ts"

export const storm = define({
  name: "storm",
  description:
    "From its first hit on, answers 429 for a period of the clock; once over, it does not come back.",
  attributes: { ms: number(10_000, "length of the period in milliseconds"), retryAfter: retryAfter(null) },
  start: (attributes) => {
    let end: number | undefined
    return {
      phase: ({ clock }) => (end === undefined ? "waiting" : clock.now() < end ? "running" : "over"),
      before: (exchange) => {
        end ??= exchange.clock.now() + attributes.ms
        return failed(exchange, 429, "rate_limited", "Too many requests.", attributes.retryAfter)
      },
    }
  },
})
