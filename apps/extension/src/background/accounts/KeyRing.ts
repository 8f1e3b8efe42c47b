/**
 * The API keys of all accounts, where all of them have to be kept in another way: when a passphrase is set or taken away, and when they are to
 * be kept somewhere else. One that was passed over, because the browser stopped the background, is put right when it is done again.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as KeyPlace from "./KeyPlace.ts"
import { Platform } from "../browser/Platform.ts"
import { Registry } from "./Registry.ts"
import { Databases } from "../browser/Storage.ts"

export interface Service {
  /** Keeps every key as the settings say. `known` opens those that are sealed; `sealing` is what they are sealed with from now on. */
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
