/** The records of several accounts in one table: the profiles of a service, or the accounts of a mirror. */
import type { Table, Texts } from "@deedkit/export"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { root } from "../command/SharedFlags.ts"
import { ofAccount } from "../command/Subcommand.ts"
import type { CommandError, Needs } from "../command/Subcommand.ts"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"
import type { SourceList, SourceSession } from "../session/RecordSource.ts"
import * as MirrorFlags from "../sync/MirrorFlags.ts"
import type { Origin } from "./ExportAccount.ts"
import * as ExportAccount from "./ExportAccount.ts"
import type { RunChoices } from "./ExportFlags.ts"
import * as ExportProfiles from "./ExportProfiles.ts"
import { withAccount } from "./ReportTables.ts"
import type { JobOptions, Planned } from "./RunExport.ts"

/** An account with its own source. */
export interface SourceAccount {
  readonly name: string
  readonly session: SourceSession
}

/**
 * The names of the accounts that go into one file: with `--combine`, or because its name has no `{profile}`, those of `--all` or of
 * several profiles, or of a mirror, be it one; else null.
 */
export const namesOf = Effect.fnUntraced(function* (choices: ExportProfiles.Several) {
  const { combine = false, dataColumns = false, from, out } = choices
  if (dataColumns) return null
  const perAccount = out.find((target) => target.includes("{profile}"))
  if (!combine) {
    if (out.length === 0 || perAccount !== undefined) return null
    const names = yield* ExportProfiles.namesOf(choices)
    return names.length > 0 ? names : null
  }
  if (perAccount !== undefined) {
    return yield* usageError(
      `--combine writes one file for all accounts, and --out ${perAccount} one for each`,
      "Leave out --combine or {profile}.",
    )
  }
  const names = yield* ExportProfiles.namesOf(choices)
  return names.length === 0
    ? yield* usageError(
        "--combine needs several accounts",
        from === undefined
          ? "Add --all, or name each profile with --profile, after the command."
          : "Add --all or --tag NAME, after the command, for accounts that the mirror has.",
      )
    : names
})

/** What a file of several accounts cannot be combined with, or a profile that is named twice; null if there is neither. */
export const refusalOf = (
  names: ReadonlyArray<string>,
  flags: { readonly [flag: string]: boolean },
  file: string,
): Failure | null => {
  const twice = ExportProfiles.twiceNamed(names)
  if (twice !== null) return twice
  const [refused] = Object.entries(flags).find(([, isGiven]) => isGiven) ?? []
  return refused === undefined
    ? null
    : usageError(
        `${refused} and a ${file} of several accounts cannot be combined`,
        `Leave ${refused} out, or write a ${file} for each.`,
      )
}

/** One table of the records of all accounts, whose first column says whose they are. */
export const inOneTable = <A extends { readonly id: number }>(
  accounts: ReadonlyArray<SourceAccount>,
  listOf: (client: SourceSession["client"]) => SourceList<A>,
) => {
  const owners = new WeakMap<A, string>()
  return {
    table: (table: Table.Table<A>, language: Texts.Language) =>
      withAccount(table, language, (record) => owners.get(record) ?? null),
    /** The options of the job of an account, which remember whose records it reads. */
    options: (
      session: SourceSession,
      collect: (records: ReadonlyArray<A>, account: string) => void = () => {},
    ): Pick<JobOptions<A>, "account" | "collect"> => {
      const account = accounts.find((each) => each.session === session)!.name
      return {
        account,
        collect: (records) => {
          for (const record of records) owners.set(record, account)
          collect(records, account)
        },
      }
    },
    /** The table, from each account. */
    planned: ({ afterRun, isLeftOut, job, selection }: Planned): ReadonlyArray<Planned> =>
      accounts.map(({ name, session }, at) => ({
        selection,
        of: { account: name, list: listOf(session.client) },
        job: (_session, pageSize) => job(session, pageSize),
        ...(isLeftOut === undefined ? {} : { isLeftOut: () => isLeftOut(session, name) }),
        // What is said of conditions is of all accounts.
        afterRun: (first) => (at === 0 ? afterRun?.(first) : undefined),
      })),
  }
}

/** Opens the sources of all accounts, and what they have in common. */
export const open = Effect.fnUntraced(function* (
  choices: RunChoices,
  names: ReadonlyArray<string>,
  data: boolean,
  tables: ReadonlyArray<string>,
): Effect.fn.Return<
  { readonly accounts: ReadonlyArray<SourceAccount>; readonly origin: Origin },
  CommandError,
  Needs | Scope.Scope
> {
  const flags = yield* root
  const { from } = choices
  // One connection for all accounts: a server may have hundreds of them, and fewer connections to give.
  const opened =
    from === undefined
      ? undefined
      : yield* Effect.flatMap(
          Effect.promise(() => import("../sync/MirrorSource.ts")),
          ({ openStore }) => openStore(from),
        )
  const accounts = yield* Effect.forEach(names, (name) =>
    Effect.gen(function* () {
      const own = { ...choices, account: from === undefined ? undefined : name }
      const { connect } =
        from === undefined
          ? yield* ExportAccount.ofService({ ...flags, profile: name })
          : yield* ExportAccount.ofMirror(flags, { ...own, from }, yield* MirrorFlags.momentOf(own), {
              data,
              names: tables,
              opened,
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
