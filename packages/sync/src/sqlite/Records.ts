/**
 * The records of one list in SQLite: their current rows, a history row for each version, and snapshots, which are lists as a read has left them. The
 * caller holds the transaction.
 */
import type { DatabaseSync } from "node:sqlite"
import type { Change, Run, Sampled } from "../MirrorStore.ts"
import type { RecordVersion } from "../Version.ts"
import type { Collection, Holding } from "../RunRow.ts"
import { accountOf, changeOf, heldOf, holdingOf, keptOf, lossOf, runOf, textOrNull } from "../Rows.ts"
import type { Kept, Snapshot, SnapshotOptions } from "../Snapshot.ts"
import { tables } from "../Schema.ts"
import * as Statements from "../Statements.ts"
import { proofOf, runAt, unknownAt } from "../Snapshot.ts"
import { syncError } from "../SyncError.ts"
import { stepOf } from "../Version.ts"

/** SQLite's words in the statements of both databases. Parameters are given as `p1` and so on. */
export const dialect: Statements.Dialect = {
  prefix: "",
  parameter: (number) => `:p${number}`,
  ids: (array) => `select value as id from json_each(${array})`,
}

/** Number of new versions of each kind in a page. */
export interface Counts {
  added: number
  changed: number
  returned: number
}

export interface Records {
  readonly put: (run: Run, version: RecordVersion, at: string, counts: Counts) => void
  readonly remove: (run: Run, id: number, at: string) => void
  readonly absent: (run: Run) => ReadonlyArray<number>
  /** What removing records would do to the list. */
  readonly loss: (run: Run, ids: ReadonlyArray<number>) => ReturnType<typeof lossOf>
  readonly holding: (account: string) => Holding
  /** Some records of an account at random. */
  readonly sample: (account: string, most: number) => ReadonlyArray<Sampled>
  /** Removes versions that were replaced by a later one before a moment, and returns how many. */
  readonly prune: (before: string) => number
  /** Removes all records of an account with their versions, and returns how many rows these were. */
  readonly forget: (account: string) => number
  /** Versions of an account from a run on: of that run, those seen at a moment or later; of later runs, all. */
  readonly since: (account: string, run: number, at: string) => ReadonlyArray<Change>
}

/** Prepares the statements of a list. */
export const make = (db: DatabaseSync, collection: Collection): Records => {
  const { table, texts } = tables[collection]
  const columns = Object.keys(tables[collection].columns)
  const own = [...columns, ...texts]
  const held = ["version", ...texts].join(", ")
  const find = db.prepare(`select ${held}, hash from ${table} where account = ? and id = ?`)
  const last = db.prepare(
    `select ${held}, change from ${table}_history where account = ? and id = ? order by version desc limit 2`,
  )
  const insert = db.prepare(
    `insert or replace into ${table} (account, id, version, seen_at, run, hash, ${own.join(", ")})
     values (?, ?, ?, ?, ?, ?, ${own.map(() => "?").join(", ")})`,
  )
  /** Restores a deleted current row from its last version. Without a hash, it differs from every record. */
  const restore = db.prepare(
    `insert into ${table} (account, id, version, seen_at, run, hash, ${texts.join(", ")})
     select account, id, version, seen_at, run, '', ${texts.join(", ")} from ${table}_history
     where account = ? and id = ? order by version desc limit 1`,
  )
  const refresh = db.prepare(
    `update ${table} set hash = ?, ${own.map((name) => `${name} = ?`).join(", ")} where account = ? and id = ?`,
  )
  const history = db.prepare(
    `insert into ${table}_history (account, id, version, change, members, seen_at, run, hash, ${own.join(", ")})
     values (?, ?, ?, ?, ?, ?, ?, ?, ${own.map(() => "?").join(", ")})`,
  )
  const drop = db.prepare(`delete from ${table} where account = ? and id = ?`)
  const absent = db.prepare(
    `select id from ${table} where account = ? and id not in
       (select each.value from sync_page, json_each(sync_page.ids) as each where sync_page.run = ?)`,
  )
  const loss = db.prepare(Statements.loss(dialect, collection))
  const holding = db.prepare(
    // In SQLite, the columns beside max() come from the row with the maximum.
    `with last as (
       select id, max(version) as version, change from ${table}_history where account = :account group by id
     )
     select (select count(*) from ${table} where account = :account) as current,
       count(*) filter (where change <> 'removed') as existing,
       count(*) filter (where change <> 'removed' and version =
         (select version from ${table} where account = :account and id = last.id)) as matching
     from last`,
  )
  const sample = db.prepare(`select id, body, hash from ${table} where account = ? order by random() limit ?`)
  const prune = db.prepare(
    `delete from ${table}_history as old where seen_at < ? and exists
       (select 1 from ${table}_history as next
        where next.account = old.account and next.id = old.id and next.version > old.version and next.seen_at <= ?)`,
  )
  const forget = [table, `${table}_history`].map((each) =>
    db.prepare(`delete from ${each} where account = ?`),
  )
  const since = db.prepare(
    `select later.*, ${texts.map((name) => `earlier.${name} as ${name}_before`).join(", ")} from ${table}_history as later
     left join ${table}_history as earlier
       on earlier.account = later.account and earlier.id = later.id and earlier.version = later.version - 1
     where later.account = ? and (later.run > ? or (later.run = ? and later.seen_at >= ?))
     order by later.run, later.id, later.version`,
  )
  return {
    put: ({ account, run }, given, at, counts) => {
      const { body, columns: values, hash, id } = given
      let found = find.get(account, id)
      const [removal, before] = found === undefined ? last.all(account, id) : []
      if (removal !== undefined && removal["change"] !== "removed") {
        restore.run(account, id)
        found = find.get(account, id)
      }
      const step = stepOf(
        found === undefined ? null : heldOf(found),
        // A record that was removed has its text in the version before its removal.
        removal === undefined
          ? null
          : {
              version: Number(removal["version"]),
              body: textOrNull(before?.["body"]),
              data: textOrNull(before?.["data"]),
            },
        given,
      )
      if (step === null) return
      const { change, data, members, version } = step
      const kept = texts.map((name) => (name === "body" ? body : data))
      const cells = [...columns.map((name) => values[name] ?? null), ...kept]
      if (change === null) return void refresh.run(hash, ...cells, account, id)
      history.run(account, id, version, change, JSON.stringify(members), at, run, hash, ...cells)
      insert.run(account, id, version, at, run, hash, ...cells)
      counts[change] += 1
    },
    remove: ({ account, run }, id, at) => {
      const found = find.get(account, id)
      if (found === undefined) return
      history.run(
        account,
        id,
        Number(found["version"]) + 1,
        "removed",
        "[]",
        at,
        run,
        null,
        ...own.map(() => null),
      )
      drop.run(account, id)
    },
    absent: ({ account, run }) => absent.all(account, run).map((row) => Number(row["id"])),
    loss: ({ account, run }, ids) => lossOf(loss.get({ p1: account, p2: JSON.stringify(ids), p3: run })!),
    sample: (account, most) => sample.all(account, most).map(keptOf),
    prune: (before) => Number(prune.run(before, before).changes),
    forget: (account) => forget.reduce((rows, statement) => rows + Number(statement.run(account).changes), 0),
    holding: (account) => holdingOf(holding.get({ account })!),
    since: (account, run, at) => since.all(account, run, run, at).map((row) => changeOf(row, collection)),
  }
}

const preparedSnapshots = (db: DatabaseSync, collection: Collection) => {
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

/** Prepares the statements of snapshots. `holding` counts what the mirror holds of a list. */
export const makeSnapshots = (
  db: DatabaseSync,
  holding: (account: string, collection: Collection) => Holding,
): Snapshots => {
  const lists = {
    contracts: preparedSnapshots(db, "contracts"),
    "api-keys": preparedSnapshots(db, "api-keys"),
  }
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
