/**
 * The mirror in PostgreSQL. Each method is one transaction; those that change an account lock its row, so that two processes change one account one
 * after the other.
 */
import type { MirrorStore, SyncError } from "@deedkit/sync"
import { held, heldListOf, ownerOf, refusal, syncError } from "@deedkit/sync/store"
import type { Run as ListRun } from "@deedkit/sync/store"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { PgVariables } from "./Address.ts"
import type { Connection } from "./Connection.ts"
import { open } from "./Connection.ts"
import * as Records from "./Records.ts"
import { dialectOf, quoted, requireTables } from "./Schema.ts"
import * as Runs from "./Runs.ts"
import * as Views from "./Views.ts"

export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`, with the parameters that the README lists. PostgreSQL 15 or newer. */
  readonly url: string
  /** The password, if the address has none. */
  readonly password?: Redacted.Redacted | undefined
  /** Variables such as `PGUSER` and `PGPASSFILE`, read as libpq reads them, usually `process.env`. Default: none, and no password file. */
  readonly variables?: PgVariables | undefined
  /** The schema that holds the tables. It is created if it does not exist, and holds nothing else. Default `deedkit`. */
  readonly schema?: string | undefined
  /** The largest number of connections. Default 10. */
  readonly maxConnections?: number | undefined
  /**
   * The server undoes a transaction of this process that is idle for this long, so that a process that was stopped, or whose machine is gone, does
   * not keep an account locked. In seconds; default: the server's own setting. Some connection poolers refuse it.
   */
  readonly idleTransactionSeconds?: number | undefined
  /** Opens an existing mirror, and changes nothing. Default false: the mirror is created if it does not exist. */
  readonly isReadOnly?: boolean | undefined
}

/**
 * Opens a mirror in PostgreSQL, and closes its connections with its scope. Fails with `MirrorUnreachable` or `MirrorRefused` if the server does not
 * accept the connection, `NotAMirror` for a schema with other tables, `SchemaNewer` for the tables of a newer version.
 */
export const postgresStore = ({
  idleTransactionSeconds,
  isReadOnly = false,
  maxConnections = 10,
  password,
  schema = "deedkit",
  url,
  variables,
}: PostgresOptions): Effect.Effect<MirrorStore, SyncError, Scope.Scope> =>
  Effect.gen(function* () {
    const connection = yield* open({ url, password, variables, maxConnections, idleTransactionSeconds })
    yield* requireTables(connection, schema, isReadOnly)
    return storeOf(connection, quoted(schema))
  })

/** The tables that hold rows of an account. The table `account` is last, because the others refer to it. */
const ofAccounts = ["contract", "contract_history", "api_key", "api_key_history", "sync_run", "account"]

const storeOf = (connection: Connection, schema: string): MirrorStore => {
  const { ofAccount, read, transact } = connection
  const snapshots = Views.snapshots(schema)
  const records = {
    contracts: Records.make(schema, "contracts"),
    "api-keys": Records.make(schema, "api-keys"),
  }
  return {
    ...Runs.make(connection, schema, records),
    absent: (list: ListRun) =>
      ofAccount(list.account).read((run) => records[list.collection].absent(run, list)),
    note: ({ account, baseUrl }, problem, at) =>
      ofAccount(account).transact((run) =>
        Effect.gen(function* () {
          if (problem !== null && baseUrl !== null) yield* Runs.addAccount(run, schema, account, baseUrl, at)
          yield* run(
            `update ${schema}.account set problem = $1, problem_at = $2::timestamptz where account = $3`,
            problem === null ? null : Records.writable(problem),
            problem === null ? null : at,
            account,
          )
        }),
      ),
    accept: (account) =>
      ofAccount(account).transact((run) =>
        Effect.gen(function* () {
          const [row] = yield* run(
            `select account from ${schema}.account where account = $1 for update`,
            account,
          )
          if (row === undefined) return yield* syncError({ _tag: "AccountUnknown", account })
          const lists = yield* run(held(dialectOf(schema), "account = $1"), account)
          const last = Math.max(...lists.map((each) => Number(each["run"])))
          if (lists.length > 0)
            yield* run(
              `update ${schema}.account set accepted_run = $1::bigint where account = $2`,
              last,
              account,
            )
          return lists.map(heldListOf)
        }),
      ),
    sample: (caller, collection, most) =>
      ofAccount(caller.account).read((run) =>
        Effect.gen(function* () {
          const { account } = caller
          const [row] = yield* run(`select * from ${schema}.account where account = $1`, account)
          if (row === undefined) return yield* syncError({ _tag: "AccountUnknown", account })
          const refused = refusal(ownerOf(row), caller)
          if (refused !== null) return yield* refused
          return yield* records[collection].sample(run, account, most)
        }),
      ),
    prune: (before) =>
      transact((run) =>
        Effect.map(
          Effect.all([records.contracts.prune(run, before), records["api-keys"].prune(run, before)]),
          ([contracts, keys]) => contracts + keys,
        ),
      ),
    forget: (account) =>
      ofAccount(account).transact((run) =>
        Effect.gen(function* () {
          // A sync of the account waits until this transaction has ended.
          yield* run(`select account from ${schema}.account where account = $1 for update`, account)
          const runs = `select run from ${schema}.sync_run where account = $1`
          yield* run(`delete from ${schema}.sync_page where run in (${runs})`, account)
          let removed = 0
          for (const table of ofAccounts) {
            const [row] = yield* run(
              `with gone as (delete from ${schema}.${table} where account = $1 returning 1) select count(*) as rows from gone`,
              account,
            )
            removed += Number(row!["rows"])
          }
          if (removed === 0) return yield* syncError({ _tag: "AccountUnknown", account })
        }),
      ),
    status: read((run) => Views.status(run, schema)),
    changes: (since) => read((run) => Views.changes(run, schema, records, since)),
    snapshot: (options) =>
      Effect.map(
        ofAccount(options.account).read((run) => snapshots.proof(run, options)),
        (proof) => ({
          ...proof,
          page: (after, most) =>
            ofAccount(options.account).read((run) =>
              snapshots.page(run, options, proof.row.run, after, most),
            ),
        }),
      ),
  }
}
