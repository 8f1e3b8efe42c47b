/**
 * The mirror in one SQLite file. Each method takes effect completely or not at all, in a transaction that it can share with methods for other
 * accounts. A page is fenced by its number in the run, which only one process can increase.
 */
import type { Checkpoint } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { Caller, Ending, MirrorStore, Run, RunPage } from "../mirror/MirrorStore.ts"
import type { Collection, RunRow } from "../mirror/RunRow.ts"
import { ownership, refusal } from "../mirror/Ownership.ts"
import { accountOf, ownerOf, runOf } from "../mirror/Rows.ts"
import type { Row } from "../mirror/Rows.ts"
import { hashOf } from "../mirror/RunHash.ts"
import type { SyncError } from "../mirror/SyncError.ts"
import { syncError } from "../mirror/SyncError.ts"
import { open } from "./Database.ts"
import { failed } from "./Failed.ts"
import type { Counts } from "./Records.ts"
import * as Snapshots from "./Snapshots.ts"
import type { Statements } from "./Statements.ts"
import { prepared } from "./Statements.ts"
import { listChanges, listStatus } from "./Views.ts"

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
      Snapshots.make(db, (account, collection) => statements.records[collection].holding(account)),
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
        read(() =>
          statements.accounts.all().flatMap((row) => {
            const account = String(row["account"])
            return of(account, () =>
              collections.flatMap((collection) => listChanges(statements, account, collection, since)),
            )()
          }),
        ),
      snapshot: (options) =>
        Effect.map(read(of(options.account, () => snapshots.proof(options))), (proof) => ({
          ...proof,
          page: (after, most) =>
            read(of(options.account, () => snapshots.page(options, proof.row.run, after, most))),
        })),
    }
    return store
  })

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
  for (const version of versions) statements.records[run.collection].put(run, version, at, counts)
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
  for (const id of removed) statements.records[run.collection].remove(run, id, at)
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
    removed: removed.length,
    unlisted,
    previous: previous === undefined ? null : hashOf(runOf(previous)),
  })
  if (ended === undefined) throw syncError({ _tag: "TakenOver", account: run.account })
  statements.dropPages.run(run.run)
  return runOf(ended)
}
