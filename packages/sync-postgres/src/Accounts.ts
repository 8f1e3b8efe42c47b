/** The rows of the accounts in PostgreSQL. A transaction that holds the row of an account makes every other one of that account wait. */
import { ownership, syncError } from "@deedkit/sync/store"
import type { RunPage } from "@deedkit/sync/store"
import type { SyncError } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Row, Run } from "./Connection.ts"
import { ownerOf, text, writable } from "./Rows.ts"

export interface Accounts {
  /** Adds an account where it is not there. */
  readonly add: (
    run: Run,
    account: string,
    baseUrl: string,
    at: string,
  ) => Effect.Effect<ReadonlyArray<Row>, SqlError>
  /** The row of an account, which no other transaction changes until this one ends. */
  readonly held: (run: Run, account: string) => Effect.Effect<Row, SqlError>
  /** Notes whose records these are with the first of them. Fails where the mirror holds another owner's, or these under another name. */
  readonly own: (run: Run, page: RunPage) => Effect.Effect<void, SqlError | SyncError>
}

/** The accounts in a schema. */
export const make = (schema: string): Accounts => {
  const add: Accounts["add"] = (run, account, baseUrl, at) =>
    run(
      `insert into ${schema}.account (account, base_url, added_at) values ($1, $2, $3::timestamptz) on conflict do nothing`,
      account,
      baseUrl,
      at,
    )
  const held: Accounts["held"] = (run, account) =>
    Effect.map(run(`select * from ${schema}.account where account = $1 for update`, account), ([row]) => row!)
  const own = Effect.fnUntraced(function* (
    run: Run,
    { caller, checkpoint: { keyFingerprint } }: RunPage,
  ): Effect.gen.Return<void, SqlError | SyncError> {
    const { account, baseUrl, identity } = caller
    const owned = ownership(ownerOf(yield* held(run, account)), caller, keyFingerprint)
    if (owned === "kept") return
    if (owned !== "new") return yield* owned
    const [twin] = yield* run(
      `select account from ${schema}.account where key_fingerprint = $1 and base_url = $2 and account <> $3`,
      keyFingerprint,
      baseUrl,
      account,
    )
    if (twin !== undefined)
      return yield* syncError({ _tag: "AccountTwice", account, other: text(twin["account"]) })
    yield* run(
      `update ${schema}.account set base_url = $1, key_fingerprint = $2, identity = coalesce($3, identity) where account = $4`,
      baseUrl,
      keyFingerprint,
      identity === null ? null : writable(JSON.stringify(identity)),
      account,
    )
  })
  return { add, held, own }
}
