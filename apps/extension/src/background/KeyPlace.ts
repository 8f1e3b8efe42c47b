/**
 * Where an account's API key is kept, and in which form. On the device: encrypted (AES-GCM), bound to the origin that it may be sent to, under a
 * key of the browser that cannot be exported. For the session: in memory that the browser drops when it closes. Does not know who asks for it.
 */
import { firstAccount } from "../index/Database.ts"
import type { Database } from "../index/Database.ts"
import type { Settings } from "../messages/AppState.ts"
import type { Service as Platform } from "./Platform.ts"

/** The places where the key of one account can be kept. */
export interface KeyPlace {
  readonly account: string
  /** The account's own database. */
  readonly store: Database
  readonly session: Platform["session"]
}

/** On the device, under a key of the browser that cannot be exported. */
interface OnDevice {
  readonly iv: Uint8Array<ArrayBuffer>
  readonly ciphertext: ArrayBuffer
  readonly wrapping: CryptoKey
}

interface OfSession {
  readonly origin: string
  readonly key: string
}

const name = "apiKey"
const sessionName = ({ account }: KeyPlace): string =>
  account === firstAccount ? name : `${name} ${account}`

const algorithm = (origin: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams => ({
  name: "AES-GCM",
  iv,
  additionalData: new TextEncoder().encode(origin),
})

const seal = async (origin: string, key: string): Promise<OnDevice> => {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const bytes = new TextEncoder().encode(key)
  const wrapping = await crypto.subtle.generateKey({ name: "AES-GCM", length: 256 }, false, [
    "encrypt",
    "decrypt",
  ])
  return { iv, ciphertext: await crypto.subtle.encrypt(algorithm(origin, iv), wrapping, bytes), wrapping }
}

/** Null when it was sealed for another origin or is damaged: both mean that there is no key to use. */
const unseal = async (origin: string, { ciphertext, iv, wrapping }: OnDevice): Promise<string | null> => {
  try {
    const bytes = await crypto.subtle.decrypt(algorithm(origin, iv), wrapping, ciphertext)
    return new TextDecoder().decode(bytes)
  } catch {
    return null
  }
}

const ofSession = async (place: KeyPlace): Promise<OfSession | undefined> =>
  (await place.session.get(sessionName(place))) as OfSession | undefined

const onDevice = async ({ store }: KeyPlace): Promise<OnDevice | undefined> =>
  (await store.get("keys", name)) as OnDevice | undefined

/** The key for this origin; null when there is none, or only one for another origin. */
export const read = async (place: KeyPlace, origin: string): Promise<string | null> => {
  const kept = await ofSession(place)
  if (kept !== undefined) return kept.origin === origin ? kept.key : null
  const sealed = await onDevice(place)
  return sealed === undefined ? null : unseal(origin, sealed)
}

export const drop = async (place: KeyPlace): Promise<void> => {
  await place.session.remove(sessionName(place))
  await place.store.remove("keys", name)
}

/** Replaces any existing key. The new one is stored before the old one is removed. */
export const write = async (
  place: KeyPlace,
  storage: Settings["keyStorage"],
  origin: string,
  key: string,
): Promise<void> => {
  if (storage === "session") {
    await place.session.set(sessionName(place), { origin, key } satisfies OfSession)
    return place.store.remove("keys", name)
  }
  await place.store.put("keys", name, await seal(origin, key))
  await place.session.remove(sessionName(place))
}

/** Moves the existing key, if any, to where it is to be kept. */
export const settle = async (
  place: KeyPlace,
  storage: Settings["keyStorage"],
  origin: string,
): Promise<void> => {
  const isOfSession = (await ofSession(place)) !== undefined
  if (isOfSession === (storage === "session")) return
  const key = await read(place, origin)
  if (key !== null) await write(place, storage, origin, key)
}
