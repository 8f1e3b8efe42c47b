/**
 * The failure of the last request to the service, if it failed. It is stored, so that a background that wakes up shows the state it left. It
 * ends with the next request that succeeds, with a change of address or key, or when the state is over by itself.
 */
import type { ClientError } from "@deedkit/core"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Failure } from "../../failures/ConnectionFailure.ts"
import { Changes } from "../browser/Changes.ts"
import { Platform } from "../browser/Platform.ts"
import * as Failures from "./Failures.ts"
import { Account, Store } from "../browser/Storage.ts"

export interface Service {
  /** The state that the last failure means; null when there is none, or when it is over. */
  readonly get: Effect.Effect<Failure | null>
  readonly failed: (error: ClientError.ClientError) => Effect.Effect<Failure>
  /** Records that the browser could not store what was read. */
  readonly storageFailed: Effect.Effect<void>
  /** Records that a request has succeeded, or that address or key has changed. */
  readonly ended: Effect.Effect<void>
  /** Records that a request has succeeded that does not need the scope of contracts. */
  readonly endedWithoutScope: Effect.Effect<void>
}

const key = "lastFailure"

/** Minutes after which a service that failed is asked again, if no sync does so. */
const recoverMinutes = 2

const make = Effect.gen(function* () {
  const store = yield* Store
  const { alarms, isOnline, session } = yield* Platform
  const changes = yield* Changes
  const heldKey = `${key} ${(yield* Account).id}`
  let known: Failure | null | undefined

  const read = Effect.promise(async () => {
    known ??= ((await session.get(heldKey)) ?? (await store.get("settings", key)) ?? null) as Failure | null
    return known
  })
  const write = (state: Failure | null): Effect.Effect<void> =>
    Effect.promise(async () => {
      known = state
      await session.remove(heldKey)
      await (state === null ? store.remove("settings", key) : store.put("settings", key, state))
      if (state === null || !Failures.mayPass(state)) await alarms.clear("recover")
      changes.tell()
    })
  const endIf = (ends: (state: Failure) => boolean) =>
    Effect.flatMap(read, (state) => (state === null || !ends(state) ? Effect.void : write(null)))
  return LastFailure.of({
    get: Effect.gen(function* () {
      const state = yield* read
      const now = yield* Clock.currentTimeMillis
      return state === null || Failures.isOver(state, now, isOnline()) ? null : state
    }),
    failed: (error) => {
      const state = Failures.stateOf(error, isOnline())
      return Effect.gen(function* () {
        yield* write(state)
        if (!Failures.mayPass(state)) return state
        const at = (yield* Clock.currentTimeMillis) + recoverMinutes * 60_000
        yield* Effect.promise(() => alarms.set("recover", { at, everyMinutes: recoverMinutes }))
        return state
      })
    },
    // Kept in memory that outlives the background: the disk may have no room for it either.
    storageFailed: Effect.promise(async () => {
      known = { _tag: "StorageFailed" }
      await session.set(heldKey, known)
      changes.tell()
    }),
    ended: endIf(() => true),
    endedWithoutScope: endIf(({ _tag }) => _tag !== "MissingScope"),
  })
})

export class LastFailure extends Context.Service<LastFailure, Service>()("@deedkit/extension/LastFailure") {
  static readonly make = make
}
