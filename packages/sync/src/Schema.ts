/**
 * What a mirror is in a database: its tables and views, and the few words in which the two databases differ. Tables without `internal` in their comment are an interface, and so are the
 * views: the README describes them, and a later version adds to them without removing anything. Pure.
 */
import type * as Effect from "effect/Effect"
import type { Collection, Row } from "./RunRow.ts"
import type { SyncError } from "./SyncError.ts"
import { syncError } from "./SyncError.ts"
import { unversioned } from "./Version.ts"

/** The version of the tables. */
export const schemaVersion = 6

/** Why tables of a version cannot be used; null if they can. No mirror has a version below 1. */
export const versionError = (path: string, found: number): SyncError | null =>
  found === schemaVersion
    ? null
    : found > schemaVersion
      ? syncError({ _tag: "SchemaNewer", path, found, known: schemaVersion })
      : found >= 1
        ? syncError({ _tag: "SchemaOlder", path, found, known: schemaVersion })
        : syncError({ _tag: "MirrorDamaged", path })

/** The error of a statement, which the client of a database makes and knows. */
export interface StatementError {
  readonly _tag: "SqlError"
}

/** A statement for rows, with their columns in the order in which the statement takes them after its other parameters. */
export interface RowsStatement {
  readonly text: string
  readonly columns: ReadonlyArray<string>
}

type Parameter = string | number | null
/** A value to store; a list is one of texts. */
export type Value = Parameter | ReadonlyArray<string>
type Ran<A> = Effect.Effect<A, StatementError | SyncError>

/** Runs statements in a transaction: a query each. */
export interface Query {
  /** Runs one statement with its parameters, `$1` and so on, and returns its rows. */
  (statement: string, ...parameters: ReadonlyArray<Parameter>): Ran<ReadonlyArray<Row>>
  /** Runs a statement for rows, each with the values of its columns. */
  readonly each: (
    statement: RowsStatement,
    rows: ReadonlyArray<ReadonlyArray<Value>>,
    ...parameters: ReadonlyArray<Parameter>
  ) => Ran<void>
}

/**
 * Does work in one transaction: all of it sees one state, and if it fails, all of it is undone. The work can be done more than once, so it changes
 * nothing but the database. `account` is the account whose rows are read or written, and the only one that is reported as damaged if they are;
 * null for rows of several accounts.
 */
export type Transact = <A>(
  account: string | null,
  work: (query: Query) => Effect.Effect<A, StatementError | SyncError>,
) => Effect.Effect<A, SyncError>

/** A database that holds a mirror. */
export interface Database {
  readonly words: Words
  /** For work that changes something. */
  readonly write: Transact
  /** For work that reads. */
  readonly read: Transact
  /** The error of an account whose rows cannot be read. */
  readonly damaged: (account: string) => SyncError
  /** Returns the space of deleted data to the disk, and leaves nothing of that data there, as far as the database does not do that by itself. */
  readonly compact: Effect.Effect<void, SyncError>
}

export type ColumnType = "text" | "bigint" | "timestamptz" | "integer" | "texts"

/**
 * The words in which the databases differ. Everything else is written once, as PostgreSQL reads it; SQLite, whose values have types of their own, gets
 * it without the casts that are written `::type`.
 */
export interface Words {
  /** What stands before the name of a table: nothing, or a quoted schema with its dot. */
  readonly prefix: string
  readonly types: { readonly [Type in ColumnType | "run"]: string }
  /** What stands after the columns of a table: of one with a key of its own, and of any other. */
  readonly keyed: string
  readonly plain: string
  /** A time of a record as its column takes it; null for one that it cannot have. */
  readonly time: (text: string) => string | null
  /** A random text. */
  readonly random: string
  /** The column `night`: the day in UTC on which a read began. */
  readonly night: string
  /** A JSON text as a value that `->` takes; null for one that the database cannot take apart. */
  readonly parsed: (text: string) => string
  /** More columns of the views of records. */
  readonly beside: ReadonlyArray<string>
  /** A source of rows, `given`: the objects in a JSON array, with these members as columns. */
  readonly given: (array: string, columns: { readonly [name: string]: ColumnType }) => string
  /**
   * What to insert by a statement for rows, after its other parameters: these columns of a row, and expressions of those parameters.
   */
  readonly inserted: (
    parameters: number,
    columns: { readonly [name: string]: ColumnType },
    values: ReadonlyArray<string>,
  ) => string
  /** A source of rows, `each`, whose column `value` has the text of each value in a JSON array. */
  readonly each: (array: string) => string
  /** Joins the row of a table, found by its key, if there is one. */
  readonly lookup: (table: string, alias: string, condition: string) => string
  /** The SHA-256 of a text, in hexadecimal. */
  readonly hash: (text: string) => string
  /** A column of `sync_run` as JSON, with times as they are everywhere else: ISO 8601 UTC, to the millisecond. */
  readonly json: (column: string) => string
  /** What stands after a query whose rows no other transaction may change until this one ends. */
  readonly lock: string
}

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
      template_id: "bigint",
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

/** The columns that are kept up to date without a new version. */
export const movingIn = ({ columns }: Table): ReadonlyArray<string> =>
  Object.keys(columns).filter((name) => unversioned.has(name))

/** A column of a version, `kept`, as it was read last: that of its row of `latest`, if there is one. */
const lastIn = (list: Table): ((name: string) => string) => {
  const own = new Set([...movingIn(list), ...list.texts, "hash"])
  return (name) =>
    own.has(name)
      ? `case when latest.version is null then kept.${name} else latest.${name} end as ${name}`
      : `kept.${name}`
}

/** Joins the row of `latest` of a version, if there is one. */
const withLatest = ({ prefix }: Words, { table }: Table, version: string): string =>
  `left join ${prefix}${table}_latest as latest
  on latest.account = ${version}.account and latest.id = ${version}.id and latest.version = ${version}.version`

/**
 * A version is stored once: the current record is its last version, unless that is a removal. What a later read had of a version, and is no new one,
 * is stored beside it, and stays as long as the version.
 */
const recordTables = (words: Words, list: Table): string => {
  const { keyed, prefix, types } = words
  const { columns, table, texts } = list
  const moving = movingIn(list)
  const key = `
  account text not null references ${prefix}account (account) on update cascade,
  id ${types.bigint} not null,
  version integer not null`
  const typed = (names: ReadonlyArray<string>): string =>
    [...names.map((name) => `${name} ${types[columns[name]!]}`), ...texts.map((name) => `${name} text`)].join(
      ",\n  ",
    )
  const names = Object.keys(columns)
  const current = [...names.filter((name) => !moving.includes(name)), ...moving, ...texts, "hash"]
  return `
create table ${prefix}${table}_history (${key},
  seen_at ${types.timestamptz} not null,
  run ${types.bigint} not null,
  ${typed(names)},
  hash text,
  change text not null check (change in ('added', 'changed', 'removed', 'returned')),
  members ${types.texts} not null,
  valid_to ${types.timestamptz},
  primary key (account, id, version)
)${keyed};
create index ${table}_history_by_run on ${prefix}${table}_history (account, run);
create index ${table}_history_by_time on ${prefix}${table}_history (seen_at);
-- internal: what a later read had of a version and is no new one, such as a payload that is read for the first time, or the last use of a key.
create table ${prefix}${table}_latest (${key},
  ${typed(moving)},
  hash text not null,
  primary key (account, id, version)
)${keyed};
create view ${prefix}${table} as
select kept.account, kept.id, kept.version, kept.seen_at, kept.run, ${current.map(lastIn(list)).join(", ")}
from ${prefix}${table}_history as kept ${withLatest(words, list, "kept")}
where kept.valid_to is null and kept.change <> 'removed';
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
create table ${prefix}account_tag (
  account text not null,
  tag text not null,
  primary key (account, tag)
)${keyed};
create unique index account_owner on ${prefix}account (key_fingerprint, base_url);
${lists.map(([, table]) => recordTables(words, table)).join("")}
create index contract_history_by_listing on ${prefix}contract_history (listing_id) where valid_to is null;
create table ${prefix}sync_list (
  account text not null references ${prefix}account (account) on update cascade,
  collection text not null check (collection in ('contracts', 'api-keys')),
  records ${types.bigint} not null default 0,
  first_run ${types.bigint},
  last_run ${types.bigint},
  complete_run ${types.bigint},
  pruned_records ${types.bigint} not null default 0,
  pruned_hash text,
  told_run ${types.bigint},
  told_at ${types.timestamptz},
  primary key (account, collection)
)${keyed};
create table ${prefix}sync_run (
  run ${types.run},
  account text not null,
  collection text not null,
  state text not null default 'running' check (state in ('running', 'finished', 'abandoned')),
  started_at ${types.timestamptz} not null,
  ended_at ${types.timestamptz} not null,
  ${numbers(counts)},
  ${proofs.map((name) => `${name} text`).join(", ")},
  ${numbers(results)},
  previous text,
  ${words.night},
  foreign key (account, collection) references ${prefix}sync_list (account, collection) on update cascade
)${plain};
create unique index sync_run_running on ${prefix}sync_run (account, collection) where state = 'running';
create index sync_run_by_account on ${prefix}sync_run (account, collection, run);
create index sync_run_by_night on ${prefix}sync_run (night);
create index sync_run_held on ${prefix}sync_run (account, collection) where held > 0;
create table ${prefix}mirror (id text not null, epoch text not null)${plain};
insert into ${prefix}mirror values (${random}, ${random});
-- internal: the ids of each page of a read under way, a JSON array, and where the read resumes after it. The rows of runs stay small: they would leave
-- their pages nearly empty.
create table ${prefix}sync_page (
  run ${types.bigint} not null,
  page integer not null,
  ids text not null,
  checkpoint text not null,
  primary key (run, page)
)${keyed};
`
}

/** `complete_at` is when the last complete read of the list ended. */
const viewsOf = (words: Words, [collection, list]: readonly [string, Table]): string => {
  const { beside, prefix } = words
  const { columns, table, texts } = list
  const own = [...Object.keys(columns), ...texts, ...beside].join(", ")
  return `
create view ${prefix}${table}s as
select ${table}.account, base_url, id, version, seen_at, ${own},
  (select ended_at from ${prefix}sync_list join ${prefix}sync_run on sync_run.run = complete_run
   where sync_list.account = ${table}.account and sync_list.collection = '${collection}') as complete_at
from ${prefix}${table} join ${prefix}account on account.account = ${table}.account;
create view ${prefix}${table}_versions as
select account, id, version, change, seen_at as valid_from, valid_to, members, run, hash, ${own}
from ${prefix}${table}_history where change <> 'removed';
create view ${prefix}${table}s_with_removed as
select kept.account, kept.id, kept.version, kept.seen_at, ${[...Object.keys(columns), ...texts]
    .map(lastIn(list))
    .join(", ")}, removal.seen_at as removed_at
from ${prefix}${table}_history as kept ${withLatest(words, list, "kept")}
left join ${prefix}${table}_history as removal
  on removal.account = kept.account and removal.id = kept.id and removal.version = kept.version + 1 and removal.change = 'removed'
where kept.change <> 'removed' and (kept.valid_to is null or (removal.version is not null and removal.valid_to is null));
`
}

/** A listing is embedded in each of its contracts, of which the last one to be updated has it as it is. */
const listingsOf = ({ parsed, prefix }: Words): string => {
  const member = (name: string): string => `${parsed("body")} -> 'listing' ->> '${name}' as ${name}`
  return `
create view ${prefix}listings as
select account, listing_id, ${["slug", "title"].map(member).join(", ")}, city, ${member("area")}, contracts
from (
  select contract.*, count(*) over (partition by account, listing_id) as contracts,
    row_number() over (partition by account, listing_id order by updated_at desc, id desc) as place
  from ${prefix}contract where listing_id is not null
) as ranked where place = 1;
`
}

/** Records of the first read are left out: they were not new, only never read before. */
const changesOf = (words: Words, [collection, list]: readonly [string, Table]): string => {
  const { prefix } = words
  const { table, texts } = list
  const data = (value: string): string => (texts.includes("data") ? value : "null::text")
  return `
select later.account, '${collection}' as collection, later.id, later.version, later.change, later.members, later.seen_at, later.run,
  later.body, coalesce(latest.body, earlier.body) as body_before,
  ${data("later.data")} as data, ${data("coalesce(latest.data, earlier.data)")} as data_before
from ${prefix}${table}_history as later
left join ${prefix}${table}_history as earlier
  on earlier.account = later.account and earlier.id = later.id and earlier.version = later.version - 1
${withLatest(words, list, "earlier")}
where later.version > 1 or later.run > (
  select first_run from ${prefix}sync_list where account = later.account and collection = '${collection}')`
}

/** The statements that create a mirror, each with a semicolon at the end of a line. */
export const schemaIn = (words: Words): string => `${allTables(words)}
${lists.map((list) => viewsOf(words, list)).join("")}
${listingsOf(words)}
create view ${words.prefix}changes as
${lists.map((list) => changesOf(words, list)).join(" union all ")};
`

/** Queries that name every table and column that the statements of a store use. */
export const uses = [
  "select base_url, added_at, key_fingerprint, identity, problem, problem_at, accepted_run from account",
  "select account, tag from account_tag",
  "select account, collection, records, first_run, last_run, complete_run, pruned_records, pruned_hash, told_run, told_at from sync_list",
  `select ${hashedColumns.join(", ")}, night from sync_run`,
  "select run, page, ids, checkpoint from sync_page",
  "select id, epoch from mirror",
  ...lists.flatMap(([, list]) => {
    const { columns, table, texts } = list
    const own = [...Object.keys(columns), ...texts].join(", ")
    return [
      `select account, id, version, seen_at, run, hash, ${own}, change, members, valid_to from ${table}_history`,
      `select account, id, version, hash, ${[...movingIn(list), ...texts].join(", ")} from ${table}_latest`,
    ]
  }),
]
