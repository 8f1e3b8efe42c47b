/**
 * The mirror in one SQLite file. Each method takes effect completely or not at all, in a transaction that it can share with methods for other
 * accounts. A page is fenced by its number in the run, which only one process can increase.
 */
import type { DatabaseSync } from "node:sqlite"
import type { Checkpoint } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Ending, HeldList, ListChanges, ListStatus, MirrorStore, Run, RunPage } from "../MirrorStore.ts"
import type { Caller } from "../Ownership.ts"
import type { Collection, RunRow } from "../RunRow.ts"
import { brokenAt, hashOf, isComplete, missing, recordsAfter } from "../RunRow.ts"
import { ownership, refusal } from "../Ownership.ts"
import { accountOf, heldListOf, ownerOf, runOf } from "../Rows.ts"
import type { Row } from "../Rows.ts"
import { isHeld } from "../Removals.ts"
import * as Statements from "../Statements.ts"
import type { SyncError } from "../SyncError.ts"
import { syncError } from "../SyncError.ts"
import { failed, open } from "./Database.ts"
import type { Counts } from "./Records.ts"
import * as Records from "./Records.ts"

const collections: ReadonlyArray<Collection> = ["contracts", "api-keys"]

export interface SqliteOptions {
  /** The file; `:memory:` for a mirror that ends with the process. */
  readonly path: string
  /** Opens an existing mirror, and changes nothing. Default false: the mirror is created if it does not exist. */
  readonly isReadOnly?: boolean | undefined
  /** How long to wait while another process holds the lock, in milliseconds. Default 5,000. The event loop waits too. */
  readonly lockMillis?: number | undefined
}

/**
 * Opens a mirror in a SQLite file, and closes it with its scope. Fails with `NotAMirror` for any other file, `SchemaNewer` for the file of a
 * newer version, `SqliteMissing` on a Node without `node:sqlite`.
 */
export const sqliteStore = ({
  isReadOnly = false,
  lockMillis = 5_000,
  path,
}: SqliteOptions): Effect.Effect<MirrorStore, SyncError, Scope.Scope> =>
  Effect.gen(function* () {
    const { compact, db, read, requireInPlace, write } = yield* open({ path, isReadOnly, lockMillis })
    // This reads the schema, so it fails for a file that is damaged or whose tables are gone.
    const statements = yield* read(() => prepared(db))
    const snapshots = yield* read(() =>
      Records.makeSnapshots(db, (account, collection) => statements.records[collection].holding(account)),
    )
    /** Runs work on the rows of one account: if they are damaged, only that account is reported as damaged. */
    const of =
      <A>(account: string, work: () => A) =>
      (): A => {
        try {
          return work()
        } catch (cause) {
          throw failed(path, cause, account)
        }
      }
    const store: MirrorStore = {
      begin: (options) => write(of(options.caller.account, () => begin(statements, options))),
      applyPage: (page) => write(of(page.run.account, () => applyPage(statements, page))),
      absent: (run) => read(of(run.account, () => statements.records[run.collection].absent(run))),
      finish: (ending) =>
        write(
          of(ending.run.account, () => {
            // A list must not be called complete in a file that is gone.
            requireInPlace()
            return finish(statements, ending)
          }),
        ),
      note: ({ account, baseUrl }, problem, at) =>
        problem === null
          ? // Most syncs have nothing to clear, and need not wait for a commit.
            Effect.flatMap(
              read(() => statements.account.get(account)?.["problem"] ?? null),
              (noted) => (noted === null ? Effect.void : write(() => void statements.clear.run(account))),
            )
          : write(() => {
              if (baseUrl !== null) statements.addAccount.run(account, baseUrl, at)
              statements.note.run(problem, at, account)
            }),
      accept: (account) =>
        write(() => {
          heldIn(statements, account)
          const held = statements.held.all(account)
          const last = Math.max(...held.map((row) => Number(row["run"])))
          if (held.length > 0) statements.accept.run(last, account)
          return held.map(heldListOf)
        }),
      sample: (caller, collection, most) =>
        read(
          of(caller.account, () => {
            checkCaller(heldIn(statements, caller.account), caller)
            return statements.records[collection].sample(caller.account, most)
          }),
        ),
      prune: (before) =>
        Effect.tap(
          write(() => collections.reduce((sum, each) => sum + statements.records[each].prune(before), 0)),
          () => compact,
        ),
      forget: (account) =>
        write(() => {
          const removed = [
            ...collections.map((each) => statements.records[each].forget),
            ...statements.forget,
          ]
            .map((remove) => remove(account))
            .reduce((sum, rows) => sum + rows, 0)
          if (removed === 0) throw syncError({ _tag: "AccountUnknown", account })
        }).pipe(
          Effect.tap(() => compact),
          // A process that was killed before it compacted the file may have removed the rows.
          Effect.tapError(({ reason }) => (reason._tag === "AccountUnknown" ? compact : Effect.void)),
        ),
      status: read(() =>
        statements.owners.all().map((row) => {
          const account = accountOf(row)
          const lists = of(account.account, () =>
            collections.flatMap((collection) => listStatus(statements, account.account, collection)),
          )
          return Object.assign(account, { lists: lists() })
        }),
      ),
      changes: (since) =>
        read(() => {
          const held = Map.groupBy(statements.heldSince.all(since), (row) => String(row["account"]))
          return statements.accounts.all().flatMap((row) => {
            const account = String(row["account"])
            const ofLists = (held.get(account) ?? []).map(heldListOf)
            return of(account, () =>
              collections.flatMap((collection) =>
                listChanges(statements, account, collection, since, ofLists),
              ),
            )()
          })
        }),
      snapshot: (options) =>
        Effect.map(read(of(options.account, () => snapshots.proof(options))), (proof) => ({
          ...proof,
          page: (after, most) =>
            read(of(options.account, () => snapshots.page(options, proof.row.run, after, most))),
        })),
    }
    return store
  })

/** The account names in a table. Each is found from the one before through the table's index, because most names have many rows. */
const namesIn = (table: string): string => `${table}_names (account) as (
  select min(account) from ${table}
  union all
  select (select min(account) from ${table} where account > found.account) from ${table}_names as found where account is not null
)`

const ofAccounts = ["contract", "contract_history", "api_key", "api_key_history", "sync_run"]

/** The accounts, and the names of accounts whose own row is gone while other rows still exist. */
const owners = `
  with recursive ${ofAccounts.map(namesIn).join(", ")}
  select * from (
    select account from account ${ofAccounts.map((table) => `union select account from ${table}_names`).join(" ")}
  ) left join account using (account) where account is not null order by account`

/** Prepares all statements of a mirror. */
const prepared = (db: DatabaseSync) => ({
  records: {
    contracts: Records.make(db, "contracts"),
    "api-keys": Records.make(db, "api-keys"),
  },
  account: db.prepare("select * from account where account = ?"),
  accounts: db.prepare("select * from account order by account"),
  owners: db.prepare(owners),
  addAccount: db.prepare(
    "insert into account (account, base_url, added_at) values (?, ?, ?) on conflict do nothing",
  ),
  own: db.prepare(
    "update account set base_url = ?, key_fingerprint = ?, identity = coalesce(?, identity) where account = ?",
  ),
  twin: db.prepare("select account from account where key_fingerprint = ? and base_url = ? and account <> ?"),
  note: db.prepare("update account set problem = ?, problem_at = ? where account = ?"),
  clear: db.prepare("update account set problem = null, problem_at = null where account = ?"),
  forget: [
    "delete from sync_page where run in (select run from sync_run where account = ?)",
    "delete from sync_run where account = ?",
    "delete from account where account = ?",
  ].map((sql) => {
    const statement = db.prepare(sql)
    return (account: string): number => Number(statement.run(account).changes)
  }),
  held: db.prepare(Statements.held(Records.dialect, "account = ?")),
  heldSince: db.prepare(Statements.held(Records.dialect, "ended_at >= ?")),
  accept: db.prepare("update account set accepted_run = ? where account = ?"),
  running: db.prepare("select * from sync_run where account = ? and collection = ? and state = 'running'"),
  runs: db.prepare("select * from sync_run where account = ? and collection = ? order by run"),
  firstRun: db.prepare(
    "select min(run) as run from sync_run where account = ? and collection = ? and state = 'finished'",
  ),
  runSince: db.prepare(
    "select run from sync_run where account = ? and collection = ? and ended_at >= ? order by run limit 1",
  ),
  previous: db.prepare(
    "select * from sync_run where account = ? and collection = ? and run < ? and state <> 'running' order by run desc limit 1",
  ),
  addRun: db.prepare("insert into sync_run (account, collection, started_at, ended_at) values (?, ?, ?, ?)"),
  resume: db.prepare("update sync_run set resumed_at_page = pages where run = ?"),
  abandon: db.prepare(
    "update sync_run set state = 'abandoned', checkpoint = null, previous = ? where run = ?",
  ),
  fence: db.prepare(
    `update sync_run set pages = pages + 1, records = :records, requests = :requests, started_at = :startedAt, ended_at = :endedAt,
       rejected = rejected + :rejected, without_data = without_data + :withoutData, added = added + :added, changed = changed + :changed, returned = returned + :returned,
       checkpoint = :checkpoint
     where run = :run and pages = :page and state = 'running'`,
  ),
  addPage: db.prepare("insert into sync_page (run, page, ids) values (?, ?, ?)"),
  dropPages: db.prepare("delete from sync_page where run = ?"),
  finish: db.prepare(
    `update sync_run set state = 'finished', checkpoint = null, started_at = :startedAt, ended_at = :endedAt,
       records = case when resumed_at_page = 0 then :records else min(:records,
         (select count(distinct each.value) from sync_page, json_each(sync_page.ids) as each where sync_page.run = :run)) end,
       requests = :requests, cursor_parameter = :cursorParameter, cursor_state = :cursorState, cursor_evidence = :cursorEvidence,
       completeness = :completeness, reason = :reason, readings = :readings, removed = :removed, unlisted = :unlisted, held = :held, previous = :previous
     where run = :run and pages = :pages and state = 'running' returning *`,
  ),
})

type Statements = ReturnType<typeof prepared>

/** What is known about a list of an account; empty if it was never begun. */
const listStatus = (
  statements: Statements,
  account: string,
  collection: Collection,
): ReadonlyArray<ListStatus> => {
  const rows = statements.runs.all(account, collection).map(runOf)
  const holding = statements.records[collection].holding(account)
  if (rows.length + holding.current === 0) return []
  const latest = (matches: (row: RunRow) => boolean): RunRow | null => rows.findLast(matches) ?? null
  return [
    {
      collection,
      last: latest(({ state }) => state === "finished"),
      lastComplete: latest(isComplete),
      running: latest(({ state }) => state === "running"),
      records: holding.current,
      brokenAt: brokenAt(rows.filter(({ state }) => state !== "running")),
      missing: missing(recordsAfter(rows), holding),
    },
  ]
}

/** What changed in a list of an account since a moment; empty if there was no new version and nothing is held. */
const listChanges = (
  statements: Statements,
  account: string,
  collection: Collection,
  since: string,
  heldLists: ReadonlyArray<HeldList>,
): ReadonlyArray<ListChanges> => {
  // Runs stay in their order even if the clock was set back; moments may not.
  const from = statements.runSince.get(account, collection, since)
  const first = Number(statements.firstRun.get(account, collection)?.["run"] ?? Infinity)
  if (from === undefined) return []
  const all = statements.records[collection].since(account, Number(from["run"]), since)
  const changes = all.filter(({ run, version }) => version > 1 || run > first)
  const held = heldLists.find((each) => each.collection === collection)?.held ?? 0
  return all.length + held === 0
    ? []
    : [{ account, collection, firstRead: all.length - changes.length, held, changes }]
}

/** The row of an account. Another process may have removed the account since a sync of it began. */
const heldIn = (statements: Statements, account: string): Row => {
  const row = statements.account.get(account)
  if (row === undefined) throw syncError({ _tag: "AccountUnknown", account })
  return row
}

/** Refuses a caller that is not the account of that name. */
const checkCaller = (row: Row, caller: Caller): void => {
  const refused = refusal(ownerOf(row), caller)
  if (refused !== null) throw refused
}

type Begin = Parameters<MirrorStore["begin"]>[0]

const begin = (statements: Statements, options: Begin): ReadonlyArray<Run> => {
  const { at, caller, collections: lists } = options
  const { account, baseUrl } = caller
  statements.addAccount.run(account, baseUrl, at)
  checkCaller(heldIn(statements, account), caller)
  return lists.map((collection) => beginList(statements, options, collection))
}

const beginList = (
  statements: Statements,
  { at, caller: { account }, isFresh, resumeWithinMillis }: Begin,
  collection: Collection,
): Run => {
  const found = statements.running.get(account, collection)
  if (found !== undefined) {
    const run = Number(found["run"])
    const age = Math.abs(Date.parse(at) - Date.parse(String(found["ended_at"])))
    if (!isFresh && age <= resumeWithinMillis) {
      statements.resume.run(run)
      const { checkpoint, pages } = found
      return {
        run,
        account,
        collection,
        pages: Number(pages),
        checkpoint: checkpoint === null ? null : (JSON.parse(String(checkpoint)) as Checkpoint),
      }
    }
    const previous = statements.previous.get(account, collection, run)
    statements.abandon.run(previous === undefined ? null : hashOf(runOf(previous)), run)
    statements.dropPages.run(run)
  }
  const { lastInsertRowid } = statements.addRun.run(account, collection, at, at)
  return { run: Number(lastInsertRowid), account, collection, pages: 0, checkpoint: null }
}

/** Notes the owner of the records with the first of them, or fails as `ownership` does, or with `AccountTwice`. */
const own = (statements: Statements, { caller, checkpoint }: RunPage): void => {
  const { account, baseUrl, identity } = caller
  const { keyFingerprint } = checkpoint
  const owned = ownership(ownerOf(heldIn(statements, account)), caller, keyFingerprint)
  if (owned === "kept") return
  if (owned !== "new") throw owned
  const twin = statements.twin.get(keyFingerprint, baseUrl, account)
  if (twin !== undefined) throw syncError({ _tag: "AccountTwice", account, other: String(twin["account"]) })
  statements.own.run(baseUrl, keyFingerprint, identity === null ? null : JSON.stringify(identity), account)
}

const applyPage = (statements: Statements, page: RunPage): void => {
  const { at, checkpoint, ids, rejected, run, versions, withoutData } = page
  own(statements, page)
  const counts: Counts = { added: 0, changed: 0, returned: 0 }
  // Pages are filled when rows come in the order of the key; most lists come in the other one. A record stays before its newer copy.
  for (const version of versions.toSorted((one, other) => one.id - other.id))
    statements.records[run.collection].put(run, version, at, counts)
  const { records, requests, startedAt } = checkpoint.summary
  const { changes } = statements.fence.run({
    run: run.run,
    page: page.page,
    records,
    requests,
    startedAt,
    endedAt: checkpoint.summary.endedAt,
    rejected,
    withoutData,
    ...counts,
    checkpoint: JSON.stringify(checkpoint),
  })
  if (changes !== 1) throw syncError({ _tag: "TakenOver", account: run.account })
  statements.addPage.run(run.run, page.page, JSON.stringify(ids))
}

const finish = (statements: Statements, { at, removed, run, summary, unlisted }: Ending): RunRow => {
  const { completeness, cursor } = summary
  heldIn(statements, run.account)
  const records = statements.records[run.collection]
  const held =
    removed.length > 0 &&
    isHeld({ seen: summary.records, removed: removed.length, ...records.loss(run, removed) })
      ? removed.length
      : 0
  if (held === 0) for (const id of removed) records.remove(run, id, at)
  const previous = statements.previous.get(run.account, run.collection, run.run)
  const ended = statements.finish.get({
    run: run.run,
    pages: run.pages,
    startedAt: summary.startedAt,
    endedAt: at,
    records: summary.records,
    requests: summary.requests,
    cursorParameter: cursor.parameter,
    cursorState: cursor.state,
    cursorEvidence: cursor.evidence,
    completeness: completeness.state,
    reason: completeness.reason,
    readings: completeness.readings,
    removed: removed.length - held,
    unlisted,
    held,
    previous: previous === undefined ? null : hashOf(runOf(previous)),
  })
  if (ended === undefined) throw syncError({ _tag: "TakenOver", account: run.account })
  statements.dropPages.run(run.run)
  return runOf(ended)
}
