/** Lists in SQLite as a read has left them. The caller holds the transaction. */
import type { DatabaseSync } from "node:sqlite"
import type { Holding } from "../mirror/Missing.ts"
import type { Collection } from "../mirror/RunRow.ts"
import { accountOf, keptOf, runOf } from "../mirror/Rows.ts"
import type { Kept, Snapshot, SnapshotOptions } from "../mirror/Snapshot.ts"
import { proofOf, runAt, unknownAt } from "../mirror/Snapshot.ts"
import { syncError } from "../mirror/SyncError.ts"
import { tables } from "./Schema.ts"

const prepared = (db: DatabaseSync, collection: Collection) => {
  const { table, texts } = tables[collection]
  const newer = ["hash", ...texts].map((name) => `coalesce(latest.${name}, kept.${name}) as ${name}`)
  const kept = `kept.account = :account and kept.change <> 'removed' and kept.version =
    (select max(version) from ${table}_history where account = kept.account and id = kept.id and run <= :run)`
  return {
    count: db.prepare(`select count(*) as records from ${table}_history as kept where ${kept}`),
    /** The last run after a given run that has a version whose predecessor was pruned. */
    pruned: db.prepare(
      `select max(run) as run from ${table}_history as old where account = ? and run > ? and version > 1 and not exists
         (select 1 from ${table}_history as earlier
          where earlier.account = old.account and earlier.id = old.id and earlier.version = old.version - 1)`,
    ),
    /** Texts that were updated without a new version are only in the current rows. */
    page: db.prepare(
      `select kept.id, ${newer.join(", ")} from ${table}_history as kept
       left join ${table} as latest
         on :isLatest and latest.account = kept.account and latest.id = kept.id and latest.version = kept.version
       where ${kept} and kept.id < coalesce(:after, 9223372036854775807)
       order by kept.id desc limit :most`,
    ),
  }
}

export interface Snapshots {
  /** The read of a snapshot and its proof. Throws `AccountUnknown` and `MomentUnknown`. */
  readonly proof: (options: SnapshotOptions) => Omit<Snapshot, "page">
  readonly page: (
    options: SnapshotOptions,
    run: number,
    after: number | null,
    most: number,
  ) => ReadonlyArray<Kept>
}

/** Prepares the statements. `holding` counts what the mirror holds of a list. */
export const make = (
  db: DatabaseSync,
  holding: (account: string, collection: Collection) => Holding,
): Snapshots => {
  const lists = { contracts: prepared(db, "contracts"), "api-keys": prepared(db, "api-keys") }
  const one = db.prepare("select * from account where account = ?")
  const runs = db.prepare("select * from sync_run where account = ? and collection = ? order by run")
  return {
    proof: (options) => {
      const { account, at, collection } = options
      const found = one.get(account)
      if (found === undefined) throw syncError({ _tag: "AccountUnknown", account })
      const rows = runs.all(account, collection).map(runOf)
      const row = runAt(rows, at)
      const pruned = Number(lists[collection].pruned.get(account, row?.run ?? 0)?.["run"] ?? 0)
      if (row === null || pruned > 0) throw unknownAt(rows, options, pruned)
      const records = Number(lists[collection].count.get({ account, run: row.run })?.["records"])
      return {
        baseUrl: accountOf(found).baseUrl,
        ...proofOf(rows, row, records, holding(account, collection)),
      }
    },
    page: ({ account, at, collection }, run, after, most) =>
      lists[collection].page.all({ account, run, isLatest: Number(at === null), after, most }).map(keptOf),
  }
}
