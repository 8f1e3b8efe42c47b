import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { SeenIds } from "../../../src/pagination/proof/SeenIds.ts"

const answers = (ids: ReadonlyArray<number>): ReadonlyArray<boolean> => {
  const seen = new SeenIds()
  return ids.map((id) => seen.add(id))
}

const expected = (ids: ReadonlyArray<number>): ReadonlyArray<boolean> => {
  const seen = new Set<number>()
  return ids.map((id) => seen.size < seen.add(id).size)
}

describe("SeenIds", () => {
  it("agrees with a Set for random ids", () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger(), { maxLength: 200 }), (ids) => {
        expect(answers(ids)).toEqual(expected(ids))
      }),
    )
  })

  it("agrees with a Set for ids that often come again", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -2, max: 12 }), { maxLength: 100 }), (ids) => {
        expect(answers(ids)).toEqual(expected(ids))
      }),
      {
        numRuns: 1_000,
      },
    )
  })

  it("agrees with a Set for ordered ids with some out of place and some repeated", () => {
    const disturbed = fc
      .tuple(
        fc.uniqueArray(fc.nat(5_000), { maxLength: 200 }),
        fc.boolean(),
        fc.array(fc.tuple(fc.nat(200), fc.nat(5_000)), { maxLength: 10 }),
      )
      .map(([ids, down, inserts]) => {
        const ordered = ids.toSorted((a, b) => (down ? b - a : a - b))
        return inserts.reduce((all, [at, id]) => all.toSpliced(at, 0, id), ordered)
      })
    fc.assert(
      fc.property(disturbed, (ids) => {
        expect(answers(ids)).toEqual(expected(ids))
      }),
      { numRuns: 1_000 },
    )
  })

  it.each([
    ["ascending", 1],
    ["descending", -1],
  ])("remembers %s ids across its blocks", (_, direction) => {
    const ids = Array.from({ length: 20_000 }, (_, at) => 100_000 + direction * at * 2)
    const again = [ids[0]!, ids[511]!, ids[512]!, ids.at(-1)!]
    const between = [ids[511]! + direction, ids[511]! + direction]
    const all = [...ids, ...again, ...between]
    expect(answers(all)).toEqual(expected(all))
  })
})
