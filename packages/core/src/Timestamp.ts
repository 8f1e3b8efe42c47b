/**
 * Timestamps as the wire has them: ISO 8601 strings in UTC with a trailing `Z` (Spec: Resources).
 *
 * Records keep the string; it is parsed only by those who ask. A server that writes an offset, or no zone at all, is read all
 * the same (no zone means UTC) and the deviation can be asked for with `isDocumented`.
 */

/** An ISO 8601 date and time, `2026-03-01T09:30:00Z`, with or without a fraction of a second. */
export type Timestamp = string

/** Two digits as a number from 0 to 99; 100 when they are not digits, so that every range check fails. */
const two = (text: string, at: number): number => {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : 100
}

/** `YYYY-MM-DDTHH:MM:SS` by hand: this runs twice a record, and a regular expression costs three times as much. */
const startsWithDateTime = (text: string): boolean => {
  if (text.length < 19 || two(text, 0) > 99 || two(text, 2) > 99) return false
  const month = two(text, 5)
  const day = two(text, 8)
  return (
    text.charCodeAt(4) === 45 &&
    month >= 1 &&
    month <= 12 &&
    text.charCodeAt(7) === 45 &&
    day >= 1 &&
    day <= 31 &&
    text.charCodeAt(10) === 84 &&
    two(text, 11) <= 23 &&
    text.charCodeAt(13) === 58 &&
    two(text, 14) <= 59 &&
    text.charCodeAt(16) === 58 &&
    two(text, 17) <= 60
  )
}

const documentedFraction = /^\.\d{1,9}Z$/
const tolerated = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:?\d\d)?$/

/** Whether the string has the documented form: date, `T`, time to the second or finer, `Z`. Days past a month's end are not looked for. */
export const isDocumented = (text: string): boolean =>
  startsWithDateTime(text) &&
  (text.length === 20 ? text.charCodeAt(19) === 90 : documentedFraction.test(text.slice(19)))

/** Whether the string can be read as a moment: the documented form, or one with an offset, a space for the `T`, or no zone. */
export const isTimestamp = (value: unknown): value is Timestamp =>
  typeof value === "string" &&
  (isDocumented(value) || (tolerated.test(value) && !Number.isNaN(toEpochMillis(value))))

/** Milliseconds since 1970-01-01T00:00:00Z. No zone means UTC. `NaN` when the string is no timestamp. */
export const toEpochMillis = (timestamp: Timestamp): number => {
  const text = timestamp.replace(" ", "T")
  return Date.parse(/(?:[Zz]|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
}

/** The moment as a `Date`; an invalid `Date` when the string is no timestamp. */
export const toDate = (timestamp: Timestamp): Date => new Date(toEpochMillis(timestamp))
