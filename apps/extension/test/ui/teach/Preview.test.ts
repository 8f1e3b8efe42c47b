import { expect, it } from "vitest"
import type { ListingAnswer } from "../../../src/messages/PageMessage.ts"
import * as Preview from "../../../src/ui/teach/Preview.ts"

const origin = "https://homes.example"
const listing: ListingAnswer = { title: "The blue door", rows: [], total: 1 }
const links = ["/homes/7-blue", "/homes/8-red", "/about", "/blog/7-news", "/homes/7-blue?from=top"]

const lookup = (asked: Array<string>) =>
  Preview.once((reference) => {
    asked.push(reference)
    return Promise.resolve(reference === "7" ? listing : null)
  })

it("finds the links that a pattern finds, those without a contract too, and asks for each reference once", async () => {
  const asked: Array<string> = []
  const found = await Preview.findBy("/*/:id-*", [], links, origin, lookup(asked))
  expect(found.map(({ address, listing }) => [address, listing !== null])).toEqual([
    ["/homes/7-blue", true],
    ["/homes/8-red", false],
    ["/blog/7-news", true],
    ["/homes/7-blue?from=top", true],
  ])
  expect(Preview.knownOf(found)).toBe(3)
  expect(asked.toSorted()).toEqual(["7", "8"])
})

it("leaves out what the site excludes, and what its other patterns find", async () => {
  const patterns = ["!/blog/**", "/about/:slug", "/:slug"]
  const found = await Preview.findBy("/*/:id-*", patterns, links, origin, lookup([]))
  expect(found.map(({ address }) => address)).not.toContain("/blog/7-news")
  expect(found.map(({ address }) => address)).not.toContain("/about")
})
