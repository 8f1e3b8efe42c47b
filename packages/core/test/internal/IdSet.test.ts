import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { IdSet } from "../../src/internal/IdSet.ts"

const agrees = (ids: ReadonlyArray<number>): void => {
  const set = new IdSet()
  const reference = new Set<number>()
  for (const id of ids) {
    expect(set.has(id)).toBe(reference.has(id))
    expect(set.add(id)).toBe(!reference.has(id))
    reference.add(id)
    expect(set.size).toBe(reference.size)
  }
  for (const id of reference) expect(set.has(id)).toBe(true)
}

const length = 5_000

describe("IdSet", () => {
  it("agrees with a Set for any ids, negative and huge ones too", () => {
    fc.assert(fc.property(fc.array(fc.maxSafeInteger(), { maxLength: 300 }), agrees))
  })

  it("agrees with a Set for ids that often come again", () => {
    fc.assert(fc.property(fc.array(fc.integer({ min: -3, max: 40 }), { maxLength: 300 }), agrees))
  })

  it.each([
    ["ascending", (at: number) => at + 1],
    ["descending", (at: number) => 1_000_000 - at],
    ["in strides of 256", (at: number) => at * 256],
    ["in strides of 2^32", (at: number) => at * 2 ** 32],
    ["near 2^53", (at: number) => Number.MAX_SAFE_INTEGER - at],
    ["below zero", (at: number) => -at],
  ])("agrees with a Set for ids %s, over several growths", (_, idAt) => {
    agrees(Array.from({ length }, (_, at) => idAt(at)))
  })
})
