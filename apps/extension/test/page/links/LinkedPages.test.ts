/** Addresses of one page in the forms in which sites link to it, and pages that only look alike. */
import { describe, expect, it } from "vitest"
import { linkableAddress, readerOf } from "../../../src/address/Reference.ts"

const site = "https://homes.example"
const keptAs = (path: string) => linkableAddress(new URL(path, site))?.replace(site, "") ?? null

describe("the address under which a page is linked", () => {
  it.each([
    [
      "/properties/87766707",
      ["/properties/87766707#/?channel=RES_LET", "/properties/87766707/?utm_source=a"],
    ],
    ["/expose/8f0c4d52-1f3a-4a34", ["/expose/8f0c4d52-1f3a-4a34?ln=classified&search=rent"]],
    ["/hotel/gr/olive-loft.html", ["/hotel/gr/olive-loft.html?checkin=2026-05-01&aid=30414&dest_id=-82"]],
    ["/view.php?id=77", ["/view.php?lang=en&id=77", "/view.php?id=77&gclid=x#photos"]],
    ["/property-details?listing=9", ["/property-details?from=search&listing=9"]],
    ["/details?key=olive&tab=2", ["/details?tab=2&key=olive"]],
    ["/σοφίτα-στο-κέντρο", ["/%CF%83%CE%BF%CF%86%CE%AF%CF%84%CE%B1-στο-κέντρο/"]],
    ["/a%2Fb-1/c%3Fd-2%25", ["/a%2fb-1/c%3fd-2%25"]],
    ["/listing/42001", ["/#!/listing/42001", "/app#/listing/42001"]],
  ])("is %s, however the page is addressed", (address, others) => {
    for (const other of [address, ...others]) expect(keptAs(other)).toBe(address)
  })

  it.each([
    ["/view.php?id=77", "/view.php?id=78"],
    ["/details?key=olive", "/details?key=sea"],
    ["/property-details?hash=ab", "/property-details?hash=ac"],
    ["/search?q=athens", "/search?q=lisbon"],
    ["/homes/1001", "/homes/1001/photos"],
    ["/a%2Fb-1", "/a/b-1"],
  ])("is not that of another page: %s and %s", (one, other) => {
    expect(keptAs(one)).not.toBe(keptAs(other))
  })

  it("is none for a site's first page, and for one that is too long", () => {
    for (const path of ["/", "/?", "/#top", "/#/", `/${"a-".repeat(120)}`]) expect(keptAs(path)).toBeNull()
  })
})

describe("links of a page", () => {
  it("name their own page first, where a page of the site is linked, and nowhere else", () => {
    const here = new URL(site)
    const read = readerOf([], site, here, true)
    expect(read("/properties/87766707#/?channel=RES_LET")).toEqual([
      ":page/properties/87766707",
      "properties/87766707",
    ])
    expect(read("/homes/olive-loft")).toEqual([":page/homes/olive-loft", "olive-loft"])
    expect(read("https://other.example/properties/87766707")).toEqual([])
    expect(read("/")).toEqual([])
    expect(readerOf([], site, here)("/properties/87766707")).toEqual(["properties/87766707"])
  })
})
