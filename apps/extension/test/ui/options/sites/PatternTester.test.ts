// @vitest-environment happy-dom
import "../../desk/DeskBrowser.ts"
import { describe, expect, it } from "vitest"
import { tryAddress } from "../../../../src/ui/options/sites/PatternTester.tsx"

const origin = "https://homes.example"

const found = (typed: string, patterns: ReadonlyArray<string>) => {
  const trial = tryAddress(typed, origin, patterns)
  return trial._tag === "Read" ? trial.found.map(({ reference }) => reference) : trial._tag
}

describe("an address that is tried", () => {
  it.each([
    ["https://homes.example/homes/blue-door", "/homes/:slug", "blue-door"],
    ["https://homes.example/homes/blue-door/photos", "/homes/:slug", null],
    ["https://homes.example/homes/blue-door/photos", "/homes/:slug/**", "blue-door"],
    ["https://homes.example/homes/Blue-Door-77", "/homes/:slug-*", "blue-door"],
    ["https://homes.example/contracts/7", "/contracts/:contract", ":contract/7"],
    ["https://homes.example/blog/blue-door", "!/blog/*", ""],
    ["https://homes.example/blue-door", "!/blog/*", null],
    ["/homes/blue-door", "/homes/:slug", "blue-door"],
    ["https://homes.example/homes/caf%C3%A9", "/homes/:slug", "café"],
    ["https://homes.example/offers?listing=7&page=2", "?listing=:id", "7"],
    ["https://homes.example/#/homes/blue-door", "/homes/:slug", "blue-door"],
    ["https://homes.example/offers?listing=seven", "?listing=:id", null],
    ["https://homes.example/about", "/homes/:slug", null],
  ])("%s gives under %s: %s", (typed, pattern, reference) => {
    expect(found(typed, [pattern])).toEqual([reference])
  })

  it("is looked up by its slug before its numbers", () => {
    const trial = tryAddress("/homes/blue-door?listing=4711", origin, ["?listing=:id"])
    expect(trial._tag === "Read" && trial.references).toEqual(["blue-door", "4711"])
  })

  it.each([
    ["homes", "OtherSite"],
    ["https://other.example/homes/blue-door", "OtherSite"],
    ["https://homes.example:8443/homes/blue-door", "OtherSite"],
    ["http://homes.example/homes/blue-door", "OtherSite"],
    ["https://", "NotAnAddress"],
  ])("%s is %s", (typed, expected) => {
    expect(found(typed, [])).toBe(expected)
  })
})
