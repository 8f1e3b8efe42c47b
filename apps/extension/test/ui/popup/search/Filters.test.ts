// @vitest-environment happy-dom
import * as Counter from "../Counter.ts"
import { afterEach, describe, expect, it } from "vitest"
import { parse } from "../../../../src/index/Query.ts"
import { valuesOf } from "../../../../src/ui/popup/search/Filters.tsx"
import * as Desk from "../../desk/Desk.ts"
import { contract, ready } from "../../gallery/Worlds.ts"

afterEach(Desk.tidy)

const shown = (label: string): ReadonlyArray<string> =>
  [...document.querySelectorAll(`[role=group][aria-label="${label}"] button`)].map((one) => Desk.words(one))
const pressed = (): ReadonlyArray<string> =>
  [...document.querySelectorAll(".filters [aria-pressed=true]")].map((one) => Desk.words(one))

describe("filters by status and kind", () => {
  it("show how many there are of each, active and drafts first", async () => {
    await Counter.open(ready)
    expect(shown("Status")).toEqual(["active 6", "draft 1", "ended 2", "on hold 1"])
    expect(shown("Kind")).toEqual(["rent 7", "sale 2", "seasonal 1"])
  })

  it("narrow the rows, and count for one what is left by the other", async () => {
    await Counter.open(ready)
    await Desk.press("ended")
    expect(Counter.rows()).toEqual(["Bloco C, 41 3", "2. OG links"])
    expect(shown("Status")).toEqual(["active 6", "draft 1", "ended 2", "on hold 1"])
    expect(shown("Kind")).toEqual(["rent 1", "sale 1"])
    await Desk.press("sale")
    expect(Counter.rows()).toEqual(["2. OG links"])
    expect(pressed()).toEqual(["ended 1", "sale 1"])
    await Desk.press("ended")
    expect(Counter.rows()).toEqual(["Sous-sol", "2. OG links"])
  })

  it("count what was typed, and are taken off by a second press", async () => {
    await Counter.open(ready)
    await Counter.type("olive")
    expect(shown("Status")).toEqual(["active 1", "ended 1"])
    await Desk.press("ended")
    await Desk.press("ended")
    expect(pressed()).toEqual([])
    expect(Counter.rows()).toHaveLength(2)
  })

  it("keep a chosen one in view that nothing has any more, so that it can be taken off", async () => {
    await Counter.open(ready)
    await Desk.press("draft")
    await Counter.type("garage")
    expect(shown("Status")).toEqual(["active 1", "draft 0"])
  })

  it("take two presses in quick succession as two", async () => {
    await Counter.open(ready)
    Desk.button("active").click()
    Desk.button("sale").click()
    await Counter.settle()
    expect(Counter.rows()).toEqual(["Sous-sol"])
  })

  it("take a value with quotation marks and right-to-left letters as it is", async () => {
    const odd = contract({
      id: 5,
      kind: "rent",
      status: 'בהמתנה "x" city:',
      unit: "Flat",
      title: null,
      updatedAt: "2026-02-01T10:00:00Z",
    })
    await Counter.open(ready, { contracts: [odd] })
    await Desk.press("בהמתנה")
    expect(Counter.rows()).toEqual(["Flat"])
  })
})

it("offers those of most contracts where there are very many", () => {
  const groups = Array.from({ length: 30 }, (_, at) => ({ count: at + 1, status: `s${at}`, kind: "rent" }))
  const values = valuesOf("status", groups, parse("").terms, "s0")
  expect(values).toHaveLength(8)
  expect(values.map(({ value }) => value)).toContain("s0")
  expect(values.map(({ value }) => value)).toContain("s29")
})
