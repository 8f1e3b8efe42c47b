import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import * as Passphrase from "../../../src/background/lock/Passphrase.ts"

describe("Passphrase", () => {
  it("gives the secret back for the same passphrase, and nothing for another one", async () => {
    const secret = Passphrase.makeSecret()
    const wrapped = await Passphrase.wrap(secret, Redacted.make("correct horse"))
    expect(await Passphrase.unwrap(wrapped, Redacted.make("correct horse"))).toEqual(secret)
    expect(await Passphrase.unwrap(wrapped, Redacted.make("correct horse "))).toBeNull()
  })

  it("is the same however its characters are put together", async () => {
    const secret = Passphrase.makeSecret()
    const wrapped = await Passphrase.wrap(secret, Redacted.make("cafe\u0301 au lait"))
    expect(await Passphrase.unwrap(wrapped, Redacted.make("caf\u00e9 au lait"))).toEqual(secret)
  })

  it("gives nothing for a wrapping that was changed", async () => {
    const wrapped = await Passphrase.wrap(Passphrase.makeSecret(), Redacted.make("correct horse"))
    new Uint8Array(wrapped.ciphertext)[0]! ^= 1
    expect(await Passphrase.unwrap(wrapped, Redacted.make("correct horse"))).toBeNull()
  })

  it("takes 600,000 rounds or more, and another salt each time", async () => {
    const secret = Passphrase.makeSecret()
    const [one, other] = [
      await Passphrase.wrap(secret, Redacted.make("a")),
      await Passphrase.wrap(secret, Redacted.make("a")),
    ]
    expect(one.iterations).toBeGreaterThanOrEqual(600_000)
    expect(one.salt).toHaveLength(16)
    expect(one.salt).not.toEqual(other.salt)
    expect(one.iv).not.toEqual(other.iv)
  })

  it("makes a key of the secret that cannot be exported", async () => {
    const key = await Passphrase.sealingKey(Passphrase.makeSecret())
    expect(key.extractable).toBe(false)
    await expect(crypto.subtle.exportKey("raw", key)).rejects.toThrow(/extractable/)
  })
})
