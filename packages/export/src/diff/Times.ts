/**
 * Brings the times of two exports into one form, so that only real changes differ. Formats for programs write instants. Spreadsheets hold local
 * times of a zone that a heading or the manifest names, most of them in whole seconds. Pure.
 */
import { Timestamp } from "@deedkit/core"
import * as Result from "effect/Result"
import { plainLabel } from "../table/Column.ts"
import * as Instant from "../table/Instant.ts"
import type { Table } from "../table/Table.ts"
import * as TimeZone from "../table/TimeZone.ts"
import type { Row } from "./Rows.ts"

/** An export and the time zone that its headings or its manifest name: `UTC` or a name such as `Europe/Athens`; null if neither names one. */
export interface Timed {
  readonly rows: ReadonlyArray<Row>
  readonly zone: string | null
  /** Whether the rows are JSON records, where every time is an instant, and a time without an offset means UTC. Default false. */
  readonly isRecords?: boolean
}

/** The zones of two exports whose times cannot be compared; `unnamed` stands for a zone that an export does not name. */
export interface ZonesApart {
  readonly before: string
  readonly after: string
}

type Columns = Pick<Table<never>, "columns" | "onDemand">

const timestampsOf = ({ columns, onDemand }: Columns) =>
  [...columns, ...onDemand].filter(({ kind }) => kind === "timestamp")

/** The time zone in the headings of timestamps: `UTC` or a name such as `Europe/Athens`; null if they name none. */
export const zoneInHeadings = (
  headings: ReadonlyArray<string>,
  tables: ReadonlyArray<Columns>,
): string | null => {
  const labels = new Set(tables.flatMap(timestampsOf).map(({ label }) => plainLabel(label)))
  const heading = headings.find((each) => labels.has(plainLabel(each)) && each !== plainLabel(each))
  return heading === undefined ? null : heading.slice(plainLabel(heading).length + " (".length, -")".length)
}

const offset = /(?:z|[+-]\d\d:?\d\d)$/i

/** The instant in a cell, taken as UTC if it has no offset; null if the text is not an instant, such as 30 February. */
const instantOf = (text: string): number | null => (Timestamp.isTimestamp(text) ? Instant.of(text) : null)

/** The local time of a zone at an instant; null if it is out of the range that can be shown. */
type Clocks = (millis: number) => string | null

/** Null for a zone that is not known. */
const clocksOf = (zone: string): Clocks | null => {
  if (zone === "UTC") return Instant.clock
  const shown = TimeZone.clocks(zone)
  if (Result.isFailure(shown)) return null
  const toLocal = shown.success
  return (millis) => {
    const clock = Instant.clock(millis)
    if (clock === null) return null
    const local = toLocal(`${clock}Z`)
    return local.endsWith("Z") ? null : local
  }
}

/** How an export writes its times. */
interface Shape {
  readonly hasTimes: boolean
  /** Whether the times are local times, which have no fraction of a second in most formats. */
  readonly isClocks: boolean
  /** The zone of the local times; `UTC` for instants, among which a time without an offset means UTC (Spec: Resources). */
  readonly zone: string
}

/**
 * Decided by the majority of the times: a spreadsheet holds an instant unchanged among its local times if they cannot show it, such as one of the
 * year 9999 in a zone that is ahead of UTC.
 */
const shapeOf = ({ isRecords = false, rows, zone }: Timed, names: ReadonlySet<string>): Shape => {
  const show = clocksOf(zone ?? "UTC")
  let clocks = 0
  let instants = 0
  for (const row of rows) {
    for (const name of names) {
      const text = row[name] ?? ""
      const millis = text === "" ? null : instantOf(text)
      if (millis === null) continue
      if (!offset.test(text)) clocks += 1
      else if (show === null || show(millis) !== null) instants += 1
    }
  }
  const hasTimes = clocks + instants > 0
  const isClocks = !isRecords && clocks > instants
  return { hasTimes, isClocks, zone: isClocks ? (zone ?? "unnamed") : "UTC" }
}

type Canonical = (text: string) => string

const canonical = ({ isClocks, zone }: Shape, target: string, isWhole: boolean): Canonical | null => {
  const cut = (clock: string): string => (isWhole ? clock.slice(0, 19) : clock.replace(/\.000$/, ""))
  const isLocal = isClocks && zone !== "UTC"
  const show: Clocks | null = target === "UTC" ? () => null : clocksOf(target)
  if (show === null) return null
  return (text) => {
    const millis = instantOf(text)
    if (millis === null) return text
    // Local times are not converted back to UTC: an hour of October occurs twice.
    if (isLocal && !offset.test(text)) return cut(Instant.clock(millis) ?? text)
    const local = show(millis)
    if (local !== null) return cut(local)
    const utc = Instant.clock(millis)
    return utc === null ? text : `${cut(utc)}Z`
  }
}

const rewritten = (
  rows: ReadonlyArray<Row>,
  names: ReadonlySet<string>,
  rewrite: Canonical,
): ReadonlyArray<Row> =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, text]) => [name, names.has(name) ? rewrite(text) : text]),
    ),
  )

/** How the rows of both exports are rewritten, or both zones if their times cannot be compared. */
const forms = (
  left: Shape,
  right: Shape,
): Result.Result<
  { readonly left: Canonical; readonly right: Canonical; readonly zone: string },
  ZonesApart
> => {
  const apart = Result.fail({ before: left.zone, after: right.zone })
  const [target = "UTC", other] = [...new Set([left.zone, right.zone])].filter((zone) => zone !== "UTC")
  const isUnknown = target === "unnamed" || other === "unnamed"
  if (other !== undefined && !isUnknown) return apart
  if (isUnknown && other === undefined && left.zone !== right.zone && left.hasTimes && right.hasTimes)
    return apart
  const isWhole = left.isClocks || right.isClocks
  const toLeft = canonical(left, isUnknown ? "UTC" : target, isWhole)
  const toRight = canonical(right, isUnknown ? "UTC" : target, isWhole)
  return toLeft === null || toRight === null
    ? apart
    : Result.succeed({ left: toLeft, right: toRight, zone: target })
}

const timesOf = (tables: ReadonlyArray<Columns>): ReadonlySet<string> =>
  new Set(tables.flatMap(timestampsOf).map(({ name }) => name))

/**
 * Returns the rows of both exports with their times in one form: instants in UTC, or local times of the zone that one of them has. Fails with both
 * zones if the times cannot be compared: local times of two zones, or local times of an unnamed zone and instants.
 */
export const align = (
  before: Timed,
  after: Timed,
  tables: ReadonlyArray<Columns>,
): Result.Result<{ readonly before: ReadonlyArray<Row>; readonly after: ReadonlyArray<Row> }, ZonesApart> => {
  const names = timesOf(tables)
  return Result.map(forms(shapeOf(before, names), shapeOf(after, names)), ({ left, right }) => ({
    before: rewritten(before.rows, names, left),
    after: rewritten(after.rows, names, right),
  }))
}

/** Records as the service gives them (Spec: Resources). */
const ofService: Shape = { hasTimes: true, isClocks: false, zone: "UTC" }

/** Like `align`, where the later rows are records that the service returns page by page. */
export const alignToRecords = (
  before: Timed,
  tables: ReadonlyArray<Columns>,
): Result.Result<
  {
    readonly before: ReadonlyArray<Row>
    /** Brings rows of records into the form of the earlier ones. */
    readonly after: (rows: ReadonlyArray<Row>) => ReadonlyArray<Row>
    /** The zone of the times of both: `UTC`, or the zone of the local times in the earlier export. */
    readonly zone: string
  },
  ZonesApart
> => {
  const names = timesOf(tables)
  return Result.map(forms(shapeOf(before, names), ofService), ({ left, right, zone }) => ({
    before: rewritten(before.rows, names, left),
    after: (rows) => rewritten(rows, names, right),
    zone,
  }))
}
