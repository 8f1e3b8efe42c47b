/**
 * What an export would do, before any request: columns, files, requests and time. The number of records is not known, so requests and time are
 * estimated for round numbers, or for the number of the last export where its manifest is beside the file.
 */
import type { RateLimits } from "@deedkit/core"
import { count, duration } from "../terminal/Figures.ts"

interface PlannedTable {
  readonly table: string
  readonly columns: ReadonlyArray<string>
  readonly filters: ReadonlyArray<string>
  /** Records at the last export; null when it is not known. */
  readonly lastRecords: number | null
}

export interface Plan {
  readonly origin: string
  readonly tables: ReadonlyArray<PlannedTable>
  readonly files: ReadonlyArray<{ readonly format: string; readonly target: string }>
  /** Records a page. */
  readonly pageSize: number
  /** Whether each record is asked for by itself too, for its data payload. */
  readonly data: boolean
  /** Whether pages overlap, which verifies completeness. */
  readonly prove: boolean
  /** Most requests a second; 0 without a rate limiter. */
  readonly rate: number
  readonly estimates: ReadonlyArray<Estimate>
}

export interface Estimate {
  readonly records: number
  readonly requests: number
  /** Time that the rate limiter alone takes, without responses and waits of the service. */
  readonly atLeastMillis: number
}

/** Time that the rate limiter takes for so many requests: its burst, then its rate, and one more a second after each ten responses. */
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

/** What so many records take. */
export const estimate = (
  records: number,
  { data, pageSize, prove }: Pick<Plan, "data" | "pageSize" | "prove">,
  limits: RateLimits,
): Estimate => {
  const pages = Math.max(1, Math.ceil(records / pageSize))
  // Pages that overlap by one record in twenty, and the boundary of the first one, asked for again. A service with opaque cursors takes twice as many.
  const overlapping = prove && pages > 1 ? Math.ceil(records / (pageSize * 0.95)) + 1 : pages
  // One more asks whose records they are.
  const requests = 1 + overlapping + (data ? records : 0)
  return { records, requests, atLeastMillis: limitedMillis(requests, limits) }
}

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
