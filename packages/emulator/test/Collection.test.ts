import { defaults } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { make } from "../src/Collection.ts"
import type { Orderable } from "../src/Collection.ts"
import * as Random from "../src/Random.ts"

const orderings = ["descending", "ascending", "random", "updated"] as const
const record = (id: number, day = id) => ({ id, updated_at: `2026-01-${String(day).padStart(2, "0")}` })
const twelve = Array.from({ length: 12 }, (_, index) => record(2 * (index + 1)))
const collection = (ordering: (typeof orderings)[number], records: ReadonlyArray<Orderable> = twelve) =>
  make(records, { ...defaults, ordering }, 1)

describe("a collection", () => {
  it.each(orderings)("ordered %s is, after many changes, what sorting from scratch gives", (ordering) => {
    const random = Random.make(5)
    const changed = collection(ordering)
    const truth = new Map<number, Orderable>(twelve.map((one) => [one.id, one]))
    const removed: Array<readonly [seen: Orderable | undefined, known: Orderable | undefined]> = []
    for (let step = 0; step < 300; step++) {
      const id = 1 + Random.below(random, 40)
      if (random() < 0.4) {
        removed.push([changed.remove(id), truth.get(id)])
        truth.delete(id)
      } else {
        const one = record(id, 1 + Random.below(random, 28))
        changed.put(one)
        truth.set(id, one)
      }
    }
    for (const [seen, known] of removed) expect(seen).toEqual(known)
    const ascending = [...truth.values()].toSorted((left, right) => left.id - right.id)
    expect(changed.records()).toEqual(collection(ordering, ascending).records())
    for (const [index, { id }] of changed.records().entries()) expect(changed.place(id)).toBe(index)
  })

  it("knows the place of an id that was never there, unless places depend on more than the id", () => {
    expect(collection("ascending").place(7)).toBe(3)
    expect(collection("descending").place(7)).toBe(9)
    expect(collection("updated").place(7)).toBeUndefined()
  })
})
