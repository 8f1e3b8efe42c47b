/**
 * The tables and views of a mirror in PostgreSQL's words, in a schema of their own, with the functions `contracts_at` and `api_keys_at`.
 *
 * `body` is text: a record can hold values that `jsonb` refuses or changes, such as `\u0000`, a lone surrogate, or a number that it writes in
 * another form. `body::jsonb` works for every other record.
 */
import { schemaIn, schemaVersion, syncError, textOf } from "@deedkit/sync/store"
import type { Dialect, Words } from "@deedkit/sync/store"
import type { SyncError } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Connection, Run } from "./Connection.ts"

/** A name as an identifier of SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** PostgreSQL's words in the statements of both databases, for a quoted schema. */
export const dialectOf = (schema: string): Dialect => ({
  prefix: `${schema}.`,
  parameter: (number) => `$${number}`,
  ids: (array) => `select value::bigint as id from json_array_elements_text(${array}::json)`,
})

const words = (schema: string): Words => ({
  prefix: `${schema}.`,
  types: {
    bigint: "bigint",
    timestamptz: "timestamptz",
    texts: "text[]",
    numbers: "bigint[]",
    run: "bigint generated always as identity primary key",
  },
  keyed: "",
  plain: "",
  random: "gen_random_uuid()::text",
  noText: "null::text",
})

/** The records of a moment, which SQLite has no views for. */
const recordsAt = (schema: string, table: string): string => `
create function ${schema}.${table}s_at(timestamptz) returns setof ${schema}.${table}_versions language sql stable as $$
  select * from ${schema}.${table}_versions where valid_from <= $1 and (valid_to is null or valid_to > $1)
$$;
`

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
  names: ReadonlyArray<string>,
): Effect.Effect<number | null, SqlError> =>
  names.includes("mirror_version")
    ? Effect.map(run(`select version from ${quoted(schema)}.mirror_version`), ([row]) =>
        Number(row?.["version"]),
      )
    : Effect.succeed(null)

/** Checks the schema, and creates its tables if that is allowed. Two processes that begin at once create them once. */
export const requireTables = (
  { name, transact }: Connection,
  schema: string,
  isReadOnly: boolean,
): Effect.Effect<void, SyncError> => {
  const path = `${name}#${schema}`
  const own = quoted(schema)
  const check = (found: number): Effect.Effect<void, SyncError> => {
    if (found === schemaVersion) return Effect.void
    if (found > schemaVersion)
      return Effect.fail(syncError({ _tag: "SchemaNewer", path, found, known: schemaVersion }))
    // A mirror has its version from the moment at which its tables are created.
    return Effect.fail(syncError({ _tag: "MirrorDamaged", path }))
  }
  return transact((run) =>
    Effect.gen(function* () {
      const before = yield* versionIn(run, schema, yield* tablesIn(run, schema))
      if (before !== null) return yield* check(before)
      if (isReadOnly) return yield* syncError({ _tag: "MirrorMissing", path })
      const [encoding] = yield* run("select current_setting('server_encoding') as name")
      const encodingName = textOf(encoding?.["name"] ?? null)
      if (encodingName !== "UTF8")
        return yield* syncError({ _tag: "EncodingUnfit", path: name, encoding: encodingName })
      yield* run("select pg_advisory_xact_lock(hashtext($1::text))", `deedkit ${schema}`)
      // Another process may have created the tables while this one waited.
      const tablesNow = yield* tablesIn(run, schema)
      const found = yield* versionIn(run, schema, tablesNow)
      if (found !== null) return yield* check(found)
      if (tablesNow.length > 0) return yield* syncError({ _tag: "NotAMirror", path })
      yield* run(`create schema if not exists ${own}`)
      for (const statement of `${schemaIn(words(own))}${recordsAt(own, "contract")}${recordsAt(own, "api_key")}`.split(
        ";\n",
      ))
        if (statement.trim() !== "") yield* run(statement)
      yield* run(`create table ${own}.mirror_version (version integer not null)`)
      yield* run(`insert into ${own}.mirror_version values (${schemaVersion})`)
    }),
  )
}
