/** Fault `rate-limit`: the one error status that the specification names. Errors 1. */
import { define } from "../fault/Fault.ts"
import { failed } from "../fault/failed.ts"
import { retryAfter } from "../fault/retryAfter.ts"

export const rateLimit = define({
  name: "rate-limit",
  description: "Answers 429.",
  attributes: { retryAfter: retryAfter(1) },
  start: (attributes) => ({
    before: (exchange) => failed(exchange, 429, "rate_limited", "Too many requests.", attributes.retryAfter),
  }),
})
