/**
 * The hash of an ended run, computed by PostgreSQL: the same as `hashOf` in @deedkit/sync, over the same JSON text. So the links between all rows
 * are checked in the database, and no row is sent.
 */

/** The public columns of `sync_run`, in the order in which they are hashed. */
const columns = [
  "run",
  "account",
  "collection",
  "state",
  "started_at",
  "ended_at",
  "pages",
  "records",
  "requests",
  "cursor_parameter",
  "cursor_state",
  "cursor_evidence",
  "completeness",
  "reason",
  "readings",
  "rejected",
  "without_data",
  "added",
  "changed",
  "returned",
  "removed",
  "unlisted",
  "resumed_at_page",
  "previous",
]

/** A time as it is written everywhere else: ISO 8601 UTC, to the millisecond. */
const moment = (column: string): string =>
  `to_char(date_trunc('milliseconds', ${column}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const json = (column: string): string =>
  `coalesce(to_json(${column.endsWith("_at") ? moment(column) : column})::text, 'null')`

/** The expression for a row of `sync_run`. */
export const runHash = `encode(sha256(convert_to(concat('[', concat_ws(',', ${columns.map(json).join(", ")}), ']'), 'UTF8')), 'hex')`
