/**
 * Timestamps as the service sends them: ISO 8601 strings in UTC with a trailing `Z` (Spec: Resources).
 *
 * Records keep the string; it is parsed on demand. A timestamp with an offset, or without a zone (which means UTC), is accepted too;
 * `isDocumented` tells the difference.
 */

/** An ISO 8601 date and time, `2026-03-01T09:30:00Z`, with or without a fraction of a second. */
export type Timestamp = string

/** Negative when the character is not a digit, so that the sign of a bitwise OR tests many characters at once. */
const digit = (code: number): number => (code - 48) | (57 - code)

/** `YYYY-MM-DDTHH:MM:SS`, without a regular expression and almost without branches: it runs twice per record. */
const startsWithDateTime = (text: string): boolean => {
  if (text.length < 19) return false
  const month = text.charCodeAt(5)
  const monthUnit = text.charCodeAt(6)
  const day = text.charCodeAt(8)
  const dayUnit = text.charCodeAt(9)
  const hour = text.charCodeAt(11)
  const hourUnit = text.charCodeAt(12)
  const minute = text.charCodeAt(14)
  const second = text.charCodeAt(17)
  const secondUnit = text.charCodeAt(18)
  const digits =
    digit(text.charCodeAt(0)) |
    digit(text.charCodeAt(1)) |
    digit(text.charCodeAt(2)) |
    digit(text.charCodeAt(3)) |
    digit(month) |
    digit(monthUnit) |
    digit(day) |
    digit(dayUnit) |
    digit(hour) |
    digit(hourUnit) |
    digit(minute) |
    digit(text.charCodeAt(15)) |
    digit(second) |
    digit(secondUnit)
  const separators =
    (text.charCodeAt(4) ^ 45) |
    (text.charCodeAt(7) ^ 45) |
    (text.charCodeAt(10) ^ 84) |
    (text.charCodeAt(13) ^ 58) |
    (text.charCodeAt(16) ^ 58)
  const monthNumber = month * 10 + monthUnit - 528
  const dayNumber = day * 10 + dayUnit - 528
  return (
    digits >= 0 &&
    separators === 0 &&
    monthNumber >= 1 &&
    monthNumber <= 12 &&
    dayNumber >= 1 &&
    dayNumber <= 31 &&
    hour * 10 + hourUnit - 528 <= 23 &&
    minute <= 53 &&
    second * 10 + secondUnit - 528 <= 60
  )
}

const documentedFraction = /^\.\d{1,9}Z$/

/** Every form that is accepted. The date of such a string may still not exist. @internal */
export const tolerated = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d\d:?\d\d)?$/

/** Whether the string has the documented form: date, `T`, time to the second or finer, `Z`. Does not check the length of the month. */
export const isDocumented = (text: string): boolean =>
  startsWithDateTime(text) &&
  (text.length === 20 ? text.charCodeAt(19) === 90 : documentedFraction.test(text.slice(19)))

/** Whether the string can be read as a moment: the documented form, or one with an offset, a space for the `T`, or no zone. */
export const isTimestamp = (value: unknown): value is Timestamp =>
  typeof value === "string" &&
  (isDocumented(value) || (tolerated.test(value) && !Number.isNaN(toEpochMillis(value))))

/** Milliseconds since 1970-01-01T00:00:00Z. No zone means UTC. `NaN` when the string is not a timestamp. */
export const toEpochMillis = (timestamp: Timestamp): number => {
  // A leap second counts as one second after `:59`.
  if (timestamp.slice(16, 19) === ":60")
    return toEpochMillis(`${timestamp.slice(0, 16)}:59${timestamp.slice(19)}`) + 1_000
  const text = timestamp.replace(" ", "T")
  return Date.parse(/(?:[Zz]|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`)
}

/** The moment as a `Date`; an invalid `Date` when the string is not a timestamp. */
export const toDate = (timestamp: Timestamp): Date => new Date(toEpochMillis(timestamp))

const parts = /^(.{10}[Tt ]\d\d:\d\d(?::\d\d)?)(\.\d+)?(.*)$/

/** Joins the time to the second with a fraction, which begins with its point. Drops zeros at the end of the fraction. */
const join = (toTheSecond: string, fraction: string): string => {
  let end = fraction.length
  while (end > 0 && fraction.charCodeAt(end - 1) === 48) end -= 1
  return end < 2 ? toTheSecond : toTheSecond + fraction.slice(0, end)
}

/**
 * The timestamp as a text that sorts by time, whatever precision or offset it was written with: in UTC, without a zone, without zeros at the end
 * of a fraction. Equal moments give equal texts, except for a leap second. An empty text stays empty.
 */
export const sortKey = (timestamp: Timestamp): string => {
  if (timestamp === "") return timestamp
  if (isDocumented(timestamp)) return join(timestamp.slice(0, 19), timestamp.slice(19, -1))
  const [, toTheSecond = "", fraction = "", zone = ""] = parts.exec(timestamp) ?? []
  return join(
    toDate(toTheSecond + zone)
      .toISOString()
      .slice(0, -5),
    fraction,
  )
}

/** The same for a moment in epoch milliseconds. @internal */
export const sortKeyOf = (millis: number): string => sortKey(new Date(millis).toISOString())
