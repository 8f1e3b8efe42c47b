/** A mirror in either database: opened as a store, and seen and edited as another program does it. Its tables are in `deedkit`. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Server } from "@deedkit/config/postgres"
import type { MirrorStore, SyncError } from "@deedkit/sync"
import { sqliteStore } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { postgresStore } from "../../src/index.ts"
import { edit, editFile, query, queryFile } from "./Query.ts"

export interface Place extends AsyncDisposable {
  readonly open: Effect.Effect<MirrorStore, SyncError, Scope.Scope>
  /** Uses the mirror and closes it. */
  readonly using: <A, E>(work: (store: MirrorStore) => Effect.Effect<A, E>) => Promise<A>
  /** The rows of a query, with numbers and texts only. */
  readonly rows: (sql: string) => Promise<ReadonlyArray<Record<string, unknown>>>
  /** Runs statements, without the checks of foreign keys. */
  readonly edit: (...statements: ReadonlyArray<string>) => Promise<void>
}

const plain = (value: unknown): unknown =>
  typeof value === "bigint" ? Number(value) : value instanceof Date ? value.toISOString() : value

const placeOf = (
  open: Place["open"],
  rows: Place["rows"],
  own: Pick<Place, "edit"> & AsyncDisposable,
): Place => ({
  open,
  using: (work) => Effect.runPromise(Effect.scoped(Effect.flatMap(open, work))),
  rows: async (sql) =>
    (await rows(sql)).map((row) =>
      Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)])),
    ),
  ...own,
})

/** A new mirror in a file of its own. */
export const inFile = async (): Promise<Place> => {
  const folder = await mkdtemp(join(tmpdir(), "deedkit-stores-"))
  const path = join(folder, "mirror.sqlite")
  return placeOf(sqliteStore({ path }), async (sql) => queryFile(path, sql), {
    edit: async (...statements) => editFile(path, statements),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  })
}

/** A new mirror in a database of its own. */
export const onServer = async (server: Server, name: string): Promise<Place> => {
  const url = await server.database(name)
  return placeOf(postgresStore({ url }), (sql) => query(url, sql), {
    edit: (...statements) => edit(url, statements),
    [Symbol.asyncDispose]: async () => {},
  })
}
