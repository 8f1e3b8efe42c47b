/**
 * Rows into a database, one case in a separate process: the pages of a first read as the mirror stores them, compared with inserts of the same texts
 * that keep no history. Pages are in memory before anything is measured. Arguments: the case, the file or address of the database, the number of
 * contracts.
 */
import { spawnSync } from "node:child_process"
import { rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { PropertyClient, Transport } from "@deedkit/core"
import { make } from "@deedkit/emulator"
import type { MirrorStore, SyncError } from "@deedkit/sync"
import { sqliteStore, syncAccount } from "@deedkit/sync"
import { postgresStore } from "@deedkit/sync-postgres"
import type { RunPage } from "@deedkit/sync/store"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { SqlError } from "effect/sql/SqlError"
import * as Reactivity from "effect/reactivity/Reactivity"
import * as Redacted from "effect/Redacted"
import { start } from "./measure.ts"

const [name = "", database = "", contracts = "1000"] = process.argv.slice(2)
const account = "account-0"

const clientOf = ({ apiKey, fetch }: ReturnType<typeof make>) =>
  PropertyClient.make({ baseUrl: "https://api.example.test", apiKey, rate: 0 }).pipe(
    Effect.provideService(Transport.Transport, Transport.viaFetch(fetch)),
  )

/** The pages that a sync gives its store. */
const pagesOf = Effect.gen(function* () {
  const pages: Array<RunPage> = []
  const kept = yield* sqliteStore({ path: ":memory:" })
  const store: MirrorStore = {
    ...kept,
    applyPage: (page) =>
      Effect.andThen(
        Effect.sync(() => pages.push(page)),
        kept.applyPage(page),
      ),
  }
  const client = yield* clientOf(make({ contracts: Number(contracts) }))
  yield* syncAccount({ store, client, account, collections: ["contracts"] })
  return pages
}).pipe(Effect.scoped)

const pages = await Effect.runPromise(pagesOf)
const texts = pages.flatMap(({ versions }) => versions.map(({ body, hash, id }) => ({ id, hash, body })))
/** Single inserts into a server are so slow that a tenth of the rows is enough. */
const few = texts.slice(0, Math.ceil(texts.length / 10))

/** Stores the pages as a sync does, in a run of its own. */
const replay = (store: MirrorStore) =>
  Effect.gen(function* () {
    const { at, caller } = pages[0]!
    const [run] = yield* store.begin({
      caller,
      collections: ["contracts"],
      at,
      resumeWithinMillis: 0,
      isFresh: true,
    })
    yield* Effect.forEach(pages, (page) => store.applyPage({ ...page, run: { ...run!, pages: page.page } }), {
      discard: true,
    })
  })

/** Inserts without a mirror. Returns the number of rows. */
const intoSqlite = (isEach: boolean): number => {
  const db = new DatabaseSync(database)
  db.exec(`pragma journal_mode = wal; pragma synchronous = normal;
    create table record (account text, id integer, hash text, body text, primary key (account, id)) without rowid`)
  const insert = db.prepare("insert into record values (?, ?, ?, ?)")
  for (const { versions } of pages) {
    if (!isEach) db.exec("begin")
    for (const { body, hash, id } of versions) insert.run(account, id, hash, body)
    if (!isEach) db.exec("commit")
  }
  db.close()
  return texts.length
}

const copy = (): number => {
  const file = join(tmpdir(), `deedkit-copy-${process.pid}`)
  const lines = texts.map(
    ({ body, hash, id }) => `${account}\t${id}\t${hash}\t${body.replaceAll("\\", "\\\\")}\n`,
  )
  writeFileSync(file, lines.join(""))
  const { status } = spawnSync("psql", ["-q", "-d", database, "-c", `\\copy record from '${file}'`], {
    stdio: ["ignore", "inherit", "inherit"],
  })
  rmSync(file)
  if (status !== 0) throw new Error("psql could not copy.")
  return texts.length
}

/** Inserts into a new table of PostgreSQL. */
const intoPostgres = (work: (sql: PgClient.PgClient) => Effect.Effect<number, SqlError>) =>
  Effect.gen(function* () {
    const sql = yield* PgClient.make({ url: Redacted.make(database), maxConnections: 1 })
    yield* sql.unsafe("drop table if exists record")
    yield* sql.unsafe(
      "create table record (account text, id bigint, hash text, body text, primary key (account, id))",
    )
    return yield* work(sql)
  }).pipe(Effect.scoped, Effect.provide(Reactivity.layer), Effect.orDie)

/** The first read of a mirror, or a later one without changes. */
const intoMirror = (opened: Effect.Effect<MirrorStore, SyncError, Scope.Scope>, isUnchanged: boolean) =>
  Effect.gen(function* () {
    const store = yield* opened
    if (isUnchanged) yield* replay(store)
    print = start()
    yield* replay(store)
    return texts.length
  }).pipe(Effect.scoped, Effect.orDie)

const sqliteMirror = sqliteStore({ path: database })
const postgresMirror = postgresStore({ url: database })

const cases: { readonly [name: string]: Effect.Effect<number> } = {
  "insert, a transaction a page": Effect.sync(() => intoSqlite(false)),
  "insert, a transaction a row": Effect.sync(() => intoSqlite(true)),
  "the mirror, first read": intoMirror(sqliteMirror, false),
  "the mirror, unchanged night": intoMirror(sqliteMirror, true),
  "COPY of a file": intoPostgres(() => Effect.sync(copy)),
  "insert, a transaction a row (a tenth of the rows)": intoPostgres((sql) =>
    Effect.as(
      Effect.forEach(
        few,
        ({ body, hash, id }) =>
          sql.unsafe("insert into record values ($1, $2::bigint, $3, $4)", [account, id, hash, body]),
        { discard: true },
      ),
      few.length,
    ),
  ),
  "the mirror in PostgreSQL, first read": intoMirror(postgresMirror, false),
  "the mirror in PostgreSQL, unchanged night": intoMirror(postgresMirror, true),
}

const work = cases[name]
if (work === undefined) throw new Error(`there is no case "${name}"`)
let print = start()
const records = await Effect.runPromise(work)
print({ records })
