/** Patterns that are learnt from all links of a page, in the forms of address that portals use; names and numbers are made up. */
import { describe, expect, it } from "vitest"
import type { ListingAnswer } from "../../../../src/index/PageIndex.ts"
import * as Learn from "../../../../src/ui/options/sites/Learn.ts"

const origin = "https://portal.example"

const listing = (reference: string): ListingAnswer => ({
  title: reference,
  total: 1,
  rows: [
    {
      id: 1,
      kind: "rent",
      status: "active",
      unitLabel: "A",
      listingId: null,
      title: reference,
      city: null,
      slug: reference,
      updatedAt: "2026-02-01T10:00:00Z",
    },
  ],
})

const learn = (
  links: ReadonlyArray<string>,
  known: ReadonlyArray<string>,
  exclusions: ReadonlyArray<string> = [],
) =>
  Learn.learn(
    links,
    origin,
    exclusions,
    async (reference) => (known.includes(reference) ? listing(reference) : null),
    async (references) => references.filter((reference) => known.includes(reference)),
  )

const numbers = Array.from({ length: 20 }, (_, at) => `${87_766_701 + at * 13}`)
const towns = ["athens", "lisbon", "porto", "patras"]
const words = [
  "bright-flat-with-garden",
  "loft-near-the-park",
  "studio-for-two",
  "house-by-the-sea",
  "room-4-let",
]
const links = (made: (number: string, at: number) => string): ReadonlyArray<string> => [
  "/",
  "/about",
  "/agents/lisbon/12345678",
  "/help/how-to-let-a-flat",
  ...numbers.map(made),
]
const some = numbers.filter((_, at) => at % 4 !== 3)
const word = (at: number): string => words[at % words.length]!
const town = (at: number): string => towns[at % towns.length]!

describe("patterns that are learnt from a page", () => {
  it.each([
    [
      "a number behind a text that differs",
      (n: string, at: number) => `/s-anzeige/${word(at)}/${n}-203-2${at % 3}`,
    ],
    ["a number before an ending", (n: string, at: number) => `/neubau/${word(at)}/${n}.html`],
    [
      "a number in the middle of a segment",
      (n: string, at: number) => `/huur/${town(at)}/flat-${n}-${word(at)}/`,
    ],
    [
      "a number after several segments that differ together",
      (n: string, at: number) => `/for-sale/${word(at)}/${town(at)}/${at % 3}/${n}`,
    ],
    ["a fragment behind the number", (n: string) => `/properties/${n}#/?channel=RES_LET`],
    ["a number before letters", (n: string, at: number) => `/homedetails/${word(at)}/${n}_zpid/`],
    ["a number at the end of words", (n: string, at: number) => `/rooms-in-${town(at)}.${n}.html`],
    ["a parameter", (n: string) => `/view.php?lang=en&listing=${n}`],
  ])("find every listing of it, with and without contracts: %s", async (_what, made) => {
    const learnt = await learn(links(made), some)
    expect(learnt?.patterns).toHaveLength(1)
    expect(learnt?.count(learnt.patterns)).toEqual({ found: numbers.length, known: some.length })
  })

  it("are several where the page has links of several forms", async () => {
    const learnt = await learn(
      links((n, at) => (at % 2 === 0 ? `/bostad/${n}` : `/annons/${word(at)}/${n}`)),
      numbers,
    )
    expect(learnt?.patterns).toHaveLength(2)
    expect(learnt?.count(learnt.patterns)).toEqual({ found: 20, known: 20 })
  })

  it("find homes of other types, with and without contracts, where most are of one type", async () => {
    const types = (at: number): string => (at === 6 ? "house" : at === 7 ? "complex" : "flat")
    const page = [
      ...links((n, at) => `/huur/athens/${types(at)}-${n}-${word(at)}/`),
      `/huur/athens/agents-of-${numbers[8]}/12`,
      "/huur/athens/page-2-of-flats/",
    ]
    const learnt = await learn(page, some)
    expect(learnt?.patterns).toEqual([
      "/huur/athens/flat-:id-*",
      "/huur/athens/house-:id-*",
      "/huur/athens/complex-:id-*",
    ])
    expect(learnt?.count(learnt.patterns)).toEqual({ found: numbers.length, known: some.length })
  })

  it("are none for further links of listings that are found already", async () => {
    const page = [
      ...links((n) => `/to-rent/details/${n}/`),
      ...numbers.map((n) => `/to-rent/details/contact/${n}/`),
      ...numbers.map((n) => `/contactBranch.html?propertyId=${n}`),
    ]
    expect((await learn(page, some))?.patterns).toEqual(["/to-rent/details/:id"])
  })

  it("keep what says what is shown where only another kind of page has something else there", async () => {
    const page = [
      ...links((n, at) => `/neubau/${word(at)}/${n}.html`),
      ...numbers.map((n) => `/bookmark/add/${n}/`),
      "/agents/lisbon/12345678.html",
    ]
    expect((await learn(page, some))?.patterns).toEqual(["/neubau/*/:id.html"])
  })

  it("count a listing by any of its names", async () => {
    const learnt = await learn(
      links((n) => `/homes/${n}/sea-view-${n}-flat`),
      some,
    )
    const typed = ["/homes/*/:slug-flat", "/homes/:id/*"]
    expect(learnt?.count(typed)).toEqual({ found: numbers.length, known: some.length })
  })

  it("find slugs that no rule finds without a pattern", async () => {
    const slugs = numbers.map((n) => `flat-number-${n}`)
    const page = slugs.map((slug, at) => `/x/${slug}/${town(at)}/photos`)
    const learnt = await learn(page, slugs)
    expect(learnt?.count(learnt.patterns)).toEqual({ found: 20, known: 20 })
  })

  it("find slugs that are codes, before the words of an address", async () => {
    const codes = numbers.map((n) => `a${Number(n).toString(16)}`)
    const page = codes.map((each, at) => `/rent/${town(at)}/${each}/${word(at)}`)
    const learnt = await learn(page, codes.slice(0, 12))
    expect(learnt?.patterns).toEqual(["/rent/*/:slug/*"])
    expect(learnt?.count(learnt.patterns)).toEqual({ found: 20, known: 12 })
  })

  it("leave out what the site excludes, and pages below a listing's own", async () => {
    const page = [...links((n) => `/homes/${n}`), ...numbers.map((n) => `/homes/${n}/photos`)]
    const learnt = await learn(page, some, [`!/homes/${some[0]}`])
    expect(learnt?.patterns).toEqual(["/homes/:id"])
    expect(learnt?.count(learnt.patterns)).toEqual({ found: numbers.length - 1, known: some.length - 1 })
  })

  it.each([
    ["nothing is known", []],
    ["only two listings are", some.slice(0, 2)],
    ["only years are", ["2019", "2020", "2021", "2022"]],
  ])("are none where %s", async (_why, known) => {
    const years = ["/blog/2019/a", "/blog/2020/b", "/blog/2021/c", "/blog/2022/d"]
    expect(await learn([...links((n) => `/homes/${n}`), ...years], known)).toBeNull()
  })

  it("are none for hostile addresses, without an error and in time", async () => {
    const hostile = [
      "/%E0%A4%A/111222",
      `/${"1-".repeat(900)}`,
      "/__proto__/constructor",
      `/${"/a1".repeat(600)}`,
    ]
    expect(
      await learn(
        Array.from({ length: 400 }, (_, at) => `${hostile[at % 4]}?x=${at}`),
        some,
      ),
    ).toBeNull()
  })
})
