/** Pairs of keys as their files hold them, and what signs and checks with them. */
import { generateKeyPairSync } from "node:crypto"
import * as Result from "effect/Result"
import * as Signature from "../src/Signature.ts"

/** A pair of Ed25519, as PEM. */
export const keys = (): { readonly privateKey: string; readonly publicKey: string } =>
  generateKeyPairSync("ed25519", {
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  })

export interface Pair {
  readonly signer: Signature.Signer
  readonly verifier: Signature.Verifier
}

export const pair = (): Pair => {
  const { privateKey, publicKey } = keys()
  return {
    signer: Result.getOrThrow(Signature.signer(privateKey, "private")),
    verifier: Result.getOrThrow(Signature.verifier(publicKey, "public")),
  }
}
