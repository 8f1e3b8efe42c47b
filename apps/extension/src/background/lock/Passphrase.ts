/**
 * Wraps a secret with a passphrase: PBKDF2 derives a key from the passphrase, and AES-GCM wraps the secret with that key. The passphrase itself is
 * stored nowhere, and neither is anything that could verify it without the full work of the derivation. This module does not know what the
 * secret is for.
 */
import * as Redacted from "effect/Redacted"

/** The secret under its wrapping, with what a derivation needs besides the passphrase. */
export interface Wrapped {
  readonly salt: Uint8Array<ArrayBuffer>
  readonly iterations: number
  readonly iv: Uint8Array<ArrayBuffer>
  readonly ciphertext: ArrayBuffer
}

/** Rounds of PBKDF2 with SHA-256: about a quarter of a second for a user who knows the passphrase, and for each guess of an attacker. */
const iterations = 600_000

const secretBytes = 32

export const makeSecret = (): Uint8Array<ArrayBuffer> => crypto.getRandomValues(new Uint8Array(secretBytes))

/** The same characters make the same passphrase, however a keyboard composes them. */
const bytesOf = (passphrase: Redacted.Redacted): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(Redacted.value(passphrase).normalize("NFKC"))

const keyOf = async (
  passphrase: Redacted.Redacted,
  { iterations, salt }: Pick<Wrapped, "salt" | "iterations">,
): Promise<CryptoKey> => {
  const material = await crypto.subtle.importKey("raw", bytesOf(passphrase), "PBKDF2", false, ["deriveKey"])
  return crypto.subtle.deriveKey(
    { name: "PBKDF2", hash: "SHA-256", salt, iterations },
    material,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  )
}

export const wrap = async (
  secret: Uint8Array<ArrayBuffer>,
  passphrase: Redacted.Redacted,
): Promise<Wrapped> => {
  const salt = crypto.getRandomValues(new Uint8Array(16))
  const iv = crypto.getRandomValues(new Uint8Array(12))
  const key = await keyOf(passphrase, { salt, iterations })
  const ciphertext = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, secret)
  return { salt, iterations, iv, ciphertext }
}

/** The secret; null if the passphrase is wrong, or the wrapping is damaged. */
export const unwrap = async (
  wrapped: Wrapped,
  passphrase: Redacted.Redacted,
): Promise<Uint8Array<ArrayBuffer> | null> => {
  const key = await keyOf(passphrase, wrapped)
  try {
    const { ciphertext, iv } = wrapped
    return new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, ciphertext))
  } catch {
    return null
  }
}

/** The secret as a key that seals API keys; it cannot be exported again. */
export const sealingKey = (secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> =>
  crypto.subtle.importKey("raw", secret, "AES-GCM", false, ["encrypt", "decrypt"])
