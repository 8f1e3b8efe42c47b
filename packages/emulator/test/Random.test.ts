import { describe, expect, it } from "vitest"
import { below, hex, make, mix, pick } from "../src/Random.ts"

const draws = (seed: number, count: number) => {
  const random = make(seed)
  return Array.from({ length: count }, () => random())
}

describe("a random sequence", () => {
  it("stays in [0, 1) and spreads over it", () => {
    const tenths = Array.from({ length: 10 }, () => 0)
    for (const draw of draws(7, 10_000)) {
      expect(draw >= 0 && draw < 1).toBe(true)
      const tenth = Math.floor(draw * 10)
      tenths[tenth] = (tenths[tenth] ?? 0) + 1
    }
    for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150)
  })

  it("reaches every option and no other", () => {
    const random = make(3)
    const drawn = new Set(Array.from({ length: 200 }, () => below(random, 4)))
    expect([...drawn].toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3])
    expect(new Set(Array.from({ length: 200 }, () => pick(random, ["a", "b"])))).toEqual(new Set(["a", "b"]))
    expect(hex(random, 24)).toMatch(/^[0-9a-f]{24}$/)
  })
})

describe("mix", () => {
  it("gives adjacent inputs different numbers, so that a shuffle by it has no ties", () => {
    expect(new Set(Array.from({ length: 10_000 }, (_, value) => mix(value))).size).toBe(10_000)
  })
})
