import { expect, it } from "vitest"
import * as SheetName from "../../src/sheet/SheetName.ts"

it.each([
  ["Contracts", "Contracts"],
  ["a/b\\c:d*e?f[g]", "a b c d e f g"],
  ["'quoted'", "quoted"],
  ["", "Sheet"],
  ["'", "Sheet"],
  ["History", "History 2"],
  ["x".repeat(40), "x".repeat(31)],
  ["Studio by the sea, Sant Pere d'Or", "Studio by the sea, Sant Pere d"],
])("a sheet that should be called %j is called %j", (wanted, name) => {
  expect(SheetName.make()(wanted)).toBe(name)
})

it("no name is given twice, whatever the case, and none is too long", () => {
  const name = SheetName.make()
  const given = Array.from({ length: 120 }, (_, at) => name(at % 2 === 0 ? "C".repeat(31) : "c".repeat(40)))
  expect(new Set(given.map((each) => each.toLowerCase())).size).toBe(120)
  expect(Math.max(...given.map((each) => each.length))).toBe(31)
})
