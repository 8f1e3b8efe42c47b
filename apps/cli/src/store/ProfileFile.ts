/**
 * The profile file, `deedkit/config.json` in the folder for settings (XDG). It is changed by one process at a time and holds no key.
 */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as BaseUrl from "./BaseUrl.ts"
import type { Variables } from "../terminal/Environment.ts"
import * as SettingsLock from "./SettingsLock.ts"
import * as PrivateFile from "./PrivateFile.ts"
import type { Profiles } from "./Profile.ts"
import * as Profile from "./Profile.ts"
import type { Failure } from "../failure/Failure.ts"
import { storeError } from "../failure/Failure.ts"

export interface Loaded {
  /** Null if there is no folder for settings. */
  readonly path: string | null
  readonly profiles: Profiles
  readonly othersMayRead: boolean
}

/** A file in this program's folder for settings; null if neither `XDG_CONFIG_HOME` nor a home folder is known. */
export const pathOf = ({ configFolder }: Pick<Variables, "configFolder">, name: string): string | null =>
  configFolder === null ? null : join(configFolder, "deedkit", name)

/** The file in which `auth login` saves the key of a profile where there is no keychain. */
export const keyFile = (variables: Pick<Variables, "configFolder">, name: string): string | null =>
  pathOf(variables, `${name}.key`)

const fileName = "config.json"

/** All profiles; none if there is no file. */
export const load = Effect.fnUntraced(function* (variables: Variables): Effect.fn.Return<Loaded, Failure> {
  const path = pathOf(variables, fileName)
  const contents = path === null ? null : yield* PrivateFile.read(path)
  if (contents === null) return { path, profiles: Profile.none, othersMayRead: false }
  const profiles = Profile.parse(contents.text)
  if (typeof profiles !== "string") return { path, profiles, othersMayRead: contents.othersMayRead }
  return yield* storeError({
    kind: "broken",
    path,
    problem: `The profile file ${path} ${profiles}`,
    advice: "Correct it, or move it away and run `deedkit auth login`.",
  })
})

const noFolder = storeError({
  kind: "failed",
  path: null,
  problem: "There is no folder for settings",
  advice: "Set HOME or XDG_CONFIG_HOME, or work with DEEDKIT_BASE_URL and DEEDKIT_API_KEY alone.",
})

/**
 * Runs an effect while no other process changes a file in the folder for settings. Data that was read before may be outdated, so read it again inside
 * the effect.
 */
export const alone =
  ({ configFolder }: Pick<Variables, "configFolder">) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E | Failure, R> => {
    const path = pathOf({ configFolder }, fileName)
    return path === null ? Effect.fail(noFolder) : SettingsLock.hold(SettingsLock.beside(path))(effect)
  }

/** Changes the file. If nothing changes, nothing is written and no lock is acquired. */
export const update = (
  variables: Variables,
  change: (profiles: Profiles) => Profiles,
): Effect.Effect<void, Failure> => {
  const isNeeded = Effect.map(load(variables), ({ profiles }) => change(profiles) !== profiles)
  const write = Effect.gen(function* () {
    const { path, profiles } = yield* load(variables)
    const changed = change(profiles)
    if (path !== null && changed !== profiles) yield* PrivateFile.write(path, Profile.encode(changed))
  })
  return Effect.flatMap(isNeeded, (needed) => (needed ? alone(variables)(write) : Effect.void))
}

/** A profile as a command has read it. */
export interface Known {
  readonly name: string
  readonly profile: Profile.Profile
}

/**
 * Changes what a profile says about its server. Does nothing if the profile has since been removed or now has another address.
 */
export const learn = (
  variables: Variables,
  { name, profile: known }: Known,
  change: (profile: Profile.Profile) => Profile.Profile,
): Effect.Effect<void, Failure> =>
  update(variables, (profiles) => {
    const profile = profiles.byName.get(name)
    if (profile === undefined || !BaseUrl.isSame(profile.baseUrl, known.baseUrl)) return profiles
    const changed = change(profile)
    return changed === profile ? profiles : Profile.put(profiles, name, changed)
  })
