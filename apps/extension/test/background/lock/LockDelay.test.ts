import { expect, it } from "vitest"
import * as LockDelay from "../../../src/background/lock/LockDelay.ts"

const now = Date.parse("2026-03-01T14:00:00Z")

it("doubles the delay with each wrong passphrase, up to a quarter of an hour", () => {
  let attempts = LockDelay.none
  const seconds = Array.from({ length: 12 }, () => {
    attempts = LockDelay.after(attempts, now)
    return LockDelay.remaining(attempts, now) / 1_000
  })
  expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
})

it("is over when its time has come", () => {
  const attempts = LockDelay.after(LockDelay.none, now)
  expect(LockDelay.remaining(LockDelay.none, now)).toBe(0)
  expect(LockDelay.remaining(attempts, now + 1_000)).toBe(0)
})

it("begins now, as the longest at most, when the clock was ahead", () => {
  const attempts = LockDelay.after(LockDelay.none, now + 400 * 24 * 3_600_000)
  const settled = LockDelay.settled(attempts, now)
  expect(LockDelay.remaining(settled, now)).toBe(LockDelay.longestMillis)
  expect(LockDelay.settled(settled, now + 60_000)).toBe(settled)
  expect(LockDelay.remaining(settled, now + LockDelay.longestMillis)).toBe(0)
})
