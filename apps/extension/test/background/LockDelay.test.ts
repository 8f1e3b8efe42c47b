import { expect, it } from "vitest"
import * as LockDelay from "../../src/background/LockDelay.ts"

const now = Date.parse("2026-03-01T14:00:00Z")

it("doubles the delay with each wrong passphrase, up to a quarter of an hour", () => {
  let attempts = LockDelay.none
  const seconds = Array.from({ length: 12 }, () => {
    attempts = LockDelay.after(attempts, now)
    return LockDelay.remaining(attempts, now) / 1_000
  })
  expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
})

it("is over when its time has come, and never longer than the longest when a clock was set back", () => {
  const attempts = LockDelay.after(LockDelay.none, now)
  expect(LockDelay.remaining(LockDelay.none, now)).toBe(0)
  expect(LockDelay.remaining(attempts, now + 1_000)).toBe(0)
  expect(LockDelay.remaining(attempts, now - 365 * 24 * 3_600_000)).toBe(LockDelay.longestMillis)
})
