/**
 * The records of one list: a row for each version, and lists as a read has left them. A page takes one statement that
 * finds what differs and, if anything does, a few that write it. `stepOf` says what a record that was read changes in what a mirror holds of it.
 * The caller holds the transaction.
 */
import { hash } from "node:crypto"
import * as Effect from "effect/Effect"
import type { Change, Kept, Run } from "./MirrorStore.ts"
import type { Loss } from "./Removals.ts"
import type { Collection, Holding, Row } from "./RunRow.ts"
import { moment, numberOf, textOf, textOrNull } from "./RunRow.ts"
import type { ColumnType, Query, RowsStatement, StatementError, Value, Words } from "./Schema.ts"
import { movingIn, tables } from "./Schema.ts"
import type { SyncError } from "./SyncError.ts"
import type { ChangeKind, RecordVersion } from "./Version.ts"
import { changedMembers, unversioned } from "./Version.ts"

/** Work in a transaction. */
type Work<A> = Effect.Effect<A, StatementError | SyncError>

/** A text that every database accepts: PostgreSQL refuses NUL, and UTF-8 has no lone surrogates. */
export const writable = (value: string): string => value.replaceAll("\0", "\uFFFD").toWellFormed()

type Cell = string | number | null

/** Splits versions into rounds in which no id occurs twice: a page can hold a record and a newer copy of it. */
const roundsOf = (versions: ReadonlyArray<RecordVersion>): ReadonlyArray<ReadonlyArray<RecordVersion>> => {
  const all: Array<Map<number, RecordVersion>> = []
  // Pages of a file are filled when rows come in the order of the key; most lists come in the other one.
  for (const version of versions.toSorted((one, other) => one.id - other.id)) {
    const round = all.find((one) => !one.has(version.id)) ?? all[all.push(new Map()) - 1]!
    round.set(version.id, version)
  }
  return all.map((round) => Array.from(round.values()))
}

/** The current version of a record. */
interface Current {
  readonly version: number
  readonly hash: string
  readonly body: string
  readonly data: string | null
}

/** A record that was removed: the version of its removal, and its texts before; null if they were pruned. */
interface Gone {
  readonly version: number
  readonly body: string | null
  readonly data: string | null
}

/** What to write. `change` is null if the texts of the current version are updated, and no version is created. */
interface Step {
  readonly change: Exclude<ChangeKind, "removed"> | null
  readonly version: number
  /** Members that differ from the version before. */
  readonly members: ReadonlyArray<string>
  /** The payload to keep: a read without payloads keeps the existing one. */
  readonly data: string | null
}

/** The members that differ. A payload that is read for the first time is not a change. */
const membersSince = (
  before: Pick<Current, "body" | "data">,
  { body, data }: RecordVersion,
): ReadonlyArray<string> => [
  ...changedMembers(before.body, body).filter((name) => !unversioned.has(name)),
  ...(data === null || before.data === null ? [] : changedMembers(before.data, data)),
]

/** The step for a record that the mirror does not hold as it was read. */
const stepOf = (current: Current | null, gone: Gone | null, given: RecordVersion): Step => {
  if (current !== null) {
    // A row whose text was changed in the mirror gets its original text again. Its hash shows that the record itself has not changed.
    const before = current.hash === given.hash ? { ...current, body: given.body } : current
    const members = membersSince(before, given)
    const data = given.data ?? current.data
    return members.length === 0
      ? { change: null, version: current.version, members, data }
      : { change: "changed", version: current.version + 1, members, data }
  }
  if (gone === null) return { change: "added", version: 1, members: [], data: given.data }
  const { body, data, version } = gone
  const members = body === null ? [] : membersSince({ body, data }, given)
  return { change: "returned", version: version + 1, members, data: given.data ?? data }
}

/** The current version that was found for a record; null for none. */
const currentIn = (row: Row): Current | null =>
  row["version"] === null || row["change"] === "removed"
    ? null
    : {
        version: numberOf(row["version"]),
        hash: textOf(row["hash"]),
        body: textOf(row["body"]),
        data: textOrNull(row["data"]),
      }

/** The removal that was found for a record, which has its texts in the version before; null for none. */
const goneIn = (row: Row): Gone | null =>
  row["change"] !== "removed"
    ? null
    : {
        version: numberOf(row["version"]),
        body: textOrNull(row["body_before"]),
        data: textOrNull(row["data_before"]),
      }

const membersOf = (value: unknown): ReadonlyArray<string> => {
  const members: unknown = typeof value === "string" ? JSON.parse(value) : value
  if (Array.isArray(members)) return members as ReadonlyArray<string>
  throw new SyntaxError("The members of a version are no list")
}

/** A row of a history, with the texts of the version before. */
export const changeOf = (row: Row, collection: Collection): Change => ({
  account: textOf(row["account"]),
  collection,
  id: numberOf(row["id"]),
  version: numberOf(row["version"]),
  change: textOf(row["change"]) as ChangeKind,
  members: membersOf(row["members"]),
  seenAt: moment(row["seen_at"]),
  run: numberOf(row["run"]),
  body: textOrNull(row["body"]),
  before: textOrNull(row["body_before"]),
  data: textOrNull(row["data"]),
  dataBefore: textOrNull(row["data_before"]),
})

const keptOf = (row: Row): Kept => {
  const body = textOf(row["body"])
  return {
    id: numberOf(row["id"]),
    body,
    data: textOrNull(row["data"]),
    isIntact: hash("sha256", body, "hex") === textOf(row["hash"]),
  }
}

const lossOf = (row: Row): Pick<Loss, "accepted" | "known" | "newer"> => ({
  accepted: numberOf(row["accepted"] ?? 0),
  known: numberOf(row["known"]),
  newer: numberOf(row["newer"]),
})

/** The column that says when a record was last touched. */
const touchedAt = { contracts: "updated_at", "api-keys": "created_at" } as const

/** Ended reads that show which records are absent. */
export const isProof = "state = 'finished' and completeness <> 'unverified'"

/** The statements of a list. */
const statementsOf = (
  { each, given, inserted, hash: hashed, lookup, prefix }: Words,
  collection: Collection,
) => {
  const { columns, table, texts } = tables[collection]
  const moving = movingIn(tables[collection])
  const current = `${prefix}${table}`
  const history = `${current}_history`
  const latest = `${current}_latest`
  const fields: { readonly [name: string]: ColumnType } = {
    ...columns,
    ...Object.fromEntries(texts.map((name) => [name, "text"])),
  }
  const moved = ["hash", ...moving, ...texts]
  const fixed = Object.keys(columns).filter((name) => !moving.includes(name))
  const insertVersions = (): RowsStatement => {
    const all = {
      id: "bigint",
      version: "integer",
      hash: "text",
      change: "text",
      members: "texts",
      ...fields,
    } as const
    const own = Object.keys(all)
    const values = inserted(3, all, ["$1", "$2::timestamptz", "$3::bigint", ...own])
    return {
      text: `insert into ${history} (account, seen_at, run, ${own.join(", ")}) ${values}`,
      columns: own,
    }
  }
  const dataOf = (row: string): string => (texts.includes("data") ? `${row}.data` : "null::text")
  const before = (earlier: string, row: string): string =>
    `${earlier}.account = ${row}.account and ${earlier}.id = ${row}.id and ${earlier}.version = ${row}.version - 1`
  const idsIn = (parameter: string): string => `select cast(each.value as bigint) from ${each(parameter)}`
  /** The row of `latest` for a version, if there is one, and what the version was read with at last. */
  const ofVersion = (row: string, alias = "latest"): string =>
    `${alias}.account = ${row}.account and ${alias}.id = ${row}.id and ${alias}.version = ${row}.version`
  const lastOf = (row: string): ReadonlyArray<string> =>
    ["hash", ...texts].map((name) => `coalesce(latest.${name}, ${row}.${name}) as ${name}`)
  /** The texts of the version before, `earlier`, with its row of `latest` under another name. */
  const textsBefore = (alias: string): string =>
    `coalesce(${alias}.body, earlier.body) as body_before, coalesce(${dataOf(alias)}, ${dataOf("earlier")}) as data_before`
  /** Rows of `latest` whose version is gone, each found by the key of that version. */
  const orphans = `${latest} as orphan
    where (select version from ${history} as kept where ${ofVersion("orphan", "kept")}) is null`
  /**
   * The version of each record that a run has left, with the account in $1 and the run in $2. Without the plus SQLite would look for it among all versions
   * of the account up to that run.
   */
  const kept = `kept.account = $1 and kept.change <> 'removed' and kept.version =
    (select max(version) from ${history} where account = kept.account and id = kept.id and +run <= $2::bigint)`
  const records = `${current} where account = $1`
  const runs = `${prefix}sync_run where account = $1 and collection = '${collection}'`
  // Runs stay in their order even if a clock was set back; moments may not.
  const later = `
    with bounds as (
      select list.account, min(ended.run) as run, coalesce(list.first_run, 9223372036854775807) as first
      from ${prefix}sync_list as list join ${prefix}sync_run as ended
        on ended.account = list.account and ended.collection = list.collection and ended.ended_at >= $1::timestamptz
      where list.collection = '${collection}' group by list.account, list.first_run
    ), later as (
      select versions.*, versions.version > 1 or versions.run > bounds.first as is_change
      from bounds join ${history} as versions on versions.account = bounds.account and versions.run >= bounds.run
        and (versions.run > bounds.run or versions.seen_at >= $1::timestamptz)
    )`
  const untold = `
    with later as (
      select versions.*, versions.version > 1 or versions.run > coalesce(list.first_run, 9223372036854775807) as is_change
      from ${prefix}sync_list as list join ${history} as versions
        on versions.account = list.account and versions.run > coalesce(list.told_run, 0)
      where list.collection = '${collection}' and not exists (
        select 1 from ${prefix}sync_run as under_way where under_way.run = versions.run and under_way.state = 'running'
      )
    )`
  return {
    /** The records of a page that differ from what the mirror has of them. */
    find: `
      select given.id, found.version, found.change, ${lastOf("found").join(", ")}, ${textsBefore("gone")}
      from ${given("$2", { id: "bigint", hash: "text", data: "text" })}
      ${lookup(
        history,
        "found",
        `found.account = $1 and found.id = given.id and found.version =
          (select max(version) from ${history} where account = $1 and id = given.id)`,
      )}
      ${lookup(latest, "latest", ofVersion("found"))}
      ${lookup(history, "earlier", `found.change = 'removed' and ${before("earlier", "found")}`)}
      ${lookup(latest, "gone", ofVersion("earlier", "gone"))}
      where coalesce(latest.hash, found.hash) is distinct from given.hash
        or ${hashed("coalesce(latest.body, found.body)")} is distinct from given.hash
        or (latest.hash = found.hash and ${hashed("found.body")} is distinct from found.hash)
        or (given.data is not null and coalesce(${dataOf("latest")}, ${dataOf("found")}) is distinct from given.data)`,
    /** Ends the versions of records that get another one. If a clock was set back, times are not in the order of versions: the first one counts. */
    supersede: `
      update ${history} set valid_to = $2::timestamptz
      where account = $1 and id in (${idsIn("$3")}) and (valid_to is null or valid_to > $2::timestamptz)`,
    /** Another program may have deleted a version: the one that gets its number must not get its texts. */
    dropOrphans: `delete from ${orphans} and account = $1 and id in (${idsIn("$2")})`,
    prunedLatest: `delete from ${orphans}`,
    /** Inserts versions, with the account in $1, the time in $2 and the run in $3. */
    addVersions: insertVersions(),
    addLatest: `
      insert into ${latest} (account, id, version, ${moved.join(", ")})
      select $1, id, version, ${moved.join(", ")} from ${given("$2", { id: "bigint", version: "integer", hash: "text", ...fields })} where true
      on conflict (account, id, version) do update set ${moved.map((name) => `${name} = excluded.${name}`).join(", ")}`,
    /** The other columns are those of the version, and so is a text with its hash. They differ only if they were changed in the mirror. */
    updateFixed: `
      update ${history} as kept set ${fixed.map((name) => `${name} = given.${name}`).join(", ")},
        body = case when kept.hash = given.hash then given.body else kept.body end
      from ${given("$2", { id: "bigint", version: "integer", hash: "text", ...fields })}
      where kept.account = $1 and kept.id = given.id and kept.version = given.version`,
    addRemovals: `
      insert into ${history} (account, id, version, change, members, seen_at, run)
      select kept.account, kept.id, max(kept.version) + 1, 'removed', given.members, $2::timestamptz, $3::bigint
      from ${given("$4", { id: "bigint", members: "texts" })} join ${history} as kept on kept.account = $1 and kept.id = given.id
      group by kept.account, kept.id, given.members`,
    // Where every record is of this read, none is absent from it.
    absent: `
      select id from ${current} where account = $1
        and exists (select 1 from ${history} where account = $1 and run < $2::bigint)
      except select cast(each.value as bigint) from ${prefix}sync_page, ${each("sync_page.ids")} where sync_page.run = $2::bigint
      order by id`,
    /** What removals would do to a list. `accepted` is what the run before has held, if that was accepted. */
    loss: `
      with gone as (${idsIn("$2")})
      select (select count(*) from ${records})
          - (select added + returned from ${prefix}sync_run where run = $3::bigint) as known,
        (select count(*) from ${records} and id in (select * from gone) and ${touchedAt[collection]} >
           (select max(${touchedAt[collection]}) from ${records} and id not in (select * from gone))) as newer,
        (select held from ${runs} and run = (select max(run) from ${runs} and ${isProof})
           and run <= (select accepted_run from ${prefix}account where account = $1)) as accepted`,
    /** What the mirror holds of each account that meets a condition. Versions are counted by their numbers, whatever else was changed. */
    holding: (condition: string): string => `
      with newest as (
        select account, id, max(version) as version from ${history} where ${condition} group by account, id
      )
      select account, count(*) as existing, sum(case when valid_to is null then 1 else 0 end) as current
      from newest join ${history} as last using (account, id, version) where change <> 'removed' group by account`,
    sample: `select id, body, hash from ${current} where account = $1 order by random() limit $2::integer`,
    replaced: `${history} where seen_at < $1::timestamptz and valid_to <= $1::timestamptz`,
    changes: (since: string | null): string => `${since === null ? untold : later}
      select later.*, ${textsBefore("latest")}
      from later ${lookup(history, "earlier", before("earlier", "later"))}
      ${lookup(latest, "latest", ofVersion("earlier"))}
      where later.is_change order by later.account, later.run, later.id, later.version`,
    firstReads: (since: string | null): string => `${since === null ? untold : later}
      select account, count(*) as records from later where not is_change group by account`,
    count: `select count(*) as records from ${history} as kept where ${kept}`,
    /** The last run after a given run that has a version whose predecessor was pruned, of the records from $4 on and below $3. */
    pruned: `
      select max(run) as run from ${history} as old where account = $1 and run > $2::bigint and version > 1
        and id < coalesce($3::bigint, 9223372036854775807) and id >= coalesce($4::bigint, -9223372036854775807)
        and not exists (select 1 from ${history} as earlier where ${before("earlier", "old")})`,
    page: `
      select kept.id, ${lastOf("kept").join(", ")} from ${history} as kept
      ${lookup(latest, "latest", `$3::integer = 1 and ${ofVersion("kept")}`)}
      where ${kept} and kept.id < coalesce($4::bigint, 9223372036854775807)
      order by kept.id desc limit $5::integer`,
  }
}

const parametersOf = (at: string | null): ReadonlyArray<string> => (at === null ? [] : [at])

/** Number of new versions of each kind in a page. */
export interface Counts {
  readonly added: number
  readonly changed: number
  readonly returned: number
}

/** The records of a list in a database. */
export const make = (words: Words, collection: Collection) => {
  const { columns, texts } = tables[collection]
  const types = Object.entries(columns)
  const fields = [...types.map(([name]) => name), ...texts]
  const sql = statementsOf(words, collection)
  const cellOf = (value: Cell | undefined, type: ColumnType): Cell =>
    typeof value !== "string" ? (value ?? null) : type === "timestamptz" ? words.time(value) : writable(value)

  /** Ends the last versions of records. */
  const supersede = Effect.fnUntraced(function* (
    query: Query,
    account: string,
    ids: ReadonlyArray<number>,
    at: string,
  ) {
    const given = JSON.stringify(ids)
    yield* query(sql.supersede, account, at, given)
    yield* query(sql.dropOrphans, account, given)
  })

  const putRound = Effect.fnUntraced(function* (
    query: Query,
    { account, run: number }: Run,
    versions: ReadonlyArray<RecordVersion>,
    at: string,
  ) {
    const byId = new Map(versions.map((version) => [version.id, version]))
    const given = JSON.stringify(versions.map(({ data, hash: digest, id }) => ({ id, hash: digest, data })))
    const found = yield* query(sql.find, account, given)
    const counts = { added: 0, changed: 0, returned: 0 }
    const again: Array<number> = []
    const added: Array<ReadonlyArray<Value>> = []
    const updated: Array<object> = []
    for (const row of found) {
      const version = byId.get(numberOf(row["id"]))!
      const step = stepOf(currentIn(row), goneIn(row), version)
      const { body, hash: digest, id } = version
      const cells = types.map(([name, type]) => cellOf(version.columns[name], type))
      for (const text of texts) cells.push(text === "body" ? body : step.data)
      if (step.change === null) {
        const named = Object.fromEntries(fields.map((name, place) => [name, cells[place]]))
        updated.push({ id, version: step.version, hash: digest, ...named })
        continue
      }
      counts[step.change] += 1
      if (step.version > 1) again.push(id)
      added.push([id, step.version, digest, step.change, step.members.map(writable), ...cells])
    }
    if (again.length > 0) yield* supersede(query, account, again, at)
    if (added.length > 0) yield* query.each(sql.addVersions, added, account, at, number)
    if (updated.length > 0)
      for (const statement of [sql.addLatest, sql.updateFixed])
        yield* query(statement, account, JSON.stringify(updated))
    return counts
  })

  return {
    put: (query: Query, list: Run, versions: ReadonlyArray<RecordVersion>, at: string): Work<Counts> =>
      Effect.map(
        Effect.forEach(roundsOf(versions), (round) => putRound(query, list, round, at)),
        (rounds) => ({
          added: rounds.reduce((sum, { added }) => sum + added, 0),
          changed: rounds.reduce((sum, { changed }) => sum + changed, 0),
          returned: rounds.reduce((sum, { returned }) => sum + returned, 0),
        }),
      ),
    remove: (
      query: Query,
      { account, run: number }: Run,
      ids: ReadonlyArray<number>,
      at: string,
    ): Work<void> =>
      Effect.gen(function* () {
        yield* supersede(query, account, ids, at)
        const rows = ids.map((id) => ({ id, members: [] }))
        yield* query(sql.addRemovals, account, at, number, JSON.stringify(rows))
      }),
    /** Records that no page of the run had. */
    absent: (query: Query, { account, run: number }: Run): Work<ReadonlyArray<number>> =>
      Effect.map(query(sql.absent, account, number), (rows) => rows.map((row) => numberOf(row["id"]))),
    /** What removing records would do to the list. */
    loss: (query: Query, { account, run: number }: Run, ids: ReadonlyArray<number>) =>
      Effect.map(query(sql.loss, account, JSON.stringify(ids), number), ([row]) => lossOf(row!)),
    /** What the mirror holds of an account, or of all, by account. */
    holding: (query: Query, account: string | null): Work<ReadonlyMap<string, Holding>> =>
      Effect.map(
        account === null ? query(sql.holding("true")) : query(sql.holding("account = $1"), account),
        (rows) =>
          new Map(
            rows.map((row) => [
              textOf(row["account"]),
              {
                existing: numberOf(row["existing"]),
                current: numberOf(row["current"]),
              },
            ]),
          ),
      ),
    /** Some records of an account at random. */
    sample: (query: Query, account: string, most: number): Work<ReadonlyArray<Kept>> =>
      Effect.map(query(sql.sample, account, most), (rows) => rows.map(keptOf)),
    /** Removes versions that were replaced by a later one before a moment, and returns how many. */
    prune: (query: Query, before: string): Work<number> =>
      Effect.gen(function* () {
        const [row] = yield* query(`select count(*) as versions from ${sql.replaced}`, before)
        yield* query(`delete from ${sql.replaced}`, before)
        yield* query(sql.prunedLatest)
        return numberOf(row?.["versions"])
      }),
    /**
     * Rows of the versions since a moment, in the order of runs, and the number of those of first reads, by account. Null: those of ended runs that no
     * digest has told.
     */
    since: (query: Query, at: string | null) =>
      Effect.all({
        changes: Effect.map(query(sql.changes(at), ...parametersOf(at)), (rows) =>
          Map.groupBy(rows, (row) => textOf(row["account"])),
        ),
        firstReads: Effect.map(
          query(sql.firstReads(at), ...parametersOf(at)),
          (rows) => new Map(rows.map((row) => [textOf(row["account"]), numberOf(row["records"])])),
        ),
      }),
    /** How many records a run has left. */
    leftBy: (query: Query, account: string, number: number): Work<number> =>
      Effect.map(query(sql.count, account, number), ([row]) => numberOf(row?.["records"])),
    /** The last run after a run whose history does not lead back to it; 0 for none. Of all records, or of those in a page: below `after`, down to `last`. */
    prunedSince: (
      query: Query,
      account: string,
      number: number,
      after: number | null = null,
      last: number | null = null,
    ): Work<number> =>
      Effect.map(query(sql.pruned, account, number, after, last), ([row]) => numberOf(row?.["run"] ?? 0)),
    /** A page of the list as a run has left it. */
    page: (
      query: Query,
      account: string,
      number: number,
      isLatest: boolean,
      after: number | null,
      most: number,
    ): Work<ReadonlyArray<Kept>> =>
      Effect.map(query(sql.page, account, number, Number(isLatest), after, most), (rows) => rows.map(keptOf)),
  }
}
