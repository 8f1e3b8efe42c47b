/**
 * The records of one list in PostgreSQL, a page at a time. A page takes one statement that finds the differences and, if there are any, one that
 * writes the history and one that writes the current rows.
 */
import { Timestamp } from "@deedkit/core"
import {
  changeOf,
  heldOf,
  keptOf,
  loss,
  lossOf,
  stepOf,
  tables,
  textOf,
  textOrNull,
} from "@deedkit/sync/store"
import type { Gone, Held, RecordVersion, Run as ListRun, Sampled, Step } from "@deedkit/sync/store"
import type { Change, Collection } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Row, Run } from "./Connection.ts"
import { dialectOf } from "./Schema.ts"

/** A text that PostgreSQL accepts: it refuses NUL, and UTF-8 has no lone surrogates. */
export const writable = (value: string): string => value.replaceAll("\0", "\uFFFD").toWellFormed()

/** The current row that was found for a record; null for none. */
const heldIn = (row: Row): Held | null => (row["version"] === null ? null : heldOf(row))

/** The removal that was found for a record; null for none. */
const goneIn = (row: Row): Gone | null =>
  row["removal"] === null
    ? null
    : {
        version: Number(row["removal"]),
        body: textOrNull(row["body_before"]),
        data: textOrNull(row["data_before"]),
      }

/** Number of new versions of each kind in a page. */
interface Counts {
  readonly added: number
  readonly changed: number
  readonly returned: number
}

type Cell = string | number | null

/** PostgreSQL has no year 0, and ISO 8601 writes years beyond 9999 in another form. */
const fourDigitYear = /^(?!0000)\d{4}-/

const cell = (value: Cell | undefined, type: string): Cell => {
  if (value === null || value === undefined || typeof value === "number") return value ?? null
  if (type !== "timestamptz") return writable(value)
  const moment = Timestamp.isTimestamp(value) ? Timestamp.toDate(value).toISOString() : ""
  return fourDigitYear.test(moment) ? moment : null
}

/** Splits versions into rounds in which no id occurs twice: a page can hold a record and a newer copy of it. */
const rounds = (versions: ReadonlyArray<RecordVersion>): ReadonlyArray<ReadonlyArray<RecordVersion>> => {
  const all: Array<Map<number, RecordVersion>> = []
  for (const version of versions) {
    const round = all.find((one) => !one.has(version.id)) ?? all[all.push(new Map()) - 1]!
    round.set(version.id, version)
  }
  return all.map((round) => Array.from(round.values()))
}

export interface Records {
  readonly put: (
    run: Run,
    list: ListRun,
    versions: ReadonlyArray<RecordVersion>,
    at: string,
  ) => Effect.Effect<Counts, SqlError>
  readonly remove: (
    run: Run,
    list: ListRun,
    ids: ReadonlyArray<number>,
    at: string,
  ) => Effect.Effect<void, SqlError>
  /** What removing records would do to the list. */
  readonly loss: (
    run: Run,
    list: ListRun,
    ids: ReadonlyArray<number>,
  ) => Effect.Effect<ReturnType<typeof lossOf>, SqlError>
  readonly absent: (run: Run, list: ListRun) => Effect.Effect<ReadonlyArray<number>, SqlError>
  /** Some records of an account at random. */
  readonly sample: (
    run: Run,
    account: string,
    most: number,
  ) => Effect.Effect<ReadonlyArray<Sampled>, SqlError>
  /** Removes versions that were replaced by a later one before a moment, and returns how many. */
  readonly prune: (run: Run, before: string) => Effect.Effect<number, SqlError>
  /** Versions since a moment, in the order of accounts and runs; those of first reads are only counted. */
  readonly since: (
    run: Run,
    at: string,
  ) => Effect.Effect<
    { readonly changes: ReadonlyArray<Change>; readonly firstReads: ReadonlyMap<string, number> },
    SqlError
  >
}

/** The statements of a list in a quoted schema. */
export const make = (schema: string, collection: Collection): Records => {
  const { columns, table, texts } = tables[collection]
  const types: ReadonlyArray<readonly [name: string, type: string]> = Object.entries(columns)
  const current = `${schema}.${table}`
  const history = `${current}_history`
  const names = [...types.map(([name]) => name), ...texts]
  const typed = [
    ...types.map(([name, type]) => `${name} ${type}`),
    ...texts.map((name) => `${name} text`),
  ].join(", ")
  const data = table === "contract" ? "data" : "null"
  // A sub-query with an offset is looked up by the key for each record. For a plain join, the planner would choose, and with old statistics it
  // reads the whole account for each page.
  const find = `
    select given.id, found.*, removal.version as removal, removal.change, earlier.body as body_before, earlier.data as data_before
    from json_to_recordset($2::json) as given (id bigint, hash text, data text)
    left join lateral (
      select version, hash, body, ${data} as data from ${current} where account = $1 and id = given.id offset 0
    ) as found on true
    left join lateral (
      select version, change from ${history} where account = $1 and id = given.id and found.version is null
      order by version desc limit 1
    ) as removal on true
    left join lateral (
      select body, ${data} as data from ${history}
      where account = $1 and id = given.id and version = removal.version - 1 offset 0
    ) as earlier on true
    where found.hash is distinct from given.hash or encode(sha256(convert_to(found.body, 'UTF8')), 'hex') is distinct from given.hash
      or (given.data is not null and found.data is distinct from given.data)`
  const addHistory = `
    insert into ${history} (account, id, version, change, members, seen_at, run, hash, ${names.join(", ")})
    select $1, id, version, change, members, $2::timestamptz, $3::bigint, hash, ${names.join(", ")}
    from json_to_recordset($4::json) as given (id bigint, version integer, change text, members text[], hash text, ${typed})`
  const addCurrent = `
    insert into ${current} (account, id, version, seen_at, run, hash, ${names.join(", ")})
    select $1, id, version, $2::timestamptz, $3::bigint, hash, ${names.join(", ")}
    from json_to_recordset($4::json) as given (id bigint, version integer, hash text, ${typed})
    on conflict (account, id) do update set version = excluded.version, seen_at = excluded.seen_at, run = excluded.run,
      hash = excluded.hash, ${names.map((name) => `${name} = excluded.${name}`).join(", ")}`
  // Restores deleted current rows from their last versions. Without a hash, they differ from every record.
  const restore = `
    insert into ${current} (account, id, version, seen_at, run, hash, ${texts.join(", ")})
    select distinct on (id) account, id, version, seen_at, run, '', ${texts.join(", ")} from ${history}
    where account = $1 and id in (select value::bigint from json_array_elements_text($2::json))
    order by id, version desc`
  const refresh = `
    update ${current} as kept set hash = given.hash, ${names.map((name) => `${name} = given.${name}`).join(", ")}
    from json_to_recordset($2::json) as given (id bigint, hash text, ${typed})
    where kept.account = $1 and kept.id = given.id`
  const remove = `
    with gone as (
      delete from ${current} where account = $1 and id in (select value::bigint from json_array_elements_text($4::json))
      returning id, version
    )
    insert into ${history} (account, id, version, change, members, seen_at, run, hash)
    select $1, id, version + 1, 'removed', '{}', $2::timestamptz, $3::bigint, null from gone`
  const prune = `
    with old as (
      delete from ${history} as old where seen_at < $1::timestamptz and exists (
        select from ${history} as next
        where next.account = old.account and next.id = old.id and next.version > old.version and next.seen_at <= $1::timestamptz
      ) returning 1
    )
    select count(*) as versions from old`
  const lossSql = loss(dialectOf(schema), collection)
  const absent = `
    select id from ${current} where account = $1
    except select unnest(ids) from ${schema}.sync_page where run = $2::bigint
    order by id`
  // Runs stay in their order even if a clock was set back; moments may not.
  const later = `
    with bounds as (
      select account, min(run) filter (where ended_at >= $1::timestamptz) as run,
        coalesce(min(run) filter (where state = 'finished'), 9223372036854775807) as first
      from ${schema}.sync_run where collection = '${collection}' group by account
    ), later as (
      select versions.*, versions.version > 1 or versions.run > bounds.first as is_change
      from bounds join ${history} as versions on versions.account = bounds.account
        and (versions.run > bounds.run or (versions.run = bounds.run and versions.seen_at >= $1::timestamptz))
    )`
  const changes = `${later}
    select later.*, earlier.body as body_before, earlier.data as data_before from later
    left join lateral (
      select body, ${data} as data from ${history} where account = later.account and id = later.id and version = later.version - 1 offset 0
    ) as earlier on true
    where later.is_change order by later.account, later.run, later.id, later.version`
  const firstReads = `${later} select account, count(*) as records from later where not is_change group by account`

  const cells = (version: RecordVersion) =>
    Object.fromEntries(types.map(([name, type]) => [name, cell(version.columns[name], type)]))

  const putRound = Effect.fnUntraced(function* (
    run: Run,
    { account, run: number }: ListRun,
    versions: ReadonlyArray<RecordVersion>,
    at: string,
  ) {
    const byId = new Map(versions.map((version) => [version.id, version]))
    const given = JSON.stringify(versions.map(({ data: payload, hash, id }) => ({ id, hash, data: payload })))
    const written: Array<Step> = []
    const refreshed: Array<object> = []
    let found = yield* run(find, account, given)
    const deleted = found.filter(({ change }) => change !== null && change !== "removed")
    if (deleted.length > 0) {
      yield* run(restore, account, JSON.stringify(deleted.map(({ id }) => Number(id))))
      found = yield* run(find, account, given)
    }
    for (const row of found) {
      const version = byId.get(Number(row["id"]))!
      const step = stepOf(heldIn(row), goneIn(row), version)
      if (step === null) continue
      const { body, hash, id } = version
      const members = step.members.map(writable)
      const values = { ...step, members, id, hash, body, ...cells(version) }
      if (step.change === null) refreshed.push(values)
      else written.push(values)
    }
    if (written.length > 0) {
      const rows = JSON.stringify(written)
      yield* run(addHistory, account, at, number, rows)
      yield* run(addCurrent, account, at, number, rows)
    }
    if (refreshed.length > 0) yield* run(refresh, account, JSON.stringify(refreshed))
    return written
  })

  return {
    put: (run, list, versions, at) =>
      Effect.map(
        Effect.forEach(rounds(versions), (round) => putRound(run, list, round, at)),
        (written) => {
          const count = (kind: keyof Counts): number =>
            written.flat().filter(({ change }) => change === kind).length
          return { added: count("added"), changed: count("changed"), returned: count("returned") }
        },
      ),
    remove: (run, { account, run: number }, ids, at) =>
      ids.length === 0 ? Effect.void : Effect.asVoid(run(remove, account, at, number, JSON.stringify(ids))),
    sample: (run, account, most) =>
      Effect.map(
        run(
          `select id, body, hash from ${current} where account = $1 order by random() limit $2::integer`,
          account,
          most,
        ),
        (rows) => rows.map(keptOf),
      ),
    prune: (run, before) => Effect.map(run(prune, before), ([row]) => Number(row!["versions"])),
    loss: (run, { account, run: number }, ids) =>
      Effect.map(run(lossSql, account, JSON.stringify(ids), number), ([row]) => lossOf(row!)),
    absent: (run, { account, run: number }) =>
      Effect.map(run(absent, account, number), (rows) => rows.map((row) => Number(row["id"]))),
    since: (run, at) =>
      Effect.all({
        changes: Effect.map(run(changes, at), (rows) => rows.map((row) => changeOf(row, collection))),
        firstReads: Effect.map(run(firstReads, at), byAccount),
      }),
  }
}

const byAccount = (rows: ReadonlyArray<Row>): ReadonlyMap<string, number> =>
  new Map(rows.map((row) => [textOf(row["account"]), Number(row["records"])]))
