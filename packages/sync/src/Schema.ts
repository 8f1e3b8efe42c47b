/**
 * The tables and views of a mirror, in the words of either database. Tables without `internal` in their comment are an interface, and so are the
 * views: the README describes them, and a later version adds to them without removing anything. Pure.
 */
import type { Collection } from "./RunRow.ts"

/** The version of the tables. */
export const schemaVersion = 1

/** The words in which the two databases differ. */
export interface Words {
  /** What stands before the name of a table: nothing, or a quoted schema with its dot. */
  readonly prefix: string
  readonly types: {
    readonly bigint: string
    readonly timestamptz: string
    readonly texts: string
    readonly numbers: string
    readonly run: string
  }
  /** What stands after the columns of a table: of one with a key of its own, and of any other. */
  readonly keyed: string
  readonly plain: string
  /** A random text, and a text that is null. */
  readonly random: string
  readonly noText: string
}

type ColumnType = "text" | "bigint" | "timestamptz"

interface Table {
  readonly table: string
  /** The members that have columns of their own. */
  readonly columns: { readonly [name: string]: ColumnType }
  /** The columns of JSON texts. */
  readonly texts: ReadonlyArray<"body" | "data">
}

/** The table of each list. */
export const tables: { readonly [Name in Collection]: Table } = {
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
}

const lists = Object.entries(tables)

const recordTables = ({ keyed, prefix, types }: Words, { columns, table, texts }: Table): string => {
  const own = Object.entries(columns)
    .map(([name, type]) => `${name} ${type === "text" ? type : types[type]}`)
    .join(", ")
  const common = `
  account text not null references ${prefix}account (account),
  id ${types.bigint} not null,
  version integer not null,
  seen_at ${types.timestamptz} not null,
  run ${types.bigint} not null,
  ${own},
  ${texts.map((name) => `${name} text`).join(", ")},`
  return `
create table ${prefix}${table} (${common.replace("body text", "body text not null")}
  hash text not null,
  primary key (account, id)
)${keyed};
create table ${prefix}${table}_history (${common}
  hash text,
  change text not null check (change in ('added', 'changed', 'removed', 'returned')),
  members ${types.texts} not null,
  primary key (account, id, version)
)${keyed};
create index ${table}_history_by_run on ${prefix}${table}_history (account, run);
create index ${table}_history_by_time on ${prefix}${table}_history (seen_at);
`
}

/** The columns of `sync_run` that hold a number, 0 at first, around those that hold a text. */
const counts = ["pages", "records", "requests"]
const proofs = ["cursor_parameter", "cursor_state", "cursor_evidence", "completeness", "reason"]
const results = [
  "readings",
  "rejected",
  "without_data",
  "added",
  "changed",
  "returned",
  "removed",
  "unlisted",
  "held",
  "resumed_at_page",
]

/** The public columns of `sync_run` in the order in which they are hashed. */
export const hashedColumns = [
  "run",
  "account",
  "collection",
  "state",
  "started_at",
  "ended_at",
  ...counts,
  ...proofs,
  ...results,
  "previous",
]

const numbers = (names: ReadonlyArray<string>): string =>
  names.map((name) => `${name} integer not null default 0`).join(", ")

const allTables = (words: Words): string => {
  const { keyed, plain, prefix, random, types } = words
  return `
create table ${prefix}account (
  account text not null primary key,
  base_url text not null,
  added_at ${types.timestamptz} not null,
  key_fingerprint text,
  identity text,
  problem text,
  problem_at ${types.timestamptz},
  accepted_run ${types.bigint}
)${keyed};
create unique index account_owner on ${prefix}account (key_fingerprint, base_url);
${lists.map(([, table]) => recordTables(words, table)).join("")}
create index contract_by_listing on ${prefix}contract (listing_id);
create table ${prefix}sync_run (
  run ${types.run},
  account text not null references ${prefix}account (account),
  collection text not null check (collection in ('contracts', 'api-keys')),
  state text not null default 'running' check (state in ('running', 'finished', 'abandoned')),
  started_at ${types.timestamptz} not null,
  ended_at ${types.timestamptz} not null,
  ${numbers(counts)},
  ${proofs.map((name) => `${name} text`).join(", ")},
  ${numbers(results)},
  previous text,
  checkpoint text
)${plain};
create unique index sync_run_running on ${prefix}sync_run (account, collection) where state = 'running';
create index sync_run_by_account on ${prefix}sync_run (account, collection, run);
create index sync_run_held on ${prefix}sync_run (account, collection) where held > 0;
create table ${prefix}mirror (id text not null, epoch text not null)${plain};
insert into ${prefix}mirror values (${random}, ${random});
-- internal: the ids of each page of a read under way
create table ${prefix}sync_page (
  run ${types.bigint} not null,
  page integer not null,
  ids ${types.numbers} not null,
  primary key (run, page)
)${keyed};
`
}

/**
 * `valid_to` is the first moment of any later version: if a clock was set back, times are not in the order of versions. `complete_at` is when the
 * last complete read of the list ended.
 */
const viewsOf = (
  { prefix }: Words,
  [collection, { columns, table, texts }]: readonly [string, Table],
): string => {
  const own = [...Object.keys(columns), ...texts].join(", ")
  return `
create view ${prefix}${table}s as
select ${table}.account, base_url, id, version, seen_at, ${own},
  (select ended_at from ${prefix}sync_run
   where sync_run.account = ${table}.account and collection = '${collection}' and state = 'finished'
     and completeness in ('proven', 'confirmed') and rejected = 0 and without_data = 0 and held = 0
   order by run desc limit 1) as complete_at
from ${prefix}${table} join ${prefix}account on account.account = ${table}.account;
create view ${prefix}${table}_versions as
select account, id, version, change, seen_at as valid_from,
  (select min(seen_at) from ${prefix}${table}_history as later
   where later.account = held.account and later.id = held.id and later.version > held.version) as valid_to,
  members, run, hash, ${own}
from ${prefix}${table}_history as held where change <> 'removed';
`
}

/** Records of the first read are left out: they were not new, only never read before. */
const changesOf = (
  { noText, prefix }: Words,
  [collection, { table, texts }]: readonly [string, Table],
): string => {
  const data = (row: string): string => (texts.includes("data") ? `${row}.data` : noText)
  return `
select later.account, '${collection}' as collection, later.id, later.version, later.change, later.members, later.seen_at, later.run,
  later.body, earlier.body as body_before, ${data("later")} as data, ${data("earlier")} as data_before
from ${prefix}${table}_history as later
left join ${prefix}${table}_history as earlier
  on earlier.account = later.account and earlier.id = later.id and earlier.version = later.version - 1
where later.version > 1 or later.run > (
  select min(run) from ${prefix}sync_run where account = later.account and collection = '${collection}' and state = 'finished')`
}

/** The statements that create a mirror, each with a semicolon at the end of a line. */
export const schemaIn = (words: Words): string => `${allTables(words)}
${lists.map((list) => viewsOf(words, list)).join("")}
create view ${words.prefix}changes as
${lists.map((list) => changesOf(words, list)).join(" union all ")};
`
