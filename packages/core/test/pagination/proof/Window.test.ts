import { describe, expect, it } from "vitest"
import { Window } from "../../../src/pagination/proof/Window.ts"

interface Versioned {
  readonly id: number
  readonly version: string
}

const of = (ids: ReadonlyArray<number>, version = "a"): ReadonlyArray<Versioned> =>
  ids.map((id) => ({ id, version }))
const version = (record: Versioned): string => record.version
const range = (from: number, count: number) => Array.from({ length: count }, (_, at) => from + at)

const windowOf = (ids: ReadonlyArray<number>): Window => {
  const window = new Window()
  window.add(of(ids), [], version)
  return window
}

describe("Window", () => {
  it("gives each record its place, in the order in which they came first", () => {
    const window = windowOf([9, 8, 7])
    const again = of([7])
    window.add([...again, ...of([6])], again, version)
    expect([9, 8, 7, 6, 5].map((id) => window.placeOf(id))).toEqual([0, 1, 2, 3, -1])
    expect(window.versionAt(2)).toBe("a")
    expect(window.versionAt(4)).toBeNull()
    expect(window.versionAt(-1)).toBeNull()
    expect([window.start, window.end]).toEqual([0, 4])
  })

  it("moves a record that changed to where it came last, and leaves the places of the others", () => {
    const window = windowOf([9, 8, 7])
    const changed = of([8], "b")
    window.add(changed, changed, version)
    expect([9, 8, 7].map((id) => window.placeOf(id))).toEqual([0, 3, 2])
    expect(window.versionAt(3)).toBe("b")
    expect(window.idAt(1)).toBe(9)
    expect(window.idsFrom(0, 4)).toEqual([9, 7, 8])
  })

  it("leaves the first record in its place where it comes again as it was", () => {
    const window = windowOf([9, 8])
    const again = of([9])
    window.add(again, again, version)
    expect([window.placeOf(9), window.end]).toEqual([0, 2])
  })

  it("takes a known record that it does not hold", () => {
    const window = windowOf([9])
    const known = of([4])
    window.add(known, known, version)
    expect(window.placeOf(4)).toBe(1)
  })

  it("gives the nearest record before a place, also after the last one, and none before the first", () => {
    const window = windowOf([9, 8])
    expect([window.idAt(2), window.idAt(5)]).toEqual([8, 8])
    expect([window.idAt(0), window.idAt(1), window.idAt(-1)]).toEqual([9, 8, null])
  })

  it("gives the ids from a place on, as many as are wanted and there", () => {
    const window = windowOf([9, 8, 7])
    expect(window.idsFrom(1, 1)).toEqual([8])
    expect(window.idsFrom(1, 9)).toEqual([8, 7])
    expect(window.idsFrom(-4, 2)).toEqual([9, 8])
  })

  it("gives the last places with their versions, and is made of them again", () => {
    const window = windowOf([9, 8, 7])
    const last = window.last(2)
    expect(last).toEqual({ ids: [8, 7], versions: ["a", "a"] })
    const again = new Window(last.ids, last.versions)
    expect([again.placeOf(8), again.placeOf(7), again.end]).toEqual([0, 1, 2])
    expect(window.last(9).ids).toEqual([9, 8, 7])
    again.add(of([6]), [], version)
    expect(last.ids).toEqual([8, 7])
  })

  it("holds 2,000 records, then drops to the last 1,000 and keeps their places", () => {
    const window = new Window()
    window.add(of(range(0, 1_500)), [], version)
    window.add(of(range(1_500, 500), "b"), [], version)
    expect([window.start, window.end]).toEqual([0, 2_000])
    window.add(of([2_000], "c"), [], version)
    expect([window.start, window.end]).toEqual([1_001, 2_001])
    expect([window.placeOf(1_000), window.placeOf(1_001), window.placeOf(2_000)]).toEqual([-1, 1_001, 2_000])
    expect([window.idAt(1_001), window.idAt(1_000), window.versionAt(1_001)]).toEqual([1_001, null, "a"])
    expect([1_499, 1_500, 2_000].map((place) => window.versionAt(place))).toEqual(["a", "b", "c"])
    expect(window.idsFrom(1_003, 2)).toEqual([1_003, 1_004])
  })
})
