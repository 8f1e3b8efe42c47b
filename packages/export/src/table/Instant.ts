/**
 * Converts a timestamp of the service to an instant, and an instant to text.
 *
 * A day that its month does not have is not an instant: most readers would silently read 30 February as 2 March, and a wrong date that looks right
 * is worse than an odd text. A timestamp that is not an instant stays an unchanged text (Spec: Resources), wherever it is shown.
 */
import { Timestamp } from "@deedkit/core"

const longMonths: ReadonlySet<number> = new Set([1, 3, 5, 7, 8, 10, 12])

const lastDay = (year: number, month: number): number => {
  if (month !== 2) return longMonths.has(month) ? 31 : 30
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
}

/** Milliseconds since 1970-01-01T00:00:00Z; null for a text that is not a timestamp, or whose day does not exist. */
export const of = (timestamp: Timestamp.Timestamp): number | null => {
  const millis = Timestamp.toEpochMillis(timestamp)
  if (Number.isNaN(millis)) return null
  const day = Number(timestamp.slice(8, 10))
  const isReal = day <= 28 || day <= lastDay(Number(timestamp.slice(0, 4)), Number(timestamp.slice(5, 7)))
  return isReal ? millis : null
}

/** `0000-01-01T00:00:00.000` and `9999-12-31T23:59:59.999`: the range of years with four digits. */
const first = -62_167_219_200_000
const last = 253_402_300_799_999

/** `2026-03-01T09:30:00.000`, an instant without a zone; null outside the years with four digits. */
export const clock = (millis: number): string | null =>
  millis >= first && millis <= last ? new Date(millis).toISOString().slice(0, -1) : null
