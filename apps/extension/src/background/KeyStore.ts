/**
 * Where the API key is kept. On the device: encrypted (AES-GCM) under a key of the browser that cannot be exported, bound to the origin
 * that it may be sent to. For the session: in memory that the browser drops when it closes. Whoever owns the whole profile of the
 * browser can still use what is on the device; what this keeps out is everyone who reads files, backups or other extensions' storage.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type { Settings } from "../messages/AppState.ts"
import { Changes } from "./Changes.ts"
import { Platform } from "./Platform.ts"
import { Store } from "./Storage.ts"

export interface StoredKey {
  readonly key: Redacted.Redacted
  /** The key's last four characters; null where that would be too much of it. */
  readonly hint: string | null
}

export interface Service {
  /** The key for this origin; null when there is none, or only one for another origin. */
  readonly get: (origin: string) => Effect.Effect<StoredKey | null>
  /** Replaces whatever key there was. */
  readonly set: (
    origin: string,
    key: Redacted.Redacted,
    storage: Settings["keyStorage"],
  ) => Effect.Effect<void>
  readonly forget: Effect.Effect<void>
}

interface Sealed {
  readonly wrapping: CryptoKey
  readonly iv: Uint8Array<ArrayBuffer>
  readonly ciphertext: ArrayBuffer
}

interface OfSession {
  readonly origin: string
  readonly key: string
}

const name = "apiKey"
const leastHinted = 16

const hintOf = (key: string): string | null => (key.length < leastHinted ? null : key.slice(-4))

const algorithm = (origin: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams => ({
  name: "AES-GCM",
  iv,
  additionalData: new TextEncoder().encode(origin),
})

const seal = async (origin: string, key: string): Promise<Sealed> => {
  const wrapping = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ])
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const ciphertext = await crypto.subtle.encrypt(
    algorithm(origin, iv),
    wrapping,
    new TextEncoder().encode(key),
  )
  return { wrapping, iv, ciphertext }
}

/** Null when it was sealed for another origin, or is damaged: both mean that there is no key to use. */
const unseal = async (origin: string, { ciphertext, iv, wrapping }: Sealed): Promise<string | null> => {
  try {
    const bytes = await crypto.subtle.decrypt(algorithm(origin, iv), wrapping, ciphertext)
    return new TextDecoder().decode(bytes)
  } catch {
    return null
  }
}

const make = Effect.gen(function* () {
  const store = yield* Store
  const { session } = yield* Platform
  const changes = yield* Changes

  const read = async (origin: string): Promise<string | null> => {
    const kept = (await session.get(name)) as OfSession | undefined
    if (kept !== undefined) return kept.origin === origin ? kept.key : null
    const sealed = (await store.get("keys", name)) as Sealed | undefined
    return sealed === undefined ? null : unseal(origin, sealed)
  }
  const drop = async (): Promise<void> => {
    await session.remove(name)
    await store.remove("keys", name)
  }
  return Keys.of({
    get: (origin) =>
      Effect.promise(async () => {
        const key = await read(origin)
        return key === null ? null : { key: Redacted.make(key, { label: "API key" }), hint: hintOf(key) }
      }),
    set: (origin, redacted, storage) =>
      Effect.promise(async () => {
        const key = Redacted.value(redacted)
        await drop()
        if (storage === "session") await session.set(name, { origin, key } satisfies OfSession)
        else await store.put("keys", name, await seal(origin, key))
        changes.tell()
      }),
    forget: Effect.promise(async () => {
      await drop()
      changes.tell()
    }),
  })
})

export class Keys extends Context.Service<Keys, Service>()("@deedkit/extension/Keys") {
  static readonly layer = Layer.effect(Keys, make)
}
