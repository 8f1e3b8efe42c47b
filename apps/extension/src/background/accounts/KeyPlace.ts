/**
 * Where an account's API key is kept, and in which form. On the device: encrypted (AES-GCM), bound to the origin that it may be sent to, under a
 * key of the browser that cannot be exported or, if there is a passphrase, under the secret that the passphrase wraps. For the session: in
 * memory that the browser drops when it closes, encrypted as well if there is a passphrase. Does not know who asks for it.
 */
import { firstAccount } from "../../index/Database.ts"
import type { Database } from "../../index/Database.ts"
import type { Settings } from "../../messages/AppState.ts"
import * as Base64 from "../lock/Base64.ts"
import type { Service as Platform } from "../browser/Platform.ts"

/** The places where the key of one account can be kept. */
export interface KeyPlace {
  readonly account: string
  /** The account's own database. */
  readonly store: Database
  readonly session: Platform["session"]
}

/** How a key is to be kept. */
export interface Keeping {
  readonly storage: Settings["keyStorage"]
  /** The key that seals it; null for the browser's own means. */
  readonly sealing: CryptoKey | null
}

interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>
  readonly ciphertext: ArrayBuffer
}

/** On the device. Without a `wrapping` of its own it is sealed with the passphrase's secret. */
interface OnDevice extends Sealed {
  readonly wrapping?: CryptoKey
}

type OfSession =
  | { readonly origin: string; readonly key: string }
  | { readonly origin: string; readonly iv: string; readonly ciphertext: string }

const name = "apiKey"
const sessionName = ({ account }: KeyPlace): string =>
  account === firstAccount ? name : `${name} ${account}`

const algorithm = (origin: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams => ({
  name: "AES-GCM",
  iv,
  additionalData: new TextEncoder().encode(origin),
})

const seal = async (origin: string, key: string, sealing: CryptoKey): Promise<Sealed> => {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const bytes = new TextEncoder().encode(key)
  return { iv, ciphertext: await crypto.subtle.encrypt(algorithm(origin, iv), sealing, bytes) }
}

/** Null when it was sealed for another origin or with another key, or is damaged: all of them mean that there is no key to use. */
const unseal = async (
  origin: string,
  { ciphertext, iv }: Sealed,
  sealing: CryptoKey | null,
): Promise<string | null> => {
  if (sealing === null) return null
  try {
    const bytes = await crypto.subtle.decrypt(algorithm(origin, iv), sealing, ciphertext)
    return new TextDecoder().decode(bytes)
  } catch {
    return null
  }
}

const ofSession = async (place: KeyPlace): Promise<OfSession | undefined> =>
  (await place.session.get(sessionName(place))) as OfSession | undefined

const onDevice = async ({ store }: KeyPlace): Promise<OnDevice | undefined> =>
  (await store.get("keys", name)) as OnDevice | undefined

/** The key for this origin; null when there is none, only one for another origin, or one that is sealed with something else. */
export const read = async (
  place: KeyPlace,
  sealing: CryptoKey | null,
  origin: string,
): Promise<string | null> => {
  const kept = await ofSession(place)
  if (kept !== undefined) {
    if (kept.origin !== origin) return null
    if ("key" in kept) return kept.key
    const ciphertext = Base64.decode(kept.ciphertext).buffer
    return unseal(origin, { iv: Base64.decode(kept.iv), ciphertext }, sealing)
  }
  const sealed = await onDevice(place)
  return sealed === undefined ? null : unseal(origin, sealed, sealed.wrapping ?? sealing)
}

export const drop = async (place: KeyPlace): Promise<void> => {
  await place.session.remove(sessionName(place))
  await place.store.remove("keys", name)
}

/** Replaces any existing key. The new one is stored before the old one is removed. */
export const write = async (
  place: KeyPlace,
  { sealing, storage }: Keeping,
  origin: string,
  key: string,
): Promise<void> => {
  if (storage === "session") {
    const kept = sealing === null ? { key } : texts(await seal(origin, key, sealing))
    await place.session.set(sessionName(place), { origin, ...kept } satisfies OfSession)
    return place.store.remove("keys", name)
  }
  const wrapping = sealing ?? (await wrappingKey())
  const sealed = await seal(origin, key, wrapping)
  await place.store.put("keys", name, sealing === null ? { ...sealed, wrapping } : sealed)
  await place.session.remove(sessionName(place))
}

/** Stores the existing key in the required way. `known` unseals one that is sealed with the passphrase's secret. */
export const settle = async (
  place: KeyPlace,
  keeping: Keeping,
  known: CryptoKey | null,
  origin: string,
): Promise<void> => {
  const kept = await ofSession(place)
  const sealed = await onDevice(place)
  if (kept === undefined && sealed === undefined) return
  const isSealed = kept === undefined ? sealed?.wrapping === undefined : !("key" in kept)
  const isThere = (kept !== undefined) === (keeping.storage === "session")
  if (isThere && isSealed === (keeping.sealing !== null)) return
  const key = await read(place, known, origin)
  if (key !== null) await write(place, keeping, origin, key)
}

const texts = ({ ciphertext, iv }: Sealed): { readonly iv: string; readonly ciphertext: string } => ({
  iv: Base64.encode(iv),
  ciphertext: Base64.encode(new Uint8Array(ciphertext)),
})

const wrappingKey = (): Promise<CryptoKey> =>
  crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"])
