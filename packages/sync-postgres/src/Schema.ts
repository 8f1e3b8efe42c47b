/**
 * The tables and views of a mirror in PostgreSQL, in a schema of their own. They have the names and columns of the mirror in SQLite; `sync_page` is
 * internal, the others are an interface. The functions `contracts_at` and `api_keys_at` are here only: SQLite has no views with parameters.
 *
 * `body` is text: a record can hold values that `jsonb` refuses or changes, such as `\u0000`, a lone surrogate, or a number that it writes in
 * another form. `body::jsonb` works for every other record.
 */
import { syncError, textOf } from "@deedkit/sync/store"
import type { Dialect } from "@deedkit/sync/store"
import type { SyncError } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Connection, Run } from "./Connection.ts"

/** The version of the tables, which `mirror_version` holds. */
export const schemaVersion = 1

/** A name as an identifier of SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** PostgreSQL's words in the statements of both databases, for a quoted schema. */
export const dialectOf = (schema: string): Dialect => ({
  prefix: `${schema}.`,
  parameter: (number) => `$${number}`,
  ids: (array) => `select value::bigint as id from json_array_elements_text(${array}::json)`,
})

const records = (schema: string, table: string, columns: string, texts: string): string => `
create table ${schema}.${table} (
  account text not null references ${schema}.account (account),
  id bigint not null,
  version integer not null,
  seen_at timestamptz not null,
  run bigint not null,
  hash text not null,
  ${columns},
  body text not null${texts},
  primary key (account, id)
);
create table ${schema}.${table}_history (
  account text not null references ${schema}.account (account),
  id bigint not null,
  version integer not null,
  change text not null check (change in ('added', 'changed', 'removed', 'returned')),
  members text[] not null,
  seen_at timestamptz not null,
  run bigint not null,
  hash text,
  body text${texts},
  primary key (account, id, version)
);
create index ${table}_history_by_run on ${schema}.${table}_history (account, run);
create index ${table}_history_by_time on ${schema}.${table}_history (seen_at);
`

const allTables = (schema: string): string => `
create table ${schema}.account (
  account text not null primary key,
  base_url text not null,
  added_at timestamptz not null,
  key_fingerprint text,
  identity text,
  problem text,
  problem_at timestamptz,
  accepted_run bigint
);
create unique index account_owner on ${schema}.account (key_fingerprint, base_url);
${records(
  schema,
  "contract",
  "status text, kind text, listing_id bigint, city text, unit_label text, created_at timestamptz, updated_at timestamptz",
  ", data text",
)}
${records(schema, "api_key", "name text, created_at timestamptz, last_used_at timestamptz, revoked_at timestamptz", "")}
create index contract_by_listing on ${schema}.contract (listing_id);
create table ${schema}.sync_run (
  run bigint generated always as identity primary key,
  account text not null references ${schema}.account (account),
  collection text not null check (collection in ('contracts', 'api-keys')),
  state text not null default 'running' check (state in ('running', 'finished', 'abandoned')),
  started_at timestamptz not null,
  ended_at timestamptz not null,
  pages integer not null default 0,
  records integer not null default 0,
  requests integer not null default 0,
  cursor_parameter text,
  cursor_state text,
  cursor_evidence text,
  completeness text,
  reason text,
  readings integer not null default 0,
  rejected integer not null default 0,
  without_data integer not null default 0,
  added integer not null default 0,
  changed integer not null default 0,
  returned integer not null default 0,
  removed integer not null default 0,
  unlisted integer not null default 0,
  held integer not null default 0,
  resumed_at_page integer not null default 0,
  previous text,
  checkpoint text
);
create unique index sync_run_running on ${schema}.sync_run (account, collection) where state = 'running';
create index sync_run_by_account on ${schema}.sync_run (account, collection, run);
create index sync_run_held on ${schema}.sync_run (account, collection) where held > 0;
create table ${schema}.mirror (id text not null, epoch text not null);
insert into ${schema}.mirror values (gen_random_uuid()::text, gen_random_uuid()::text);
create table ${schema}.sync_page (
  run bigint not null,
  page integer not null,
  ids bigint[] not null,
  primary key (run, page)
);
`

/** `valid_to` is the first moment of any later version: if a clock was set back, times are not in the order of versions. */
const versions = (schema: string, table: string, texts: string): string => `
create view ${schema}.${table}_versions as
select account, id, version, change, seen_at as valid_from,
  (select min(seen_at) from ${schema}.${table}_history as later
   where later.account = held.account and later.id = held.id and later.version > held.version) as valid_to,
  members, run, hash, ${texts}
from ${schema}.${table}_history as held where change <> 'removed';
create function ${schema}.${table}s_at(timestamptz) returns setof ${schema}.${table}_versions language sql stable as $$
  select * from ${schema}.${table}_versions where valid_from <= $1 and (valid_to is null or valid_to > $1)
$$;
`

/** `complete_at` is when the last complete read of the list ended. */
const current = (schema: string, table: string, collection: string, columns: string): string => `
create view ${schema}.${table}s as
select ${table}.account, base_url, id, version, seen_at, ${columns},
  (select ended_at from ${schema}.sync_run
   where sync_run.account = ${table}.account and collection = '${collection}' and state = 'finished'
     and completeness in ('proven', 'confirmed') and rejected = 0 and without_data = 0 and held = 0
   order by run desc limit 1) as complete_at
from ${schema}.${table} join ${schema}.account on account.account = ${table}.account;
`

/** Records of the first read are left out: they were not new, only never read before. */
const changes = (
  schema: string,
  table: string,
  collection: string,
  data: (row: string) => string,
): string => `
select later.account, '${collection}' as collection, later.id, later.version, later.change, later.members, later.seen_at, later.run,
  later.body, earlier.body as body_before, ${data("later")} as data, ${data("earlier")} as data_before
from ${schema}.${table}_history as later
left join ${schema}.${table}_history as earlier
  on earlier.account = later.account and earlier.id = later.id and earlier.version = later.version - 1
where later.version > 1 or later.run > (
  select min(run) from ${schema}.sync_run where account = later.account and collection = '${collection}' and state = 'finished')
`

const views = (schema: string): string => `
${current(schema, "contract", "contracts", "status, kind, listing_id, city, unit_label, created_at, updated_at, body, data")}
${current(schema, "api_key", "api-keys", "name, created_at, last_used_at, revoked_at, body")}
${versions(schema, "contract", "body, data")}
${versions(schema, "api_key", "body")}
create view ${schema}.changes as
${changes(schema, "contract", "contracts", (row) => `${row}.data`)}
union all
${changes(schema, "api_key", "api-keys", () => "null::text")};
`

/** The table of each list, the columns that only its current rows have with their types, and the JSON texts that its history has too. */
export const tables = {
  contracts: {
    table: "contract",
    columns: {
      status: "text",
      kind: "text",
      listing_id: "bigint",
      city: "text",
      unit_label: "text",
      created_at: "timestamptz",
      updated_at: "timestamptz",
    },
    texts: ["body", "data"],
  },
  "api-keys": {
    table: "api_key",
    columns: {
      name: "text",
      created_at: "timestamptz",
      last_used_at: "timestamptz",
      revoked_at: "timestamptz",
    },
    texts: ["body"],
  },
} as const

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
      for (const statement of `${allTables(own)}${views(own)}`.split(";\n"))
        if (statement.trim() !== "") yield* run(statement)
      yield* run(`create table ${own}.mirror_version (version integer not null)`)
      yield* run(`insert into ${own}.mirror_version values (${schemaVersion})`)
    }),
  )
}
