/**
 * Timestamps of a table in a named time zone, as its clocks show them. The service speaks UTC (Spec: Resources); who reads a spreadsheet in
 * Athens may want Athens. The heading says which zone it is.
 */
import { Timestamp } from "@deedkit/core"
import * as Result from "effect/Result"
import type { Column } from "./Column.ts"
import { ExportError } from "./ExportError.ts"
import type { Table } from "./Table.ts"

/** How long an offset is taken as known: no zone changes it within such a span, counted from the epoch. */
const spanMillis = 900_000

/** Milliseconds by which the zone's clocks are ahead of UTC. */
const offsets = (zone: string): ((millis: number) => number) => {
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "iso8601",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  })
  const known = new Map<number, number>()
  return (millis) => {
    const span = Math.floor(millis / spanMillis)
    let offset = known.get(span)
    if (offset === undefined) {
      const at = span * spanMillis
      const part = Object.fromEntries(
        format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
      )
      const { day = 1, hour = 0, minute = 0, month = 1, second = 0, year = 1970 } = part
      offset = Date.UTC(year, month - 1, day, hour, minute, second) - at
      if (known.size > 10_000) known.clear()
      known.set(span, offset)
    }
    return offset
  }
}

/** What the zone's clocks show, without a zone: `2026-03-01T11:30:00`, a fraction of a second kept to milliseconds. */
const local = (timestamp: string, offset: (millis: number) => number): string => {
  const millis = Timestamp.toEpochMillis(timestamp)
  if (Number.isNaN(millis)) return timestamp
  const text = new Date(millis + offset(millis)).toISOString().slice(0, -1)
  return text.endsWith(".000") ? text.slice(0, -4) : text
}

/**
 * The table with its timestamps in the zone, a name of the IANA database such as `Europe/Athens`; `UTC` leaves it as it is. Fails with
 * `TimeZoneUnknown`.
 */
export const apply = <A>(table: Table<A>, zone: string): Result.Result<Table<A>, ExportError> => {
  if (zone === "UTC") return Result.succeed(table)
  let offset: (millis: number) => number
  try {
    offset = offsets(zone)
  } catch {
    return Result.fail(new ExportError({ reason: { _tag: "TimeZoneUnknown", name: zone } }))
  }
  const inZone = (column: Column<A>): Column<A> =>
    column.kind === "timestamp"
      ? {
          ...column,
          label: column.label.replace("(UTC)", `(${zone})`),
          get: (record) => {
            const value = column.get(record)
            return typeof value === "string" ? local(value, offset) : value
          },
        }
      : column
  return Result.succeed({
    ...table,
    columns: table.columns.map(inZone),
    onDemand: table.onDemand.map(inZone),
  })
}
