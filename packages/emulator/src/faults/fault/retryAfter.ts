/**
 * The forms of a `Retry-After` header that 429 and 503 answers can have. The specification promises none of them
 * (Errors 1), so a client has to handle each, and invalid values.
 */
import type { Exchange } from "../../routes/Exchange.ts"
import type { Setting } from "../../settings/Setting.ts"

/** Seconds, a future date, a past date, any other text unchanged, or null for no header. */
export const retryAfter = (value: number | string | null): Setting<number | string | null> => ({
  default: value,
  about: "seconds, date (5 s ahead), past-date, any text, or null for no header",
  shape: "seconds | date | past-date | text | null",
  accept: (given) =>
    given === null || given === "null"
      ? null
      : typeof given === "number" || typeof given === "string"
        ? given
        : undefined,
})

/** The header as an object to spread. */
export const retryAfterHeader = (
  value: number | string | null,
  exchange: Exchange,
): Readonly<Record<string, string>> => {
  const httpDate = (ms: number) => new Date(exchange.clock.now() + ms).toUTCString()
  if (value === null) return {}
  if (value === "date") return { "retry-after": httpDate(5000) }
  if (value === "past-date") return { "retry-after": httpDate(-60_000) }
  return { "retry-after": String(value) }
}
