/** What a mirror in SQLite shows about a list: its state, and what has changed. The caller holds the transaction. */
import type { ListChanges, ListStatus } from "../mirror/MirrorStore.ts"
import { missing, recordsAfter } from "../mirror/Missing.ts"
import { runOf } from "../mirror/Rows.ts"
import { brokenAt } from "../mirror/RunHash.ts"
import type { Collection, RunRow } from "../mirror/RunRow.ts"
import { isComplete } from "../mirror/RunRow.ts"
import type { Statements } from "./Statements.ts"

/** What is known about a list of an account; empty if it was never begun. */
export const listStatus = (
  statements: Statements,
  account: string,
  collection: Collection,
): ReadonlyArray<ListStatus> => {
  const rows = statements.runs.all(account, collection).map(runOf)
  const holding = statements.records[collection].holding(account)
  if (rows.length + holding.current === 0) return []
  const latest = (matches: (row: RunRow) => boolean): RunRow | null => rows.findLast(matches) ?? null
  return [
    {
      collection,
      last: latest(({ state }) => state === "finished"),
      lastComplete: latest(isComplete),
      running: latest(({ state }) => state === "running"),
      records: holding.current,
      brokenAt: brokenAt(rows.filter(({ state }) => state !== "running")),
      missing: missing(recordsAfter(rows), holding),
    },
  ]
}

/** What changed in a list of an account since a moment; empty if there was no new version. */
export const listChanges = (
  statements: Statements,
  account: string,
  collection: Collection,
  since: string,
): ReadonlyArray<ListChanges> => {
  // Runs stay in their order even if the clock was set back; moments may not.
  const from = statements.runSince.get(account, collection, since)
  const first = Number(statements.firstRun.get(account, collection)?.["run"] ?? Infinity)
  if (from === undefined) return []
  const all = statements.records[collection].since(account, Number(from["run"]), since)
  const changes = all.filter(({ run, version }) => version > 1 || run > first)
  return all.length === 0 ? [] : [{ account, collection, firstRead: all.length - changes.length, changes }]
}
