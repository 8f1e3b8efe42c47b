/**
 * Syncs one account: reads its lists to their end with a proof of completeness, stores page by page, then removes what is gone.
 *
 * A sync can be stopped at any moment and called again: the store knows where it stopped. The whole list is read each time, because neither the
 * order nor `updated_at` shows all changes (Spec: Endpoints 5, 6), and a read that stops early cannot see a removal. `SqlStore.ts` is the store.
 */
import { Json } from "@deedkit/core"
import type { ApiKey, ClientError, Contract, PropertyClient, ReadSummary } from "@deedkit/core"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { MirrorStore, Run } from "./MirrorStore.ts"
import type { Caller, Identity } from "./Account.ts"
import type { RecordVersion } from "./Version.ts"
import { identityOf, requireNames } from "./Account.ts"
import type { Collection, RunRow } from "./RunRow.ts"
import * as Removals from "./Removals.ts"
import type { SyncError } from "./SyncError.ts"
import { syncError } from "./SyncError.ts"
import { versionOf } from "./Version.ts"

/** The options of a sync. */
export interface SyncOptions {
  readonly store: MirrorStore
  /** A client with the key of the account. */
  readonly client: PropertyClient.Service
  /** The name of the account in the mirror: visible characters, at most 128, and neither `/` nor `\`. */
  readonly account: string
  /** The lists to read. Default: contracts and API keys. */
  readonly collections?: ReadonlyArray<Collection> | undefined
  /** Reads each contract's payload as well (`include_data`), one request each. Default false: the mirror keeps the payloads that it has. */
  readonly data?: boolean | undefined
  /** Records per page. Default 100. */
  readonly pageSize?: number | undefined
  /** An interrupted read whose last page is older than this is started again. In milliseconds; default 24 hours. */
  readonly resumeWithinMillis?: number | undefined
  /**
   * Confirms that another key, caller or address belongs to the same account as before. Default false: if `/v1/me/` does not show that, the account
   * is refused.
   */
  readonly isConfirmed?: boolean | undefined
}

/** How long after a try an account that failed for a reason that passes is tried again, in minutes, by whoever syncs it again and again. */
export const retryMinutes: ReadonlyArray<number> = [5, 15, 45, 120]

const day = 86_400_000

const isoNow = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis).toISOString())

/** Longest wait for the answer of `/v1/me/`. */
const mostSeconds = 10

/** What `/v1/me/` says about the caller; null if it says nothing, fails or is slow (Spec: Endpoints 7 leave shape and scope open). */
export const askIdentity = ({ me, redact }: PropertyClient.Service): Effect.Effect<Identity | null> =>
  me().pipe(
    Effect.map((answer) => identityOf(answer, redact)),
    Effect.map((identity) => (Object.keys(identity).length === 0 ? null : identity)),
    Effect.orElseSucceed(() => null),
    Effect.timeoutOrElse({ duration: `${mostSeconds} seconds`, orElse: () => Effect.succeed(null) }),
  )

const contractVersion = (contract: Contract.Contract, data: string | null): RecordVersion => {
  const { created_at, kind, listing, listing_id, status, template_id, unit_label, updated_at } = contract
  const columns = {
    created_at,
    kind,
    listing_id,
    status,
    template_id,
    unit_label,
    updated_at,
    city: listing?.city ?? null,
  }
  return { ...versionOf(contract), data, columns }
}

const keyVersion = (key: ApiKey.ApiKey): RecordVersion => {
  const { created_at, last_used_at, name, revoked_at } = key
  return { ...versionOf(key), data: null, columns: { created_at, last_used_at, name, revoked_at } }
}

type Failures = ClientError.ClientError | SyncError

/** A read proves nothing about the part before an interruption during which records were created or updated. */
const afterPause = (summary: ReadSummary): ReadSummary =>
  summary.resumed === null || summary.resumed.changed === 0
    ? summary
    : { ...summary, completeness: { ...summary.completeness, state: "unverified", reason: "resumed" } }

/** Requests for payloads under way at once. The rate limiter of the key applies too. */
const payloadConcurrency = 8

/**
 * The members that only the retrieve form with `include_data=1` returns (Spec: Endpoints, row 4), as JSON text. The specification does not name the
 * members of a payload (Spec: Contract, gaps): every member that the list does not have belongs to it.
 */
type Payload = string | null
type Answer = Payload | ClientError.ClientError

const isRefused = (answer: Answer): answer is ClientError.ClientError =>
  answer !== null && typeof answer === "object"

/**
 * Returns a function that reads the payloads of a page's contracts as JSON texts, in their order. A payload is null if the answer has none or is
 * not as specified, or if the contract is gone or refused by the service. If the service has refused all contracts so far, the key is the cause:
 * the read fails.
 */
const payloadReader = ({
  get,
}: Pick<PropertyClient.Records<Contract.Contract, PropertyClient.GetContractOptions>, "get">) => {
  let isAllowed = false
  const ask = (listed: Contract.Contract): Effect.Effect<Answer, ClientError.ClientError> =>
    Effect.matchEffect(get(listed.id, { includeData: true }), {
      onSuccess: (whole): Effect.Effect<Answer> => {
        const members = Object.entries(whole).filter(([name]) => !Object.hasOwn(listed, name))
        return Effect.succeed(members.length === 0 ? null : Json.stringify(Object.fromEntries(members)))
      },
      onFailure: (error): Effect.Effect<Answer, ClientError.ClientError> => {
        const { reason } = error
        if (Removals.isRefusal(reason)) return Effect.succeed(error)
        const isOfRecord = reason._tag === "NotFound" || Removals.isAboutRecord(reason)
        return isOfRecord ? Effect.succeed(null) : Effect.fail(error)
      },
    })
  return (
    contracts: ReadonlyArray<Contract.Contract>,
  ): Effect.Effect<ReadonlyArray<Payload>, ClientError.ClientError> =>
    Effect.flatMap(Effect.forEach(contracts, ask, { concurrency: payloadConcurrency }), (answers) => {
      const refused = answers.find(isRefused)
      isAllowed ||= answers.some((answer) => !isRefused(answer))
      return refused !== undefined && !isAllowed
        ? Effect.fail(refused)
        : Effect.succeed(answers.map((answer) => (isRefused(answer) ? null : answer)))
    })
}

/** Reads one list from the position of the run on, and ends the run. */
const readList = Effect.fnUntraced(function* <A extends { readonly id: number }, O>(
  { pageSize = 100, store }: SyncOptions,
  records: PropertyClient.Records<A, O>,
  version: (record: A, data: string | null) => RecordVersion,
  payloads:
    | ((records: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<string | null>, ClientError.ClientError>)
    | null,
  caller: Caller,
  begun: Run,
) {
  let run = begun
  let summary = begun.checkpoint?.summary ?? null
  let listed: number | null = null
  const from = begun.checkpoint ?? undefined
  yield* Stream.runForEach(
    records.pages({ limit: pageSize, prove: true, onRejected: "collect", from }),
    Effect.fnUntraced(function* (page) {
      const { checkpoint } = page
      const given = [...page.records, ...page.superseded]
      const ids = [...given, ...page.rejected].flatMap(({ id }) => (id === null ? [] : [id]))
      const data = payloads === null ? null : yield* payloads(given)
      yield* store.applyPage({
        run,
        page: run.pages,
        checkpoint,
        caller,
        versions: given.map((record, at) => version(record, data?.[at] ?? null)),
        ids,
        rejected: page.rejected.length,
        withoutData: data?.filter((each) => each === null).length ?? 0,
        at: page.summary.endedAt,
      })
      listed = given.at(-1)?.id ?? listed
      run = { ...run, pages: run.pages + 1, checkpoint }
      summary = page.summary
    }),
  )
  if (summary === null || !summary.complete) {
    return yield* syncError({ _tag: "ReadIncomplete", account: caller.account })
  }
  const ended = afterPause(summary)
  const absent = ended.completeness.state === "unverified" ? [] : yield* store.absent(run)
  const { removed, unlisted } = yield* Removals.confirm(absent, listed, (id) => records.get(id))
  return yield* store.finish({ run, summary: ended, removed, unlisted, at: yield* isoNow })
})

const begin = (
  { resumeWithinMillis = day, store }: SyncOptions,
  caller: Caller,
  collections: ReadonlyArray<Collection>,
  isFresh: boolean,
): Effect.Effect<ReadonlyArray<Run>, SyncError> =>
  Effect.flatMap(isoNow, (at) => store.begin({ caller, collections, at, resumeWithinMillis, isFresh }))

const syncList = (options: SyncOptions, caller: Caller, begun: Run): Effect.Effect<RunRow, Failures> => {
  const { client } = options
  const { collection } = begun
  const read = Effect.fnUntraced(function* (isFresh: boolean): Effect.fn.Return<RunRow, Failures> {
    const [run = begun] = isFresh ? yield* begin(options, caller, [collection], true) : [begun]
    return yield* (
      collection === "contracts"
        ? readList(
            options,
            client.contracts,
            contractVersion,
            options.data === true ? payloadReader(client.contracts) : null,
            caller,
            run,
          )
        : readList(options, client.apiKeys, keyVersion, null, caller, run)
    ).pipe(
      // The key was replaced after the read was interrupted.
      Effect.catchIf(
        (error) => !isFresh && error._tag === "ClientError" && error.reason._tag === "CheckpointRefused",
        () => read(true),
      ),
    )
  })
  // A read that was interrupted after its last page has nothing left to request. Finished now, it would say of the list now what its last answer said.
  const isRead = begun.checkpoint?.next === null
  // If pages do not overlap or records changed meanwhile, the part before an interruption proves nothing. Neither does an interrupted proof. The
  // list is then read once more, in one go.
  return Effect.filterOrElse(
    read(isRead),
    ({ reason }) => reason !== "resumed" && reason !== "unfinished",
    () => read(true),
  )
}

/**
 * Reads the lists of an account into the mirror, one after the other, and returns a row for each. Fails with the client's error, or a `SyncError`;
 * what was already stored stays, and the next call resumes there. The reason is noted in the mirror.
 */
export const syncAccount = Effect.fnUntraced(function* (
  options: SyncOptions,
): Effect.fn.Return<ReadonlyArray<RunRow>, Failures> {
  const { account, client, collections = ["contracts", "api-keys"], isConfirmed = false, store } = options
  yield* requireNames([account])
  const caller: Caller = {
    account,
    baseUrl: client.config.base,
    identity: yield* askIdentity(client),
    isConfirmed,
  }
  const note = (problem: string | null) => Effect.flatMap(isoNow, (at) => store.note(caller, problem, at))
  // All lists are begun before the first one is read, so that the mirror knows the lists still to be read, whatever ends the sync.
  return yield* begin(options, caller, collections, false).pipe(
    Effect.flatMap(Effect.forEach((run) => syncList(options, caller, run))),
    Effect.tap(() => note(null)),
    // The first error is the one to report, even if it cannot be noted. A read that was taken over is not a problem of the account, and a note
    // must not add an account again that another process has removed.
    Effect.tapError(({ message, reason }) =>
      reason._tag === "TakenOver" || reason._tag === "AccountUnknown"
        ? Effect.void
        : Effect.ignore(reason._tag === "AccountTwice" ? store.drop(account) : note(client.redact(message))),
    ),
  )
})

/**
 * Notes in the mirror why the client of an account could not be opened, such as a missing key file. The note stays until a sync of the account
 * succeeds. Never fails: the error of the account is the one to report. With `isAdded`, also notes an account that the mirror does not hold yet;
 * its address is stored with its first page.
 */
export const noteUnopened = (
  store: MirrorStore,
  account: string,
  problem: string,
  { isAdded }: { readonly isAdded: boolean },
): Effect.Effect<void> =>
  Effect.ignore(
    Effect.flatMap(Effect.andThen(requireNames([account]), isoNow), (at) =>
      store.note({ account, baseUrl: isAdded ? "" : null }, problem, at),
    ),
  )
