/** Lists in PostgreSQL as a read has left them. The caller holds the transaction. */
import type { Collection, Kept, Snapshot, SnapshotOptions, SyncError } from "@deedkit/sync"
import { accountOf, keptOf, proofOf, runAt, runOf, syncError, unknownAt } from "@deedkit/sync/store"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Run } from "./Connection.ts"
import * as Holdings from "./Holdings.ts"
import { tables } from "./Schema.ts"

const statements = (schema: string, collection: Collection) => {
  const { table, texts } = tables[collection]
  const current = `${schema}.${table}`
  const history = `${current}_history`
  const newer = ["hash", ...texts].map((name) => `coalesce(latest.${name}, kept.${name}) as ${name}`)
  const kept = `kept.account = $1 and kept.change <> 'removed' and kept.version =
    (select max(version) from ${history} where account = kept.account and id = kept.id and run <= $2::bigint)`
  return {
    count: `select count(*) as records from ${history} as kept where ${kept}`,
    pruned: `
      select max(run) as run from ${history} as old where account = $1 and run > $2::bigint and version > 1 and not exists (
        select from ${history} as earlier
        where earlier.account = old.account and earlier.id = old.id and earlier.version = old.version - 1
      )`,
    // Sub-queries are looked up by the key for each record. For plain joins, the planner would choose, and with old statistics it reads the whole
    // account for each page.
    page: `
      select kept.id, ${newer.join(", ")} from ${history} as kept
      left join lateral (
        select * from ${current}
        where $3::boolean and account = kept.account and id = kept.id and version = kept.version offset 0
      ) as latest on true
      where ${kept} and kept.id < coalesce($4::bigint, 9223372036854775807)
      order by kept.id desc limit $5::integer`,
  }
}

export interface Snapshots {
  /** The read of a snapshot and its proof. Fails with `AccountUnknown` and `MomentUnknown`. */
  readonly proof: (
    run: Run,
    options: SnapshotOptions,
  ) => Effect.Effect<Omit<Snapshot, "page">, SqlError | SyncError>
  readonly page: (
    run: Run,
    options: SnapshotOptions,
    of: number,
    after: number | null,
    most: number,
  ) => Effect.Effect<ReadonlyArray<Kept>, SqlError>
}

/** The statements in a quoted schema. */
export const make = (schema: string): Snapshots => {
  const lists = { contracts: statements(schema, "contracts"), "api-keys": statements(schema, "api-keys") }
  return {
    proof: Effect.fnUntraced(function* (run, options) {
      const { account, at, collection } = options
      const [found] = yield* run(`select * from ${schema}.account where account = $1`, account)
      if (found === undefined) return yield* syncError({ _tag: "AccountUnknown", account })
      const rows = (yield* run(
        `select * from ${schema}.sync_run where account = $1 and collection = $2 order by run`,
        account,
        collection,
      )).map(runOf)
      const row = runAt(rows, at)
      const [last] = yield* run(lists[collection].pruned, account, row?.run ?? 0)
      const pruned = Number(last?.["run"] ?? 0)
      if (row === null || pruned > 0) return yield* unknownAt(rows, options, pruned)
      const [counted] = yield* run(lists[collection].count, account, row.run)
      const holding = yield* Holdings.one(run, schema, collection, account)
      return {
        baseUrl: accountOf(found).baseUrl,
        ...proofOf(rows, row, Number(counted!["records"]), holding),
      }
    }),
    page: (run, { account, at, collection }, of, after, most) =>
      Effect.map(run(lists[collection].page, account, of, String(at === null), after, most), (rows) =>
        rows.map(keptOf),
      ),
  }
}
