import { describe, expect, it } from "vitest"
import { matchPattern, parsePattern, segmentsOf } from "../../../src/address/Reference.ts"

const found = (pattern: string, path: string, query = "") => {
  const parsed = parsePattern(pattern)
  return parsed === null
    ? "unreadable"
    : matchPattern(parsed, segmentsOf(path.toLowerCase()), new URLSearchParams(query))
}

describe("a pattern", () => {
  it.each([
    ["/homes/:slug", "/homes/blue-door", "", "blue-door"],
    ["/homes/:slug", "/homes/blue-door/photos", "", null],
    ["/homes/:slug/**", "/homes/blue-door/photos", "", "blue-door"],
    ["/homes/:slug/**", "/homes/blue-door", "", "blue-door"],
    ["/homes/:slug/**", "/homes", "", null],
    ["/*/:slug", "/en/blue-door", "", "blue-door"],
    ["/*/:slug", "/blue-door", "", null],
    ["/homes/:slug-*", "/homes/blue-door-7", "", "blue-door"],
    ["/homes/:slug-*", "/homes/blue-door-7-x9", "", "blue-door-7"],
    ["/homes/:slug-*", "/homes/blue-door", "", null],
    ["/homes/:slug-*", "/homes/7", "", null],
    ["/*-:slug", "/7-blue-door", "", "blue-door"],
    ["/*-:slug-*", "/7-blue-door-8", "", "blue-door"],
    ["/rent-:slug.html", "/rent-blue-door.html", "", "blue-door"],
    ["/*-:id.html", "/blue-2-door-12.html", "", "12"],
    ["/*-:id", "/-12", "", null],
    ["/:id-*", "/12-blue-3", "", "12"],
    ["/:id-*", "/12-", "", null],
    ["/*-:id-*", "/blue-12-door", "", "12"],
    ["/:id_zpid", "/12_zpid", "", "12"],
    ["/Homes/:SLUG", "/HOMES/Blue-Door", "", "blue-door"],
    ["/:contract", "/12", "", ":contract/12"],
    ["/:contract", "/x12", "", null],
    ["/units/:unit", "/units/A%2F12", "", ":unit/a/12"],
    ["/homes/:slug", "/homes/blue-door;v=1", "", "blue-door"],
    ["!/blog/**", "/blog/2024/news", "", ""],
    ["!/blog/**", "/homes/blue-door", "", null],
    ["!/tag/*", "/tag/blue", "", ""],
    ["!*", "/", "", ""],
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
    ["/homes/:slug", "/homes/%E0%A4%A", "", "%e0%a4%a"],
    // Accents as characters of their own, as file names of macOS have them.
    ["/homes/:slug", "/homes/cafe%CC%81", "", "café"],
    ["/cafés/:slug", "/cafe%CC%81s/blue-door", "", "blue-door"],
    ["/cafe\u0301s/:slug", "/caf%C3%A9s/blue-door", "", "blue-door"],
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
    "/homes/:id-:slug",
    "/:city/:slug",
    "/*:slug",
    "/:slug*",
    "/a*b/:slug",
    "/:slug-*.html",
    "!/tag-*",
    "!/homes/:slug",
    "!",
    "!homes",
    "*",
    "!!*",
    "/**",
  ])("cannot be %j", (pattern) => {
    expect(parsePattern(pattern)).toBeNull()
  })
})
