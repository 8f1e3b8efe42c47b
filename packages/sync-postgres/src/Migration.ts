/** Migrates the tables of a mirror to the newest version. Two processes that begin at once create them once. */
import { syncError, textOf } from "@deedkit/sync/store"
import type { SyncError } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Connection, Run } from "./Connection.ts"
import { migrations, quoted } from "./Schema.ts"

const tablesIn = (run: Run, schema: string): Effect.Effect<ReadonlyArray<string>, SqlError> =>
  Effect.map(
    run(
      "select relname::text as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace where nspname = $1::text",
      schema,
    ),
    (rows) => rows.map((row) => textOf(row["name"])),
  )

/** The version of the tables; null if the schema has no tables of a mirror. */
const versionIn = (
  run: Run,
  schema: string,
  tables: ReadonlyArray<string>,
): Effect.Effect<number | null, SqlError> =>
  tables.includes("mirror_version")
    ? Effect.map(run(`select version from ${quoted(schema)}.mirror_version`), ([row]) =>
        Number(row?.["version"]),
      )
    : Effect.succeed(null)

/** Checks the schema, and creates or updates its tables if that is allowed. */
export const migrate = (
  { name, transact }: Connection,
  schema: string,
  isReadOnly: boolean,
): Effect.Effect<void, SyncError> => {
  const path = `${name}#${schema}`
  const known = migrations.length
  const check = (found: number | null): SyncError | null => {
    if (found !== null && found > known) return syncError({ _tag: "SchemaNewer", path, found, known })
    if (!isReadOnly || found === known) return null
    return syncError(
      found === null ? { _tag: "MirrorMissing", path } : { _tag: "SchemaOlder", path, found, known },
    )
  }
  return transact((run) =>
    Effect.gen(function* () {
      const before = yield* versionIn(run, schema, yield* tablesIn(run, schema))
      const problem = check(before)
      if (problem !== null) return yield* problem
      if (before === known) return
      yield* run("select pg_advisory_xact_lock(hashtext($1::text))", `deedkit ${schema}`)
      // Another process may have created the tables while this one waited.
      const tables = yield* tablesIn(run, schema)
      const found = yield* versionIn(run, schema, tables)
      if (found === known) return
      if (found === null && tables.length > 0) return yield* syncError({ _tag: "NotAMirror", path })
      if (found === null) {
        yield* run(`create schema if not exists ${quoted(schema)}`)
        yield* run(`create table ${quoted(schema)}.mirror_version (version integer not null)`)
        yield* run(`insert into ${quoted(schema)}.mirror_version values (0)`)
      }
      for (const statements of migrations.slice(found ?? 0))
        for (const statement of statements(quoted(schema)).split(";\n"))
          if (statement.trim() !== "") yield* run(statement)
      yield* run(`update ${quoted(schema)}.mirror_version set version = $1::integer`, known)
    }),
  )
}
