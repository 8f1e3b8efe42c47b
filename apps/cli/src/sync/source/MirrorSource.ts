/**
 * The lists of an account in a mirror, used instead of the service's: nothing is requested, and no key is needed. Statements about their completeness
 * come from the mirror's proof.
 */
import { ApiKey, Contract } from "@deedkit/core"
import type { Collection, MirrorStore, Snapshot, SyncError } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { SharedFlags } from "../../command/SharedFlags.ts"
import { Failure, usageError } from "../../failure/Failure.ts"
import * as MirrorCatalogue from "../../failure/MirrorCatalogue.ts"
import type { SourceList, StoredSession } from "../../session/RecordSource.ts"
import * as Session from "../../session/Session.ts"
import type { Environment } from "../../terminal/Environment.ts"
import { Terminal } from "../../terminal/Terminal.ts"
import { clean } from "../../terminal/TerminalText.ts"
import { openMirror } from "../mirror/OpenMirror.ts"
import type { MirrorChoices, Moment } from "./MirrorFlags.ts"
import type { Model } from "./MirrorPages.ts"
import { pagesOf, summaryOf } from "./MirrorPages.ts"
import { storedOf } from "./MirrorText.ts"

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
    : Effect.fail(
        usageError(
          `${flag} is for requests, but --from reads a mirror without requests`,
          advised[flag] ?? `Leave out ${flag}.`,
        ),
      )
}

const mostNamed = 10

/** The account that the flags name, or the only one. */
const accountIn = (
  store: MirrorStore,
  { account }: MirrorChoices,
): Effect.Effect<string, Failure | SyncError> =>
  Effect.gen(function* () {
    if (account !== undefined) return account
    const names = (yield* store.status).map((each) => each.account)
    const [only] = names
    if (only === undefined) {
      return yield* new Failure({ reason: { _tag: "NotSynced", problems: [], accounts: 0, isTold: false } })
    }
    if (names.length === 1) return only
    const rest = names.length - mostNamed
    return yield* usageError(
      `The mirror has ${names.length} accounts`,
      `Choose one with --account NAME: ${names.slice(0, mostNamed).map(clean).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}.`,
    )
  })

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
    stored: storedOf(snapshot, summary, moment),
    changesSince: (since) =>
      Effect.map(Effect.mapError(store.changes(since), MirrorCatalogue.failureOf), (lists) => {
        const { account, collection, run } = row
        const own = lists.find((list) => list.account === account && list.collection === collection)
        // A later read may have stored more since.
        const changes = (own?.changes ?? []).filter((change) => change.run <= run)
        return { account, collection, firstRead: own?.firstRead ?? 0, changes }
      }),
  }
}

/** A list that the command does not read. */
const unread: SourceList<never> = {
  pages: () => Stream.die(new Error("This list of the mirror is not open.")),
}

/** Opens lists of a mirror by the names of their tables, `contracts` and `keys`, and closes it with its scope. */
export const open = (
  flags: Pick<SharedFlags, "json" | "quiet">,
  choices: MirrorChoices & { readonly from: string },
  moment: Moment,
  names: ReadonlyArray<string>,
): Effect.Effect<StoredSession, Failure, Scope.Scope | Environment | Terminal> =>
  Effect.gen(function* () {
    const terminal = yield* Terminal
    const store = yield* openMirror(choices.from, true)
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
  }).pipe(Effect.catchTag("SyncError", (error) => Effect.fail(MirrorCatalogue.failureOf(error))))
