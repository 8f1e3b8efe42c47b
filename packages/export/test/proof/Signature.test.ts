import { generateKeyPairSync } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Signature from "../../src/proof/Signature.ts"
import { keys } from "../fixtures/keys.ts"

const pkcs8 = { type: "pkcs8", format: "pem" } as const
const spki = { type: "spki", format: "pem" } as const
const path = "/home/ada/office.key"
const bytes = new TextEncoder().encode("a manifest")

const rsa = generateKeyPairSync("rsa", {
  modulusLength: 1_024,
  privateKeyEncoding: pkcs8,
  publicKeyEncoding: spki,
})
const ec = generateKeyPairSync("ec", {
  namedCurve: "P-256",
  privateKeyEncoding: { type: "sec1", format: "pem" },
  publicKeyEncoding: spki,
})
const x25519 = generateKeyPairSync("x25519", { privateKeyEncoding: pkcs8, publicKeyEncoding: spki })
const encrypted = generateKeyPairSync("ed25519", {
  privateKeyEncoding: { ...pkcs8, cipher: "aes-256-cbc", passphrase: "secret" },
  publicKeyEncoding: spki,
})
const oldEncrypted = `-----BEGIN EC PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\nAAAA\n-----END EC PRIVATE KEY-----\n`
const broken = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"

const found = (result: Result.Result<unknown, { readonly reason: object }>) =>
  Result.isFailure(result) ? result.failure.reason : null

describe("a signature", () => {
  const { privateKey, publicKey } = keys()
  const signer = Result.getOrThrow(Signature.signer(privateKey, path))
  const verifier = Result.getOrThrow(Signature.verifier(publicKey, path))
  const signature = signer.sign(bytes)

  it("is 64 bytes, the same for the same bytes, and of these alone", () => {
    expect(signature.byteLength).toBe(Signature.length)
    expect(signer.sign(bytes)).toEqual(signature)
    expect(verifier.verify(bytes, signature)).toBe(true)
    for (let at = 0; at < bytes.length; at++) {
      const changed = Uint8Array.from(bytes)
      changed[at]! ^= 1
      expect(verifier.verify(changed, signature)).toBe(false)
    }
  })

  it("is not one that was changed, cut, lengthened or emptied", () => {
    const changed = Uint8Array.from(signature)
    changed[63]! ^= 1
    const lengthened = new Uint8Array(65)
    lengthened.set(signature)
    for (const other of [
      changed,
      signature.subarray(0, 63),
      new Uint8Array(0),
      lengthened,
      new Uint8Array(64),
    ]) {
      expect(verifier.verify(bytes, other)).toBe(false)
    }
  })

  it("is not one by another key", () => {
    const other = Result.getOrThrow(Signature.verifier(keys().publicKey, path))
    expect(other.verify(bytes, signature)).toBe(false)
  })
})

describe("a key", () => {
  const { privateKey, publicKey } = keys()

  it.each<[string, string, string]>([
    ["one of RSA", rsa.privateKey, "an RSA key"],
    ["one of an elliptic curve", ec.privateKey, "an EC key"],
    ["one that only agrees on others", x25519.privateKey, "an X25519 key"],
    ["an encrypted one", encrypted.privateKey, "an encrypted key"],
    ["one that is encrypted in the old way", oldEncrypted, "an encrypted key"],
    ["the public one", publicKey, "no private key"],
    ["a broken one", broken, "a text that cannot be read as one"],
    ["nothing", "", "something else"],
    ["an API key", "dk_live_0123456789", "something else"],
  ])("does not sign when it is %s", (_, pem, is) => {
    expect(found(Signature.signer(pem, path))).toEqual({
      _tag: "KeyUnusable",
      path,
      expected: "an Ed25519 private key as PEM",
      found: is,
    })
  })

  it.each<[string, string, string]>([
    ["one of RSA", rsa.publicKey, "an RSA key"],
    ["one of an elliptic curve", ec.publicKey, "an EC key"],
    ["the private one", privateKey, "a private key"],
    ["an encrypted one", encrypted.privateKey, "an encrypted key"],
    ["nothing", "", "something else"],
  ])("does not check when it is %s", (_, pem, is) => {
    expect(found(Signature.verifier(pem, path))).toMatchObject({ _tag: "KeyUnusable", found: is })
  })

  it("is in no error", () => {
    for (const pem of [rsa.privateKey, privateKey, encrypted.privateKey]) {
      const reason = JSON.stringify([
        found(Signature.verifier(pem, path)),
        found(Signature.signer(pem, path)),
      ])
      expect(reason).not.toContain(pem.split("\n")[1])
    }
  })
})
