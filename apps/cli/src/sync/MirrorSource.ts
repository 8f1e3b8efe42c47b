/**
 * The lists of an account in a mirror, used instead of the service's: nothing is requested, and no key is needed. Statements about their completeness
 * come from the mirror's proof, and never claim more than it does.
 */
import { ApiKey, Contract, Json, unreadSummary } from "@deedkit/core"
import type { Page, PropertyClient, ReadSummary, RejectedRecord } from "@deedkit/core"
import { isComplete } from "@deedkit/sync"
import type { Collection, Kept, MirrorStore, RunRow, Snapshot } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { SharedFlags } from "../command/SharedFlags.ts"
import { Failure, usageError } from "../failure/Failure.ts"
import * as MirrorCatalogue from "../failure/MirrorCatalogue.ts"
import type { SourceList, StoredList, StoredSession } from "../session/RecordSource.ts"
import * as Session from "../session/Session.ts"
import { nounsOf } from "../terminal/ClosingLine.ts"
import type { Environment } from "../terminal/Environment.ts"
import { count, duration, figure, firstOf } from "../terminal/Figures.ts"
import { Terminal } from "../terminal/Terminal.ts"
import { clean } from "../terminal/TerminalText.ts"
import { openMirror, read } from "./Mirror.ts"
import type { MirrorChoices, Moment } from "./MirrorFlags.ts"
import * as RunText from "./RunText.ts"

/** Flags that are about requests, with what to do instead. */
const advised: { readonly [flag: string]: string } = {
  "--data": "The payloads that a sync has read with --data are in the mirror, and are included.",
  "--profile": "Choose the account of the mirror with --account NAME.",
}

/** Rejects flags that are about requests: they would have no effect. */
export const refuse = (
  flags: Pick<
    SharedFlags,
    "apiKeyStdin" | "attempts" | "baseUrl" | "cursorParam" | "profile" | "rate" | "timeout"
  >,
  own: { readonly [flag: string]: boolean },
): Effect.Effect<void, Failure> => {
  const given = {
    ...own,
    "--profile": flags.profile !== undefined,
    "--base-url": flags.baseUrl !== undefined,
    "--api-key-stdin": flags.apiKeyStdin,
    "--cursor-param": flags.cursorParam !== undefined,
    "--rate": flags.rate !== undefined,
    "--timeout": flags.timeout !== undefined,
    "--attempts": flags.attempts !== undefined,
  }
  const [flag] = Object.entries(given).find(([, isGiven]) => isGiven) ?? []
  return flag === undefined
    ? Effect.void
    : usageError(
        `${flag} is for requests, but --from reads a mirror without requests`,
        advised[flag] ?? `Leave out ${flag}.`,
      )
}

const mostNamed = 10

/** The account that the flags name, or the only one. */
const accountIn = Effect.fnUntraced(function* (store: MirrorStore, { account }: MirrorChoices) {
  if (account !== undefined) return account
  const names = (yield* store.status).map((each) => each.account)
  const [only] = names
  if (only === undefined) {
    return yield* new Failure({ reason: { _tag: "NotSynced", problems: [], accounts: 0, isTold: false } })
  }
  if (names.length === 1) return only
  return yield* usageError(
    `The mirror has ${names.length} accounts`,
    `Choose one with --account NAME: ${firstOf(names.map(clean), mostNamed)}.`,
  )
})

/** The names of all accounts of a mirror, or of those with a tag. */
export const accountsOf = Effect.fnUntraced(function* (
  from: string,
  tag?: string,
): Effect.fn.Return<ReadonlyArray<string>, Failure, Environment> {
  const all = yield* read(from, (store) => store.status)
  const found = tag === undefined ? all : all.filter(({ tags }) => tags.includes(tag))
  if (tag === undefined || found.length > 0) return found.map(({ account }) => account)
  const known = [...new Set(all.flatMap(({ tags }) => tags))].toSorted()
  return yield* usageError(
    `No account of the mirror has the tag ${tag}`,
    known.length === 0
      ? "Give accounts `tags` in the accounts file, and sync."
      : `Choose one of its tags: ${firstOf(known.map(clean), mostNamed)}.`,
  )
})

/** Records per page if the command does not specify it. */
const defaultPageSize = 100

/** The summary of a mirror's read. Counts that the mirror does not keep are 0. */
const summaryOf = (row: RunRow): ReadSummary => {
  const unread = unreadSummary(row.collection, row.startedAt)
  return {
    ...unread,
    endedAt: row.endedAt,
    pages: row.pages,
    records: row.records,
    rejected: row.rejected,
    requests: row.requests,
    cursor: {
      parameter: row.cursorParameter ?? unread.cursor.parameter,
      state: (row.cursorState ?? "unverified") as ReadSummary["cursor"]["state"],
      evidence: row.cursorEvidence,
    },
    complete: true,
    completeness: {
      state: (row.completeness ?? "unverified") as ReadSummary["completeness"]["state"],
      reason: (row.reason ?? "unfinished") as ReadSummary["completeness"]["reason"],
      readings: row.readings,
      differences: 0,
    },
  }
}

/** How a record of a list is checked. */
interface Model<A> {
  readonly is: (value: unknown) => value is A
  readonly issues: (value: unknown) => RejectedRecord["issues"]
}

const parsed = (text: string): Json.Json => {
  try {
    return Json.parse(text)
  } catch {
    return text
  }
}

type Read<A> =
  | { readonly _tag: "Valid"; readonly record: A }
  | { readonly _tag: "Rejected"; readonly record: RejectedRecord }

const changed = {
  path: "",
  expected: "the text that was stored in the mirror",
  found: "another one: the row was changed",
}

/** The record with its payload. The list's own members come first and are not overwritten. */
const whole = <A extends object>(record: A, payload: object): A =>
  Object.fromEntries([
    ...Object.entries(record),
    ...Object.entries(payload).filter(([name]) => !Object.hasOwn(record, name)),
  ]) as A

/** The record with its payload, or its problems if rows of the mirror were changed. */
const recordOf = <A extends object>(
  { is, issues }: Model<A>,
  { body, data, id, isIntact }: Kept,
): Read<A> => {
  const raw = parsed(body)
  if (!isIntact) return { _tag: "Rejected", record: { id, issues: [changed], raw } }
  if (!is(raw)) return { _tag: "Rejected", record: { id, issues: issues(raw), raw } }
  const payload = data === null ? null : parsed(data)
  return { _tag: "Valid", record: Json.isObject(payload) ? whole(raw, payload) : raw }
}

/** The pages of a snapshot. */
const pagesOf =
  <A extends { readonly id: number }>(snapshot: Snapshot, model: Model<A>, whole: ReadSummary) =>
  ({ from, limit = defaultPageSize }: PropertyClient.ListOptions = {}): Stream.Stream<Page<A>, Failure> =>
    Stream.paginate(from?.recent.at(-1) ?? null, (after) =>
      Effect.map(
        // One extra record shows whether there are more.
        Effect.mapError(snapshot.page(after, limit + 1), MirrorCatalogue.failureOf),
        (found) => {
          const kept = found.slice(0, limit)
          const next = found.length > limit ? (kept.at(-1)?.id ?? null) : null
          const all = kept.map((each) => recordOf(model, each))
          const summary = { ...whole, complete: next === null }
          const page: Page<A> = {
            records: all.flatMap((each) => (each._tag === "Valid" ? [each.record] : [])),
            superseded: [],
            rejected: all.flatMap((each) => (each._tag === "Rejected" ? [each.record] : [])),
            next,
            requestId: null,
            checkpoint: {
              version: 1,
              origin: URL.canParse(snapshot.baseUrl) ? new URL(snapshot.baseUrl).origin : snapshot.baseUrl,
              keyFingerprint: "",
              collection: whole.collection,
              next: null,
              // The next page follows this id.
              recent: kept.slice(-1).map(({ id }) => id),
              proof: null,
              summary,
            },
            summary,
          }
          return [[page], next === null ? Option.none() : Option.some<number | null>(next)] as const
        },
      ),
    )

/** `22 h before 2026-10-31T00:00:00.000Z`, or `22 h ago`; null if the clock was set back. */
const age = ({ endedAt }: RunRow, { asOf, nowMillis }: Moment): string | null => {
  const millis = nowMillis - Date.parse(endedAt)
  if (millis < 0) return null
  return asOf === null ? `${duration(millis)} ago` : `${duration(millis)} before ${asOf}`
}

const line = (row: RunRow, isWhole: boolean, moment: Moment): string => {
  const { account, collection, completeness, endedAt, run, startedAt, unlisted } = row
  const { many, one } = nounsOf(collection)
  return [
    `${count(row.records, one, many)} of ${clean(account)}`,
    ...(unlisted === 0 ? [] : [`${figure(unlisted)} more not listed`]),
    `read ${startedAt} to ${endedAt} by run ${run} of the mirror`,
    ...[age(row, moment)].filter((each) => each !== null),
    isWhole ? `complete (${completeness})` : "not complete",
  ].join(", ")
}

/** The description of a snapshot's list. It never claims more than the snapshot's proof. */
const storedOf = (
  { brokenAt, hash, missing, row }: Pick<Snapshot, "brokenAt" | "hash" | "missing" | "row">,
  moment: Moment,
): StoredList => {
  const broken = [
    ...(brokenAt === null ? [] : [RunText.broken(brokenAt)]),
    ...(missing === 0 ? [] : [RunText.miscounted(missing, row.collection)]),
  ]
  const lacking = isComplete(row) ? [] : [RunText.why(row)]
  const isWhole = broken.length + lacking.length === 0
  return {
    run: row.run,
    sha256: hash,
    // An itself says why a reading is unverified.
    reasons: { unverified: broken, partial: row.completeness === "unverified" ? [] : lacking },
    isComplete: isWhole,
    line: line(row, isWhole, moment),
    problems: [...broken, ...lacking],
  }
}

const ofContract: Model<Contract.Contract> = { is: Contract.isContract, issues: Contract.issues }
const ofKey: Model<ApiKey.ApiKey> = { is: ApiKey.isApiKey, issues: ApiKey.issues }

const listOf = <A extends { readonly id: number }>(
  store: MirrorStore,
  snapshot: Snapshot,
  model: Model<A>,
  moment: Moment,
): SourceList<A> => {
  const { row } = snapshot
  const summary = summaryOf(row)
  return {
    pages: pagesOf(snapshot, model, summary),
    stored: storedOf(snapshot, moment),
    changesSince: (since) =>
      Effect.map(Effect.mapError(store.changes(since), MirrorCatalogue.failureOf), (lists) => {
        const { account, collection, run } = row
        const own = lists.find((list) => list.account === account && list.collection === collection)
        // A later read may have stored more since.
        const changes = (own?.changes ?? []).filter((change) => change.run <= run)
        return { account, collection, firstRead: own?.firstRead ?? 0, held: own?.held ?? 0, run, changes }
      }),
  }
}

/** A list that the command does not read. */
const unread: SourceList<never> = {
  pages: () => Stream.die(new Error("This list of the mirror is not open.")),
}

/** Opens a mirror for several accounts of it, and closes it with its scope. */
export const openStore = (from: string) =>
  Effect.catchTag(openMirror(from, true), "SyncError", (error) => MirrorCatalogue.failureOf(error))

/**
 * Opens lists of a mirror by the names of their tables, `contracts` and `keys`, and closes it with its scope; `opened` is the mirror if it is open
 * already.
 */
export const open = (
  flags: Pick<SharedFlags, "json" | "quiet">,
  choices: MirrorChoices & { readonly from: string },
  moment: Moment,
  names: ReadonlyArray<string>,
  opened?: MirrorStore,
): Effect.Effect<StoredSession, Failure, Scope.Scope | Environment | Terminal> =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const store = opened ?? (yield* openMirror(choices.from, true))
    const account = yield* accountIn(store, choices)
    const { asOf } = moment
    const snapshotOf = (name: string, collection: Collection) =>
      names.includes(name)
        ? store.snapshot({ account, collection, at: asOf })
        : Effect.succeed<Snapshot | null>(null)
    const contracts = yield* snapshotOf("contracts", "contracts")
    const keys = yield* snapshotOf("keys", "api-keys")
    const rows = [contracts, keys].flatMap((snapshot) => (snapshot === null ? [] : [snapshot.row]))
    return {
      terminal,
      note: Session.note(terminal, flags),
      client: {
        contracts: contracts === null ? unread : listOf(store, contracts, ofContract, moment),
        apiKeys: keys === null ? unread : listOf(store, keys, ofKey, moment),
        // A mirror holds no key.
        redact: (text: string) => text,
        listen: () => () => {},
      },
      mirror: {
        account,
        asOf,
        startedAt: rows.map(({ startedAt }) => startedAt).toSorted()[0] ?? "",
        endedAt:
          rows
            .map(({ endedAt }) => endedAt)
            .toSorted()
            .at(-1) ?? "",
      },
    }
  }).pipe(Effect.catchTag("SyncError", MirrorCatalogue.failureOf))
