/**
 * What the user has set: address, sites, choices. It stands in the extension's database and not in the browser's extension storage, which
 * Firefox shows to content scripts. No secret is in it.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import type { Settings, Site } from "../messages/AppState.ts"
import { Changes } from "./Changes.ts"
import { Store } from "./Storage.ts"

/** A site that the user named; whether the browser still grants it is asked of the browser. */
export type NamedSite = Omit<Site, "isGranted">

export interface Profile {
  readonly baseUrl: string | null
  /** The parameter that takes the cursor, once it was verified for this address (Spec: Endpoints 5 does not show it). */
  readonly cursorParam: string | null
  readonly sites: ReadonlyArray<NamedSite>
  readonly settings: Settings
}

export const defaults: Profile = {
  baseUrl: null,
  cursorParam: null,
  sites: [],
  settings: { theme: "system", refreshMinutes: 60, toolbarCount: true, keyStorage: "device" },
}

export interface Service {
  readonly get: Effect.Effect<Profile>
  /** Changes it, one change after the other; gives the new one. */
  readonly update: (change: (profile: Profile) => Profile) => Effect.Effect<Profile>
}

const key = "profile"

const make = Effect.gen(function* () {
  const store = yield* Store
  const changes = yield* Changes
  const oneAtATime = Semaphore.makeUnsafe(1).withPermits(1)
  let known: Profile | null = null
  const get = Effect.promise(async () => {
    known ??= { ...defaults, ...((await store.get("settings", key)) as Partial<Profile> | undefined) }
    return known
  })
  return Profiles.of({
    get,
    update: (change) =>
      oneAtATime(
        Effect.flatMap(get, (before) =>
          Effect.promise(async () => {
            const after = change(before)
            await store.put("settings", key, after)
            known = after
            changes.tell()
            return after
          }),
        ),
      ),
  })
})

export class Profiles extends Context.Service<Profiles, Service>()("@deedkit/extension/Profiles") {
  static readonly layer = Layer.effect(Profiles, make)
}
