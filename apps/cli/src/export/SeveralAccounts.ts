/** The contracts of several accounts in one report: the profiles of a service, or the accounts of a mirror. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { root } from "../command/SharedFlags.ts"
import { ofAccount } from "../command/Subcommand.ts"
import type { CommandError, Needs } from "../command/Subcommand.ts"
import type { SourceSession } from "../session/RecordSource.ts"
import * as MirrorFlags from "../sync/MirrorFlags.ts"
import type { Origin } from "./ExportAccount.ts"
import * as ExportAccount from "./ExportAccount.ts"
import type { RunChoices } from "./ExportFlags.ts"

/** An account with its own source. */
export interface SourceAccount {
  readonly name: string
  readonly session: SourceSession
}

/** Opens the sources of all accounts, and what they have in common. */
export const open = (
  choices: RunChoices,
  names: ReadonlyArray<string>,
  data: boolean,
): Effect.Effect<
  { readonly accounts: ReadonlyArray<SourceAccount>; readonly origin: Origin },
  CommandError,
  Needs | Scope.Scope
> =>
  Effect.gen(function* () {
    const flags = yield* root
    const { from } = choices
    const accounts = yield* Effect.forEach(names, (name) =>
      Effect.gen(function* () {
        const own = { ...choices, account: from === undefined ? undefined : name }
        const { connect } =
          from === undefined
            ? yield* ExportAccount.ofService({ ...flags, profile: name })
            : yield* ExportAccount.ofMirror(flags, { ...own, from }, yield* MirrorFlags.momentOf(own), {
                data,
                names: ["contracts"],
              })
        return { name, session: (yield* ofAccount(name)(connect)).session }
      }),
    )
    const [first, ...others] = accounts.map(({ session }) => session)
    const mirrors = accounts.flatMap(({ session }) => session.mirror ?? [])
    const [mirror] = mirrors
    const session: SourceSession = {
      ...first!,
      client: {
        ...first!.client,
        redact: (text) => accounts.reduce((clean, { session: own }) => own.client.redact(clean), text),
        listen: (listener) => {
          const all = [first!, ...others].map(({ client }) => client.listen(listener))
          return () => {
            for (const unlisten of all) unlisten()
          }
        },
      },
      ...(mirror === undefined
        ? {}
        : {
            mirror: {
              account: names.join(", "),
              asOf: mirror.asOf,
              startedAt: mirrors.map(({ startedAt }) => startedAt).toSorted()[0]!,
              endedAt: mirrors
                .map(({ endedAt }) => endedAt)
                .toSorted()
                .at(-1)!,
            },
          }),
    }
    const caller = {
      profile: mirror === undefined ? names.join(", ") : null,
      me: null,
      meReason: "the records are those of several accounts",
    }
    return {
      accounts,
      origin: { profile: null, connect: Effect.succeed({ session, caller: Effect.succeed(caller) }) },
    }
  })
