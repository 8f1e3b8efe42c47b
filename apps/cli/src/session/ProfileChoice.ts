/**
 * Selects the profile of a command: the one named by `--profile` or DEEDKIT_PROFILE, otherwise the current one, otherwise none.
 */
import * as Effect from "effect/Effect"
import type { Variables } from "../terminal/Environment.ts"
import { nearest } from "@deedkit/export"
import type { Profile, Profiles } from "../store/Profile.ts"
import { isName } from "../store/Profile.ts"
import * as ProfileFile from "../store/ProfileFile.ts"
import type { Setting } from "./Setting.ts"
import { given, settle } from "./Setting.ts"
import type { SharedFlags } from "../command/SharedFlags.ts"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"

export interface Choice {
  readonly name: Setting<string> | null
  readonly profile: Profile | null
  /** All profiles. */
  readonly names: ReadonlyArray<string>
  /** The profile file; null if there is no place for one. */
  readonly path: string | null
  /** Warnings about that file, in sentences. */
  readonly warnings: ReadonlyArray<string>
}

type Named = Pick<SharedFlags, "profile">

/** The source of a name that neither flag nor variable gives. */
const current = "the current profile"

/** Whether a flag or a variable names the profile. */
export const isNamed = (choice: Pick<Choice, "name"> | null): boolean =>
  choice !== null && choice.name !== null && choice.name.source !== current

/** The name that applies. A profile of that name need not exist yet. */
export const nameOf = (
  flags: Named,
  variables: Pick<Variables, "profile">,
  profiles: Profiles,
): Effect.Effect<Setting<string> | null, Failure> => {
  const name = settle(
    given("--profile", flags.profile),
    given("DEEDKIT_PROFILE", variables.profile),
    given(current, profiles.current),
  )
  return name === null || isName(name.value)
    ? Effect.succeed(name)
    : usageError(
        `Invalid profile name in ${name.source}`,
        `A name has letters, digits, dots, dashes and underscores.${name.value === "" ? ` ${name.source} is empty.` : ""}`,
      )
}

/** The profile of a name. The error suggests the nearest one. */
export const find = ({ byName }: Profiles, name: string): Effect.Effect<Profile, Failure> => {
  const profile = byName.get(name)
  if (profile !== undefined) return Effect.succeed(profile)
  const names = [...byName.keys()]
  const near = nearest(name, names)
  return usageError(
    `Unknown profile "${name}"`,
    near !== null
      ? `Did you mean ${near}?`
      : names.length > 0
        ? `Profiles: ${names.join(", ")}.`
        : "Create one with `deedkit auth login`.",
  )
}

export const choose = Effect.fnUntraced(function* (
  flags: Named,
  variables: Variables,
): Effect.fn.Return<Choice, Failure> {
  const { othersMayRead, path, profiles } = yield* ProfileFile.load(variables)
  const name = yield* nameOf(flags, variables, profiles)
  const profile = name === null ? null : yield* find(profiles, name.value)
  const warnings = othersMayRead
    ? [`Other users can read the profile file ${path}: run chmod 600 on it.`]
    : []
  return { name, profile, names: [...profiles.byName.keys()], path, warnings }
})

/** What to do if there are profiles but none applies; null otherwise. */
export const advice = ({ name, names }: Choice): string | null =>
  name === null && names.length > 0
    ? `No profile is current (${names.join(", ")}): choose one with \`deedkit profile use NAME\` or --profile NAME.`
    : null

/** The choice of no profile, for a profile file that is not needed and cannot be read. */
export const without = (path: string | null, problem: string): Choice => ({
  name: null,
  profile: null,
  names: [],
  path,
  warnings: [problem],
})
