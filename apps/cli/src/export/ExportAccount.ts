/**
 * The source and the owner of the records of an export: the profile, and what `/v1/me/` says about the key's holder. Requested once, before the first
 * page. A failure does not end the export: its manifest gives the reason (Spec: Endpoints 7 leave shape and scope open). For a mirror, nothing is
 * requested.
 */
import type { PropertyClient } from "@deedkit/core"
import { Account } from "@deedkit/export"
import type { MirrorStore } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { SharedFlags } from "../command/SharedFlags.ts"
import type { CommandError, Needs } from "../command/Subcommand.ts"
import * as Catalogue from "../failure/Catalogue.ts"
import type { Failure } from "../failure/Failure.ts"
import type { SourceSession } from "../session/RecordSource.ts"
import * as Session from "../session/Session.ts"
import * as Settings from "../session/Settings.ts"
import type { Sources } from "../session/Settings.ts"
import { isName } from "../store/Profile.ts"
import type { Moment } from "../sync/MirrorFlags.ts"
import { Environment } from "../terminal/Environment.ts"
import type { RunChoices } from "./ExportFlags.ts"

/** Longest wait for the response, in seconds. */
const mostSeconds = 10

/** The profile whose key is used; null if the key comes from elsewhere. */
const profileOf = ({ apiKey, own }: Pick<Sources, "apiKey" | "own">): string | null =>
  own !== null && apiKey?.source === `profile ${own.name}` ? own.name : null

/** Requests `/v1/me/`. Never fails. */
export const ask = (
  { me, redact }: Pick<PropertyClient.Service, "me" | "redact">,
  profile: string | null,
): Effect.Effect<Account.Caller> => {
  const unknown = (meReason: string): Account.Caller => ({ profile, me: null, meReason })
  return me().pipe(
    Effect.map((answer): Account.Caller => ({ profile, me: Account.meOf(answer, redact), meReason: null })),
    Effect.catch(({ reason }) =>
      Effect.succeed(unknown(Account.clean(Catalogue.ofClient(reason).headline, redact))),
    ),
    Effect.timeoutOrElse({
      duration: `${mostSeconds} seconds`,
      orElse: () => Effect.succeed(unknown(`no answer within ${mostSeconds} s`)),
    }),
  )
}

/** The source and the owner of the records of an export. */
export interface Origin {
  /** For file names: the profile, or the account of a mirror. Null if the key does not come from a profile. */
  readonly profile: string | null
  readonly connect: Effect.Effect<
    { readonly session: SourceSession; readonly caller: Effect.Effect<Account.Caller> },
    CommandError,
    Needs | Scope.Scope
  >
}

/** The service, with the current settings. */
export const ofService = Effect.fnUntraced(function* (
  flags: SharedFlags,
): Effect.fn.Return<Origin, Failure, Needs> {
  const sources = yield* Settings.gather(flags, yield* Environment)
  const profile = profileOf(sources)
  const connect = Effect.map(Session.openWith(sources, flags, "patient"), (session) => ({
    session,
    caller: ask(session.client, profile),
  }))
  return { profile, connect }
})

/** The mirror of `--from`, which may be open already. Rejects flags that are about requests. */
export const ofMirror = Effect.fnUntraced(function* (
  flags: SharedFlags,
  choices: RunChoices & { readonly from: string },
  moment: Moment,
  wanted: {
    readonly data: boolean
    readonly names: ReadonlyArray<string>
    readonly opened?: MirrorStore | undefined
  },
): Effect.fn.Return<Origin, Failure, Needs | Scope.Scope> {
  const MirrorSource = yield* Effect.promise(() => import("../sync/MirrorSource.ts"))
  yield* MirrorSource.refuse(flags, {
    "--data": wanted.data,
    "--dry-run": choices.dryRun,
    "--page-size": choices.pageSize !== undefined,
    "--quick": choices.quick,
    "--resume": choices.resume,
  })
  const session = yield* MirrorSource.open(flags, choices, moment, wanted.names, wanted.opened)
  const caller: Account.Caller = { profile: null, me: null, meReason: "the records are from a mirror" }
  return {
    // The name becomes part of a file name, and another program may have written the mirror.
    profile: isName(session.mirror.account) ? session.mirror.account : null,
    connect: Effect.succeed({ session, caller: Effect.succeed(caller) }),
  }
})
