/**
 * The tables and views of a mirror in SQLite. Tables without `internal` in their comment are an interface, and so are the views: the README describes
 * them, and a later version adds to them without removing anything. The mirror in PostgreSQL has the same views.
 */

/** `PRAGMA application_id` of a mirror: the letters `Deed`. */
export const applicationId = 0x44_65_65_64

/** `PRAGMA user_version` of a mirror: the version of its tables. */
export const schemaVersion = 1

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
create index ${table}_history_by_time on ${table}_history (seen_at);
`

/** A random text. */
export const randomText = "lower(hex(randomblob(16)))"

/** The tables. */
const allTables = `
create table account (
  account text not null primary key,
  base_url text not null,
  added_at text not null,
  key_fingerprint text,
  identity text,
  problem text,
  problem_at text,
  accepted_run integer
) strict, without rowid;
-- each account of ten thousand is compared with all others by its key
create index account_by_key on account (key_fingerprint, base_url);
${records("contract", "status text, kind text, listing_id integer, city text, unit_label text, created_at text, updated_at text", ", data text")}
${records("api_key", "name text, created_at text, last_used_at text, revoked_at text", "")}
create index contract_by_listing on contract (listing_id);
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
  held integer not null default 0,
  resumed_at_page integer not null default 0,
  previous text,
  checkpoint text
) strict;
create unique index sync_run_running on sync_run (account, collection) where state = 'running';
create index sync_run_by_account on sync_run (account, collection, run);
create index sync_run_held on sync_run (account, collection) where held > 0;
create table mirror (id text not null, epoch text not null) strict;
insert into mirror values (${randomText}, ${randomText});
-- internal: the ids of each page of a read under way
create table sync_page (
  run integer not null,
  page integer not null,
  ids text not null,
  primary key (run, page)
) strict, without rowid;
`

/** `valid_to` is the first moment of any later version: if a clock was set back, times are not in the order of versions. */
const versions = (table: string, texts: string): string => `
create view ${table}_versions as
select account, id, version, change, seen_at as valid_from,
  (select min(seen_at) from ${table}_history as later
   where later.account = held.account and later.id = held.id and later.version > held.version) as valid_to,
  members, run, hash, ${texts}
from ${table}_history as held where change <> 'removed';
`

/** `complete_at` is when the last complete read of the list ended. */
const current = (table: string, collection: string, columns: string): string => `
create view ${table}s as
select ${table}.account, base_url, id, version, seen_at, ${columns},
  (select ended_at from sync_run
   where sync_run.account = ${table}.account and collection = '${collection}' and state = 'finished'
     and completeness in ('proven', 'confirmed') and rejected = 0 and without_data = 0 and held = 0
   order by run desc limit 1) as complete_at
from ${table} join account on account.account = ${table}.account;
`

/** Records of the first read are left out: they were not new, only never read before. */
const changes = (table: string, collection: string, data: (row: string) => string): string => `
select later.account, '${collection}' as collection, later.id, later.version, later.change, later.members, later.seen_at, later.run,
  later.body, earlier.body as body_before, ${data("later")} as data, ${data("earlier")} as data_before
from ${table}_history as later
left join ${table}_history as earlier
  on earlier.account = later.account and earlier.id = later.id and earlier.version = later.version - 1
where later.version > 1 or later.run >
  (select min(run) from sync_run where account = later.account and collection = '${collection}' and state = 'finished')
`

const views = `
${current("contract", "contracts", "status, kind, listing_id, city, unit_label, created_at, updated_at, body, data")}
${current("api_key", "api-keys", "name, created_at, last_used_at, revoked_at, body")}
${versions("contract", "body, data")}
${versions("api_key", "body")}
create view changes as
${changes("contract", "contracts", (row) => `${row}.data`)}
union all
${changes("api_key", "api-keys", () => "null")};
`

/** The statements that create a mirror. */
export const schema = `${allTables}${views}`

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
