/**
 * The runs of a mirror in PostgreSQL: how a read begins, how its pages are stored, how it ends. Each of these is one transaction, which locks the
 * row of its account. A page is fenced by its number in the run, which only one process can increase.
 */
import type { Checkpoint } from "@deedkit/core"
import type { Collection, MirrorStore, SyncError } from "@deedkit/sync"
import { hashOf, isHeld, ownerOf, ownership, refusal, runOf, syncError, textOf } from "@deedkit/sync/store"
import type { Ending, RunPage } from "@deedkit/sync/store"
import * as Effect from "effect/Effect"
import type { SqlError } from "effect/sql/SqlError"
import type { Connection, Row, Run } from "./Connection.ts"
import type { Records } from "./Records.ts"
import { writable } from "./Records.ts"

/** Adds an account if there is none of that name. */
export const addAccount = (
  run: Run,
  schema: string,
  account: string,
  baseUrl: string,
  at: string,
): Effect.Effect<unknown, SqlError> =>
  run(
    `insert into ${schema}.account (account, base_url, added_at) values ($1, $2, $3::timestamptz) on conflict do nothing`,
    account,
    baseUrl,
    at,
  )

/** The methods of a store by which lists are read into it. */
export const make = (
  { ofAccount }: Connection,
  schema: string,
  lists: { readonly [Name in Collection]: Records },
): Pick<MirrorStore, "applyPage" | "begin" | "finish"> => {
  /**
   * The row of an account, which no other transaction changes until this one ends. Another process may have removed the account since a sync of it
   * began.
   */
  const held = (run: Run, account: string): Effect.Effect<Row, SqlError | SyncError> =>
    Effect.flatMap(run(`select * from ${schema}.account where account = $1 for update`, account), ([row]) =>
      row === undefined ? Effect.fail(syncError({ _tag: "AccountUnknown", account })) : Effect.succeed(row),
    )
  /** The hash of the ended run before another one of its account and list; null for none. */
  const previousOf = (run: Run, account: string, collection: Collection, before: number) =>
    Effect.map(
      run(
        `select * from ${schema}.sync_run where account = $1 and collection = $2 and run < $3::bigint and state <> 'running'
         order by run desc limit 1`,
        account,
        collection,
        before,
      ),
      ([row]) => (row === undefined ? null : hashOf(runOf(row))),
    )

  const begin: MirrorStore["begin"] = (options) =>
    ofAccount(options.caller.account).transact((run) =>
      Effect.gen(function* () {
        const { at, caller, collections } = options
        const { account, baseUrl } = caller
        yield* addAccount(run, schema, account, baseUrl, at)
        const refused = refusal(ownerOf(yield* held(run, account)), caller)
        if (refused !== null) return yield* refused
        return yield* Effect.forEach(collections, (each) => beginList(run, options, each))
      }),
    )

  const beginList = Effect.fnUntraced(function* (
    run: Run,
    { at, caller: { account }, isFresh, resumeWithinMillis }: Parameters<MirrorStore["begin"]>[0],
    collection: Collection,
  ) {
    const [found] = yield* run(
      `select * from ${schema}.sync_run where account = $1 and collection = $2 and state = 'running'`,
      account,
      collection,
    )
    if (found !== undefined) {
      const row = runOf(found)
      const age = Math.abs(Date.parse(at) - Date.parse(row.endedAt))
      if (!isFresh && age <= resumeWithinMillis) {
        yield* run(`update ${schema}.sync_run set resumed_at_page = pages where run = $1::bigint`, row.run)
        const checkpoint = found["checkpoint"]
        return {
          run: row.run,
          account,
          collection,
          pages: row.pages,
          checkpoint: typeof checkpoint === "string" ? (JSON.parse(checkpoint) as Checkpoint) : null,
        }
      }
      yield* run(
        `update ${schema}.sync_run set state = 'abandoned', checkpoint = null, previous = $2 where run = $1::bigint`,
        row.run,
        yield* previousOf(run, account, collection, row.run),
      )
      yield* run(`delete from ${schema}.sync_page where run = $1::bigint`, row.run)
    }
    const [added] = yield* run(
      `insert into ${schema}.sync_run (account, collection, started_at, ended_at)
       values ($1, $2, $3::timestamptz, $3::timestamptz) returning run`,
      account,
      collection,
      at,
    )
    return { run: Number(added!["run"]), account, collection, pages: 0, checkpoint: null }
  })

  /** Notes the owner of the records with the first of them. */
  const own = Effect.fnUntraced(function* (run: Run, { caller, checkpoint }: RunPage) {
    const { keyFingerprint } = checkpoint
    const { account, baseUrl, identity } = caller
    const owned = ownership(ownerOf(yield* held(run, account)), caller, keyFingerprint)
    if (owned === "kept") return
    if (owned !== "new") return yield* owned
    const [twin] = yield* run(
      `select account from ${schema}.account where key_fingerprint = $1 and base_url = $2 and account <> $3`,
      keyFingerprint,
      baseUrl,
      account,
    )
    if (twin !== undefined)
      return yield* syncError({ _tag: "AccountTwice", account, other: textOf(twin["account"]) })
    yield* run(
      `update ${schema}.account set base_url = $1, key_fingerprint = $2, identity = coalesce($3, identity) where account = $4`,
      baseUrl,
      keyFingerprint,
      identity === null ? null : writable(JSON.stringify(identity)),
      account,
    )
  })

  const storePage = Effect.fnUntraced(function* (run: Run, page: RunPage) {
    const { at, checkpoint, ids, rejected, run: list, versions, withoutData } = page
    yield* own(run, page)
    const { added, changed, returned } = yield* lists[list.collection].put(run, list, versions, at)
    const { endedAt, records: read, requests, startedAt } = checkpoint.summary
    const fenced = yield* run(
      `update ${schema}.sync_run set pages = pages + 1, records = $3::integer, requests = $4::integer, started_at = $5::timestamptz,
             ended_at = $6::timestamptz, rejected = rejected + $7::integer, added = added + $8::integer, changed = changed + $9::integer,
             returned = returned + $10::integer, without_data = without_data + $11::integer, checkpoint = $12
           where run = $1::bigint and pages = $2::integer and state = 'running' returning run`,
      list.run,
      page.page,
      read,
      requests,
      startedAt,
      endedAt,
      rejected,
      added,
      changed,
      returned,
      withoutData,
      writable(JSON.stringify(checkpoint)),
    )
    if (fenced.length !== 1) return yield* syncError({ _tag: "TakenOver", account: list.account })
    yield* run(
      `insert into ${schema}.sync_page (run, page, ids)
           values ($1::bigint, $2::integer, array(select value::bigint from json_array_elements_text($3::json)))`,
      list.run,
      page.page,
      JSON.stringify(ids),
    )
  })

  const finish = ({ at, removed, run: list, summary, unlisted }: Ending) =>
    ofAccount(list.account).transact((run) =>
      Effect.gen(function* () {
        const { account, collection } = list
        yield* held(run, account)
        const isLoss =
          removed.length > 0 &&
          isHeld({
            seen: summary.records,
            removed: removed.length,
            ...(yield* lists[collection].loss(run, list, removed)),
          })
        if (!isLoss) yield* lists[collection].remove(run, list, removed, at)
        const { completeness, cursor } = summary
        const [row] = yield* run(
          `update ${schema}.sync_run set state = 'finished', checkpoint = null, started_at = $3::timestamptz, ended_at = $4::timestamptz,
             records = case when resumed_at_page = 0 then $5::integer else least($5::integer,
               (select count(distinct id) from ${schema}.sync_page, unnest(ids) as id where sync_page.run = $1::bigint)::integer) end, requests = $6::integer, cursor_parameter = $7, cursor_state = $8, cursor_evidence = $9,
             completeness = $10, reason = $11, readings = $12::integer, removed = $13::integer, unlisted = $14::integer, previous = $15, held = $16::integer
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
          isLoss ? 0 : removed.length,
          unlisted,
          yield* previousOf(run, account, collection, list.run),
          isLoss ? removed.length : 0,
        )
        if (row === undefined) return yield* syncError({ _tag: "TakenOver", account })
        yield* run(`delete from ${schema}.sync_page where run = $1::bigint`, list.run)
        return runOf(row)
      }),
    )

  return {
    begin,
    applyPage: (page) => ofAccount(page.run.account).transact((run) => storePage(run, page)),
    finish,
  }
}
