/**
 * The signature of a webhook request: HMAC-SHA256 over the time and the body, in a header that receivers of Stripe's webhooks know. The only place
 * that unwraps the secret.
 */
import { createHmac } from "node:crypto"
import * as Redacted from "effect/Redacted"

/** Minimum length of a secret, in characters: a shorter one can be guessed by brute force. */
export const leastCharacters = 16

/** Whether a secret is long enough to sign with. */
export const isLongEnough = (secret: Redacted.Redacted): boolean =>
  Redacted.value(secret).length >= leastCharacters

/** `t=1763791200,v1=5257a8...`: seconds since 1970, and the HMAC of `1763791200.BODY` in hexadecimal. */
export const header = (secret: Redacted.Redacted, atMillis: number, body: string): string => {
  const seconds = Math.floor(atMillis / 1_000)
  const hmac = createHmac("sha256", Redacted.value(secret)).update(`${seconds}.${body}`, "utf8")
  return `t=${seconds},v1=${hmac.digest("hex")}`
}
