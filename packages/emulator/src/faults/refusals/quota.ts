/** Fault `quota`: a real rate limit in fixed windows, for tests of a client's rate limiter. Limits 1. */
import { integer, number } from "../../settings/Setting.ts"
import { define } from "../fault/Fault.ts"
import { failed } from "../fault/failed.ts"
import { retryAfter } from "../fault/retryAfter.ts"

export const quota = define({
  name: "quota",
  description: "Lets so many requests through in each window of the clock and answers 429 to the rest.",
  attributes: {
    limit: integer(10, "requests in each window"),
    windowMs: number(1000, "length of a window in milliseconds", 1),
    retryAfter: retryAfter("window"),
  },
  start: (attributes) => {
    let window = Number.NaN
    let used = 0
    return {
      before: (exchange) => {
        const now = exchange.clock.now()
        const current = Math.floor(now / attributes.windowMs)
        if (current !== window) {
          window = current
          used = 0
        }
        used += 1
        if (used <= attributes.limit) return undefined
        const rest = Math.ceil(((current + 1) * attributes.windowMs - now) / 1000)
        const wait = attributes.retryAfter === "window" ? rest : attributes.retryAfter
        return failed(exchange, 429, "rate_limited", "Too many requests.", wait)
      },
    }
  },
})
