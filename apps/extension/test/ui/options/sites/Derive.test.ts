import { describe, expect, it } from "vitest"
import type { ListingAnswer } from "../../../../src/index/PageIndex.ts"
import * as Derive from "../../../../src/ui/options/sites/Derive.ts"

const base = "https://homes.example/"

const answer = (slug: string): ListingAnswer => ({
  title: slug,
  total: 1,
  rows: [
    {
      id: 1003,
      kind: "rent",
      status: "active",
      unitLabel: "A-12",
      listingId: 41001,
      title: slug,
      city: null,
      slug,
      updatedAt: "2026-02-01T10:00:00Z",
    },
  ],
})

/** The index knows two slugs, one of them within the other, a listing's number, a contract and a unit. It finds slugs beside ids, too. */
const known = new Map([
  ["loft-kolonaki", answer("loft-kolonaki")],
  ["loft", answer("loft")],
  ["Loft_Kolonaki", answer("loft-kolonaki")],
  ["loft-kolonaki-12345", answer("loft-kolonaki")],
  ["41001", answer("loft-kolonaki")],
  [":contract/1003", answer("loft-kolonaki")],
  [":unit/a-12", answer("loft-kolonaki")],
  ["cafe\u0301-rouge", answer("café-rouge")],
])

const proposed = async (address: string) => {
  const proposals = await Derive.propose(address, base, async (reference) => known.get(reference) ?? null)
  return proposals.map(({ pattern }) => pattern)
}

describe("patterns from an example", () => {
  it.each([
    ["/listing/loft-kolonaki", ["/listing/:slug"]],
    ["/listing/cafe%CC%81-rouge", ["/listing/:slug"]],
    ["/listing/loft-kolonaki-12345", ["/listing/:slug-*"]],
    ["/listing/loft-kolonaki-ID4ab", ["/listing/:slug-*"]],
    ["/r77-loft-kolonaki", ["/*-:slug"]],
    ["/rent-loft-kolonaki", ["/rent-:slug"]],
    ["/en/homes/Loft_Kolonaki.html", ["/*/homes/:slug.html"]],
    ["/homes/loft-kolonaki/photos", ["/homes/:slug/photos"]],
    ["/homes/loft-kolonaki/7", ["/homes/:slug/*"]],
    ["/view?home=loft-kolonaki&zoom=3", ["/view?home=:slug"]],
    ["?home=loft-kolonaki", ["?home=:slug"]],
    ["/app#/homes/loft-kolonaki", ["/homes/:slug"]],
    ["/nice-flat-41001.html", ["/*-:id.html"]],
    ["/41001_zpid", ["/:id_zpid"]],
    ["/p41001", ["/p:id"]],
    ["/41001-nice-flat", ["/:id-*"]],
    ["/offers?ref=41001", ["/offers?ref=:id"]],
    ["/contracts/1003", ["/contracts/:contract"]],
    ["/units/A-12", ["/units/:unit"]],
    ["/homes/nothing-known/2024", []],
    ["/", []],
    ["/%E0%A4%A/__proto__", []],
  ])("%s are %j", async (address, expected) => {
    expect(await proposed(address)).toEqual(expected)
  })

  it("leave open what differs between the links of the page, but never what the first segment says", async () => {
    const address = "/rent/flat-in-plaka/athens/41001"
    const links = [
      address,
      "/rent/flat-in-psiri/athens/90000001",
      "/rent/flat-in-plaka/lisbon/90000002",
      "/agents/flat-in-plaka/athens/90000003",
      "/rent/flat-in-plaka/athens/41001/photos",
    ]
    const proposals = await Derive.propose(
      address,
      base,
      async (reference) => known.get(reference) ?? null,
      links,
    )
    expect(proposals.map(({ pattern }) => pattern)).toEqual(["/rent/*/*/:id"])
  })

  it("take the longest slug, and each of several things that are known", async () => {
    expect(await proposed("/listing/loft-kolonaki?id=41001")).toEqual([
      "/listing/:slug",
      "/listing/loft-kolonaki?id=:id",
    ])
    expect(await proposed("/a/loft/b")).toEqual(["/a/:slug/b"])
  })

  it("find in their own example what they were made from, in any place of any address", async () => {
    for (const before of ["", "x-", "7-", "rent-9-", "p", "é_", "%2a-"]) {
      for (const after of ["", "-x", "-7", "_9_y", ".html", "-7.html", "*"]) {
        const address = `/a1/${before}loft-kolonaki${after}/end?x=1`
        for (const pattern of await proposed(address)) {
          const trial = await proposed(address.toUpperCase())
          expect(pattern).toMatch(/^\/\*\/.*:slug/)
          expect(trial.length).toBeLessThanOrEqual(5)
        }
      }
    }
  })

  it("ask a bounded number of questions, however long the address is", async () => {
    let questions = 0
    const address = `/${"a-1-".repeat(2_000)}/${"b_".repeat(2_000)}?${"c=d-e&".repeat(500)}`
    const none = await Derive.propose(address, base, async () => {
      questions++
      return null
    })
    expect(none).toEqual([])
    expect(questions).toBeLessThanOrEqual(200)
  })
})

describe("the pattern that excludes an address", () => {
  it.each([
    ["/homes/loft-kolonaki", "!/homes/loft-kolonaki"],
    ["/homes/loft-kolonaki/?page=2#top", "!/homes/loft-kolonaki?page=2"],
    ["/app#/homes/blue", "!/homes/blue"],
    ["/homes/caf%C3%A9", "!/homes/caf%C3%A9"],
    ["/", null],
  ])("of %s is %s", (address, expected) => {
    expect(Derive.exclusionOf(address)).toBe(expected)
  })
})
