// @vitest-environment happy-dom
import * as Counter from "./Counter.ts"
import { afterEach, describe, expect, it, vi } from "vitest"
import * as Desk from "../desk/Desk.ts"
import { contract, contracts, ready } from "../gallery/Worlds.ts"
import { cardLimits, linkedCards } from "../../../src/ui/popup/onpage/FrontTab.ts"

afterEach(Desk.tidy)

const offer = "Link this page to a listing"
const remove = "Remove link"
const box = () => Desk.box("Search listings")

const open = async (title: string, path = "/properties/87766707", state = ready, shown = contracts) => {
  const counter = await Counter.open(
    state,
    { contracts: shown },
    { tab: `https://homes.example${path}`, title },
  )
  await Desk.waitFor(() => document.querySelector(".site-bar") !== null)
  await Counter.settle()
  return counter
}
const choose = async () => {
  await Desk.press(offer)
  await Counter.settle()
}
/** The listing that Enter would link. */
const chosen = () => Desk.words(document.querySelector("[role=option][aria-selected=true] .row-name") ?? null)
const links = ({ asked }: Counter.Counter) => asked("page.linkPage")

describe("linking the page in front to a listing", () => {
  it("begins with the listing that title and address fit best, and takes Enter", async () => {
    const counter = await open("Loft for rent: The Olive, Kolonaki, Athens | Portal")
    await choose()
    expect(document.activeElement).toBe(box())
    expect(box().value).toContain("olive")
    expect(chosen()).toBe("The “Olive” loft, Kolonaki")
    const listing = Desk.words(document.querySelector("[aria-selected=true] .row-id")).slice(1)
    await Counter.press("Enter")
    expect(links(counter)).toEqual([
      { type: "page.linkPage", url: "https://homes.example/properties/87766707", listing: Number(listing) },
    ])
    expect(Counter.groups()[0]).toBe("On this page: The “Olive” loft, Kolonaki")
    expect(Desk.has(offer)).toBe(false)
    expect(Desk.words()).toContain("You linked this page to its listing.")
  })

  it("is undone by one press, and can then be done again", async () => {
    const counter = await open("Olive loft")
    await choose()
    await Counter.press("Enter")
    await Desk.press(remove)
    await Counter.settle()
    expect(links(counter).at(-1)).toMatchObject({ listing: null })
    expect(Counter.groups()).toEqual(["Latest updates"])
    expect(Desk.has(remove)).toBe(false)
    expect(Desk.has(offer)).toBe(true)
  })

  it("finds another listing by what is typed over the suggestion", async () => {
    const counter = await open("Olive loft")
    await choose()
    await Desk.type("Search listings", "exarchia")
    await Counter.settle()
    await Counter.press("Enter")
    expect(links(counter)).toMatchObject([{ listing: 41_324 }])
  })

  it("suggests nothing where no word of the page is a listing's, and shows the latest", async () => {
    await open("42 m² | Portal")
    await choose()
    expect(box().value).toBe("")
    expect(document.querySelectorAll("[role=option]").length).toBeGreaterThan(1)
  })

  it("shows each listing once, and none for a contract without one", async () => {
    const made = { kind: "rent", status: "active", updatedAt: "2026-02-01T10:00:00Z" }
    const first = contract({ ...made, id: 1, unit: "A", title: "Sea view" })
    const second = { ...first, row: { ...first.row, id: 2, unitLabel: "B" } }
    const without = contract({ ...made, id: 3, unit: "C", title: null })
    await open("", "/view/1", ready, [first, second, without])
    await choose()
    expect(Counter.rows()).toEqual(["Sea view"])
    expect(Desk.words(document.querySelector(".link-page-units"))).toBe("Lisboa · A · B")
  })

  it("is left by Escape without a link: first the text goes, then the view", async () => {
    const counter = await open("Olive loft")
    await choose()
    await Counter.press("Escape")
    expect(box().value).toBe("")
    await Counter.press("Escape")
    expect(document.activeElement).toBe(Counter.box())
    expect(links(counter)).toEqual([])
  })

  it.each([
    ["a site's first page", "/", ready],
    [
      "a site with badges off",
      "/properties/1",
      { ...ready, sites: ready.sites.map((s) => ({ ...s, isOn: false })) },
    ],
    ["a site that was not added", "/properties/1", { ...ready, sites: [] }],
    ["an empty index", "/properties/1", { ...ready, index: { ...ready.index, contracts: 0 } }],
  ])("is not offered on %s", async (_where, path, state) => {
    await open("Olive loft", path, state)
    expect(Desk.has(offer)).toBe(false)
  })
})

describe("linking several listings of the page in front", () => {
  const cards = [
    {
      address: "/agents/olive",
      title: "Olive agents",
      words: "The “Olive” loft, Kolonaki, Athens. Anna, agent",
    },
    {
      address: "/properties/87766707#/",
      title: "The Olive loft, Kolonaki",
      words: "The Olive loft, Kolonaki 850 a month",
    },
    { address: "/about", title: "Flats in Athens", words: "Flats in Athens" },
    { address: "/properties/87766709", title: "Nothing like it", words: "Nothing like it" },
  ]
  const offerCards = "Link listings of this page"
  const openCards = async (links: ReadonlyArray<unknown> = cards) => {
    const counter = await Counter.open(
      ready,
      { contracts },
      { tab: "https://homes.example/", title: "Portal", links },
    )
    await Desk.waitFor(() => document.querySelector(".site-bar") !== null)
    await Counter.settle()
    await Desk.press(offerCards)
    await Desk.waitFor(() => document.querySelector(".link-cards[aria-busy=false]") !== null)
    return counter
  }

  it("shows the cards that fit a listing, links them by one press, and takes that back by another", async () => {
    const counter = await openCards()
    expect(
      [...document.querySelectorAll(".link-card")].map((card) => Desk.words(card.querySelector(".row-name"))),
    ).toEqual(["The Olive loft, Kolonaki"])
    expect(links(counter)).toEqual([])
    await Desk.press("Link 1 page")
    await Counter.settle()
    const listing = contracts.find(({ row }) => row.title === "The “Olive” loft, Kolonaki")!.row.listingId
    const url = "https://homes.example/properties/87766707#/"
    expect(links(counter)).toEqual([{ type: "page.linkPage", url, listing }])
    expect(Desk.words()).toContain("1 linked page")
    await Desk.press("Remove links")
    await Counter.settle()
    expect(links(counter).at(-1)).toEqual({ type: "page.linkPage", url, listing: null })
  })

  it("links none that is not chosen", async () => {
    const counter = await openCards()
    document.querySelector<HTMLInputElement>(".link-card input")!.click()
    await Counter.settle()
    expect(Desk.button("Link 0 pages").disabled).toBe(true)
    expect(links(counter)).toEqual([])
  })

  it.each([[[]], [[{ address: "", title: "x", words: "x" }]], [[{ address: "/a", title: 1 }]]])(
    "says that nothing fits where the page gives %j",
    async (links) => {
      await openCards(links)
      expect(Desk.words()).toContain("No card of this page has the words of one of your listings.")
    },
  )
})

describe("the cards that are read from a page", () => {
  /** Reads a page as the browser does: with the function that it is given, in the page. */
  const read = (html: string) => {
    document.body.innerHTML = html
    const { browser } = globalThis as unknown as { readonly browser: { tabs: object; scripting: object } }
    browser.tabs = { query: () => Promise.resolve([{ id: 3 }]) }
    browser.scripting = {
      executeScript: ({
        args,
        func,
      }: {
        readonly args: [typeof cardLimits]
        readonly func: (limits: object) => unknown
      }) => Promise.resolve([{ result: func(...args) }]),
    }
    return linkedCards()
  }
  const card = (path: string, title: string) =>
    `<li><a href="${path}"><h3>${title}</h3></a><p>850 a month</p><a href="/agents/anna">Anna</a><a href="${path}#map">Map</a></li>`

  it("reach as far as one page of their kind is linked, and are each read once", async () => {
    const cards = await read(`<ul>${card("/view/1001", "Olive loft")}${card("/view/1002", "Blue door")}</ul>`)
    expect(cards).toEqual([
      { address: "/view/1001", title: "Olive loft", words: "Olive loft850 a monthAnnaMap" },
      { address: "/agents/anna", title: "Olive loft", words: "Olive loft850 a monthAnnaMap" },
      { address: "/view/1002", title: "Blue door", words: "Blue door850 a monthAnnaMap" },
    ])
  })

  it("are those of the first 1,000 links, at the cost of one look at each", async () => {
    const list = (count: number, pathOf: (at: number) => string) =>
      `<div>${Array.from({ length: count }, (_, at) => `<p><a href="${pathOf(at)}">Home ${at}</a></p>`).join("")}</div>`
    const looks = vi.spyOn(Element.prototype, "querySelectorAll")
    expect(await read(list(2_000, (at) => `/view/${1_000 + at}`))).toHaveLength(cardLimits.cards)
    expect(await read(list(2_000, (at) => `/view/${Math.max(1_000, at + 1)}`))).toMatchObject([
      { address: "/view/1000" },
    ])
    expect(looks).not.toHaveBeenCalled()
    looks.mockRestore()
  })
})
