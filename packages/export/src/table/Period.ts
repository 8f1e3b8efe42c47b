/**
 * Dates and spans as people type them: `2026-03`, `2026-Q2`, `7d`, `yesterday`, `last month`. Everything is in UTC, and weeks begin on Monday. Pure.
 */
import * as Instant from "./Instant.ts"

/** The first moment of a period, and the first one after it, in milliseconds since 1970; the same for a moment. */
export interface Period {
  readonly start: number
  readonly end: number
}

/** What `of` takes, for messages. */
export const shape =
  "a date or time in UTC, such as 2026-03-01 or 2026-03-01T09:30, or a span before now, such as 7d, 36h, today or yesterday"

/** What `span` takes, for messages. */
export const spanShape = "a span such as 90m, 36h or 2d"

const day = 86_400_000

const units: ReadonlyArray<readonly [names: RegExp, millis: number]> = [
  [/^s(?:ec(?:ond)?s?)?$/, 1_000],
  [/^m(?:in(?:ute)?s?)?$/, 60_000],
  [/^h(?:(?:ou)?rs?)?$/, 3_600_000],
  [/^d(?:ays?)?$/, day],
  [/^w(?:(?:ee)?ks?)?$/, 7 * day],
]

const amountOf = (text: string): readonly [amount: number, unit: string] => {
  const [, amount, unit = ""] = /^(\d{1,9}(?:\.\d{1,9})?)\s*([a-z]+)$/i.exec(text.trim()) ?? []
  return [Number(amount ?? Number.NaN), unit.toLowerCase()]
}

/** The milliseconds of a span such as `90m`, `36h`, `2d` or `2 days`; null for another text and for a span of zero. */
export const span = (text: string): number | null => {
  const [amount, unit] = amountOf(text)
  const millis = amount * (units.find(([names]) => names.test(unit))?.[1] ?? Number.NaN)
  return millis > 0 ? millis : null
}

/** Midnight of the first day of a month, which may be below 0 or above 11. Not `Date.UTC`, which takes the year 50 for 1950. */
const monthStart = (year: number, month: number): number => new Date(0).setUTCFullYear(year, month, 1)

/** The moment that many months before, on the last day of its month at the latest. */
const monthsBefore = (nowMillis: number, months: number): number => {
  const now = new Date(nowMillis)
  const first = monthStart(now.getUTCFullYear(), now.getUTCMonth() - months)
  const next = new Date(first).setUTCMonth(new Date(first).getUTCMonth() + 1)
  const sinceMonth = nowMillis - monthStart(now.getUTCFullYear(), now.getUTCMonth())
  return first + Math.min(sinceMonth, next - first - day + (nowMillis % day))
}

/** The moment of `36h`, `7 days ago`, `now-7d` or `6mo`; null for another text. */
const before = (text: string, nowMillis: number): number | null => {
  const words = text.replace(/^(?:now\s*)?-\s*|\s+ago$/gi, "")
  const millis = span(words)
  if (millis !== null) return Math.max(0, nowMillis - millis)
  const [amount, unit] = amountOf(words)
  const months = /^mo(?:n(?:th)?)?s?$/.test(unit) ? 1 : /^y(?:(?:ea)?rs?)?$/.test(unit) ? 12 : 0
  return months > 0 && Number.isInteger(amount) && amount > 0 && amount < 10_000
    ? Math.max(0, monthsBefore(nowMillis, amount * months))
    : null
}

/** The period of `last 7 days` or `past 2 months`, which ends now; null for another text. */
const upToNow = (text: string, nowMillis: number): Period | null => {
  const [, words] = /^(?:last|past)\s+(\d.*)$/i.exec(text) ?? []
  const start = words === undefined ? null : before(words, nowMillis)
  return start === null ? null : { start, end: nowMillis }
}

const months = "january february march april may june july august september october november december".split(
  " ",
)

/** The month of `June 2026` or `jun 2026`; null for another text. */
const namedMonth = (text: string): Period | null => {
  const [, name = "", year] = /^([a-z]{3,9})\s+(\d{4})$/i.exec(text) ?? []
  const month = months.findIndex((each) => each.startsWith(name.toLowerCase()))
  return year === undefined || month < 0
    ? null
    : { start: monthStart(Number(year), month), end: monthStart(Number(year), month + 1) }
}

/** The period of `this week`, `last_month` or `lastquarter`; null for another text. */
const calendar = (text: string, nowMillis: number): Period | null => {
  const [, which = "", unit = ""] =
    /^(this|current|last|previous)[\s_-]?(week|month|quarter|year)$/i.exec(text) ?? []
  if (unit === "") return null
  const ago = /^[tc]/i.test(which) ? 0 : 1
  const now = new Date(nowMillis)
  if (/^week$/i.test(unit)) {
    const weekday = (now.getUTCDay() + 6) % 7
    const start = nowMillis - (nowMillis % day) - (weekday + 7 * ago) * day
    return { start, end: start + 7 * day }
  }
  const length = /^month$/i.test(unit) ? 1 : /^quarter$/i.test(unit) ? 3 : 12
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()]
  const first = month - (month % length) - length * ago
  return { start: monthStart(year, first), end: monthStart(year, first + length) }
}

const moment =
  /^(\d{4})(?:([-/])(\d{1,2})(?:\2(\d{1,2})(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?)?)?$/i

/** The period of `2026`, `2026-03`, `2026-Q2`, `2026-03-01`, `2026-03-01T09:30` or anything more exact; null if the text is not a date. */
const dated = (text: string): Period | null => {
  const [, yearOf, quarter] = /^(\d{4})-?Q([1-4])$/i.exec(text) ?? []
  if (quarter !== undefined) {
    const [year, first] = [Number(yearOf), Number(quarter) * 3 - 3]
    return { start: monthStart(year, first), end: monthStart(year, first + 3) }
  }
  const [whole, year, , month, dayOf, hour, minute, second, digits, zone = "Z"] = moment.exec(text) ?? []
  if (whole === undefined) return null
  const fraction = digits?.slice(0, 3)
  const date = `${year}-${(month ?? "1").padStart(2, "0")}-${(dayOf ?? "1").padStart(2, "0")}`
  const time = `${hour ?? "00"}:${minute ?? "00"}:${second ?? "00"}.${(fraction ?? "").padEnd(3, "0")}`
  const start = Instant.of(`${date}T${time}${zone}`)
  if (start === null) return null
  if (month === undefined) return { start, end: monthStart(Number(year), 12) }
  if (dayOf === undefined) return { start, end: monthStart(Number(year), Number(month)) }
  if (hour === undefined) return { start, end: start + day }
  if (second === undefined) return { start, end: start + 60_000 }
  return { start, end: start + (fraction === undefined ? 1_000 : 10 ** (3 - fraction.length)) }
}

/** The period that a text names; null for any other text. A span before now, such as `7d`, is a moment. */
export const of = (text: string, nowMillis: number): Period | null => {
  const today = nowMillis - (nowMillis % day)
  switch (text.toLowerCase()) {
    case "now":
      return { start: nowMillis, end: nowMillis }
    case "today":
      return { start: today, end: today + day }
    case "yesterday":
      return { start: today - day, end: today }
  }
  const then = before(text, nowMillis)
  if (then !== null) return { start: then, end: then }
  return upToNow(text, nowMillis) ?? calendar(text, nowMillis) ?? namedMonth(text) ?? dated(text)
}
