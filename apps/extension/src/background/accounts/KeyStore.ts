/**
 * The API key of the account in use. Encryption protects it from scripts, from other extensions and from a search through the files, but not from
 * someone who reads the files with care: browsers save a key that cannot be exported among them, byte for byte (seen in Chromium 156 and
 * Firefox 153).
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Settings } from "../../messages/AppState.ts"
import { Changes } from "../browser/Changes.ts"
import * as KeyPlace from "./KeyPlace.ts"
import { Platform } from "../browser/Platform.ts"
import { Account, Store } from "../browser/Storage.ts"

interface StoredKey {
  readonly key: Redacted.Redacted
  /** The key's last four characters; null if that would reveal too much of it. */
  readonly hint: string | null
}

export interface Service {
  /** The key for this origin; null when there is none, or only one for another origin. */
  readonly get: (origin: string) => Effect.Effect<StoredKey | null>
  /** Replaces any existing key. */
  readonly set: (
    origin: string,
    key: Redacted.Redacted,
    storage: Settings["keyStorage"],
  ) => Effect.Effect<void>
  readonly forget: Effect.Effect<void>
}

const leastHinted = 16

const hintOf = (key: string): string | null => (key.length < leastHinted ? null : key.slice(-4))

const make = Effect.gen(function* () {
  const { id } = yield* Account
  const store = yield* Store
  const { session } = yield* Platform
  const changes = yield* Changes
  const place: KeyPlace.KeyPlace = { account: id, store, session }

  return Keys.of({
    get: (origin) =>
      Effect.promise(async () => {
        const key = await KeyPlace.read(place, origin)
        return key === null ? null : { key: Redacted.make(key, { label: "API key" }), hint: hintOf(key) }
      }),
    set: (origin, redacted, storage) =>
      Effect.promise(async () => {
        await KeyPlace.write(place, storage, origin, Redacted.value(redacted))
        changes.tell()
      }),
    forget: Effect.promise(async () => {
      await KeyPlace.drop(place)
      changes.tell()
    }),
  })
})

export class Keys extends Context.Service<Keys, Service>()("@deedkit/extension/Keys") {
  static readonly make = make
}
