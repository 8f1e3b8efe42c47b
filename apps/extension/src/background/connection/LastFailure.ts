/**
 * How the last request to the service ended, where it ended badly. Kept, so that a background that wakes up shows the state it left; ended
 * by the next request that succeeds, by a change of address or key, or by the state's own end.
 */
import type { ClientError } from "@deedkit/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Standing } from "../../messages/AppState.ts"
import { Account } from "../accounts/Account.ts"
import { Changes } from "../browser/Changes.ts"
import { Platform } from "../browser/Platform.ts"
import * as Standings from "../errors/ConnectionState.ts"
import { Store } from "../browser/Storage.ts"

export interface Service {
  /** The state that the last failure means; null when there is none, or when it is over. */
  readonly get: Effect.Effect<Standing | null>
  readonly failed: (error: ClientError.ClientError) => Effect.Effect<Standing>
  /** The browser could not keep what was read. */
  readonly storageFailed: Effect.Effect<void>
  /** A request has succeeded, or what was asked with has changed. */
  readonly ended: Effect.Effect<void>
}

const key = "trouble"

/** Minutes after which a service that failed is asked again, if no sync does so. */
const recoverMinutes = 2

const make = Effect.gen(function* () {
  const store = yield* Store
  const { alarms, isOnline, session } = yield* Platform
  const changes = yield* Changes
  const heldKey = `${key} ${(yield* Account).id}`
  let known: Standing | null | undefined

  const read = Effect.promise(async () => {
    known ??= ((await session.get(heldKey)) ?? (await store.get("settings", key)) ?? null) as Standing | null
    return known
  })
  const write = (standing: Standing | null): Effect.Effect<void> =>
    Effect.promise(async () => {
      known = standing
      await session.remove(heldKey)
      await (standing === null ? store.remove("settings", key) : store.put("settings", key, standing))
      if (standing === null || !Standings.mayPass(standing)) await alarms.clear("recover")
      changes.tell()
    })
  return Troubles.of({
    get: Effect.gen(function* () {
      const standing = yield* read
      const now = yield* Clock.currentTimeMillis
      return standing === null || Standings.isOver(standing, now, isOnline()) ? null : standing
    }),
    failed: (error) => {
      const standing = Standings.ofError(error, isOnline())
      return Effect.gen(function* () {
        yield* write(standing)
        if (!Standings.mayPass(standing)) return standing
        const at = (yield* Clock.currentTimeMillis) + recoverMinutes * 60_000
        yield* Effect.promise(() => alarms.set("recover", { at, everyMinutes: recoverMinutes }))
        return standing
      })
    },
    // Kept in memory that outlives the background: on the disk there may be no room for it either.
    storageFailed: Effect.promise(async () => {
      known = { _tag: "StorageFailed" }
      await session.set(heldKey, known)
      changes.tell()
    }),
    ended: Effect.flatMap(read, (standing) => (standing === null ? Effect.void : write(null))),
  })
})

export class Troubles extends Context.Service<Troubles, Service>()("@deedkit/extension/Troubles") {
  static readonly layer = Layer.effect(Troubles, make)
}
