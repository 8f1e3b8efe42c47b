/** Statements that are the same in SQLite and in PostgreSQL, but for a few words. Pure. */
import type { Collection } from "./RunRow.ts"
import { tables } from "./Schema.ts"

/** The words in which the two databases differ. */
export interface Dialect {
  /** What stands before the name of a table: nothing, or a quoted schema with its dot. */
  readonly prefix: string
  /** The parameter of a number, from 1. */
  readonly parameter: (number: number) => string
  /** A query of the numbers in a JSON array, whose column is `id`. */
  readonly ids: (array: string) => string
}

/** The column that says when a record was last touched. */
const touchedAt = { contracts: "updated_at", "api-keys": "created_at" } as const

/** A read that shows which records are absent. */
const isProof = "state = 'finished' and completeness <> 'unverified'"

/**
 * What removals would do to a list, as `Loss` in Removals.ts. Parameters: the account, the ids as a JSON array, the run. `accepted` is what the run
 * before has held, if that was accepted.
 */
export const loss = ({ ids, parameter, prefix }: Dialect, collection: Collection): string => {
  const { table } = tables[collection]
  const touched = touchedAt[collection]
  const [account, gone, run] = [1, 2, 3].map(parameter)
  const records = `${prefix}${table} where account = ${account}`
  const runs = `${prefix}sync_run where account = ${account} and collection = '${collection}'`
  return `
    with gone as (${ids(gone!)})
    select (select count(*) from ${records})
        - (select added + returned from ${prefix}sync_run where run = cast(${run} as bigint)) as known,
      (select count(*) from ${records} and id in (select id from gone)
         and ${touched} > (select max(${touched}) from ${records} and id not in (select id from gone))) as newer,
      (select held from ${runs} and run = (select max(run) from ${runs} and ${isProof})
         and run <= (select accepted_run from ${prefix}account where account = ${account})) as accepted`
}

/** The lists whose last proof holds removals, with their number, of the runs that meet a condition. */
export const held = ({ prefix }: Pick<Dialect, "prefix">, condition: string): string => `
  select account, collection, held, run from ${prefix}sync_run as kept
  where held > 0 and ${condition} and not exists (
    select 1 from ${prefix}sync_run as later
    where later.account = kept.account and later.collection = kept.collection and later.run > kept.run and ${isProof}
  )`
