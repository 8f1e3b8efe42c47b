import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { IdSet } from "../../../src/pagination/proof/IdSet.ts"

/** What a set says while ids are added: whether each was there before, whether it was new, the size after it, whether it stays. */
const told = (ids: ReadonlyArray<number>) => {
  const set = new IdSet()
  const steps = ids.map((id) => [set.has(id), set.add(id), set.size])
  return { steps, kept: ids.every((id) => set.has(id)) }
}

const expected = (ids: ReadonlyArray<number>) => {
  const set = new Set<number>()
  const steps = ids.map((id) => {
    const before = set.has(id)
    set.add(id)
    return [before, !before, set.size]
  })
  return { steps, kept: true }
}

const length = 5_000

describe("IdSet", () => {
  it("agrees with a Set for any ids, negative and huge ones too", () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger(), { maxLength: 300 }), (ids) => {
        expect(told(ids)).toEqual(expected(ids))
      }),
    )
  })

  it("agrees with a Set for ids that often come again", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -3, max: 40 }), { maxLength: 300 }), (ids) => {
        expect(told(ids)).toEqual(expected(ids))
      }),
    )
  })

  it.each([
    ["ascending", (at: number) => at + 1],
    ["descending", (at: number) => 1_000_000 - at],
    ["in strides of 256", (at: number) => at * 256],
    ["in strides of 2^32", (at: number) => at * 2 ** 32],
    ["near 2^53", (at: number) => Number.MAX_SAFE_INTEGER - at],
    ["below zero", (at: number) => -at],
  ])("agrees with a Set for ids %s, over several growths", (_, idAt) => {
    const ids = Array.from({ length }, (_, at) => idAt(at))
    expect(told(ids)).toEqual(expected(ids))
  })
})
