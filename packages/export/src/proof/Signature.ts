/**
 * Signatures of manifests: Ed25519 (RFC 8032) over the exact bytes of `NAME.manifest.json`, 64 bytes in `NAME.manifest.json.sig`. A manifest holds
 * the length and SHA-256 of every file, so its signature covers them all. OpenSSL reads the same keys and checks the same files.
 *
 * Without a signature, a manifest reveals accidental changes only: anyone who changes a file can write its new hash into the manifest.
 */
import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto"
import type { KeyObject } from "node:crypto"
import * as Result from "effect/Result"
import { ExportError } from "../error/ExportError.ts"
import { encryptedKey } from "../error/Reason.ts"

/** Bytes of a signature. */
export const length = 64

/** The path of the signature of a manifest. */
export const pathOf = (manifestPath: string): string => `${manifestPath}.sig`

export interface Signer {
  /** 64 bytes. */
  readonly sign: (bytes: Uint8Array) => Uint8Array
}

export interface Verifier {
  /** Whether these are the bytes that the key signed; false for a signature of another length too. */
  readonly verify: (bytes: Uint8Array, signature: Uint8Array) => boolean
}

const label = (pem: string): string => /-----BEGIN ([A-Z0-9 ]+)-----/.exec(pem)?.[1] ?? ""

const types: { readonly [type: string]: string } = {
  rsa: "an RSA key",
  ec: "an EC key",
  x25519: "an X25519 key",
}

const unusable = (path: string, kind: "private" | "public", found: string) =>
  Result.fail(
    new ExportError({
      reason: { _tag: "KeyUnusable", path, expected: `an Ed25519 ${kind} key as PEM`, found },
    }),
  )

const read = (
  pem: string,
  path: string,
  kind: "private" | "public",
): Result.Result<KeyObject, ExportError> => {
  const found = label(pem)
  if (found.includes("ENCRYPTED") || /^Proc-Type:.*ENCRYPTED/m.test(pem)) {
    return unusable(path, kind, encryptedKey)
  }
  if (found === "") return unusable(path, kind, "something else")
  if (found.includes("PRIVATE") !== (kind === "private")) {
    return unusable(path, kind, found.includes("PRIVATE") ? "a private key" : "no private key")
  }
  let key: KeyObject
  try {
    key = kind === "private" ? createPrivateKey(pem) : createPublicKey(pem)
  } catch {
    return unusable(path, kind, "a text that cannot be read as one")
  }
  const type = key.asymmetricKeyType ?? ""
  return type === "ed25519"
    ? Result.succeed(key)
    : unusable(path, kind, types[type] ?? `a key of type ${type}`)
}

/** A signer with a private key, PKCS#8 in PEM and not encrypted. `path` names the key in errors. Fails with `KeyUnusable`. */
export const signer = (pem: string, path: string): Result.Result<Signer, ExportError> =>
  Result.map(read(pem, path, "private"), (key) => ({ sign: (bytes) => sign(null, bytes, key) }))

/** A verifier with a public key, SPKI in PEM. `path` names the key in errors. Fails with `KeyUnusable`, also for a private key. */
export const verifier = (pem: string, path: string): Result.Result<Verifier, ExportError> =>
  Result.map(read(pem, path, "public"), (key) => ({
    verify: (bytes, signature) => signature.byteLength === length && verify(null, bytes, key, signature),
  }))
