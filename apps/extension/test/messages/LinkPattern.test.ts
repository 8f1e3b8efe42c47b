import { describe, expect, it } from "vitest"
import { find, parse, segmentsOf } from "../../src/messages/LinkPattern.ts"

const found = (pattern: string, path: string, query = "") => {
  const parsed = parse(pattern)
  return parsed === null ? "unreadable" : find(parsed, segmentsOf(path), query)
}

describe("a pattern", () => {
  it.each([
    ["/homes/:slug", "/homes/blue-door", "", "blue-door"],
    ["/homes/:slug", "/homes/blue-door/photos", "", "blue-door"],
    ["/homes/:slug", "/flats/blue-door", "", null],
    ["/homes/:slug", "/homes", "", null],
    ["/homes/:id", "/homes/12", "", "12"],
    ["/homes/:id", "/homes/blue", "", null],
    ["/:slug/homes", "/blue/homes", "", "blue"],
    ["?listing=:id", "/tour", "listing=12&x=1", "12"],
    ["?listing=:id", "/tour", "listing=", null],
    ["?listing=:id", "/tour", "", null],
    ["/tour?listing=:id", "/tour", "listing=12", "12"],
    ["/tour?listing=:id", "/other", "listing=12", null],
    ["?view=map&home=:slug", "/", "home=blue&view=map", "blue"],
    ["?view=map&home=:slug", "/", "home=blue&view=list", null],
    ["/homes/:slug", "/homes/caf%C3%A9", "", "café"],
    ["/homes/:slug", "/homes/%E0%A4%A", "", "%E0%A4%A"],
  ])("%s finds in %s?%s: %s", (pattern, path, query, expected) => {
    expect(found(pattern, path, query)).toBe(expected)
  })

  it.each([
    "",
    "homes/:slug",
    "/homes",
    "/:slug/:id",
    "/homes/ :slug",
    "?listing",
    "/homes/:slugs",
    "https://a.b/:slug",
  ])("cannot be %j", (pattern) => {
    expect(parse(pattern)).toBeNull()
  })
})
