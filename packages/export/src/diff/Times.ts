/**
 * The times of two exports in one form, so that only real changes differ: formats for programs write instants, spreadsheets hold clocks of a zone
 * that a heading or the manifest names, and most of those have whole seconds. Pure.
 */
import * as Result from "effect/Result"
import * as Instant from "../table/Instant.ts"
import type { Table } from "../table/Table.ts"
import * as TimeZone from "../table/TimeZone.ts"

/** A row of an export: the texts of its cells by column name. */
export type Row = { readonly [column: string]: string }

/** An export, and the zone that its headings or its manifest name: `UTC` or such as `Europe/Athens`; null where neither does. */
export interface Timed {
  readonly rows: ReadonlyArray<Row>
  readonly zone: string | null
}

/** The zones of two exports whose times cannot be compared; `unnamed` for one that is not said. */
export interface ZonesApart {
  readonly before: string
  readonly after: string
}

type Columns = Pick<Table<never>, "columns" | "onDemand">

/** A heading for people without what it says of a zone. */
export const plain = (label: string): string => label.replace(/ \([^()]*\)$/, "")

export const timestampsOf = ({ columns, onDemand }: Columns) =>
  [...columns, ...onDemand].filter(({ kind }) => kind === "timestamp")

/** The zone that the headings of timestamps name, `UTC` or such as `Europe/Athens`; null where they name none. */
export const zoneInHeadings = (
  headings: ReadonlyArray<string>,
  tables: ReadonlyArray<Columns>,
): string | null => {
  const labels = new Set(tables.flatMap(timestampsOf).map(({ label }) => plain(label)))
  const heading = headings.find((each) => labels.has(plain(each)) && each !== plain(each))
  return heading === undefined ? null : heading.slice(plain(heading).length + " (".length, -")".length)
}

const instant = /T\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:?\d\d)$/
const clock = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?$/

/** How an export has its times. */
interface Shape {
  readonly hasTimes: boolean
  /** Whether they are clocks alone, which have no fraction of a second in most formats. */
  readonly isClocks: boolean
  /** The zone of the clocks; `UTC` where there are instants, among which a time without an offset means UTC (Spec: Resources). */
  readonly zone: string
}

const shapeOf = ({ rows, zone }: Timed, names: ReadonlySet<string>): Shape => {
  let hasClock = false
  for (const row of rows) {
    for (const [name, text] of Object.entries(row)) {
      if (!names.has(name)) continue
      if (instant.test(text)) return { hasTimes: true, isClocks: false, zone: "UTC" }
      hasClock ||= clock.test(text)
    }
  }
  return { hasTimes: hasClock, isClocks: hasClock, zone: hasClock ? (zone ?? "unnamed") : "UTC" }
}

type Canonical = (text: string) => string

const canonical = ({ zone }: Shape, target: string, isWhole: boolean): Canonical | null => {
  const cut = (text: string): string => (isWhole ? text.slice(0, 19) : text.replace(/\.000$/, ""))
  if (zone !== "UTC") return (text) => (clock.test(text) ? cut(text.replace(" ", "T")) : text)
  const shown = target === "UTC" ? Result.succeed(null) : TimeZone.clocks(target)
  if (Result.isFailure(shown)) return null
  const toLocal = shown.success
  return (text) => {
    const millis = instant.test(text) || clock.test(text) ? Instant.of(text.replace(" ", "T")) : null
    const utc = millis === null ? null : Instant.clock(millis)
    if (utc === null) return text
    return toLocal === null ? `${cut(utc)}Z` : cut(toLocal(`${utc}Z`))
  }
}

const rewritten = (
  { rows }: Pick<Timed, "rows">,
  names: ReadonlySet<string>,
  rewrite: Canonical,
): ReadonlyArray<Row> =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, text]) => [name, names.has(name) ? rewrite(text) : text]),
    ),
  )

/** How the rows of both are rewritten, or both zones where their times cannot be compared. */
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
 * The rows of both with their times in one form: instants in UTC, or clocks of the zone that one of them has. Fails with both zones where they
 * cannot be compared: clocks of two zones, or clocks of a zone that is not said beside instants.
 */
export const align = (
  before: Timed,
  after: Timed,
  tables: ReadonlyArray<Columns>,
): Result.Result<{ readonly before: ReadonlyArray<Row>; readonly after: ReadonlyArray<Row> }, ZonesApart> => {
  const names = timesOf(tables)
  return Result.map(forms(shapeOf(before, names), shapeOf(after, names)), ({ left, right }) => ({
    before: rewritten(before, names, left),
    after: rewritten(after, names, right),
  }))
}

/** Records as the service gives them (Spec: Resources). */
const ofService: Shape = { hasTimes: true, isClocks: false, zone: "UTC" }

/** The same where the later rows are records that the service gives page by page. */
export const alignToRecords = (
  before: Timed,
  tables: ReadonlyArray<Columns>,
): Result.Result<
  {
    readonly before: ReadonlyArray<Row>
    /** Brings rows of records into the form of the earlier ones. */
    readonly after: (rows: ReadonlyArray<Row>) => ReadonlyArray<Row>
    /** The zone of the times of both: `UTC`, or that of the clocks of the earlier export. */
    readonly zone: string
  },
  ZonesApart
> => {
  const names = timesOf(tables)
  return Result.map(forms(shapeOf(before, names), ofService), ({ left, right, zone }) => ({
    before: rewritten(before, names, left),
    after: (rows) => rewritten({ rows }, names, right),
    zone,
  }))
}
