/** Rows of SQLite as the values of the store. Pure. */
import type { SQLOutputValue } from "node:sqlite"
import type { AccountRow, Change, ChangeKind, Collection, RunRow } from "../mirror/MirrorStore.ts"

export type Row = Record<string, SQLOutputValue>

const text = (value: SQLOutputValue | undefined): string => String(value)
const textOrNull = (value: SQLOutputValue | undefined): string | null =>
  value === null || value === undefined ? null : String(value)

/** A row of `sync_run`. */
export const runOf = (row: Row): RunRow => ({
  run: Number(row["run"]),
  account: text(row["account"]),
  collection: text(row["collection"]) as Collection,
  state: text(row["state"]) as RunRow["state"],
  startedAt: text(row["started_at"]),
  endedAt: text(row["ended_at"]),
  pages: Number(row["pages"]),
  records: Number(row["records"]),
  requests: Number(row["requests"]),
  cursorParameter: textOrNull(row["cursor_parameter"]),
  cursorState: textOrNull(row["cursor_state"]),
  cursorEvidence: textOrNull(row["cursor_evidence"]),
  completeness: textOrNull(row["completeness"]),
  reason: textOrNull(row["reason"]),
  readings: Number(row["readings"]),
  rejected: Number(row["rejected"]),
  withoutData: Number(row["without_data"]),
  added: Number(row["added"]),
  changed: Number(row["changed"]),
  returned: Number(row["returned"]),
  removed: Number(row["removed"]),
  unlisted: Number(row["unlisted"]),
  resumedAtPage: Number(row["resumed_at_page"]),
  previous: textOrNull(row["previous"]),
})

/** A row of `account`. */
export const accountOf = (row: Row): AccountRow => ({
  account: text(row["account"]),
  baseUrl: text(row["base_url"]),
  addedAt: text(row["added_at"]),
  problem: textOrNull(row["problem"]),
  problemAt: textOrNull(row["problem_at"]),
})

/** A row of a history with the text of the version before. */
export const changeOf = (row: Row, collection: Collection): Change => ({
  account: text(row["account"]),
  collection,
  id: Number(row["id"]),
  version: Number(row["version"]),
  change: text(row["change"]) as ChangeKind,
  members: JSON.parse(text(row["members"])) as ReadonlyArray<string>,
  seenAt: text(row["seen_at"]),
  run: Number(row["run"]),
  body: textOrNull(row["body"]),
  before: textOrNull(row["body_before"]),
  data: textOrNull(row["data"]),
  dataBefore: textOrNull(row["data_before"]),
})
