/** Accounts on the emulator, in process, and a mirror in a folder of its own. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { ClientError } from "@deedkit/core"
import { PropertyClient, Transport } from "@deedkit/core"
import type { Emulator, EmulatorOptions } from "@deedkit/emulator"
import { make } from "@deedkit/emulator"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import type { MirrorStore, RunRow, SyncOptions } from "../../src/index.ts"
import { sqliteStore, SyncError, syncAccount } from "../../src/index.ts"

export type Fetch = Transport.Fetch

export interface Account {
  readonly name: string
  readonly baseUrl: string
  readonly apiKey: string
  readonly fetch: Fetch
}

/** An account of an emulator, at an origin of its own. */
export const accountOf = (name: string, { apiKey, fetch }: Pick<Emulator, "apiKey" | "fetch">): Account => ({
  name,
  baseUrl: `https://${name}.example.test`,
  apiKey,
  fetch,
})

export const emulated = (
  name: string,
  options: EmulatorOptions = {},
): { readonly emulator: Emulator; readonly account: Account } => {
  const emulator = make(options)
  return { emulator, account: accountOf(name, emulator) }
}

type More = Partial<Omit<SyncOptions, "store" | "client" | "account">>

/** Syncs one account into a store. */
export const syncInto = (store: MirrorStore, { apiKey, baseUrl, fetch, name }: Account, more: More = {}) =>
  Effect.flatMap(
    PropertyClient.make({ baseUrl, apiKey, rate: 0, retry: { attempts: 1 } }).pipe(
      Effect.provideService(Transport.Transport, Transport.viaFetch(fetch)),
    ),
    (client) => syncAccount({ store, client, account: name, pageSize: 10, ...more }),
  )

export const folder = async (): Promise<
  AsyncDisposable & { readonly path: string; readonly mirror: string }
> => {
  const path = await mkdtemp(join(tmpdir(), "deedkit-sync-"))
  return {
    path,
    mirror: join(path, "mirror.sqlite"),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  }
}

/** Opens the mirror, syncs the account, closes it. */
export const sync = (mirror: string, account: Account, more?: More): Promise<ReadonlyArray<RunRow>> =>
  Effect.runPromise(
    Effect.scoped(
      Effect.flatMap(sqliteStore({ path: mirror, lockMillis: 20 }), (store) =>
        syncInto(store, account, more),
      ),
    ),
  )

/** The same, for a sync that fails. */
export const failing = (
  mirror: string,
  account: Account,
  more?: More,
): Promise<SyncError | ClientError.ClientError> =>
  Effect.runPromise(
    Effect.flip(
      Effect.scoped(
        Effect.flatMap(sqliteStore({ path: mirror, lockMillis: 20 }), (store) =>
          syncInto(store, account, more),
        ),
      ),
    ),
  )

/** Uses a mirror that is there. */
export const using = <A>(
  mirror: string,
  work: (store: MirrorStore) => Effect.Effect<A, SyncError>,
): Promise<A> =>
  Effect.runPromise(Effect.scoped(Effect.flatMap(sqliteStore({ path: mirror, isReadOnly: true }), work)))

type Cells = Record<string, unknown>

/** What a query of another program returns. */
export const query = (
  mirror: string,
  sql: string,
  ...values: ReadonlyArray<string | number>
): Array<Cells> => {
  const db = new DatabaseSync(mirror, { readOnly: true })
  try {
    return db
      .prepare(sql)
      .all(...values)
      .map((row) => Object.assign({}, row))
  } finally {
    db.close()
  }
}

/** What has to hold of every mirror at rest: current rows are the last versions, as many as the runs have left, versions have no gap, nothing is left of a read. */
export const expectSound = (mirror: string): void => {
  const left = `select account, collection, sum(added + returned - removed) as kept from sync_run group by account, collection
    having kept > 0 order by account, collection`
  const held = `select account, 'api-keys' as collection, count(*) as kept from api_key group by account
    union all select account, 'contracts', count(*) from contract group by account order by account, collection`
  expect(query(mirror, left)).toEqual(query(mirror, held))
  for (const table of ["contract", "api_key"]) {
    const broken = `select h.account, h.id from ${table}_history h group by h.account, h.id
      having max(version) <> count(*) or min(version) <> 1`
    expect(query(mirror, broken)).toEqual([])
    const last = `select account, id, version, change from ${table}_history h
      where version = (select max(version) from ${table}_history where account = h.account and id = h.id)`
    const current = `select account, id, version from ${table}`
    expect(
      query(mirror, `select account, id, version from (${last}) where change <> 'removed' except ${current}`),
    ).toEqual([])
    expect(
      query(mirror, `${current} except select account, id, version from (${last}) where change <> 'removed'`),
    ).toEqual([])
  }
  expect(
    query(
      mirror,
      "select * from sync_page where run not in (select run from sync_run where state = 'running')",
    ),
  ).toEqual([])
}

/** The mirror of an account is what the service has. */
export const expectTruth = (mirror: string, { name }: Account, { store }: Emulator): void => {
  const bodies = (table: string) =>
    query(mirror, `select body from ${table} where account = ? order by id`, name).map(
      ({ body }) => JSON.parse(String(body)) as unknown,
    )
  const sorted = <R extends { readonly id: number }>(records: ReadonlyArray<R>) =>
    records.toSorted((a, b) => a.id - b.id)
  expect(bodies("contract")).toEqual(sorted(store.contracts))
  expect(bodies("api_key")).toEqual(sorted(store.apiKeys))
}
