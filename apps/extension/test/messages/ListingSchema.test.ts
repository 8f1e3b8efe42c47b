import { describe, expect, it } from "vitest"
import { longestReference, mostPlace, mostReferences } from "../../src/messages/ListingMessage.ts"
import type { ListingRequest } from "../../src/messages/Requests.ts"
import { readListingRequest } from "../../src/messages/Requests.ts"
import { requests as pageRequests } from "./Requests.ts"

const isListingRequest = (value: unknown): boolean => readListingRequest(value) !== null
const longest = "s".repeat(longestReference)
const many = (count: number): ReadonlyArray<string> => Array.from({ length: count }, (_, at) => `a-${at}`)

describe("requests of content scripts", () => {
  const right: ReadonlyArray<ListingRequest> = [
    { type: "listing.start" },
    { type: "listing.lookup", references: [] },
    { type: "listing.lookup", references: [longest, "__proto__"] },
    { type: "listing.lookup", references: many(mostReferences) },
    { type: "listing.detail", reference: "sea-view-12" },
    { type: "listing.refresh", reference: longest },
    { type: "listing.start", references: many(mostReferences) },
    { type: "listing.loadDetails" },
    { type: "listing.place", place: mostPlace },
    { type: "listing.open", reference: "a" },
  ]
  it.each(right.map((request) => [request.type, request] as const))("are answered: %s", (_type, request) => {
    expect(isListingRequest(request)).toBe(true)
  })

  const wrong: ReadonlyArray<readonly [string, unknown]> = [
    ["nothing", undefined],
    ["a list", [{ type: "listing.start" }]],
    ["no type", { references: ["a"] }],
    ["a type that is an object", { type: { toString: () => "listing.start" } }],
    ["a type of the prototype", { type: "constructor" }],
    ["one reference too many", { type: "listing.lookup", references: many(mostReferences + 1) }],
    ["references that are no list", { type: "listing.lookup", references: { length: 1, 0: "a" } }],
    ["a reference that is a number", { type: "listing.lookup", references: [12] }],
    ["an empty reference", { type: "listing.lookup", references: [""] }],
    ["a reference one character too long", { type: "listing.detail", reference: `${longest}s` }],
    ["an address beside the reference", { type: "listing.detail", reference: "a", url: "https://x.example" }],
    ["a contract beside the listing", { type: "listing.open", reference: "a", contractId: 12 }],
    ["a place that there is not", { type: "listing.place", place: mostPlace + 1 }],
    ["a place between others", { type: "listing.place", place: 0.5 }],
    ["a script that is named", { type: "listing.loadDetails", script: "../background" }],
    ["a request of a page", { type: "page.refresh", id: 5 }],
  ]
  it.each(wrong)("are refused: %s", (_what, request) => {
    expect(isListingRequest(request)).toBe(false)
  })

  it("name nothing of what the extension's own pages may ask", () => {
    expect(pageRequests.filter(isListingRequest)).toEqual([])
  })
})
