/** How many records a mirror in PostgreSQL holds of a list. The caller holds the transaction. */
import type { Collection } from "@deedkit/sync"
import { holdingOf, textOf } from "@deedkit/sync/store"
import type { Holding } from "@deedkit/sync/store"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Run } from "./Connection.ts"
import { tables } from "./Schema.ts"

const counted = (schema: string, collection: Collection, condition: string): string => {
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
export const one = (
  run: Run,
  schema: string,
  collection: Collection,
  account: string,
): Effect.Effect<Holding, SqlError> =>
  Effect.map(run(counted(schema, collection, "account = $1"), account), ([row]) => holdingOf(row ?? {}))

/** The holdings of all accounts, by account. */
export const all = (
  run: Run,
  schema: string,
  collection: Collection,
): Effect.Effect<ReadonlyMap<string, Holding>, SqlError> =>
  Effect.map(
    run(counted(schema, collection, "true")),
    (rows) => new Map(rows.map((row) => [textOf(row["account"]), holdingOf(row)])),
  )
