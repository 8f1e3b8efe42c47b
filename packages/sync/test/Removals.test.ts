import { describe, expect, it } from "vitest"
import { isHeld } from "../src/Removals.ts"

const loss = { known: 1_000, seen: 990, removed: 10, newer: 0, accepted: 0 }

describe("removals are held", () => {
  it.each([
    ["not when nothing is removed", { removed: 0, seen: 1_000 }, false],
    ["not when a tenth is removed", { removed: 100, seen: 900 }, false],
    ["when more than a tenth is removed", { removed: 101, seen: 899 }, true],
    ["not when 20 records are removed of a small list", { known: 40, removed: 20, seen: 20 }, false],
    ["when 21 are", { known: 40, removed: 21, seen: 19 }, true],
    ["when all are removed, and the list has others", { known: 3, removed: 3, seen: 3 }, true],
    ["when the list is empty, although most records are found by id", { removed: 1, seen: 0 }, true],
    ["not when the newest record is removed", { removed: 10, newer: 1 }, false],
    ["when the two newest are", { removed: 10, newer: 2 }, true],
    ["not when they were accepted", { known: 3, removed: 3, seen: 0, accepted: 3 }, false],
    ["not when some more than accepted are removed", { removed: 520, seen: 480, accepted: 500 }, false],
    ["when many more than accepted are", { removed: 700, seen: 300, accepted: 500 }, true],
  ])("%s", (_, given, expected) => {
    expect(isHeld({ ...loss, ...given })).toBe(expected)
  })
})

/** A repeatable source of numbers from 0 to 1. */
const random = (seed: number) => {
  let state = seed
  return (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/**
 * The nights in a year at which an honest account is held. Of its records, 2 % are changed and 0.5 % are removed a night, and as many are added.
 */
const falseHolds = (size: number, seed: number): number => {
  const next = random(seed)
  let touched = Array.from({ length: size }, next)
  let holds = 0
  for (let night = 1; night <= 365; night++) {
    const stays: Array<number> = []
    const gone: Array<number> = []
    for (const moment of touched) {
      if (next() < 0.005) gone.push(moment)
      else stays.push(next() < 0.02 ? night + next() : moment)
    }
    const added = Array.from({ length: size }, next).filter((chance) => chance < 0.005)
    const listed = [...stays, ...added.map(() => night + next())]
    const newest = Math.max(...listed)
    const newer = gone.filter((moment) => moment > newest).length
    if (isHeld({ known: touched.length, seen: listed.length, removed: gone.length, newer, accepted: 0 }))
      holds += 1
    touched = listed
  }
  return holds
}

describe("a year of an honest account", () => {
  it.each([
    [1, 1],
    [2, 0.5],
    [5, 0.1],
    [20, 0],
    [100, 0],
    [300, 0],
  ])("of %i records has at most %d false holds on average", (size, most) => {
    const years = Array.from({ length: 20 }, (_, at) => falseHolds(size, (at + 1) * 7_919))
    expect(years.reduce((sum, holds) => sum + holds, 0) / years.length).toBeLessThanOrEqual(most)
  })
})
