/**
 * The tables of a mirror in SQLite, and the migrations from each version to the next. Tables without `internal` in their comment are an interface:
 * the README describes them, and a later version adds to them without removing anything.
 */

import { publicViews } from "./PublicViews.ts"

/** `PRAGMA application_id` of a mirror: the letters `Deed`. */
export const applicationId = 0x44_65_65_64

const records = (table: string, columns: string, texts: string): string => `
create table ${table} (
  account text not null references account (account),
  id integer not null,
  version integer not null,
  seen_at text not null,
  run integer not null,
  hash text not null,
  ${columns},
  body text not null${texts},
  primary key (account, id)
) strict, without rowid;
create table ${table}_history (
  account text not null references account (account),
  id integer not null,
  version integer not null,
  change text not null check (change in ('added', 'changed', 'removed', 'returned')),
  members text not null,
  seen_at text not null,
  run integer not null,
  hash text,
  body text${texts},
  primary key (account, id, version)
) strict, without rowid;
create index ${table}_history_by_run on ${table}_history (run);
`

const first = `
create table account (
  account text not null primary key,
  base_url text not null,
  added_at text not null,
  key_fingerprint text,
  identity text,
  problem text,
  problem_at text
) strict, without rowid;
${records("contract", "status text, kind text, listing_id integer, city text, unit_label text, created_at text, updated_at text", ", data text")}
${records("api_key", "name text, created_at text, last_used_at text, revoked_at text", "")}
create table sync_run (
  run integer primary key autoincrement,
  account text not null references account (account),
  collection text not null check (collection in ('contracts', 'api-keys')),
  state text not null default 'running' check (state in ('running', 'finished', 'abandoned')),
  started_at text not null,
  ended_at text not null,
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
) strict;
create unique index sync_run_running on sync_run (account, collection) where state = 'running';
create index sync_run_by_account on sync_run (account, collection, run);
-- internal: the ids of each page of a read under way
create table sync_page (
  run integer not null,
  page integer not null,
  ids text not null,
  primary key (run, page)
) strict, without rowid;
`

/** Each account of ten thousand is compared with all others by its key: without the index, each new one would read the whole table. */
const second = `
create index account_by_key on account (key_fingerprint, base_url);
${publicViews}`

/** The statements at an index migrate from the version of that number to the next one. */
export const migrations: ReadonlyArray<string> = [first, second]

/** The table of each list, the columns that only its current rows have, and the JSON texts that its history has too. */
export const tables = {
  contracts: {
    table: "contract",
    columns: ["status", "kind", "listing_id", "city", "unit_label", "created_at", "updated_at"],
    texts: ["body", "data"],
  },
  "api-keys": {
    table: "api_key",
    columns: ["name", "created_at", "last_used_at", "revoked_at"],
    texts: ["body"],
  },
} as const
