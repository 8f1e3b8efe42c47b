/** A moment, given as a date, a UTC time or a span before now. Pure. */
import * as Age from "../command/Age.ts"

/** The accepted forms, for messages. */
export const shape =
  "a date such as 2026-11-01 or yesterday, a UTC time such as 2026-11-01T06:00:00Z, or a span such as 36h or 7d"

/** PostgreSQL has no year 0. */
const form = /^(?!0000)\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?Z)?$/

/** Milliseconds of a date or time; NaN for any other text, and for days that no calendar has. */
const timeOf = (text: string): number => {
  const time = form.test(text) ? Date.parse(text) : Number.NaN
  // V8 reads the 31st of a month with 30 days as the next day.
  return Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== text.slice(0, 10)
    ? Number.NaN
    : time
}

const daysBefore: { readonly [day: string]: number } = { today: 0, yesterday: 1 }
const isDay = (text: string): boolean => Object.hasOwn(daysBefore, text)

/** Whether a text is an accepted moment. */
export const isSince = (text: string): boolean =>
  isDay(text) || Age.parse(text) !== null || !Number.isNaN(timeOf(text))

/** Converts an accepted text to a moment in ISO 8601 UTC. */
export const moment = (text: string, nowMillis: number): string => {
  // Days are those of UTC, as in dates.
  if (isDay(text))
    return `${new Date(nowMillis - daysBefore[text]! * 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`
  const span = Age.parse(text)
  return new Date(span === null ? timeOf(text) : Math.max(0, nowMillis - span)).toISOString()
}
