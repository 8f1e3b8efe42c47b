/**
 * The file of profiles, `deedkit/config.json` in the folder for settings (XDG): read, and changed in one step. It holds no key.
 */
import { join } from "node:path"
import * as Effect from "effect/Effect"
import type { Variables } from "./Environment.ts"
import * as PrivateFile from "./PrivateFile.ts"
import type { Profiles } from "./Profile.ts"
import * as Profile from "./Profile.ts"
import { StoreError } from "./StoreError.ts"

export interface Loaded {
  /** Null where there is no folder for settings. */
  readonly path: string | null
  readonly profiles: Profiles
  readonly othersMayRead: boolean
}

/** A file in this program's folder for settings; null where neither `XDG_CONFIG_HOME` nor a home folder is known. */
export const pathOf = ({ configFolder }: Pick<Variables, "configFolder">, name: string): string | null =>
  configFolder === null ? null : join(configFolder, "deedkit", name)

const fileName = "config.json"

/** All profiles; none where there is no file. */
export const load = (variables: Variables): Effect.Effect<Loaded, StoreError> =>
  Effect.gen(function* () {
    const path = pathOf(variables, fileName)
    const contents = path === null ? null : yield* PrivateFile.read(path)
    if (contents === null) return { path, profiles: Profile.none, othersMayRead: false }
    const profiles = Profile.parse(contents.text)
    if (typeof profiles !== "string") return { path, profiles, othersMayRead: contents.othersMayRead }
    return yield* new StoreError({
      kind: "broken",
      path,
      problem: `The file of profiles ${path} ${profiles}`,
      advice: "Correct it, or move it away and log in again with deedkit auth login.",
    })
  })

/** Changes the file; nothing is written when the change is none. */
export const update = (
  variables: Variables,
  change: (profiles: Profiles) => Profiles,
): Effect.Effect<void, StoreError> =>
  Effect.gen(function* () {
    const { path, profiles } = yield* load(variables)
    const changed = change(profiles)
    if (changed === profiles) return
    if (path === null) {
      return yield* new StoreError({
        kind: "failed",
        path: null,
        problem: "There is no folder to keep settings in",
        advice: "Set HOME or XDG_CONFIG_HOME, or work with DEEDKIT_BASE_URL and DEEDKIT_API_KEY alone.",
      })
    }
    yield* PrivateFile.write(path, Profile.encode(changed))
  })
