/**
 * The tables of a mirror in PostgreSQL, in a schema of their own, and the migrations from each version to the next. They have the names and columns
 * of the mirror in SQLite; `sync_page` is internal, the others are an interface.
 *
 * `body` is text: a record can hold values that `jsonb` refuses or changes, such as `\u0000`, a lone surrogate, or a number that it writes in
 * another form. `body::jsonb` works for every other record.
 */

import { publicViews } from "./PublicViews.ts"

/** A name as an identifier of SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

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
`

const first = (schema: string): string => `
create table ${schema}.account (
  account text not null primary key,
  base_url text not null,
  added_at timestamptz not null,
  key_fingerprint text,
  identity text,
  problem text,
  problem_at timestamptz
);
create unique index account_owner on ${schema}.account (key_fingerprint, base_url);
${records(
  schema,
  "contract",
  "status text, kind text, listing_id bigint, city text, unit_label text, created_at timestamptz, updated_at timestamptz",
  ", data text",
)}
${records(schema, "api_key", "name text, created_at timestamptz, last_used_at timestamptz, revoked_at timestamptz", "")}
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
  resumed_at_page integer not null default 0,
  previous text,
  checkpoint text
);
create unique index sync_run_running on ${schema}.sync_run (account, collection) where state = 'running';
create index sync_run_by_account on ${schema}.sync_run (account, collection, run);
create table ${schema}.sync_page (
  run bigint not null,
  page integer not null,
  ids bigint[] not null,
  primary key (run, page)
);
`

/** The statements at an index migrate from the version of that number to the next one, for a quoted schema. */
export const migrations: ReadonlyArray<(schema: string) => string> = [first, publicViews]

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
