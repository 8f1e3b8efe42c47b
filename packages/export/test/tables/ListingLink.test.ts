import { Fixtures } from "@deedkit/core/testing"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import * as Table from "../../src/table/Table.ts"
import { contracts } from "../../src/tables/Contracts.ts"
import { withListingLink } from "../../src/tables/ListingLink.ts"

const linkOf = (pattern: string, slug: string | null) => {
  const table = withListingLink(contracts, pattern)
  const listing = slug === null ? null : { id: 1, slug, title: "Loft", city: "Athens", area: "Plaka" }
  return table?.columns.find(({ name }) => name === "link")?.get(Fixtures.contract({ listing }))
}

describe("the public page of a listing", () => {
  it.each([
    ["https://site.example/{slug}", "loft-1", "https://site.example/loft-1"],
    ["https://site.example/x/{slug}?ref={slug}", "a b", "https://site.example/x/a%20b?ref=a%20b"],
    ["https://site.example/{slug}", "../admin?x=1#y", "https://site.example/..%2Fadmin%3Fx%3D1%23y"],
    ["https://site.example/{slug}", "ακή \uD800", "https://site.example/%CE%B1%CE%BA%CE%AE%20%EF%BF%BD"],
    ["https://site.example/{slug}", '"><script>', "https://site.example/%22%3E%3Cscript%3E"],
    ["https://site.example/{slug}", "$&", "https://site.example/%24%26"],
  ])("of %s with the slug %j is %s", (pattern, slug, expected) => {
    expect(linkOf(pattern, slug)).toBe(expected)
  })

  it.each([null, "", ".", ".."])("is not known for the slug %j", (slug) => {
    expect(linkOf("https://site.example/{slug}/", slug)).toBeNull()
  })

  it.each([
    "http://site.example/{slug}",
    "javascript:alert('{slug}')",
    "https://{slug}.example/",
    "https://site.example:{slug}/",
    "https://user:password@site.example/{slug}",
    "https://site.example/#{slug}",
    "https://site.example/",
    "https://site.example/{id}/{slug}",
    'https://site.example/"{slug}',
    "https://site.example/ {slug}",
    "site.example/{slug}",
    "{slug}",
    "",
  ])("cannot be made of %j", (pattern) => {
    expect(withListingLink(contracts, pattern)).toBeNull()
  })

  it("stands after the columns that are printed, and can be chosen by its name", () => {
    const table = withListingLink(contracts, "https://site.example/{slug}")!
    expect([table.printed, table.columns[table.printed!]?.name]).toEqual([contracts.printed, "link"])
    const chosen = Result.getOrThrow(Table.select(table, ["id", "link"]))
    expect(chosen.columns.map(({ name }) => name)).toEqual(["id", "link"])
    expect(chosen.printed).toBeUndefined()
  })
})
