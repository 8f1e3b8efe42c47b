/**
 * Which profile a command works with: the one that is named by `--profile` or DEEDKIT_PROFILE, else the current one, else none.
 */
import * as Effect from "effect/Effect"
import type { Variables } from "../terminal/Environment.ts"
import { nearest } from "../command/Nearest.ts"
import type { Profile, Profiles } from "../store/Profile.ts"
import { isName } from "../store/Profile.ts"
import * as ProfileFile from "../store/ProfileFile.ts"
import type { Setting } from "./Setting.ts"
import { given, settle } from "./Setting.ts"
import type { SharedFlags } from "../command/SharedFlags.ts"
import type { StoreError } from "../failure/StoreError.ts"
import type { UsageError } from "../failure/UsageError.ts"
import { usageError } from "../failure/UsageError.ts"

export interface Choice {
  readonly name: Setting<string> | null
  readonly profile: Profile | null
  /** Every profile that there is. */
  readonly names: ReadonlyArray<string>
  /** The file of profiles; null where there is no place for one. */
  readonly path: string | null
  /** What the owner should know about that file, in full sentences. */
  readonly warnings: ReadonlyArray<string>
}

type Named = Pick<SharedFlags, "profile">

/** Where the name of a profile comes from that nobody has named. */
const current = "the current profile"

/** Whether a flag or a variable names the profile. */
export const isNamed = (choice: Pick<Choice, "name"> | null): boolean =>
  choice !== null && choice.name !== null && choice.name.source !== current

/** The name in force, which need not be that of a profile yet. */
export const nameOf = (
  flags: Named,
  variables: Pick<Variables, "profile">,
  profiles: Profiles,
): Effect.Effect<Setting<string> | null, UsageError> => {
  const name = settle(
    given("--profile", flags.profile),
    given("DEEDKIT_PROFILE", variables.profile),
    given(current, profiles.current),
  )
  return name === null || isName(name.value)
    ? Effect.succeed(name)
    : Effect.fail(
        usageError(
          `${name.source} names no possible profile`,
          `A name is made of letters, digits, dots, dashes and underscores.${name.value === "" ? ` ${name.source} is empty.` : ""}`,
        ),
      )
}

/** The profile of a name. Fails with the nearest one. */
export const find = ({ byName }: Profiles, name: string): Effect.Effect<Profile, UsageError> => {
  const profile = byName.get(name)
  if (profile !== undefined) return Effect.succeed(profile)
  const names = [...byName.keys()]
  const near = nearest(name, names)
  return Effect.fail(
    usageError(
      `There is no profile "${name}"`,
      near !== null
        ? `Did you mean ${near}?`
        : names.length > 0
          ? `There are: ${names.join(", ")}.`
          : "Make one with deedkit auth login.",
    ),
  )
}

/** The profile in force. */
export const choose = (flags: Named, variables: Variables): Effect.Effect<Choice, StoreError | UsageError> =>
  Effect.gen(function* () {
    const { othersMayRead, path, profiles } = yield* ProfileFile.load(variables)
    const name = yield* nameOf(flags, variables, profiles)
    const profile = name === null ? null : yield* find(profiles, name.value)
    const warnings = othersMayRead
      ? [`Others may read the file of profiles ${path}: run chmod 600 on it.`]
      : []
    return { name, profile, names: [...profiles.byName.keys()], path, warnings }
  })

/** What to do where there are profiles and none is in force; null where there are none. */
export const advice = ({ name, names }: Choice): string | null =>
  name === null && names.length > 0
    ? `There are profiles (${names.join(", ")}) and none is current: choose one with deedkit profile use NAME, or --profile.`
    : null

/** No profile, because the file of profiles is not needed and cannot be read. */
export const without = (problem: StoreError): Choice => ({
  name: null,
  profile: null,
  names: [],
  path: problem.path,
  warnings: [problem.message],
})
