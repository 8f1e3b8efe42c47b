/**
 * The mirror in a SQL database. Each method is one transaction; those that change an account lock its row, so that two processes change one account
 * one after the other. A page is fenced by its number in the run, which only one process can increase.
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
  Run as ListRun,
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
import type { Database, Run } from "./Schema.ts"
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
  const { each, hash, json, lock, lookup, prefix } = words
  const accounts = `${prefix}account`
  const runs = `${prefix}sync_run`
  const pages = `${prefix}sync_page`
  const lists = `${prefix}sync_list`
  const records = { contracts: make(words, "contracts"), "api-keys": make(words, "api-keys") }

  const addAccount = (run: Run, account: string, baseUrl: string, at: string) =>
    run(
      `insert into ${accounts} (account, base_url, added_at) values ($1, $2, $3::timestamptz) on conflict do nothing`,
      account,
      baseUrl,
      at,
    )

  /** The row of an account. Another process may have removed the account since a sync of it began. */
  const rowOf = (run: Run, account: string, locked = "") =>
    Effect.flatMap(run(`select * from ${accounts} where account = $1${locked}`, account), ([row]) =>
      row === undefined ? Effect.fail(syncError({ _tag: "AccountUnknown", account })) : Effect.succeed(row),
    )

  /** Refuses a caller that is not the account of that name. */
  const checkCaller = (row: Row, caller: Caller) => {
    const refused = refusal(ownerOf(row), caller)
    return refused === null ? Effect.void : Effect.fail(refused)
  }

  /** The hash of the ended run before another one of its list; null for none. */
  const previousOf = (
    run: Run,
    { account, collection, run: number }: Pick<ListRun, "account" | "collection" | "run">,
  ) =>
    Effect.map(
      run(
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

  const dropPages = (run: Run, number: number) => run(`delete from ${pages} where run = $1::bigint`, number)

  const beginList = Effect.fnUntraced(function* (
    run: Run,
    { at, caller: { account }, isFresh, resumeWithinMillis }: Parameters<MirrorStore["begin"]>[0],
    collection: Collection,
  ) {
    const [found] = yield* run(
      `select * from ${runs} where account = $1 and collection = $2 and state = 'running'`,
      account,
      collection,
    )
    if (found !== undefined) {
      const row = runOf(found)
      const age = Math.abs(Date.parse(at) - Date.parse(row.endedAt))
      if (!isFresh && age <= resumeWithinMillis) {
        yield* run(`update ${runs} set resumed_at_page = pages where run = $1::bigint`, row.run)
        const [last] = yield* run(
          `select checkpoint from ${pages} where run = $1::bigint order by page desc limit 1`,
          row.run,
        )
        const checkpoint = last === undefined ? null : (JSON.parse(textOf(last["checkpoint"])) as Checkpoint)
        return { run: row.run, account, collection, pages: row.pages, checkpoint }
      }
      yield* run(
        `update ${runs} set state = 'abandoned', previous = $2 where run = $1::bigint`,
        row.run,
        yield* previousOf(run, row),
      )
      yield* run(
        `update ${lists} set records = records + $3::integer where account = $1 and collection = $2`,
        account,
        collection,
        row.added + row.returned,
      )
      yield* dropPages(run, row.run)
    } else
      yield* run(
        `insert into ${lists} (account, collection) values ($1, $2) on conflict do nothing`,
        account,
        collection,
      )
    const [added] = yield* run(
      `insert into ${runs} (account, collection, started_at, ended_at)
       values ($1, $2, $3::timestamptz, $3::timestamptz) returning run`,
      account,
      collection,
      at,
    )
    return { run: numberOf(added!["run"]), account, collection, pages: 0, checkpoint: null }
  })

  /** Notes the owner of the records with the first of them, or fails as `ownership` does, or with `AccountTwice`. */
  const own = Effect.fnUntraced(function* (run: Run, { caller, checkpoint: { keyFingerprint } }: RunPage) {
    const { account, baseUrl, identity } = caller
    const owned = ownership(ownerOf(yield* rowOf(run, account, lock)), caller, keyFingerprint)
    if (owned === "kept") return
    if (owned !== "new") return yield* owned
    const [twin] = yield* run(
      `select account from ${accounts} where key_fingerprint = $1 and base_url = $2 and account <> $3`,
      keyFingerprint,
      baseUrl,
      account,
    )
    if (twin !== undefined)
      return yield* syncError({ _tag: "AccountTwice", account, other: textOf(twin["account"]) })
    yield* run(
      `update ${accounts} set base_url = $1, key_fingerprint = $2, identity = coalesce($3, identity) where account = $4`,
      baseUrl,
      keyFingerprint,
      identity === null ? null : writable(JSON.stringify(identity)),
      account,
    )
  })

  const storePage = Effect.fnUntraced(function* (run: Run, page: RunPage) {
    const { at, checkpoint, ids, rejected, run: list, versions, withoutData } = page
    yield* own(run, page)
    const { added, changed, returned } = yield* records[list.collection].put(run, list, versions, at)
    const { summary } = checkpoint
    const fenced = yield* run(
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
    yield* run(
      `insert into ${pages} (run, page, ids, checkpoint) values ($1::bigint, $2::integer, $3, $4)`,
      list.run,
      page.page,
      JSON.stringify(ids),
      JSON.stringify(checkpoint),
    )
  })

  const finish = Effect.fnUntraced(function* (
    run: Run,
    { at, removed, run: list, summary, unlisted }: Ending,
  ) {
    const { account, collection } = list
    yield* rowOf(run, account, lock)
    const kept = records[collection]
    const isKept =
      removed.length > 0 &&
      isHeld({ seen: summary.records, removed: removed.length, ...(yield* kept.loss(run, list, removed)) })
    if (removed.length > 0 && !isKept) yield* kept.remove(run, list, removed, at)
    const { completeness, cursor } = summary
    const [row] = yield* run(
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
      yield* previousOf(run, list),
      isKept ? removed.length : 0,
    )
    if (row === undefined) return yield* syncError({ _tag: "TakenOver", account })
    yield* dropPages(run, list.run)
    const ended = runOf(row)
    yield* run(
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

  const status = Effect.fnUntraced(function* (run: Run, isChecked: boolean) {
    const holding = {
      contracts: isChecked ? yield* records.contracts.holding(run, null) : null,
      "api-keys": isChecked ? yield* records["api-keys"].holding(run, null) : null,
    }
    const sums = yield* run(isChecked ? summed : noted)
    const names = new Set(sums.map((row) => textOf(row["account"])))
    for (const list of collections) for (const name of holding[list]?.keys() ?? []) names.add(name)
    const newest = new Set(
      sums.flatMap(({ last, last_complete, running }) =>
        [last, last_complete, running].flatMap((number) => (number === null ? [] : [Number(number)])),
      ),
    )
    const found = yield* run(
      `select known.* from ${each("$1")} ${lookup(runs, "known", "known.run = cast(each.value as bigint)")}
       where known.run is not null order by known.run`,
      JSON.stringify(Array.from(newest)),
    )
    const ofList = Map.groupBy(found, listOf)
    const sumOf = new Map(sums.map((row) => [listOf(row), row["records"]]))
    const gaps = isChecked ? yield* run(broken("true")) : []
    const brokenAt = new Map(gaps.map((row) => [listOf(row), numberOf(row["run"])]))
    // The accounts, and the names that have rows although the account's own row is gone.
    const rows = yield* run(
      `select * from (select account from ${accounts} union select each.value from ${each("$1")}) as owner
       left join ${accounts} as known using (account)`,
      JSON.stringify(Array.from(names)),
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
      return readRows(account, () => Object.assign(accountOf(row), { lists: listsOf(account) }))
    })
  })

  const changes = Effect.fnUntraced(function* (run: Run, since: string | null) {
    const later = {
      contracts: yield* records.contracts.since(run, since),
      "api-keys": yield* records["api-keys"].since(run, since),
    }
    const heldRows =
      since === null
        ? yield* run(
            held(`run > (
              select coalesce(told_run, 0) from ${lists} as list where list.account = kept.account and list.collection = kept.collection
            )`),
          )
        : yield* run(held("ended_at >= $1::timestamptz"), since)
    const removals = new Map(heldRows.map((row) => [listOf(row), numberOf(row["held"])]))
    const lastRuns = new Map(
      (yield* run(
        `select account, collection, max(run) as run from ${runs} where state <> 'running' group by account, collection`,
      )).map((row) => [listOf(row), numberOf(row["run"])]),
    )
    const rows = yield* run(`select account from ${accounts}`)
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

  const proof = Effect.fnUntraced(function* (run: Run, { account, at, collection }: SnapshotOptions) {
    const { baseUrl } = accountOf(yield* rowOf(run, account))
    const all = (yield* run(
      `select * from ${runs} where account = $1 and collection = $2 order by run`,
      account,
      collection,
    )).map(runOf)
    const finished = all.filter(({ state }) => state === "finished")
    const row = finished.findLast(({ endedAt }) => at === null || endedAt <= at)
    const { pruned, records: left } = yield* records[collection].leftBy(run, account, row?.run ?? 0)
    if (row === undefined || pruned > 0) {
      // The state before the last run whose history does not lead further back is not known.
      const first = finished.find((one) => one.run >= pruned)?.endedAt ?? null
      return yield* syncError({ _tag: "MomentUnknown", account, collection, at, first })
    }
    const holding = (yield* records[collection].holding(run, account)).get(account) ?? nothing
    const [gap] = yield* run(broken("account = $1 and collection = $2"), account, collection)
    const [list] = yield* run(
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

  /** Of each list, the first run that stays when those before a moment are removed: what is known at that moment, and of later ones, needs none of those. */
  const staying = `
    select list.account, list.collection,
      case when max(ended.run) < list.complete_run then max(ended.run) else list.complete_run end as run
    from ${lists} as list join ${runs} as ended on ended.account = list.account and ended.collection = list.collection
    where ended.state = 'finished' and ended.ended_at <= $1::timestamptz
    group by list.account, list.collection, list.complete_run`

  /** Removes runs from before a moment. The list notes what they have left, and the hash of the last one. */
  const thin = Effect.fnUntraced(function* (run: Run, before: string) {
    yield* run(
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
    yield* run(
      `delete from ${runs} where run < (
         select run from (${staying}) as stays
         where stays.account = sync_run.account and stays.collection = sync_run.collection
       )`,
      before,
    )
  })

  /** The tables that hold rows of an account, each after those that refer to it. */
  const ofAccounts = [
    ...Object.values(tables).flatMap(({ table }) => [`${table}_latest`, `${table}_history`]),
    "sync_run",
    "sync_list",
    "account",
  ]

  const forget = Effect.fnUntraced(function* (run: Run, account: string) {
    // A sync of the account waits until this transaction has ended.
    yield* run(`select account from ${accounts} where account = $1${lock}`, account)
    yield* run(`delete from ${pages} where run in (select run from ${runs} where account = $1)`, account)
    let found = 0
    for (const table of ofAccounts) {
      const rows = `${prefix}${table} where account = $1`
      found += (yield* run(`select 1 from ${rows} limit 1`, account)).length
      yield* run(`delete from ${rows}`, account)
    }
    if (found === 0) return yield* syncError({ _tag: "AccountUnknown", account })
  })

  const forgetList = Effect.fnUntraced(function* (run: Run, account: string, collection: Collection) {
    const own = "account = $1 and collection = $2"
    const [list] = yield* run(`select * from ${lists} where ${own}`, account, collection)
    if (list === undefined) return yield* syncError({ _tag: "AccountUnknown", account })
    yield* rowOf(run, account, lock)
    yield* run(
      `delete from ${pages} where run in (select run from ${runs} where ${own})`,
      account,
      collection,
    )
    const { table } = tables[collection]
    for (const name of [`${table}_latest`, `${table}_history`])
      yield* run(`delete from ${prefix}${name} where account = $1`, account)
    for (const name of [runs, lists]) yield* run(`delete from ${name} where ${own}`, account, collection)
  })

  /** Removes an account that was never read. */
  const drop = Effect.fnUntraced(function* (run: Run, account: string) {
    const [row] = yield* run(`select key_fingerprint from ${accounts} where account = $1${lock}`, account)
    const reads = yield* run(`select 1 from ${runs} where account = $1 and pages > 0 limit 1`, account)
    if (row?.["key_fingerprint"] === null && reads.length === 0) yield* forget(run, account)
  })

  /** Renames an account. The rows of its runs are linked anew, where they were linked, because each hash is also one of the name. */
  const rename = Effect.fnUntraced(function* (run: Run, account: string, to: string) {
    yield* rowOf(run, account, lock)
    const ended = `select * from ${runs} where account = $1 and state <> 'running' order by collection, run`
    const before = (yield* run(ended, account)).map(runOf)
    yield* drop(run, to)
    if ((yield* run(`select 1 from ${accounts} where account = $1`, to)).length > 0)
      return yield* syncError({ _tag: "AccountExists", account: to })
    yield* run(`update ${accounts} set account = $2 where account = $1`, account, to)
    let hash: string | null = null
    for (const [at, row] of before.entries()) {
      const earlier = before[at - 1]
      const isLinked = earlier?.collection === row.collection && row.previous === hashOf(earlier)
      const renamed: RunRow = { ...row, account: to, previous: isLinked ? hash : row.previous }
      if (isLinked) yield* run(`update ${runs} set previous = $2 where run = $1::bigint`, row.run, hash)
      hash = hashOf(renamed)
    }
  })

  return {
    begin: (options) =>
      write(options.caller.account, (run) =>
        Effect.gen(function* () {
          const { at, caller } = options
          yield* addAccount(run, caller.account, caller.baseUrl, at)
          yield* checkCaller(yield* rowOf(run, caller.account, lock), caller)
          return yield* Effect.forEach(options.collections, (one) => beginList(run, options, one))
        }),
      ),
    applyPage: (page) => write(page.run.account, (run) => storePage(run, page)),
    absent: (list) => read(list.account, (run) => records[list.collection].absent(run, list)),
    finish: (ending) => write(ending.run.account, (run) => finish(run, ending)),
    note: ({ account, baseUrl }, problem, at) => {
      const set = (run: Run) =>
        run(
          `update ${accounts} set problem = $1, problem_at = $2::timestamptz where account = $3`,
          problem === null ? null : writable(problem),
          problem === null ? null : at,
          account,
        )
      if (problem !== null)
        return write(account, (run) =>
          Effect.asVoid(
            Effect.andThen(baseUrl === null ? Effect.void : addAccount(run, account, baseUrl, at), set(run)),
          ),
        )
      // Most syncs have nothing to clear, and need not wait for a commit.
      const noted = `select 1 from ${accounts} where account = $1 and problem is not null`
      return Effect.flatMap(
        read(account, (run) => run(noted, account)),
        ({ length }) => (length === 0 ? Effect.void : write(account, (run) => Effect.asVoid(set(run)))),
      )
    },
    accept: (account) =>
      write(account, (run) =>
        Effect.gen(function* () {
          yield* rowOf(run, account, lock)
          const lists = yield* run(held("account = $1"), account)
          const last = Math.max(...lists.map((row) => numberOf(row["run"])))
          if (lists.length > 0)
            yield* run(`update ${accounts} set accepted_run = $1::bigint where account = $2`, last, account)
          return lists.map(heldListOf)
        }),
      ),
    sample: (caller, collection, most) =>
      read(caller.account, (run) =>
        Effect.gen(function* () {
          yield* checkCaller(yield* rowOf(run, caller.account), caller)
          return yield* records[collection].sample(run, caller.account, most)
        }),
      ),
    prune: (before) =>
      Effect.tap(
        write(null, (run) =>
          Effect.map(
            Effect.andThen(
              thin(run, before),
              Effect.forEach(collections, (one) => records[one].prune(run, before)),
            ),
            (versions) => versions.reduce((sum, number) => sum + number, 0),
          ),
        ),
        () => compact,
      ),
    drop: (account) => write(account, (run) => drop(run, account)),
    rename: (account, to) =>
      Effect.andThen(
        requireNames([to]),
        write(account, (run) => rename(run, account, to)),
      ),
    forget: (account, collection) =>
      write(account, (run) =>
        collection === undefined ? forget(run, account) : forgetList(run, account, collection),
      ).pipe(
        Effect.tap(() => compact),
        // A process that was killed before it compacted the file may have removed the rows.
        Effect.tapError(({ reason }) => (reason._tag === "AccountUnknown" ? compact : Effect.void)),
      ),
    status: read(null, (run) => status(run, false)),
    check: read(null, (run) => status(run, true)),
    changes: (since) => read(null, (run) => changes(run, since)),
    toldAt: read(null, (run) =>
      Effect.map(run(`select max(told_at) as told_at from ${lists}`), ([row]) =>
        momentOrNull(row?.["told_at"]),
      ),
    ),
    tell: (told, at) =>
      write(null, (run) =>
        Effect.forEach(
          told,
          ({ account, collection, run: last }) =>
            run(
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
      const { account, at, collection } = options
      return Effect.map(
        read(account, (run) => proof(run, options)),
        (found): Snapshot => ({
          ...found,
          page: (after, most) =>
            read(account, (run) =>
              records[collection].page(run, account, found.row.run, at === null, after, most),
            ),
        }),
      )
    },
  }
}
