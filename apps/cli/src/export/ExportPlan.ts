/**
 * What an export would do, before anything is asked for: columns, files, requests and time. How many records there are is not known, so
 * requests and time are said for round numbers of them, and for the number of the last export where its manifest stands beside the file.
 */
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
  readonly limit: number
  /** Whether each record is asked for by itself too, for its data payload. */
  readonly data: boolean
  /** Whether pages are read so that they overlap, which shows that nothing is missing. */
  readonly prove: boolean
  /** Requests a second at most; 0 for no pace. */
  readonly rate: number
  readonly estimates: ReadonlyArray<Estimate>
}

export interface Estimate {
  readonly records: number
  readonly requests: number
  /** Time that the pace alone takes; answers and waits of the service come on top. */
  readonly atLeastMillis: number
}

/** Time that so many requests take behind the pace: ten at once, then two a second, and one more a second after each ten answers. */
const pacedMillis = (requests: number, ceiling: number): number => {
  if (ceiling === 0) return 0
  let left = Math.max(0, requests - 10)
  let rate = Math.min(3, ceiling)
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
  { data, limit, prove, rate }: Pick<Plan, "data" | "limit" | "prove" | "rate">,
): Estimate => {
  const pages = Math.max(1, Math.ceil(records / limit))
  // Pages that overlap by one record in twenty, and the boundary of the first one, asked for again. A service whose cursors say nothing takes twice as many.
  const overlapping = prove && pages > 1 ? Math.ceil(records / (limit * 0.95)) + 1 : pages
  // One more asks whose records they are.
  const requests = 1 + overlapping + (data ? records : 0)
  return { records, requests, atLeastMillis: pacedMillis(requests, rate) }
}

/** The plan in words, a line each. */
export const lines = ({
  data,
  estimates,
  files,
  limit,
  origin,
  rate,
  tables,
}: Plan): ReadonlyArray<string> => [
  `From ${origin}, ${limit} records a page${data ? ", and each contract by itself for its data" : ""}, ${
    rate === 0 ? "without a pace" : `at most ${count(rate, "request", "requests")} a second`
  }.`,
  ...tables.flatMap(({ columns, filters, lastRecords, table }) => [
    `${table}: ${columns.join(", ")}`,
    ...(filters.length === 0 ? [] : [`  only where ${filters.join(" and ")}`]),
    ...(lastRecords === null ? [] : [`  ${count(lastRecords, "record", "records")} at the last export`]),
  ]),
  ...files.map(({ format, target }) => `To ${target === "-" ? "standard output" : target} as ${format}.`),
  ...estimates.map(
    ({ atLeastMillis, records, requests }) =>
      `${count(records, "record takes", "records take")} ${count(requests, "request", "requests")}${
        atLeastMillis === 0 ? "" : ` and at least ${duration(atLeastMillis)}`
      }.`,
  ),
  "Nothing was asked for and nothing was written.",
]
