/**
 * Timestamps in the form that spreadsheets read as dates: the local time to the second, without an offset, which none of their forms can hold; the
 * heading names the zone. Excel reads a space between date and time, LibreOffice a `T`, and neither reads the other's form (LibreOffice 7.4 with
 * its defaults; Excel as documented).
 */
import type { Cell, Column } from "@deedkit/export"
import { Instant } from "@deedkit/export"

/** The separator between date and time. */
export type Between = " " | "T"

/** The documented form, on a day that every month has. */
const documented = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/
/** The local time of another zone, as `TimeZone` makes it. */
const local = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?$/

const utc = (text: string): string | null => {
  if (documented.test(text)) return text
  const millis = Instant.of(text)
  return millis === null ? null : Instant.clock(millis)
}

/** Makes the cells of a timestamp column, such as `2025-06-29 15:07:20`. A text that is not an instant stays unchanged. */
export const make =
  <A>({ get, instant }: Column.Column<A>, between: Between) =>
  (record: A): Cell.CellValue => {
    const value = get(record)
    if (typeof value !== "string") return value
    const clock = instant === undefined ? utc(value) : local.test(value) ? value : null
    return clock === null ? value : `${clock.slice(0, 10)}${between}${clock.slice(11, 19)}`
  }
