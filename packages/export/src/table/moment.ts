/** Dates and times as people write them in a filter, in UTC and with any precision from a year to a millisecond. */
import * as Instant from "./Instant.ts"

/** The first moment of the written period, and the first one after it, in milliseconds since 1970. */
export interface Span {
  readonly start: number
  readonly end: number
}

const form =
  /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(Z|[+-]\d\d:?\d\d)?)?)?)?$/i

/** The span of `2026`, `2026-03`, `2026-03-01`, `2026-03-01T09:30` or anything more exact; null if the text is not a date. */
export const span = (text: string): Span | null => {
  const [whole, year, month, day, hour, minute, second, fraction, zone = "Z"] = form.exec(text) ?? []
  if (whole === undefined) return null
  const iso =
    `${year}-${month ?? "01"}-${day ?? "01"}T${hour ?? "00"}:${minute ?? "00"}:${second ?? "00"}` +
    `.${(fraction ?? "").padEnd(3, "0")}${zone}`
  const start = Instant.of(iso)
  if (start === null) return null
  // Not `Date.UTC`, which takes the year 50 for 1950.
  if (month === undefined) return { start, end: new Date(0).setUTCFullYear(Number(year) + 1, 0, 1) }
  if (day === undefined) return { start, end: new Date(0).setUTCFullYear(Number(year), Number(month), 1) }
  if (hour === undefined) return { start, end: start + 86_400_000 }
  if (second === undefined) return { start, end: start + 60_000 }
  return { start, end: start + (fraction === undefined ? 1_000 : 10 ** (3 - fraction.length)) }
}
