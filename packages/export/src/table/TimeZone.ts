/**
 * Converts the timestamps of a table to the local time of a named time zone. The service uses UTC (Spec: Resources); a reader of a spreadsheet in
 * Athens may want Athens time. The heading names the zone; formats that can write an offset get the instant with its offset.
 */
import type { Json } from "@deedkit/core"
import * as Result from "effect/Result"
import type { CellValue } from "./Cell.ts"
import type { Column } from "./Column.ts"
import { instantOrValue } from "./Column.ts"
import { ExportError } from "../error/ExportError.ts"
import * as Instant from "./Instant.ts"
import type { Table } from "./Table.ts"

/** The span of instants that share one offset, in milliseconds: no zone changes its offset within such a span, counted from the epoch. */
const spanMillis = 900_000

const form = /([+-])(\d\d):(\d\d)(?::(\d\d))?$/

/** Converts `GMT+01:34:52` to milliseconds; the name of a zone at GMT itself has no time. */
const parseOffset = (text: string): number => {
  const [, sign, hours, minutes, seconds = "0"] = form.exec(text) ?? []
  const amount = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60 + Number(seconds)
  return (sign === "-" ? -amount : amount) * 1_000
}

/**
 * Milliseconds by which the zone's clocks are ahead of UTC. The platform is asked for the offset itself, because local times cannot be converted
 * back in every year.
 */
const offsets = (zone: string): ((millis: number) => number) => {
  const format = new Intl.DateTimeFormat("en-US", { timeZone: zone, timeZoneName: "longOffset" })
  const known = new Map<number, number>()
  return (millis) => {
    const span = Math.floor(millis / spanMillis)
    let offset = known.get(span)
    if (offset === undefined) {
      const name = format.formatToParts(span * spanMillis).find(({ type }) => type === "timeZoneName")
      offset = parseOffset(name?.value ?? "")
      if (known.size > 10_000) known.clear()
      known.set(span, offset)
    }
    return offset
  }
}

/**
 * The local time without a zone, such as `2026-03-01T11:30:00`, with a fraction of a second kept to milliseconds. A timestamp that is not an
 * instant, or whose local year does not have four digits, is returned unchanged.
 */
const local = (timestamp: string, offset: (millis: number) => number): string => {
  const millis = Instant.of(timestamp)
  const text = millis === null ? null : Instant.clock(millis + offset(millis))
  if (text === null) return timestamp
  return text.endsWith(".000") ? text.slice(0, -4) : text
}

const twoDigits = (number: number): string => String(number).padStart(2, "0")

/** The same with the offset, `2026-03-01T11:30:00+02:00`; unchanged if ISO 8601 cannot express the offset: old zones have seconds in theirs. */
const localWithOffset = (timestamp: string, offset: (millis: number) => number): string => {
  const text = local(timestamp, offset)
  const millis = text === timestamp ? null : Instant.of(timestamp)
  if (millis === null) return timestamp
  const minutes = offset(millis) / 60_000
  const amount = Math.abs(minutes)
  return Number.isInteger(minutes)
    ? `${text}${minutes < 0 ? "-" : "+"}${twoDigits(Math.floor(amount / 60))}:${twoDigits(amount % 60)}`
    : timestamp
}

const known = (zone: string): Result.Result<ReturnType<typeof offsets>, ExportError> => {
  try {
    return Result.succeed(offsets(zone))
  } catch {
    return Result.fail(new ExportError({ reason: { _tag: "TimeZoneUnknown", name: zone } }))
  }
}

/** Returns a function that converts a timestamp to the local time of a zone, such as `2026-03-01T11:30:00`. Fails with `TimeZoneUnknown`. */
export const clocks = (zone: string): Result.Result<(timestamp: string) => string, ExportError> =>
  Result.map(known(zone), (offset) => (timestamp) => local(timestamp, offset))

/**
 * The table with its timestamps in the zone, a name of the IANA database such as `Europe/Athens`; `UTC` leaves it unchanged. Fails with
 * `TimeZoneUnknown`.
 */
export const apply = <A>(table: Table<A>, zone: string): Result.Result<Table<A>, ExportError> => {
  if (zone === "UTC") return Result.succeed(table)
  return Result.map(known(zone), (offset) => inZoneOf(table, zone, offset))
}

const inZoneOf = <A>(table: Table<A>, zone: string, offset: (millis: number) => number): Table<A> => {
  const shown =
    ({ get }: Column<A>, show: typeof local) =>
    (record: A): CellValue => {
      const value = get(record)
      return typeof value === "string" ? show(value, offset) : value
    }
  const inZone = (column: Column<A>): Column<A> =>
    column.kind === "timestamp"
      ? {
          ...column,
          label: column.label.replace("(UTC)", `(${zone})`),
          get: shown(column, local),
          instant: shown(column, localWithOffset),
        }
      : column
  const columns = table.columns.map(inZone)
  const timestamps = columns.filter(({ kind }) => kind === "timestamp")
  const { json } = table
  return {
    ...table,
    columns,
    onDemand: table.onDemand.map(inZone),
    json:
      json === undefined
        ? undefined
        : (record) => ({
            ...(json(record) as { readonly [member: string]: Json.Json }),
            ...Object.fromEntries(timestamps.map((column) => [column.name, instantOrValue(column)(record)])),
          }),
  }
}
