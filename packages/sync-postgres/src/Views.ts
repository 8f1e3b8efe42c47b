/** What a mirror in PostgreSQL shows: the state of each account, and what has changed. The caller holds the transaction. */
import type { AccountStatus, Collection, ListChanges, ListStatus, RunRow } from "@deedkit/sync"
import { accountOf, missing, runOf, textOf } from "@deedkit/sync/store"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Row, Run } from "./Connection.ts"
import * as Holdings from "./Holdings.ts"
import type { Records } from "./Records.ts"
import { runHash } from "./RunHash.ts"

const collections: ReadonlyArray<Collection> = ["contracts", "api-keys"]

type Lists = { readonly [Name in Collection]: Records }

/** The kinds of rows of `sync_run` from which the state of a list is made: the newest row of each kind. A list without any row was never read. */
const kinds = {
  any: "true",
  last: "state = 'finished'",
  lastComplete: "state = 'finished' and completeness <> 'unverified' and rejected + without_data = 0",
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
    const held = {
      contracts: yield* Holdings.all(run, schema, "contracts"),
      "api-keys": yield* Holdings.all(run, schema, "api-keys"),
    }
    const counts = yield* run(counted(schema))
    const names = new Set(counts.map((row) => textOf(row["account"])))
    for (const list of collections) for (const name of held[list].keys()) names.add(name)
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
        const holding = held[collection].get(account.account) ?? { current: 0, existing: 0, matching: 0 }
        if (own.length + holding.current === 0) return []
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
            records: holding.current,
            brokenAt: brokenAt.get(list) ?? null,
            missing: missing(left.get(list) ?? 0, holding),
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
    const accounts = yield* run(`select account from ${schema}.account order by account collate "C"`)
    return accounts.flatMap((row) =>
      collections.flatMap((collection): ReadonlyArray<ListChanges> => {
        const account = textOf(row["account"])
        const own = byAccount[collection].get(account) ?? []
        const firstRead = found[collection].firstReads.get(account) ?? 0
        return own.length + firstRead === 0 ? [] : [{ account, collection, firstRead, changes: own }]
      }),
    )
  })
