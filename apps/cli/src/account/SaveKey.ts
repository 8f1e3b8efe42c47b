/**
 * Saves a checked key in its store, and its location in the profile. Both happen under the lock of the settings, so that two simultaneous logins do
 * not overwrite each other.
 */
import type { ClientConfig } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type * as Stdio from "effect/Stdio"
import * as BaseUrl from "../store/BaseUrl.ts"
import type { Variables } from "../terminal/Environment.ts"
import * as KeySource from "../session/KeySource.ts"
import * as KeyStore from "../store/KeyStore.ts"
import type { KeyPlace, Profile, Profiles } from "../store/Profile.ts"
import { add } from "../store/Profile.ts"
import * as ProfileFile from "../store/ProfileFile.ts"
import * as Settings from "../session/Settings.ts"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"

export interface Saved {
  /** Where the key is now, as a phrase that follows "the key". */
  readonly words: string
  /** The last four characters of a different key that was replaced; null if there was none. */
  readonly replaced: string | null
}

/**
 * Rejects a name that is used for another address, whose account would be replaced, or that differs only in case. Some keychains do not distinguish
 * `Office` from `office`.
 */
export const checkName = (
  { byName }: Profiles,
  name: string,
  baseUrl: string,
): Effect.Effect<void, Failure> => {
  const existing = byName.get(name)
  if (existing !== undefined && !BaseUrl.isSame(existing.baseUrl, baseUrl)) {
    return Effect.fail(
      usageError(
        `Profile ${name} is for ${existing.baseUrl}`,
        `Give the other address a name of its own with --profile NAME, or remove this one with deedkit profile remove ${name}.`,
      ),
    )
  }
  const alike = [...byName.keys()].find(
    (other) => other !== name && other.toLowerCase() === name.toLowerCase(),
  )
  return alike === undefined
    ? Effect.void
    : Effect.fail(
        usageError(
          `There is a profile "${alike}", and "${name}" differs from it in upper and lower case only`,
          `Use ${alike}, or choose another name.`,
        ),
      )
}

/** The last four characters of the profile's current key if they differ from those of `key`; null if they are equal or unknown. */
const otherKey = (
  variables: Variables,
  name: string,
  existing: Profile,
  key: Redacted.Redacted,
): Effect.Effect<string | null, never, Stdio.Stdio> => {
  const source = Settings.savedKey(variables, name, existing)
  if (source === null) return Effect.succeed(null)
  return Effect.map(Effect.option(KeySource.read(source)), (before) => {
    const end = Option.isNone(before) ? null : KeyStore.lastFour(before.value)
    return end === KeyStore.lastFour(key) ? null : end
  })
}

/** Saves the key of a profile. Fails with a `Failure` if the profile has been changed to another address in the meantime. */
export const save = (
  variables: Variables,
  name: string,
  place: KeyPlace,
  config: Pick<ClientConfig.ClientConfig, "base" | "origin">,
  key: Redacted.Redacted,
): Effect.Effect<Saved, Failure, Stdio.Stdio> =>
  Effect.gen(function* () {
    const { profiles } = yield* ProfileFile.load(variables)
    yield* checkName(profiles, name, config.base)
    const existing = profiles.byName.get(name) ?? null
    const replaced = existing === null ? null : yield* otherKey(variables, name, existing, key)
    const owner = Settings.ownerOf(variables, name, config.origin)
    if (place.in !== "file") yield* KeyStore.write(place.in, owner, key)
    const { cursor = null, learnt = null } = existing ?? {}
    yield* ProfileFile.update(variables, (now) =>
      add(now, name, { baseUrl: config.base, key: place, cursor, learnt }),
    ).pipe(
      // A key that no saved profile points to is removed: it would never be found again.
      Effect.tapError(() =>
        place.in === "file" || existing?.key?.in === place.in
          ? Effect.void
          : Effect.ignore(KeyStore.remove(place.in, owner)),
      ),
    )
    const before = existing?.key
    if (before != null && before.in !== "file" && before.in !== place.in) {
      yield* Effect.ignore(KeyStore.remove(before.in, owner))
    }
    return { words: wordsOf(place, owner.plaintextPath), replaced }
  }).pipe(ProfileFile.alone(variables))

const wordsOf = (place: KeyPlace, plaintextPath: string): string => {
  switch (place.in) {
    case "file":
      return `stays in the file ${place.path}`
    case "keychain":
      return "is saved in the keychain"
    case "plaintext":
      return `is saved in plaintext in ${plaintextPath}, readable by anyone who can read your files`
  }
}
