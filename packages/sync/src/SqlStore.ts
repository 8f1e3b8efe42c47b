/**
 * The mirror in a SQL database. Each method is one transaction; those that change an account lock its row, so that two processes change one account
 * one after the other. `applyPage` is `storePage`: it is fenced by the number of the page in its run, which only one process can increase, and gives
 * the records to `put` of `Records.ts`. `finish` removes what is gone, and writes the row of the run.
 */
import type { Checkpoint } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type { Caller, Identity, Owner } from "./Account.ts"
import { byName, ownership, refusal, requireNames } from "./Account.ts"
import type {
  AccountRow,
  Ending,
  HeldList,
  ListChanges,
  ListStatus,
  MirrorStore,
  Run,
  RunPage,
  Snapshot,
  SnapshotOptions,
} from "./MirrorStore.ts"
import { changeOf, isProof, make, writable } from "./Records.ts"
import { isHeld } from "./Removals.ts"
import type { Collection, Row, RunRow } from "./RunRow.ts"
import {
  hashOf,
  isComplete,
  missing,
  momentOrNull,
  nothing,
  numberOf,
  runOf,
  textOf,
  textOrNull,
} from "./RunRow.ts"
import type { Database, Query } from "./Schema.ts"
import { hashedColumns, tables } from "./Schema.ts"
import type { SyncError } from "./SyncError.ts"
import { syncError } from "./SyncError.ts"

const collections: ReadonlyArray<Collection> = ["contracts", "api-keys"]

const accountOf = (row: Row): AccountRow => ({
  account: textOf(row["account"]),
  baseUrl: textOf(row["base_url"]),
  addedAt: momentOrNull(row["added_at"]),
  problem: textOrNull(row["problem"]),
  problemAt: momentOrNull(row["problem_at"]),
  acceptedRun: row["accepted_run"] === null ? null : numberOf(row["accepted_run"]),
})

const ownerOf = (row: Row): Owner => {
  const identity = textOrNull(row["identity"])
  return {
    baseUrl: textOf(row["base_url"]),
    keyFingerprint: textOrNull(row["key_fingerprint"]),
    identity: identity === null ? null : (JSON.parse(identity) as Identity),
  }
}

const heldListOf = (row: Row): HeldList => ({
  collection: textOf(row["collection"]) as Collection,
  held: numberOf(row["held"]),
})

const listOf = (row: Row): string => `${textOf(row["collection"])} ${textOf(row["account"])}`

const byAccount = (one: Row, other: Row): number => byName(textOf(one["account"]), textOf(other["account"]))

/** The store of a mirror whose tables are there. */
export const sqlStore = ({ compact, damaged, read, words, write }: Database): MirrorStore => {
  const { each, given, hash, json, lock, lookup, prefix } = words
  const accounts = `${prefix}account`
  const runs = `${prefix}sync_run`
  const pages = `${prefix}sync_page`
  const lists = `${prefix}sync_list`
  const tags = `${prefix}account_tag`
  const records = { contracts: make(words, "contracts"), "api-keys": make(words, "api-keys") }

  const addAccount = (query: Query, account: string, baseUrl: string, at: string) =>
    query(
      `insert into ${accounts} (account, base_url, added_at) values ($1, $2, $3::timestamptz) on conflict do nothing`,
      account,
      baseUrl,
      at,
    )

  /** The row of an account. Another process may have removed the account since a sync of it began. */
  const rowOf = (query: Query, account: string, locked = "") =>
    Effect.flatMap(query(`select * from ${accounts} where account = $1${locked}`, account), ([row]) =>
      row === undefined ? Effect.fail(syncError({ _tag: "AccountUnknown", account })) : Effect.succeed(row),
    )

  /** Refuses a caller that is not the account of that name. */
  const checkCaller = (row: Row, caller: Caller) => {
    const refused = refusal(ownerOf(row), caller)
    return refused === null ? Effect.void : Effect.fail(refused)
  }

  /** The hash of the ended run before another one of its list; null for none. */
  const previousOf = (
    query: Query,
    { account, collection, run: number }: Pick<Run, "account" | "collection" | "run">,
  ) =>
    Effect.map(
      query(
        `select * from ${runs} where account = $1 and collection = $2 and run < $3::bigint and state <> 'running'
         order by run desc limit 1`,
        account,
        collection,
        number,
      ),
      ([row]) => (row === undefined ? null : hashOf(runOf(row))),
    )

  /** Reads rows of an account, among those of others: if they cannot be read, only that account is damaged. */
  const readRows = <A>(account: string, work: () => A): Effect.Effect<A, SyncError> =>
    Effect.suspend(() => {
      try {
        return Effect.succeed(work())
      } catch (cause) {
        return cause instanceof SyntaxError ? Effect.fail(damaged(account)) : Effect.die(cause)
      }
    })

  /** Locks the lists of an account, as a prune does before it changes any other row. */
  const lockLists = (query: Query, account: string) =>
    query(`select 1 from ${lists} where account = $1 order by collection${lock}`, account)

  const dropPages = (query: Query, number: number) =>
    query(`delete from ${pages} where run = $1::bigint`, number)

  const beginList = Effect.fnUntraced(function* (
    query: Query,
    { at, caller: { account }, isFresh, resumeWithinMillis }: Parameters<MirrorStore["begin"]>[0],
    collection: Collection,
  ) {
    const [found] = yield* query(
      `select * from ${runs} where account = $1 and collection = $2 and state = 'running'`,
      account,
      collection,
    )
    if (found !== undefined) {
      const row = runOf(found)
      const age = Math.abs(Date.parse(at) - Date.parse(row.endedAt))
      if (!isFresh && age <= resumeWithinMillis) {
        yield* query(`update ${runs} set resumed_at_page = pages where run = $1::bigint`, row.run)
        const [last] = yield* query(
          `select checkpoint from ${pages} where run = $1::bigint order by page desc limit 1`,
          row.run,
        )
        const checkpoint = last === undefined ? null : (JSON.parse(textOf(last["checkpoint"])) as Checkpoint)
        return { run: row.run, account, collection, pages: row.pages, checkpoint }
      }
      yield* query(
        `update ${runs} set state = 'abandoned', previous = $2 where run = $1::bigint`,
        row.run,
        yield* previousOf(query, row),
      )
      yield* query(
        `update ${lists} set records = records + $3::integer where account = $1 and collection = $2`,
        account,
        collection,
        row.added + row.returned,
      )
      yield* dropPages(query, row.run)
    } else
      yield* query(
        `insert into ${lists} (account, collection) values ($1, $2) on conflict do nothing`,
        account,
        collection,
      )
    const [added] = yield* query(
      `insert into ${runs} (account, collection, started_at, ended_at)
       values ($1, $2, $3::timestamptz, $3::timestamptz) returning run`,
      account,
      collection,
      at,
    )
    return { run: numberOf(added!["run"]), account, collection, pages: 0, checkpoint: null }
  })

  /** Notes the owner of the records with the first of them, or fails as `ownership` does, or with `AccountTwice`. */
  const own = Effect.fnUntraced(function* (
    query: Query,
    { caller, checkpoint: { keyFingerprint } }: RunPage,
  ) {
    const { account, baseUrl, identity } = caller
    const owned = ownership(ownerOf(yield* rowOf(query, account, lock)), caller, keyFingerprint)
    if (owned === "kept") return
    if (owned !== "new") return yield* owned
    const [twin] = yield* query(
      `select account from ${accounts} where key_fingerprint = $1 and base_url = $2 and account <> $3`,
      keyFingerprint,
      baseUrl,
      account,
    )
    if (twin !== undefined)
      return yield* syncError({ _tag: "AccountTwice", account, other: textOf(twin["account"]) })
    yield* query(
      `update ${accounts} set base_url = $1, key_fingerprint = $2, identity = coalesce($3, identity) where account = $4`,
      baseUrl,
      keyFingerprint,
      identity === null ? null : writable(JSON.stringify(identity)),
      account,
    )
  })

  const storePage = Effect.fnUntraced(function* (query: Query, page: RunPage) {
    const { at, checkpoint, ids, rejected, run: list, versions, withoutData } = page
    yield* own(query, page)
    const { added, changed, returned } = yield* records[list.collection].put(query, list, versions, at)
    const { summary } = checkpoint
    const fenced = yield* query(
      `update ${runs} set pages = pages + 1, records = $3::integer, requests = $4::integer, started_at = $5::timestamptz,
         ended_at = $6::timestamptz, rejected = rejected + $7::integer, added = added + $8::integer, changed = changed + $9::integer,
         returned = returned + $10::integer, without_data = without_data + $11::integer
       where run = $1::bigint and pages = $2::integer and state = 'running' returning run`,
      list.run,
      page.page,
      summary.records,
      summary.requests,
      summary.startedAt,
      summary.endedAt,
      rejected,
      added,
      changed,
      returned,
      withoutData,
    )
    if (fenced.length !== 1) return yield* syncError({ _tag: "TakenOver", account: list.account })
    yield* query(
      `insert into ${pages} (run, page, ids, checkpoint) values ($1::bigint, $2::integer, $3, $4)`,
      list.run,
      page.page,
      JSON.stringify(ids),
      JSON.stringify(checkpoint),
    )
  })

  const finish = Effect.fnUntraced(function* (
    query: Query,
    { at, removed, run: list, summary, unlisted }: Ending,
  ) {
    const { account, collection } = list
    yield* rowOf(query, account, lock)
    const kept = records[collection]
    const isKept =
      removed.length > 0 &&
      isHeld({ seen: summary.records, removed: removed.length, ...(yield* kept.loss(query, list, removed)) })
    if (removed.length > 0 && !isKept) yield* kept.remove(query, list, removed, at)
    // A run that was under way when a later one was accepted has held nothing that was: both are to be accepted.
    if (isKept)
      yield* query(
        `update ${accounts} set accepted_run = null where account = $1 and accepted_run >= $2::bigint`,
        account,
        list.run,
      )
    const { completeness, cursor } = summary
    const [row] = yield* query(
      `update ${runs} set state = 'finished', started_at = $3::timestamptz, ended_at = $4::timestamptz,
         records = case when resumed_at_page = 0 then $5::integer else (select min(number) from (
           select $5::integer as number union all
           select count(distinct each.value) from ${pages}, ${each("sync_page.ids")} where sync_page.run = $1::bigint
         ) as numbers) end,
         requests = $6::integer, cursor_parameter = $7, cursor_state = $8, cursor_evidence = $9, completeness = $10, reason = $11,
         readings = $12::integer, removed = $13::integer, unlisted = $14::integer, previous = $15, held = $16::integer
       where run = $1::bigint and pages = $2::integer and state = 'running' returning *`,
      list.run,
      list.pages,
      summary.startedAt,
      at,
      summary.records,
      summary.requests,
      cursor.parameter,
      cursor.state,
      cursor.evidence === null ? null : writable(cursor.evidence),
      completeness.state,
      completeness.reason,
      completeness.readings,
      isKept ? 0 : removed.length,
      unlisted,
      yield* previousOf(query, list),
      isKept ? removed.length : 0,
    )
    if (row === undefined) return yield* syncError({ _tag: "TakenOver", account })
    yield* dropPages(query, list.run)
    const ended = runOf(row)
    yield* query(
      `update ${lists} set records = records + $3::integer, first_run = coalesce(first_run, $4::bigint), last_run = $4::bigint,
         complete_run = coalesce($5::bigint, complete_run)
       where account = $1 and collection = $2`,
      account,
      collection,
      ended.added + ended.returned - ended.removed,
      ended.run,
      isComplete(ended) ? ended.run : null,
    )
    return ended
  })

  /** The lists whose last proof holds removals, with their number, of the runs that meet a condition. */
  const held = (condition: string): string => `
    select account, collection, held, run from ${runs} as kept
    where held > 0 and ${condition} and not exists (
      select 1 from ${runs} as later
      where later.account = kept.account and later.collection = kept.collection and later.run > kept.run and ${isProof}
    )`

  /** The first row of each list that does not have the hash of the row before it. The database computes the same hash as `hashOf`. */
  const broken = (condition: string): string => `
    select account, collection, min(run) as run from (
      select account, collection, run, previous,
        coalesce(
          lag(${hash(`concat('[', concat_ws(',', ${hashedColumns.map(json).join(", ")}), ']')`)})
            over (partition by account, collection order by run),
          (select pruned_hash from ${lists} as list
           where list.account = ended.account and list.collection = ended.collection)
        ) as written_after
      from ${runs} as ended where state <> 'running' and ${condition}
    ) as linked where previous is distinct from written_after group by account, collection`

  /** What the rows of all runs say of each list: the newest rows, and how many records they have left. */
  const summed = `
    select account, collection, sum((added + returned - removed) * 1.0) + (
        select pruned_records from ${lists} as list where list.account = ended.account and list.collection = ended.collection
      ) as records,
      max(run) filter (where state = 'finished') as last,
      max(run) filter (where ${isProof} and rejected + without_data + held = 0) as last_complete,
      max(run) filter (where state = 'running') as running
    from ${runs} as ended group by account, collection`

  /** The same, as the ends of runs have noted it. */
  const noted = `
    select account, collection, records, last_run as last, complete_run as last_complete, (
        select run from ${runs} as begun
        where begun.account = list.account and begun.collection = list.collection and state = 'running'
      ) as running
    from ${lists} as list`

  const status = Effect.fnUntraced(function* (query: Query, isChecked: boolean) {
    const holding = {
      contracts: isChecked ? yield* records.contracts.holding(query, null) : null,
      "api-keys": isChecked ? yield* records["api-keys"].holding(query, null) : null,
    }
    const sums = yield* query(isChecked ? summed : noted)
    const names = new Set(sums.map((row) => textOf(row["account"])))
    for (const list of collections) for (const name of holding[list]?.keys() ?? []) names.add(name)
    const newest = new Set(
      sums.flatMap(({ last, last_complete, running }) =>
        [last, last_complete, running].flatMap((number) => (number === null ? [] : [Number(number)])),
      ),
    )
    const found = yield* query(
      `select known.* from ${each("$1")} ${lookup(runs, "known", "known.run = cast(each.value as bigint)")}
       where known.run is not null order by known.run`,
      JSON.stringify(Array.from(newest)),
    )
    const ofList = Map.groupBy(found, listOf)
    const sumOf = new Map(sums.map((row) => [listOf(row), row["records"]]))
    const gaps = isChecked ? yield* query(broken("true")) : []
    const brokenAt = new Map(gaps.map((row) => [listOf(row), numberOf(row["run"])]))
    // The accounts, and the names that have rows although the account's own row is gone.
    const rows = yield* query(
      `select * from (select account from ${accounts} union select each.value from ${each("$1")}) as owner
       left join ${accounts} as known using (account)`,
      JSON.stringify(Array.from(names)),
    )
    const tagged = Map.groupBy(yield* query(`select account, tag from ${tags} order by tag`), (row) =>
      textOf(row["account"]),
    )
    const listsOf = (account: string): ReadonlyArray<ListStatus> =>
      collections.flatMap((collection) => {
        const list = listOf({ collection, account })
        const newestRuns = (ofList.get(list) ?? []).map(runOf)
        const kept = holding[collection]?.get(account) ?? nothing
        if (!sumOf.has(list) && kept.current === 0) return []
        const running = newestRuns.findLast(({ state }) => state === "running") ?? null
        const left = numberOf(sumOf.get(list) ?? 0)
        return [
          {
            collection,
            last: newestRuns.findLast(({ state }) => state === "finished") ?? null,
            lastComplete: newestRuns.findLast(isComplete) ?? null,
            running,
            records: isChecked ? kept.current : left + (running?.added ?? 0) + (running?.returned ?? 0),
            brokenAt: brokenAt.get(list) ?? null,
            missing: isChecked ? missing(left, kept) : null,
          },
        ]
      })
    return yield* Effect.forEach(rows.toSorted(byAccount), (row) => {
      const account = textOf(row["account"])
      const own = (tagged.get(account) ?? []).map(({ tag }) => textOf(tag))
      return readRows(account, () => Object.assign(accountOf(row), { tags: own, lists: listsOf(account) }))
    })
  })

  const changes = Effect.fnUntraced(function* (query: Query, since: string | null) {
    const later = {
      contracts: yield* records.contracts.since(query, since),
      "api-keys": yield* records["api-keys"].since(query, since),
    }
    const heldRows =
      since === null
        ? yield* query(
            held(`run > (
              select coalesce(told_run, 0) from ${lists} as list where list.account = kept.account and list.collection = kept.collection
            )`),
          )
        : yield* query(held("ended_at >= $1::timestamptz"), since)
    const removals = new Map(heldRows.map((row) => [listOf(row), numberOf(row["held"])]))
    const lastRuns = new Map(
      (yield* query(
        `select account, collection, max(run) as run from ${runs} where state <> 'running' group by account, collection`,
      )).map((row) => [listOf(row), numberOf(row["run"])]),
    )
    const rows = yield* query(`select account from ${accounts}`)
    const listsOf = (account: string): ReadonlyArray<ListChanges> =>
      collections.flatMap((collection) => {
        const { changes: versions, firstReads } = later[collection]
        const ofAccount = versions.get(account) ?? []
        const firstRead = firstReads.get(account) ?? 0
        const kept = removals.get(listOf({ account, collection })) ?? 0
        if (ofAccount.length + firstRead + kept === 0) return []
        const changed = ofAccount.map((row) => changeOf(row, collection))
        const last = lastRuns.get(listOf({ account, collection })) ?? 0
        return [{ account, collection, firstRead, held: kept, run: last, changes: changed }]
      })
    const found = yield* Effect.forEach(rows.toSorted(byAccount), (row) => {
      const account = textOf(row["account"])
      return readRows(account, () => listsOf(account))
    })
    return found.flat()
  })

  /** Fails with the first moment at which a list is known: the end of the first run that is there from a given run on. */
  const unknownMoment = Effect.fnUntraced(function* (
    query: Query,
    { account, at, collection }: SnapshotOptions,
    from: number,
  ) {
    const [row] = yield* query(
      `select ended_at from ${runs}
       where account = $1 and collection = $2 and state = 'finished' and run >= $3::bigint order by run limit 1`,
      account,
      collection,
      from,
    )
    const first = momentOrNull(row?.["ended_at"])
    return yield* syncError({ _tag: "MomentUnknown", account, collection, at, first })
  })

  const proof = Effect.fnUntraced(function* (query: Query, options: SnapshotOptions) {
    const { account, at, collection } = options
    const { baseUrl } = accountOf(yield* rowOf(query, account))
    const all = (yield* query(
      `select * from ${runs} where account = $1 and collection = $2 order by run`,
      account,
      collection,
    )).map(runOf)
    const finished = all.filter(({ state }) => state === "finished")
    const row = finished.findLast(({ endedAt }) => at === null || endedAt <= at)
    const left = yield* records[collection].leftBy(query, account, row?.run ?? 0)
    const pruned = yield* records[collection].prunedSince(query, account, row?.run ?? 0)
    // The state before the last run whose history does not lead further back is not known.
    if (row === undefined || pruned > 0) return yield* unknownMoment(query, options, pruned)
    const holding = (yield* records[collection].holding(query, account)).get(account) ?? nothing
    const [gap] = yield* query(broken("account = $1 and collection = $2"), account, collection)
    const [list] = yield* query(
      `select pruned_records from ${lists} where account = $1 and collection = $2`,
      account,
      collection,
    )
    const leftUpTo = (last: number): number =>
      all.reduce(
        (sum, one) => sum + (one.run <= last ? one.added + one.returned - one.removed : 0),
        numberOf(list?.["pruned_records"] ?? 0),
      )
    return {
      baseUrl,
      row,
      hash: hashOf(row),
      brokenAt: gap === undefined ? null : numberOf(gap["run"]),
      missing: missing(leftUpTo(Infinity), holding) || leftUpTo(row.run) - left,
    }
  })

  /**
   * A page of a list as a run has left it. Since the page before, another process may have removed the list, named its account anew, or pruned what
   * the run has left: fewer records would then be the rest of it.
   */
  const pageOf = Effect.fnUntraced(function* (
    query: Query,
    options: SnapshotOptions,
    number: number,
    after: number | null,
    most: number,
  ) {
    const { account, at, collection } = options
    yield* rowOf(query, account)
    const kept = records[collection]
    const page = yield* kept.page(query, account, number, at === null, after, most)
    const last = page.length < most ? null : (page.at(-1)?.id ?? null)
    const known = yield* query(
      `select 1 from ${runs} where run = $1::bigint and account = $2 and collection = $3`,
      number,
      account,
      collection,
    )
    if (known.length === 0 || (yield* kept.prunedSince(query, account, number, after, last)) > 0)
      return yield* unknownMoment(query, options, yield* kept.prunedSince(query, account, number))
    return page
  })

  /** Of each list, the first run that stays when those before a moment are removed: what is known at that moment, and of later ones, needs none of those. */
  const staying = `
    select list.account, list.collection,
      case when max(ended.run) < list.complete_run then max(ended.run) else list.complete_run end as run
    from ${lists} as list join ${runs} as ended on ended.account = list.account and ended.collection = list.collection
    where ended.state = 'finished' and ended.ended_at <= $1::timestamptz
    group by list.account, list.collection, list.complete_run`

  /** Removes runs from before a moment. The list notes what they have left, and the hash of the last one. */
  const thin = Effect.fnUntraced(function* (query: Query, before: string) {
    // Both statements have to find the same runs: no read of a list ends between them.
    yield* query(
      `select count(*) from (select 1 from ${lists} order by account, collection${lock}) as every_list`,
    )
    yield* query(
      `update ${lists} as list set pruned_records = pruned_records + gone.records, pruned_hash = gone.previous
       from (
         select first.account, first.collection, first.previous, sum(old.added + old.returned - old.removed) as records
         from (${staying}) as stays join ${runs} as first on first.run = stays.run
         join ${runs} as old
           on old.account = first.account and old.collection = first.collection and old.run < first.run
         group by first.account, first.collection, first.previous
       ) as gone where list.account = gone.account and list.collection = gone.collection`,
      before,
    )
    yield* query(
      `delete from ${runs} where run < (
         select run from (${staying}) as stays
         where stays.account = sync_run.account and stays.collection = sync_run.collection
       )`,
      before,
    )
  })

  /** Removes an account, or one list of it: each table after those that refer to it. */
  const forget = Effect.fnUntraced(function* (query: Query, account: string, collection?: Collection) {
    // A sync of the account waits until this transaction has ended.
    yield* query(`select account from ${accounts} where account = $1${lock}`, account)
    yield* lockLists(query, account)
    const ofAccount = "account = $1"
    const ofLists = collection === undefined ? ofAccount : `account = $1 and collection = '${collection}'`
    yield* query(`delete from ${pages} where run in (select run from ${runs} where ${ofLists})`, account)
    const all = [
      ...(collection === undefined ? collections : [collection]).flatMap((each) =>
        ["latest", "history"].map((kind) => `${prefix}${tables[each].table}_${kind} where ${ofAccount}`),
      ),
      ...[runs, lists].map((table) => `${table} where ${ofLists}`),
      ...(collection === undefined ? [tags, accounts].map((table) => `${table} where ${ofAccount}`) : []),
    ]
    let found = 0
    for (const rows of all) {
      found += (yield* query(`select 1 from ${rows} limit 1`, account)).length
      yield* query(`delete from ${rows}`, account)
    }
    if (found === 0) return yield* syncError({ _tag: "AccountUnknown", account })
  })

  /** Removes an account that was never read. */
  const drop = Effect.fnUntraced(function* (query: Query, account: string) {
    const [row] = yield* query(`select key_fingerprint from ${accounts} where account = $1${lock}`, account)
    const reads = yield* query(`select 1 from ${runs} where account = $1 and pages > 0 limit 1`, account)
    if (row?.["key_fingerprint"] === null && reads.length === 0) yield* forget(query, account)
  })

  /** Renames an account. The rows of its runs are linked anew, where they were linked, because each hash is also one of the name. */
  const rename = Effect.fnUntraced(function* (query: Query, account: string, to: string) {
    yield* rowOf(query, account, lock)
    // A prune that is under way removes runs: they are read after it.
    yield* lockLists(query, account)
    const ended = `select * from ${runs} where account = $1 and state <> 'running' order by collection, run`
    const before = (yield* query(ended, account)).map(runOf)
    yield* drop(query, to)
    if ((yield* query(`select 1 from ${accounts} where account = $1`, to)).length > 0)
      return yield* syncError({ _tag: "AccountExists", account: to })
    yield* query(`update ${accounts} set account = $2 where account = $1`, account, to)
    yield* query(
      `insert into ${tags} select $2, tag from ${tags} where account = $1 on conflict do nothing`,
      account,
      to,
    )
    yield* query(`delete from ${tags} where account = $1`, account)
    let hash: string | null = null
    for (const [at, row] of before.entries()) {
      const earlier = before[at - 1]
      const isLinked = earlier?.collection === row.collection && row.previous === hashOf(earlier)
      const renamed: RunRow = { ...row, account: to, previous: isLinked ? hash : row.previous }
      if (isLinked) yield* query(`update ${runs} set previous = $2 where run = $1::bigint`, row.run, hash)
      hash = hashOf(renamed)
    }
  })

  return {
    begin: (options) =>
      write(options.caller.account, (query) =>
        Effect.gen(function* () {
          const { at, caller } = options
          yield* addAccount(query, caller.account, caller.baseUrl, at)
          yield* checkCaller(yield* rowOf(query, caller.account, lock), caller)
          return yield* Effect.forEach(options.collections, (one) => beginList(query, options, one))
        }),
      ),
    applyPage: (page) => write(page.run.account, (query) => storePage(query, page)),
    absent: (list) => read(list.account, (query) => records[list.collection].absent(query, list)),
    finish: (ending) => write(ending.run.account, (query) => finish(query, ending)),
    note: ({ account, baseUrl }, problem, at) => {
      const set = (query: Query) =>
        query(
          `update ${accounts} set problem = $1, problem_at = $2::timestamptz where account = $3`,
          problem === null ? null : writable(problem),
          problem === null ? null : at,
          account,
        )
      if (problem !== null)
        return write(account, (query) =>
          Effect.asVoid(
            Effect.andThen(
              baseUrl === null ? Effect.void : addAccount(query, account, baseUrl, at),
              set(query),
            ),
          ),
        )
      // Most syncs have nothing to clear, and need not wait for a commit.
      const noted = `select 1 from ${accounts} where account = $1 and problem is not null`
      return Effect.flatMap(
        read(account, (query) => query(noted, account)),
        ({ length }) => (length === 0 ? Effect.void : write(account, (query) => Effect.asVoid(set(query)))),
      )
    },
    accept: (account) =>
      write(account, (query) =>
        Effect.gen(function* () {
          yield* rowOf(query, account, lock)
          const lists = yield* query(held("account = $1"), account)
          const last = Math.max(...lists.map((row) => numberOf(row["run"])))
          if (lists.length > 0)
            yield* query(`update ${accounts} set accepted_run = $1::bigint where account = $2`, last, account)
          return lists.map(heldListOf)
        }),
      ),
    sample: (caller, collection, most) =>
      read(caller.account, (query) =>
        Effect.gen(function* () {
          yield* checkCaller(yield* rowOf(query, caller.account), caller)
          return yield* records[collection].sample(query, caller.account, most)
        }),
      ),
    prune: (before) =>
      Effect.tap(
        write(null, (query) =>
          Effect.map(
            Effect.andThen(
              thin(query, before),
              Effect.forEach(collections, (one) => records[one].prune(query, before)),
            ),
            (versions) => versions.reduce((sum, number) => sum + number, 0),
          ),
        ),
        () => compact,
      ),
    drop: (account) => write(account, (query) => drop(query, account)),
    rename: (account, to) =>
      Effect.andThen(
        requireNames([to]),
        write(account, (query) => rename(query, account, to)),
      ),
    forget: (account, collection) =>
      write(account, (query) => forget(query, account, collection)).pipe(
        Effect.tap(() => compact),
        // A process that was killed before it compacted the file may have removed the rows.
        Effect.tapError(({ reason }) => (reason._tag === "AccountUnknown" ? compact : Effect.void)),
      ),
    tag: (tagsOf) =>
      Effect.andThen(
        requireNames(tagsOf.keys()),
        write(null, (query) =>
          Effect.gen(function* () {
            const rows = Array.from(tagsOf, ([account, own]) =>
              own.map((tag) => ({ account, tag: writable(tag) })),
            )
            yield* query(
              `delete from ${tags} where account in (select each.value from ${each("$1")})`,
              JSON.stringify(Array.from(tagsOf.keys())),
            )
            yield* query(
              `insert into ${tags} select distinct account, tag from ${given("$1", { account: "text", tag: "text" })} where true on conflict do nothing`,
              JSON.stringify(rows.flat()),
            )
          }),
        ),
      ),
    status: read(null, (query) => status(query, false)),
    check: read(null, (query) => status(query, true)),
    changes: (since) => read(null, (query) => changes(query, since)),
    toldAt: read(null, (query) =>
      Effect.map(query(`select max(told_at) as told_at from ${lists}`), ([row]) =>
        momentOrNull(row?.["told_at"]),
      ),
    ),
    tell: (told, at) =>
      write(null, (query) =>
        Effect.forEach(
          told,
          ({ account, collection, run: last }) =>
            query(
              `update ${lists} set told_run = $3::bigint, told_at = $4::timestamptz
               where account = $1 and collection = $2 and coalesce(told_run, 0) <= $3::bigint`,
              account,
              collection,
              last,
              at,
            ),
          { discard: true },
        ),
      ),
    snapshot: (options) => {
      const { account } = options
      return Effect.map(
        read(account, (query) => proof(query, options)),
        (found): Snapshot => ({
          ...found,
          page: (after, most) => read(account, (query) => pageOf(query, options, found.row.run, after, most)),
        }),
      )
    },
  }
}
