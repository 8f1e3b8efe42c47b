import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { IdTable } from "../../../src/pagination/proof/IdTable.ts"

const put = fc.tuple(
  fc.oneof(fc.integer({ min: -3, max: 40 }), fc.maxSafeInteger()),
  fc.nat(5_000_000),
  fc.integer(),
)

describe("IdTable", () => {
  it("agrees with a Map, whatever the ids, and after it has grown", () => {
    fc.assert(
      fc.property(fc.array(put, { maxLength: 3_000, size: "max" }), (puts) => {
        const table = new IdTable()
        const map = new Map<number, { page: number; version: number }>()
        for (const [id, page, version] of puts) {
          expect(table.put(id, page, version)).toEqual(map.get(id) ?? null)
          map.set(id, { page, version })
        }
      }),
      { numRuns: 50 },
    )
  })

  it("holds a million ids, each as it was put last", () => {
    const table = new IdTable()
    for (let id = 0; id < 1_000_000; id++) table.put(id * 3, id % 977, -id)
    for (let id = 0; id < 1_000_000; id += 9_973) {
      expect(table.put(id * 3, 1, 1)).toEqual({ page: id % 977, version: id === 0 ? 0 : -id })
    }
    expect(table.put(1, 1, 1)).toBeNull()
  })
})
