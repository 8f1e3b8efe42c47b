/** Rows of PostgreSQL as the values of the store, and values as PostgreSQL can hold them. Pure. */
import type { AccountRow, Change, ChangeKind, Collection, RunRow } from "@deedkit/sync"
import type { Gone, Held, Identity, Owner } from "@deedkit/sync/store"
import type { Row } from "./Connection.ts"

type Value = Row[string] | undefined

/** A value that a column of text or numbers holds, as text. */
export const text = (value: Value): string =>
  typeof value === "object" || value === undefined ? "" : String(value)
const textOrNull = (value: Value): string | null =>
  value === null || value === undefined ? null : text(value)
const moment = (value: Value): string => (value instanceof Date ? value.toISOString() : text(value))
const momentOrNull = (value: Value): string | null => (value instanceof Date ? value.toISOString() : null)

/** A text that PostgreSQL takes: it refuses NUL, and UTF-8 has no lone surrogates. */
export const writable = (value: string): string => value.replaceAll("\0", "\uFFFD").toWellFormed()

/** A row of `sync_run`. */
export const runOf = (row: Row): RunRow => ({
  run: Number(row["run"]),
  account: text(row["account"]),
  collection: text(row["collection"]) as Collection,
  state: text(row["state"]) as RunRow["state"],
  startedAt: moment(row["started_at"]),
  endedAt: moment(row["ended_at"]),
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
  addedAt: moment(row["added_at"]),
  problem: textOrNull(row["problem"]),
  problemAt: momentOrNull(row["problem_at"]),
})

/** A row of a history with the text of the version before. */
export const changeOf = (row: Row, collection: Collection): Change => ({
  account: text(row["account"]),
  collection,
  id: Number(row["id"]),
  version: Number(row["version"]),
  change: text(row["change"]) as ChangeKind,
  members: row["members"] as ReadonlyArray<string>,
  seenAt: moment(row["seen_at"]),
  run: Number(row["run"]),
  body: textOrNull(row["body"]),
  before: textOrNull(row["body_before"]),
  data: textOrNull(row["data"]),
  dataBefore: textOrNull(row["data_before"]),
})

/** Whose records a row of `account` says the mirror holds. */
export const ownerOf = (row: Row): Owner => {
  const identity = textOrNull(row["identity"])
  return {
    baseUrl: text(row["base_url"]),
    keyFingerprint: textOrNull(row["key_fingerprint"]),
    identity: identity === null ? null : (JSON.parse(identity) as Identity),
  }
}

/** The current row that was found beside a record; null for none. */
export const heldIn = (row: Row): Held | null =>
  row["version"] === null
    ? null
    : {
        version: Number(row["version"]),
        hash: text(row["hash"]),
        body: text(row["body"]),
        data: textOrNull(row["data"]),
      }

/** The removal that was found beside a record; null for none. */
export const goneIn = (row: Row): Gone | null =>
  row["removal"] === null
    ? null
    : {
        version: Number(row["removal"]),
        body: textOrNull(row["body_before"]),
        data: textOrNull(row["data_before"]),
      }
