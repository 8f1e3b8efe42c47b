/** What a mirror in PostgreSQL shows: the state of each account, and what has changed. The caller holds the transaction. */
import type { AccountStatus, Collection, ListChanges, ListStatus, RunRow } from "@deedkit/sync"
import { accountOf, brokenAt, isComplete, runOf, textOf } from "@deedkit/sync/store"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Run } from "./Connection.ts"
import type { Records } from "./Records.ts"

const collections: ReadonlyArray<Collection> = ["contracts", "api-keys"]

type Lists = { readonly [Name in Collection]: Records }

/** The state of a list from its runs in their order, and the number of its records. */
const listStatus = (collection: Collection, rows: ReadonlyArray<RunRow>, records: number): ListStatus => {
  const latest = (matches: (row: RunRow) => boolean): RunRow | null => rows.findLast(matches) ?? null
  return {
    collection,
    last: latest(({ state }) => state === "finished"),
    lastComplete: latest(isComplete),
    running: latest(({ state }) => state === "running"),
    records,
    brokenAt: brokenAt(rows.filter(({ state }) => state !== "running")),
  }
}

/** All accounts in the order of their names, each with its lists. */
export const status = (
  run: Run,
  schema: string,
  lists: Lists,
): Effect.Effect<ReadonlyArray<AccountStatus>, SqlError> =>
  Effect.gen(function* () {
    const counted = {
      contracts: yield* lists.contracts.counts(run),
      "api-keys": yield* lists["api-keys"].counts(run),
    }
    const rows = (yield* run(`select * from ${schema}.sync_run order by run`)).map(runOf)
    const runs = Map.groupBy(rows, ({ account, collection }) => `${collection} ${account}`)
    const accounts = yield* run(`select * from ${schema}.account order by account collate "C"`)
    return accounts.map(accountOf).map((row) => ({
      account: row.account,
      baseUrl: row.baseUrl,
      addedAt: row.addedAt,
      problem: row.problem,
      problemAt: row.problemAt,
      lists: collections.flatMap((collection) => {
        const own = runs.get(`${collection} ${row.account}`)
        return own === undefined
          ? []
          : [listStatus(collection, own, counted[collection].get(row.account) ?? 0)]
      }),
    }))
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
