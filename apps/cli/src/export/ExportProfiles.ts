/**
 * An export of several profiles, `--profile a --profile b` or `--all`: one run for each, one after the other, into files that `{profile}` tells apart. A
 * profile that fails does not stop the others.
 */
import { ClientError } from "@deedkit/core"
import { ExportError } from "@deedkit/export"
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
import * as ProfileFile from "../store/ProfileFile.ts"
import { Environment } from "../terminal/Environment.ts"

/** `--profile` is a flag of every command; if it is repeated, it becomes `--profiles`. */
export const profileFlags = {
  profiles: Flag.String("profiles").pipe(Flag.atLeast(0), Flag.withHidden),
  all: toggle(
    "all",
    "Export every profile, each to its own file by {profile}; a report without {profile} holds them all. For some, repeat --profile",
  ),
} as const

export type ProfileChoices = Command.Command.Config.Infer<typeof profileFlags>

interface Several extends ProfileChoices {
  readonly out: ReadonlyArray<string>
  readonly from: string | undefined
  readonly dataColumns?: boolean
}

export const namesOf = ({
  all,
  profiles,
}: ProfileChoices): Effect.Effect<ReadonlyArray<string>, Failure, Needs> =>
  Effect.gen(function* () {
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

const refusalOf = (names: ReadonlyArray<string>, { dataColumns, from, out }: Several): Failure | null => {
  if (from !== undefined)
    return usageError(
      "--from reads a mirror, which has accounts and no profiles",
      "Choose one with --account.",
    )
  if (dataColumns === true) return usageError("--data-columns reads one profile", "Name one with --profile.")
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined) return usageError(`The profile ${twice} is named twice`, "Name each once.")
  const shared = out.find((name) => !name.includes("{profile}"))
  return shared === undefined
    ? null
    : usageError(
        `--out ${shared} is one file, and each profile needs its own`,
        "Add {profile} to the name, such as --out 'contracts-{profile}.xlsx'.",
      )
}

const problemOf = (account: string, error: CommandError): AccountProblem => ({
  account,
  problem:
    error instanceof ClientError.ClientError
      ? Catalogue.clientMessage(error)
      : error instanceof ExportError.ExportError
        ? Catalogue.exportMessage(error)
        : error.message,
  exitCode: ExitCode.ofError(error),
})

/** Runs an export once, or for each profile. */
export const forEach =
  <A extends Several>(work: Work<A & { readonly profile?: string }>): Work<A> =>
  (choices) =>
    Effect.gen(function* () {
      const names = yield* namesOf(choices)
      if (names.length === 0) return yield* work(choices)
      const refusal = refusalOf(names, choices)
      if (refusal !== null) return yield* refusal
      const problems: Array<AccountProblem> = []
      for (const profile of names) {
        yield* Effect.catch(ofAccount(profile)(work({ ...choices, profile })), (error) =>
          Effect.sync(() => void problems.push(problemOf(profile, error))),
        )
      }
      if (problems.length > 0) {
        return yield* new Failure({
          reason: { _tag: "NotSynced", problems, accounts: names.length, isTold: false },
        })
      }
    })
