/** A moment, given as a date, a UTC time or a span before now. Pure. */
import { Period } from "@deedkit/export"

/** The accepted forms, for messages. */
export const shape =
  "a date such as 2026-11-01 or yesterday, a UTC time such as 2026-11-01T06:00:00Z, or a span such as 36h or 7d"

/** PostgreSQL has no year 0, and a time must say its zone. */
const form = /^(?!0000)\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z)?$/

/** Whether a text is an accepted moment. */
export const isSince = (text: string): boolean =>
  (/^\d{4}(?!\d*[a-z])/i.test(text) ? form.test(text) : !text.startsWith("-")) && Period.of(text, 0) !== null

/** Converts an accepted text to a moment in ISO 8601 UTC, the first one of the period that it names. */
export const moment = (text: string, nowMillis: number): string =>
  new Date(Period.of(text, nowMillis)?.start ?? Number.NaN).toISOString()
