/**
 * What a mirror in PostgreSQL shows: the state of each account, what has changed, and lists as a read has left them. The caller holds the transaction.
 */
import type {
  AccountStatus,
  Collection,
  Kept,
  ListChanges,
  ListStatus,
  RunRow,
  Snapshot,
  SnapshotOptions,
  SyncError,
} from "@deedkit/sync"
import {
  accountOf,
  hashedColumns,
  held,
  heldListOf,
  holdingOf,
  keptOf,
  missing,
  proofOf,
  runAt,
  runOf,
  syncError,
  tables,
  textOf,
  unknownAt,
} from "@deedkit/sync/store"
import type { Holding } from "@deedkit/sync/store"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Row, Run } from "./Connection.ts"
import type { Records } from "./Records.ts"
import { dialectOf } from "./Schema.ts"

/** Counts how many records the mirror holds of a list, by account. */
const holdings = (schema: string, collection: Collection, condition: string): string => {
  const current = `${schema}.${tables[collection].table}`
  return `
    with last as (
      select distinct on (account, id) account, id, version, change from ${current}_history where ${condition}
      order by account, id, version desc
    )
    select account, count(latest.id) as current, count(last.id) filter (where change <> 'removed') as existing,
      count(*) filter (where change <> 'removed' and last.version = latest.version) as matching
    from last full join (select account, id, version from ${current} where ${condition}) as latest using (account, id)
    group by account`
}

/** The holding of one account. */
const holdingIn = (
  run: Run,
  schema: string,
  collection: Collection,
  account: string,
): Effect.Effect<Holding, SqlError> =>
  Effect.map(run(holdings(schema, collection, "account = $1"), account), ([row]) => holdingOf(row ?? {}))

/** The holdings of all accounts, by account. */
const holdingsIn = (
  run: Run,
  schema: string,
  collection: Collection,
): Effect.Effect<ReadonlyMap<string, Holding>, SqlError> =>
  Effect.map(
    run(holdings(schema, collection, "true")),
    (rows) => new Map(rows.map((row) => [textOf(row["account"]), holdingOf(row)])),
  )

/** A time as it is written everywhere else: ISO 8601 UTC, to the millisecond. */
const moment = (column: string): string =>
  `to_char(date_trunc('milliseconds', ${column}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

const json = (column: string): string =>
  `coalesce(to_json(${column.endsWith("_at") ? moment(column) : column})::text, 'null')`

/**
 * The hash of an ended run, computed by PostgreSQL: the same as `hashOf` in @deedkit/sync, over the same JSON text. So the links between all rows
 * are checked in the database, and no row is sent.
 */
const runHash = `encode(sha256(convert_to(concat('[', concat_ws(',', ${hashedColumns.map(json).join(", ")}), ']'), 'UTF8')), 'hex')`

const collections: ReadonlyArray<Collection> = ["contracts", "api-keys"]

type Lists = { readonly [Name in Collection]: Records }

/** The kinds of rows of `sync_run` from which the state of a list is made: the newest row of each kind. A list without any row was never read. */
const kinds = {
  any: "true",
  last: "state = 'finished'",
  lastComplete: "state = 'finished' and completeness <> 'unverified' and rejected + without_data + held = 0",
  running: "state = 'running'",
}

/** The accounts, and the names in $1: names that have rows, even if the account's own row is gone. */
const owners = (schema: string): string =>
  `(select account from ${schema}.account union select json_array_elements_text($1::json)) as owner`

/** The newest row of each kind for every list. The index finds it, however many rows there are. */
const newest = (schema: string): string => {
  const kind = ([name, condition]: readonly [string, string]): string =>
    `(select '${name}' as kind, * from ${schema}.sync_run
      where account = owner.account and collection = list.collection and ${condition} order by run desc limit 1)`
  return `
    select kept.* from ${owners(schema)}
    cross join unnest(array['${collections.join("', '")}']) as list (collection)
    cross join lateral (${Object.entries(kinds).map(kind).join(" union all ")}) as kept`
}

/** The first row of each list that does not hold the hash of the row before it. */
const broken = (schema: string): string => `
  select account, collection, min(run) as run from (
    select account, collection, run, previous, lag(${runHash}) over (partition by account, collection order by run) as written_after
    from ${schema}.sync_run where state <> 'running'
  ) as linked where previous is distinct from written_after group by account, collection`

/** How many records each list has according to the rows of its runs. */
const counted = (schema: string): string =>
  `select account, collection, sum(added + returned - removed) as records from ${schema}.sync_run group by account, collection`

const listOf = (row: Row): string => `${textOf(row["collection"])} ${textOf(row["account"])}`

/** All accounts in the order of their names, each with its lists. */
export const status = (run: Run, schema: string): Effect.Effect<ReadonlyArray<AccountStatus>, SqlError> =>
  Effect.gen(function* () {
    const holding = {
      contracts: yield* holdingsIn(run, schema, "contracts"),
      "api-keys": yield* holdingsIn(run, schema, "api-keys"),
    }
    const counts = yield* run(counted(schema))
    const names = new Set(counts.map((row) => textOf(row["account"])))
    for (const list of collections) for (const name of holding[list].keys()) names.add(name)
    const named = JSON.stringify(Array.from(names))
    const runs = Map.groupBy(yield* run(newest(schema), named), listOf)
    const brokenAt = new Map((yield* run(broken(schema))).map((row) => [listOf(row), Number(row["run"])]))
    const left = new Map(counts.map((row) => [listOf(row), Number(row["records"])]))
    const accounts = yield* run(
      `select * from ${owners(schema)} left join ${schema}.account using (account) order by account collate "C"`,
      named,
    )
    return accounts.map((row) => {
      const account = accountOf(row)
      const lists = collections.flatMap((collection): ReadonlyArray<ListStatus> => {
        const list = listOf({ collection, account: account.account })
        const own = runs.get(list) ?? []
        const kept = holding[collection].get(account.account) ?? { current: 0, existing: 0, matching: 0 }
        if (own.length + kept.current === 0) return []
        const newestOf = (kind: keyof typeof kinds): RunRow | null => {
          const found = own.find((each) => each["kind"] === kind)
          return found === undefined ? null : runOf(found)
        }
        return [
          {
            collection,
            last: newestOf("last"),
            lastComplete: newestOf("lastComplete"),
            running: newestOf("running"),
            records: kept.current,
            brokenAt: brokenAt.get(list) ?? null,
            missing: missing(left.get(list) ?? 0, kept),
          },
        ]
      })
      return Object.assign(account, { lists })
    })
  })

/** What changed since a moment, by account and list. */
export const changes = (
  run: Run,
  schema: string,
  lists: Lists,
  since: string,
): Effect.Effect<ReadonlyArray<ListChanges>, SqlError> =>
  Effect.gen(function* () {
    const found = {
      contracts: yield* lists.contracts.since(run, since),
      "api-keys": yield* lists["api-keys"].since(run, since),
    }
    const byAccount = {
      contracts: Map.groupBy(found.contracts.changes, ({ account }) => account),
      "api-keys": Map.groupBy(found["api-keys"].changes, ({ account }) => account),
    }
    const heldLists = Map.groupBy(
      yield* run(held(dialectOf(schema), "ended_at >= $1::timestamptz"), since),
      (row) => textOf(row["account"]),
    )
    const accounts = yield* run(`select account from ${schema}.account order by account collate "C"`)
    return accounts.flatMap((row) =>
      collections.flatMap((collection): ReadonlyArray<ListChanges> => {
        const account = textOf(row["account"])
        const own = byAccount[collection].get(account) ?? []
        const firstRead = found[collection].firstReads.get(account) ?? 0
        const holds = (heldLists.get(account) ?? []).map(heldListOf)
        const removals = holds.find((each) => each.collection === collection)?.held ?? 0
        return own.length + firstRead + removals === 0
          ? []
          : [{ account, collection, firstRead, held: removals, changes: own }]
      }),
    )
  })

const snapshotStatements = (schema: string, collection: Collection) => {
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

/** The snapshots of a mirror in a quoted schema. */
export const snapshots = (schema: string): Snapshots => {
  const lists = {
    contracts: snapshotStatements(schema, "contracts"),
    "api-keys": snapshotStatements(schema, "api-keys"),
  }
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
      const holding = yield* holdingIn(run, schema, collection, account)
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
