/**
 * What an export would do, computed before any request: columns, files, requests and time. The number of records is not known, so requests and time
 * are estimated for round numbers, or for the number of records in the last export if its manifest is beside the file.
 */
import type { ClientConfig, RateLimits } from "@deedkit/core"
import { Json } from "@deedkit/core"
import * as OwnFile from "@deedkit/core/own-file"
import { Manifest } from "@deedkit/export"
import * as Effect from "effect/Effect"
import { count, duration } from "../terminal/Figures.ts"
import type { RunChoices } from "./ExportFlags.ts"
import { defaultPageSize } from "./ExportFlags.ts"

interface PlannedTable {
  readonly table: string
  readonly columns: ReadonlyArray<string>
  readonly filters: ReadonlyArray<string>
  /** Records in the last export; null if unknown. */
  readonly lastRecords: number | null
}

export interface Plan {
  readonly origin: string
  readonly tables: ReadonlyArray<PlannedTable>
  readonly files: ReadonlyArray<{ readonly format: string; readonly target: string }>
  /** Records per page. */
  readonly pageSize: number
  /** Whether each record is also requested individually, for its data payload. */
  readonly data: boolean
  /** Whether completeness is verified. */
  readonly prove: boolean
  /** Maximum requests per second; 0 without a rate limiter. */
  readonly rate: number
  readonly estimates: ReadonlyArray<Estimate>
}

interface Estimate {
  readonly records: number
  readonly requests: number
  /** Time that the rate limiter alone takes, excluding response times and waits that the service asks for. */
  readonly atLeastMillis: number
}

/** Time that the rate limiter takes for this many requests: first its burst, then its rate, which rises by one per second after every ten responses. */
const limitedMillis = (requests: number, { burst, ceiling, start }: RateLimits): number => {
  if (ceiling === Infinity) return 0
  let left = Math.max(0, requests - burst)
  let rate = Math.min(start + Math.floor(burst / 10), ceiling)
  let millis = 0
  while (left > 0) {
    const now = Math.min(left, 10)
    millis += (now * 1_000) / rate
    left -= now
    rate = Math.min(rate + 1, ceiling)
  }
  return Math.round(millis)
}

/** Estimates requests and time for this many records. */
const estimate = (
  records: number,
  { data, pageSize, prove }: Pick<Plan, "data" | "pageSize" | "prove">,
  limits: RateLimits,
): Estimate => {
  const pages = Math.max(1, Math.ceil(records / pageSize))
  // Positions are requested with an overlap of one record in twenty, and one page is requested again. A service with opaque cursors needs twice as many.
  const overlapping = prove && pages > 1 ? Math.ceil(records / (pageSize * 0.95)) + 1 : pages
  // One extra request asks whose records they are.
  const requests = 1 + overlapping + (data ? records : 0)
  return { records, requests, atLeastMillis: limitedMillis(requests, limits) }
}

/** The input of a plan. */
interface Spec {
  readonly tables: ReadonlyArray<{
    readonly selection: {
      readonly table: { readonly name: string; readonly columns: ReadonlyArray<{ readonly name: string }> }
      readonly filter: { readonly texts: ReadonlyArray<string> }
    }
  }>
  readonly choices: Pick<RunChoices, "pageSize" | "quick">
  readonly data?: boolean | undefined
}

/** Far more than a manifest has. */
const mostManifestBytes = 16 * 1_048_576

/** Records in the last export to a file; null if its manifest does not say. */
const lastRecords = (target: string, table: string): Effect.Effect<number | null> =>
  Effect.promise(() =>
    OwnFile.read(Manifest.pathOf(target), { most: mostManifestBytes }).then((bytes) =>
      Json.parse(bytes.toString("utf8")),
    ),
  ).pipe(
    Effect.map((value) => {
      const tables = Json.isObject(value) && Array.isArray(value["tables"]) ? value["tables"] : []
      const found = tables.find((entry) => Json.isObject(entry) && entry["table"] === table)
      const reading = Json.isObject(found) ? found["reading"] : null
      return Json.isObject(reading) && typeof reading["records"] === "number" ? reading["records"] : null
    }),
    Effect.catchCause(() => Effect.succeed(null)),
  )

/** The plan of an export. */
export const make = Effect.fnUntraced(function* (
  { origin, rate: limits }: Pick<ClientConfig.ClientConfig, "origin" | "rate">,
  { choices, data = false, tables }: Spec,
  files: Plan["files"],
  [first = "-"]: ReadonlyArray<string>,
): Effect.fn.Return<Plan> {
  const { pageSize = defaultPageSize } = choices
  const planned = yield* Effect.forEach(tables, ({ selection: { filter, table } }) =>
    Effect.map(lastRecords(first, table.name), (last) => ({
      table: table.name,
      columns: table.columns.map(({ name }) => name),
      filters: filter.texts,
      lastRecords: last,
    })),
  )
  const known = planned.reduce((sum, table) => sum + (table.lastRecords ?? 0), 0)
  const sizes = known > 0 ? [known] : [1_000, 10_000, 100_000]
  const rate = limits.ceiling === Infinity ? 0 : limits.ceiling
  const how = { data, pageSize, prove: !choices.quick }
  return {
    origin,
    tables: planned,
    files,
    rate,
    ...how,
    estimates: sizes.map((records) => estimate(records, how, limits)),
  }
})

/** The plan as lines. */
export const lines = ({
  data,
  estimates,
  files,
  pageSize,
  origin,
  rate,
  tables,
}: Plan): ReadonlyArray<string> => [
  `From ${origin}, ${pageSize} records a page${data ? ", and each contract by itself for its data" : ""}, ${
    rate === 0 ? "without a rate limit" : `at most ${count(rate, "request", "requests")} a second`
  }.`,
  ...tables.flatMap(({ columns, filters, lastRecords, table }) => [
    `${table}: ${columns.join(", ")}`,
    ...(filters.length === 0 ? [] : [`  only where ${filters.join(" and ")}`]),
    ...(lastRecords === null ? [] : [`  ${count(lastRecords, "record", "records")} in the last export`]),
  ]),
  ...files.map(({ format, target }) => `To ${target === "-" ? "standard output" : target} as ${format}.`),
  ...estimates.map(
    ({ atLeastMillis, records, requests }) =>
      `${count(records, "record takes", "records take")} ${count(requests, "request", "requests")}${
        atLeastMillis === 0 ? "" : ` and at least ${duration(atLeastMillis)}`
      }.`,
  ),
  "Dry run: nothing was sent and nothing was written.",
]
