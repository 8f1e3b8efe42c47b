/**
 * Changes how the API keys of all accounts are kept: when a passphrase is set or removed, and when the keys are to be kept somewhere else. A key
 * that was skipped, because the browser stopped the background, is corrected the next time.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as KeyPlace from "./KeyPlace.ts"
import { Platform } from "../browser/Platform.ts"
import { Registry } from "./Registry.ts"
import { Databases } from "../browser/Storage.ts"

export interface Service {
  /** Keeps every key as the settings say. `known` unseals those that are sealed; `sealing` seals them from now on. */
  readonly settle: (keys: {
    readonly known: CryptoKey | null
    readonly sealing: CryptoKey | null
  }) => Effect.Effect<void>
}

const make = Effect.gen(function* () {
  const registry = yield* Registry
  const databaseOf = yield* Databases
  const { session } = yield* Platform

  return KeyRing.of({
    settle: ({ known, sealing }) =>
      Effect.gen(function* () {
        const { accounts, settings } = yield* registry.get
        const keeping: KeyPlace.Keeping = { storage: settings.keyStorage, sealing }
        yield* Effect.promise(async () => {
          for (const { baseUrl, id } of accounts) {
            if (baseUrl === null) continue
            const place = { account: id, store: databaseOf(id), session }
            await KeyPlace.settle(place, keeping, known, new URL(baseUrl).origin)
          }
        })
      }),
  })
})

export class KeyRing extends Context.Service<KeyRing, Service>()("@deedkit/extension/KeyRing") {
  static readonly make = make
}
