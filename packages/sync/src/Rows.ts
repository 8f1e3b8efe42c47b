/**
 * Converts rows of the public tables to the values of a store. A database returns times as texts or as dates, and a list of members as JSON or as
 * an array. Pure.
 */
import { hash } from "node:crypto"
import type { AccountRow, Change, HeldList } from "./MirrorStore.ts"
import type { ChangeKind, Held } from "./Version.ts"
import type { Collection, Holding, RunRow } from "./RunRow.ts"
import type { Identity, Owner } from "./Ownership.ts"
import type { Loss } from "./Removals.ts"
import type { Kept } from "./Snapshot.ts"

/** A row by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>

/** A value of a column of text or numbers, as text; empty for null. */
export const textOf = (value: unknown): string =>
  typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "bigint"
      ? String(value)
      : ""
/** The same, null for null. */
export const textOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : textOf(value)
const moment = (value: unknown): string => (value instanceof Date ? value.toISOString() : textOf(value))
const momentOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : moment(value)
const numberOrNull = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value)
const membersOf = (value: unknown): ReadonlyArray<string> => {
  const members: unknown = typeof value === "string" ? JSON.parse(value) : value
  if (Array.isArray(members)) return members as ReadonlyArray<string>
  throw new SyntaxError("The members of a version are no list")
}

/** A row of `sync_run`. */
export const runOf = (row: Row): RunRow => ({
  run: Number(row["run"]),
  account: textOf(row["account"]),
  collection: textOf(row["collection"]) as Collection,
  state: textOf(row["state"]) as RunRow["state"],
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
  held: Number(row["held"]),
  resumedAtPage: Number(row["resumed_at_page"]),
  previous: textOrNull(row["previous"]),
})

/** A row of `account`, or a row that has only its name. */
export const accountOf = (row: Row): AccountRow => ({
  account: textOf(row["account"]),
  baseUrl: textOf(row["base_url"]),
  addedAt: momentOrNull(row["added_at"]),
  problem: textOrNull(row["problem"]),
  problemAt: momentOrNull(row["problem_at"]),
  acceptedRun: numberOrNull(row["accepted_run"]),
})

/** A row of a history with the text of the version before. */
export const changeOf = (row: Row, collection: Collection): Change => ({
  account: textOf(row["account"]),
  collection,
  id: Number(row["id"]),
  version: Number(row["version"]),
  change: textOf(row["change"]) as ChangeKind,
  members: membersOf(row["members"]),
  seenAt: moment(row["seen_at"]),
  run: Number(row["run"]),
  body: textOrNull(row["body"]),
  before: textOrNull(row["body_before"]),
  data: textOrNull(row["data"]),
  dataBefore: textOrNull(row["data_before"]),
})

/** The owner of the mirror's records, from a row of `account`. */
export const ownerOf = (row: Row): Owner => {
  const identity = textOrNull(row["identity"])
  return {
    baseUrl: textOf(row["base_url"]),
    keyFingerprint: textOrNull(row["key_fingerprint"]),
    identity: identity === null ? null : (JSON.parse(identity) as Identity),
  }
}

/** A current row. The list of API keys has no `data`. */
export const heldOf = (row: Row): Held => ({
  version: Number(row["version"]),
  hash: textOf(row["hash"]),
  body: textOf(row["body"]),
  data: textOrNull(row["data"]),
})

/** What a mirror holds of a list; nothing if there is no row. */
export const holdingOf = ({ current, existing, matching }: Row): Holding => ({
  current: Number(current ?? 0),
  existing: Number(existing ?? 0),
  matching: Number(matching ?? 0),
})

/** A row of the statement `held`. */
export const heldListOf = (row: Row): HeldList => ({
  collection: textOf(row["collection"]) as Collection,
  held: Number(row["held"]),
})

/** A row of the statement `loss`. */
export const lossOf = (row: Row): Pick<Loss, "accepted" | "known" | "newer"> => ({
  accepted: Number(row["accepted"] ?? 0),
  known: Number(row["known"]),
  newer: Number(row["newer"]),
})

/** A row of a snapshot. */
export const keptOf = (row: Row): Kept => {
  const body = textOf(row["body"])
  return {
    id: Number(row["id"]),
    body,
    data: textOrNull(row["data"]),
    isIntact: hash("sha256", body, "hex") === textOf(row["hash"]),
  }
}
