import { describe, expect, it } from "vitest"
import { isPattern, referencesOf, reader } from "../../../src/address/Reference.ts"

describe("the listing of a tab's address", () => {
  it("is looked for as in links: slugs before numbers", () => {
    const patterns = ["/en/homes/:slug", "?listing=:id"]
    expect(referencesOf("https://h.example/en/homes/sea-view?listing=42#map", patterns)).toEqual([
      "sea-view",
      "42",
    ])
  })

  it("is decoded, and read from a fragment where a site keeps its paths there", () => {
    expect(referencesOf("https://h.example/%C3%A9tage%2012", [])).toEqual(["étage 12"])
    expect(referencesOf("https://h.example/#/homes/sea-view", [])).toEqual(["sea-view"])
  })

  it.each([
    "/homes/sea-view.html",
    "/homes/sea-view.php?listing=42#photos",
    "/#/homes/sea-view?listing=42",
    "/app#!/homes/1234",
    "/7",
    "/#/7",
    "/list/2",
    "/2024/03/15/news",
    "/homes//sea-view/",
    `/homes/${"x".repeat(201)}`,
    "/homes/%E0%A4%A",
    "/",
  ])("is read as a link to it is: %s", (path) => {
    const patterns = ["/homes/:slug", "?listing=:id"]
    const asLink = reader(patterns, "https://h.example/en/index")
    const address = `https://h.example${path}`
    expect(referencesOf(address, patterns)).toEqual([...new Set(asLink(path))])
    expect(referencesOf(address, patterns)).toEqual([...new Set(asLink(address))])
  })

  it("is found by a number only where a pattern says so", () => {
    expect(referencesOf("https://h.example/blog/2024", [])).toEqual(["blog/2024"])
    expect(referencesOf("https://h.example/41001", [])).toEqual([])
    expect(referencesOf("https://h.example/41001", ["/:id"])).toEqual(["41001"])
  })

  it.each(["", "homes", "about:blank", "file:///homes/sea-view", "chrome-extension://abcdef/popup.html"])(
    "is not looked for at %j",
    (address) => {
      expect(referencesOf(address, ["/:slug"])).toEqual([])
    },
  )

  it("is not looked for in a segment that is longer than any slug", () => {
    expect(referencesOf(`https://h.example/${"a".repeat(201)}`, ["/:slug"])).toEqual([])
  })
})

describe("a pattern", () => {
  it.each([
    "/:slug",
    "/homes/:id/",
    "?listing=:id",
    "/search?home=:slug&view=map",
    "/homes-:slug",
    "!/blog/*",
  ])("can be %j", (pattern) => {
    expect(isPattern(pattern)).toBe(true)
  })
  it.each(["", "homes/:slug", "/homes", "/:slug/:id", "/:slug?id=:id", "/a b/:slug", "/homes-:slugs"])(
    "cannot be %j",
    (pattern) => {
      expect(isPattern(pattern)).toBe(false)
    },
  )
})
