// @vitest-environment happy-dom
import "../desk/DeskBrowser.ts"
import { describe, expect, it } from "vitest"
import * as TypedAddress from "../../../src/ui/forms/TypedAddress.ts"

const hrefOf = (typed: TypedAddress.TypedAddress): string =>
  typed._tag === "Usable" ? typed.url.href : typed.problem

describe("an address of the service", () => {
  it.each([
    ["api.example.com", "https://api.example.com/"],
    [" https://api.example.com ", "https://api.example.com/"],
    ["https://api.example.com:8443/", "https://api.example.com:8443/"],
    ["https://example.com/property/api", "https://example.com/property/api"],
    ["https://example.com/property/v1/contracts/?limit=5#top", "https://example.com/property/"],
    ["https://api.example.com/v1", "https://api.example.com/"],
    ["https://api.example.com/v12/", "https://api.example.com/v12/"],
  ])("that is typed as %s is %s", (typed, expected) => {
    expect(hrefOf(TypedAddress.baseAddress(typed))).toBe(expected)
  })

  it.each([
    ["", "typedNoAddress"],
    ["   ", "typedNoAddress"],
    ["https://", "typedNoAddress"],
    ["the office in Athens", "typedNoAddress"],
    ["http://api.example.com", "typedNotHttps"],
    ["http://localhost:3000", "typedNotHttps"],
    ["ftp://api.example.com", "typedNotHttps"],
    ["javascript:alert(1)", "typedNoAddress"],
    ["https://key@api.example.com", "typedHasPassword"],
  ])("cannot be %s", (typed, problem) => {
    expect(hrefOf(TypedAddress.baseAddress(typed))).toBe(problem)
  })
})

describe("an address of a site", () => {
  it("is its origin, whichever page of it was copied", () => {
    expect(hrefOf(TypedAddress.siteAddress("homes.example/offers/blue-door?from=mail#map"))).toBe(
      "https://homes.example/",
    )
  })
})

describe("two addresses", () => {
  it("are the same with or without a slash at the end", () => {
    expect(TypedAddress.isSame("https://api.example.com", "https://api.example.com/")).toBe(true)
    expect(TypedAddress.isSame("https://api.example.com", "https://api.example.com/rent")).toBe(false)
  })
})
