/**
 * The record of all accounts, kept in the database of the first one. It is in the extension's database and not in the browser's extension
 * storage, which Firefox shows to content scripts. It contains no secret.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Semaphore from "effect/Semaphore"
import { patternOf } from "../../messages/OriginPattern.ts"
import * as AccountList from "./AccountList.ts"
import { Changes } from "../browser/Changes.ts"
import type { Service as Platform } from "../browser/Platform.ts"
import { SharedStore } from "../browser/Storage.ts"

export interface Service {
  readonly get: Effect.Effect<AccountList.AccountList>
  /** Changes the record, one change after the other; returns the new one. */
  readonly update: (
    change: (list: AccountList.AccountList) => AccountList.AccountList,
  ) => Effect.Effect<AccountList.AccountList>
}

const key = "profile"

const make = Effect.gen(function* () {
  const store = yield* SharedStore
  const changes = yield* Changes
  const oneAtATime = yield* Semaphore.make(1)
  let known: AccountList.AccountList | null = null
  const get = Effect.promise(async () => {
    known ??= AccountList.read(await store.get("settings", key))
    return known
  })
  return Registry.of({
    get,
    update: (change) =>
      oneAtATime.withPermit(
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

export class Registry extends Context.Service<Registry, Service>()("@deedkit/extension/Registry") {
  static readonly make = make
}

/** Releases the grant of an origin, unless something in the record needs it. */
export const releaseGrant = (
  { get }: Pick<Service, "get">,
  platform: Pick<Platform, "release">,
  origin: string,
): Effect.Effect<void> =>
  Effect.flatMap(get, (list) => {
    const pattern = patternOf(origin)
    const isNeeded = AccountList.origins(list).map(patternOf).includes(pattern)
    return isNeeded ? Effect.void : Effect.promise(() => platform.release({ origins: [pattern] }))
  })
