/**
 * An export of several profiles, `--profile a --profile b` or `--all`, or of several accounts of a mirror, `--all` or `--tag`: one run for each, one
 * after the other, into files that `{profile}` tells apart. One that fails does not stop the others.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { root, toggle } from "../command/SharedFlags.ts"
import { ofAccount } from "../command/Subcommand.ts"
import type { CommandError, Needs, Work } from "../command/Subcommand.ts"
import * as Catalogue from "../failure/Catalogue.ts"
import * as ExitCode from "../failure/ExitCode.ts"
import type { AccountProblem } from "../failure/Failure.ts"
import { Failure, usageError } from "../failure/Failure.ts"
import { isName } from "../store/Profile.ts"
import * as ProfileFile from "../store/ProfileFile.ts"
import { Environment } from "../terminal/Environment.ts"

/** `--profile` is a flag of every command; if it is repeated, it becomes `--profiles`. */
export const profileFlags = {
  profiles: Flag.String("profiles").pipe(Flag.atLeast(0), Flag.withHidden),
  all: toggle(
    "all",
    "Export every profile, or with --from every account, each to its own file by {profile}; a report without {profile} holds them all. For some, repeat --profile",
  ),
} as const

export type ProfileChoices = Command.Command.Config.Infer<typeof profileFlags>

export interface Several extends ProfileChoices {
  readonly out: ReadonlyArray<string>
  readonly account: string | undefined
  readonly from: string | undefined
  readonly tag: string | undefined
  readonly combine?: boolean
  readonly dataColumns?: boolean
}

/** The accounts of a mirror: all, or those with a tag. */
const accountsIn = Effect.fnUntraced(function* (from: string, { account, all, profiles, tag }: Several) {
  if (profiles.length > 0)
    return yield* usageError(
      "--from reads a mirror, which has accounts and no profiles",
      "Choose one with --account.",
    )
  const given = { "--account": account !== undefined, "--all": all, "--tag": tag !== undefined }
  const ways = Object.entries(given).flatMap(([flag, isGiven]) => (isGiven ? [flag] : []))
  if (ways.length > 1)
    return yield* usageError(`${ways.join(" and ")} cannot be combined`, "Choose one of them.")
  if (!all && tag === undefined) return []
  const { accountsOf } = yield* Effect.promise(() => import("../sync/MirrorSource.ts"))
  return yield* accountsOf(from, tag)
})

/** The names of the profiles of repeated --profile, or of --all; empty if they choose none. */
export const profilesOf = Effect.fnUntraced(function* ({
  all,
  profiles,
}: ProfileChoices): Effect.fn.Return<ReadonlyArray<string>, Failure, Needs> {
  const { profile } = yield* root
  if (all && (profiles.length > 0 || profile !== undefined))
    return yield* usageError("--all and --profile cannot be combined", "Choose one of them.")
  if (!all) return profiles
  const loaded = yield* ProfileFile.load(yield* Environment)
  const names = [...loaded.profiles.byName.keys()]
  return names.length === 0
    ? yield* usageError("There are no profiles", "Add one with `deedkit auth login --profile NAME`.")
    : names
})

/** The names of the profiles, or of the accounts of a mirror, that the flags choose; empty if they choose none. */
export const namesOf = (choices: Several): Effect.Effect<ReadonlyArray<string>, Failure, Needs> =>
  choices.from !== undefined
    ? accountsIn(choices.from, choices)
    : choices.tag === undefined
      ? profilesOf(choices)
      : usageError(
          "--tag is for a mirror, but the service would be read",
          "Add --from MIRROR, such as --from mirror.sqlite.",
        )

/** The refusal of a profile that is named twice; null if none is. */
export const twiceNamed = (names: ReadonlyArray<string>): Failure | null => {
  const twice = names.find((name, at) => names.indexOf(name) < at)
  return twice === undefined ? null : usageError(`The profile ${twice} is named twice`, "Name each once.")
}

const refusalOf = (names: ReadonlyArray<string>, { dataColumns, from, out }: Several): Failure | null => {
  if (dataColumns === true) return usageError("--data-columns reads one profile", "Name one with --profile.")
  const twice = twiceNamed(names)
  if (twice !== null) return twice
  const shared = out.find((name) => !name.includes("{profile}"))
  return shared === undefined
    ? null
    : usageError(
        `--out ${shared} is one file, and each ${from === undefined ? "profile" : "account"} needs its own`,
        "Add {profile} to the name, such as --out 'contracts-{profile}.xlsx', or write one for all with --combine.",
      )
}

const problemOf = (account: string, error: CommandError): AccountProblem => ({
  account,
  problem: Catalogue.messageOf(error),
  exitCode: ExitCode.ofError(error),
})

/** Runs an export once, or for each profile or account. */
export const forEach =
  <A extends Several>(work: Work<A & { readonly profile?: string; readonly startedAt?: number }>): Work<A> =>
  (choices) =>
    Effect.gen(function* () {
      const names = yield* namesOf(choices)
      if (names.length === 0) return yield* work(choices)
      const refusal = refusalOf(names, choices)
      if (refusal !== null) return yield* refusal
      // All files have the same `{date}`.
      const startedAt = yield* Clock.currentTimeMillis
      const problems: Array<AccountProblem> = []
      for (const name of names) {
        const own = {
          ...choices,
          account: choices.from === undefined ? choices.account : name,
          profile: name,
          startedAt,
        }
        // Another program may have written the mirror.
        const one = isName(name)
          ? work(own)
          : usageError(
              "Its name cannot be part of the name of a file",
              "Rename the account with `deedkit sync rename`, or leave {profile} out.",
            )
        yield* Effect.catch(ofAccount(name)(one), (error) =>
          Effect.sync(() => void problems.push(problemOf(name, error))),
        )
      }
      if (problems.length > 0) {
        return yield* new Failure({
          reason: { _tag: "NotSynced", problems, accounts: names.length, isTold: false },
        })
      }
    })
