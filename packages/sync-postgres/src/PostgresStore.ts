/**
 * The mirror in PostgreSQL: the words of its statements, and a schema of its own with its tables and the functions `contracts_at` and `api_keys_at`.
 *
 * `body` is text: a record can hold values that `jsonb` refuses or changes, such as `\u0000`, a lone surrogate, or a number that it writes in
 * another form. The column `record` of the views is the body as `jsonb`, null for one that it refuses.
 */
import { Timestamp } from "@deedkit/core"
import type { MirrorStore, SyncError } from "@deedkit/sync"
import { schemaIn, schemaVersion, sqlStore, syncError, textOf, versionError } from "@deedkit/sync/store"
import type { Query, StatementError, Words } from "@deedkit/sync/store"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { PgVariables } from "./Address.ts"
import { commentsOn } from "./Comments.ts"
import type { Connection } from "./Connection.ts"
import { open } from "./Connection.ts"

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
   * not keep an account locked. In seconds; default: the server's own setting.
   */
  readonly idleTransactionSeconds?: number | undefined
  /** Opens an existing mirror, and changes nothing. Default false: the mirror is created if it does not exist. */
  readonly isReadOnly?: boolean | undefined
}

/** A name as an identifier of SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** PostgreSQL has no year 0, and ISO 8601 writes years beyond 9999 in another form. */
const fourDigitYear = /^(?!0000)\d{4}-/

const moment = (column: string): string =>
  `to_char(date_trunc('milliseconds', ${column}) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** The words of a mirror in a quoted schema. */
const wordsOf = (schema: string): Words => {
  const types = {
    text: "text",
    bigint: "bigint",
    timestamptz: "timestamptz",
    integer: "integer",
    texts: "text[]",
    run: "bigint generated always as identity primary key",
  }
  const parsed = (text: string): string => `${schema}.parsed(${text})`
  const given: Words["given"] = (array, columns) =>
    `json_to_recordset(${array}::json) as given (${Object.entries(columns)
      .map(([name, type]) => `${name} ${types[type]}`)
      .join(", ")})`
  return {
    prefix: `${schema}.`,
    types,
    keyed: "",
    plain: "",
    time: (text) => {
      const time = Timestamp.isTimestamp(text) ? Timestamp.toDate(text).toISOString() : ""
      return fourDigitYear.test(time) ? time : null
    },
    random: "gen_random_uuid()::text",
    night: "night date generated always as ((started_at at time zone 'UTC')::date) stored",
    parsed,
    beside: [`${parsed("body")} as record`],
    given,
    inserted: (parameters, columns, values) =>
      `select ${values.join(", ")} from ${given(`$${parameters + 1}`, columns)}`,
    each: (array) => `json_array_elements_text(${array}::json) as each (value)`,
    // A sub-query with an offset is looked up by the key for each row. For a plain join, the planner would choose, and with old statistics it reads
    // the whole account for each page.
    lookup: (table, alias, condition) =>
      `left join lateral (select * from ${table} as ${alias} where ${condition} offset 0) as ${alias} on true`,
    hash: (text) => `encode(sha256(convert_to(${text}, 'UTF8')), 'hex')`,
    json: (column) => `coalesce(to_json(${column.endsWith("_at") ? moment(column) : column})::text, 'null')`,
    // Other transactions may still insert rows that refer to these: a sync begins while a prune holds the lists.
    lock: " for no key update",
  }
}

/** A text as `jsonb`; null for one that it refuses. */
const parsedIn = (schema: string): string =>
  `create function ${schema}.parsed(text) returns jsonb language plpgsql immutable strict as $$ begin return $1::jsonb; exception when others then return null; end $$`

/** The records of a moment, which SQLite has no views for. */
const recordsAt = (schema: string, table: string): string => `
create function ${schema}.${table}s_at(timestamptz) returns setof ${schema}.${table}_versions language sql stable as $$
  select * from ${schema}.${table}_versions where valid_from <= $1 and (valid_to is null or valid_to > $1)
$$;
`

const tablesIn = (
  query: Query,
  schema: string,
): Effect.Effect<ReadonlyArray<string>, StatementError | SyncError> =>
  Effect.map(
    query(
      "select relname::text as name from pg_class join pg_namespace on pg_namespace.oid = relnamespace where nspname = $1::text",
      schema,
    ),
    (rows) => rows.map((row) => textOf(row["name"])),
  )

/** Checks the schema, and creates its tables if that is allowed. Two processes that begin at once create them once. */
const requireTables = (
  { name, write }: Connection,
  schema: string,
  words: Words,
  isReadOnly: boolean,
): Effect.Effect<void, SyncError> => {
  const path = `${name}#${schema}`
  const own = quoted(schema)
  /** Whether the tables are there; fails if they are of another version. */
  const hasTables = Effect.fnUntraced(function* (query: Query, tables: ReadonlyArray<string>) {
    if (!tables.includes("mirror_version")) return false
    const [row] = yield* query(`select version from ${own}.mirror_version`)
    const refused = versionError(path, Number(row?.["version"]))
    return refused === null ? true : yield* refused
  })
  return write(null, (query) =>
    Effect.gen(function* () {
      if (yield* hasTables(query, yield* tablesIn(query, schema))) return
      if (isReadOnly) return yield* syncError({ _tag: "MirrorMissing", path })
      const [encoding] = yield* query("select current_setting('server_encoding') as name")
      const encodingName = textOf(encoding?.["name"] ?? null)
      if (encodingName !== "UTF8")
        return yield* syncError({ _tag: "EncodingUnfit", path: name, encoding: encodingName })
      yield* query("select pg_advisory_xact_lock(hashtext($1::text))", `deedkit ${schema}`)
      // Another process may have created the tables while this one waited.
      const tablesNow = yield* tablesIn(query, schema)
      if (yield* hasTables(query, tablesNow)) return
      if (tablesNow.length > 0) return yield* syncError({ _tag: "NotAMirror", path })
      // Even with `if not exists` it takes a right that the owner of a schema may lack.
      const schemas = yield* query("select from pg_namespace where nspname = $1::text", schema)
      if (schemas.length === 0) yield* query(`create schema ${own}`)
      yield* query(parsedIn(own))
      const statements = `${schemaIn(words)}${recordsAt(own, "contract")}${recordsAt(own, "api_key")}`
      for (const statement of statements.split(";\n")) if (statement.trim() !== "") yield* query(statement)
      yield* query(`create table ${own}.mirror_version (version integer not null)`)
      const found = yield* query(
        `select relname::text as relation, relkind::text as kind, attname::text as column
         from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0
         where relnamespace = $1::text::regnamespace and relkind in ('r', 'v')`,
        own,
      )
      const named = found.map((row) => ({
        relation: textOf(row["relation"]),
        kind: textOf(row["kind"]),
        column: textOf(row["column"]),
      }))
      for (const comment of commentsOn(own, named)) yield* query(comment)
      yield* query(`insert into ${own}.mirror_version values (${schemaVersion})`)
    }),
  )
}

/**
 * Opens a mirror in PostgreSQL, and closes its connections with its scope. Fails with `MirrorUnreachable` or `MirrorRefused` if the server does not
 * accept the connection, `NotAMirror` for a schema with other tables, `SchemaNewer` and `SchemaOlder` for the tables of another version.
 */
export const postgresStore = Effect.fnUntraced(function* ({
  idleTransactionSeconds,
  isReadOnly = false,
  maxConnections = 10,
  password,
  schema = "deedkit",
  url,
  variables,
}: PostgresOptions): Effect.fn.Return<MirrorStore, SyncError, Scope.Scope> {
  const connection = yield* open({ url, password, variables, maxConnections, idleTransactionSeconds })
  const words = wordsOf(quoted(schema))
  yield* requireTables(connection, schema, words, isReadOnly)
  return sqlStore({ ...connection, words })
})
