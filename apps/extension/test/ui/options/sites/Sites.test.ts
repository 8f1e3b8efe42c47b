// @vitest-environment happy-dom
import * as Desk from "../../desk/Desk.ts"
import { h } from "preact"
import { afterEach, describe, expect, it } from "vitest"
import type { AppState, Site } from "../../../../src/messages/AppState.ts"
import { Options } from "../../../../src/ui/options/Options.tsx"

const { full } = Desk
const origin = "https://homes.example"

const open = (state: AppState, answer?: Desk.Answer, wantedSite = "") =>
  Desk.mount(state, h(Options, { wantedSite }), answer)

const withSite = (site: Partial<Site>): AppState => ({
  ...full,
  sites: [{ origin, isGranted: true, isOn: true, patterns: [], ...site }],
})

const testerWords = (): string => Desk.words(document.querySelector(".tester-result"))

/** Types an address to try, and waits until the index was asked about it. */
const attempt = async (address: string): Promise<string> => {
  await Desk.type("Test an address", address)
  await Desk.waitFor(() => document.querySelector(".tester-verdict, .tester-result > p") !== null)
  return testerWords()
}

/** Knows one listing. */
const known: Desk.Answer = (request, state) =>
  request.type !== "index.listing"
    ? state
    : request.reference === "blue-door"
      ? { title: "The blue door", rows: [Desk.row], total: 1 }
      : null

afterEach(Desk.tidy)

describe("a listing site", () => {
  it("is granted in the click, and added by its origin alone", async () => {
    const desk = await open({ ...full, sites: [] }, () => full)
    await Desk.type("Address of a listing site", "homes.example/offers?page=2#top")
    Desk.button("Allow site").click()
    expect(Desk.grants.asked).toEqual(["https://homes.example/*"])
    await Desk.settle()
    expect(desk.requests).toEqual([{ type: "page.addSite", origin }])
    expect(Desk.words()).toContain("Badges are on for homes.example.")
    expect(Desk.box("Address of a listing site").value).toBe("")
  })

  it("is not added when it was denied: what was typed stays, and the refusal is said plainly", async () => {
    const desk = await open({ ...full, sites: [] })
    Desk.grants.isAllowed = false
    await Desk.type("Address of a listing site", "homes.example")
    await Desk.press("Allow site")
    expect(desk.requests).toEqual([])
    expect(Desk.alerts()).toEqual([
      "The browser did not allow homes.example. Nothing was changed. Try again and choose “Allow” when the browser asks.",
    ])
    expect(Desk.box("Address of a listing site").value).toBe("homes.example")
  })

  it("stands in the box already when the page was opened for it", async () => {
    await open(full, undefined, "https://other.example")
    expect(Desk.box("Address of a listing site").value).toBe("https://other.example")
  })

  it("is switched off and on", async () => {
    const desk = await open(withSite({}))
    await Desk.choose("Show badges")
    expect(desk.requests).toEqual([{ type: "page.switchSite", origin, isOn: false }])
  })

  it("is taken back", async () => {
    const desk = await open(withSite({}), () => ({ ...full, sites: [] }))
    await Desk.press("Remove homes.example")
    expect(desk.requests).toEqual([{ type: "page.removeSite", origin }])
    expect(Desk.words()).toContain("No sites yet.")
  })

  it("whose grant was taken back in the browser says so, and is granted again in a click", async () => {
    const desk = await open(withSite({ isGranted: false }), () => full)
    expect(Desk.words()).toContain("The browser no longer allows this site")
    Desk.button("Allow again").click()
    expect(Desk.grants.asked).toEqual(["https://homes.example/*"])
    await Desk.settle()
    expect(desk.requests).toEqual([{ type: "page.addSite", origin }])
  })
})

describe("link patterns", () => {
  it("are added to those that are there", async () => {
    const desk = await open(withSite({ patterns: ["/homes/:slug"] }))
    await Desk.type("New pattern", " ?listing=:id ")
    await Desk.press("Add pattern")
    expect(desk.requests).toEqual([
      { type: "page.setPatterns", origin, patterns: ["/homes/:slug", "?listing=:id"] },
    ])
  })

  it.each(["", "homes/:slug", "/homes", "/:slug/:id", "/homes/: slug"])(
    "that cannot be read are explained: %s",
    async (typed) => {
      const desk = await open(withSite({}))
      await Desk.type("New pattern", typed)
      await Desk.press("Add pattern")
      expect(desk.requests).toEqual([])
      expect(Desk.alerts().join()).toContain("A pattern starts with / or ?")
    },
  )

  it("are not added twice", async () => {
    const desk = await open(withSite({ patterns: ["/homes/:slug"] }))
    await Desk.type("New pattern", "/homes/:slug")
    await Desk.press("Add pattern")
    expect(desk.requests).toEqual([])
    expect(Desk.alerts()).toEqual(["This pattern already exists."])
  })

  it("are removed one by one", async () => {
    const desk = await open(withSite({ patterns: ["/homes/:slug", "?listing=:id"] }))
    await Desk.press("Remove pattern /homes/:slug")
    expect(desk.requests).toEqual([{ type: "page.setPatterns", origin, patterns: ["?listing=:id"] }])
  })
})

describe("the tester", () => {
  it("says what each pattern finds, and which listing it is", async () => {
    await open(withSite({ patterns: ["/homes/:slug", "?listing=:id"] }), known)
    expect(await attempt("https://homes.example/homes/blue-door?tab=1")).toBe(
      "Matches your listing: The blue door · 1 contract/homes/:slugblue-door?listing=:idno matchLooked upblue-door",
    )
  })

  it("tries a pattern that is only typed yet", async () => {
    const desk = await open(withSite({}), known)
    await Desk.type("New pattern", "?listing=:id")
    expect(await attempt("/offers?listing=4711")).toContain("?listing=:id4711")
    expect(desk.requests).toEqual([
      { type: "index.listing", reference: "offers" },
      { type: "index.listing", reference: "4711" },
    ])
  })

  it("says that an address belongs to no contract", async () => {
    await open(withSite({}), known)
    expect(await attempt("https://homes.example/about")).toContain("No contract matches this address.")
  })

  it("says that a number needs a pattern", async () => {
    const desk = await open(withSite({}), known)
    await Desk.type("Test an address", "https://homes.example/4711")
    await Desk.waitFor(() => testerWords() !== "")
    expect(testerWords()).toContain("numbers need a pattern")
    expect(desk.requests).toEqual([])
  })

  it("does not take an address of another site for one of this", async () => {
    const desk = await open(withSite({}), known)
    expect(await attempt("https://other.example/blue-door")).toBe("This address is not on homes.example.")
    expect(desk.requests).toEqual([])
  })

  it("shows what a hostile title says as words", async () => {
    const title = `<img src=x onerror=alert(1)>${"x".repeat(10_000)}`
    await open(withSite({}), (request, state) =>
      request.type === "index.listing" ? { title, rows: [Desk.row], total: 1 } : state,
    )
    expect(await attempt("https://homes.example/blue-door")).toContain("<img src=x onerror=alert(1)>")
    expect(document.querySelector("img")).toBeNull()
    expect(testerWords().length).toBeLessThan(500)
  })
})

describe("the page that is opened for a site", () => {
  afterEach(() => history.replaceState(null, "", "/"))

  it.each([
    ["has the field for an address of it in the focus", {}, "Test an address", ""],
    [
      "has the field that adds it where its permission was taken back",
      { isGranted: false },
      "Address of a listing site",
      origin,
    ],
  ])("%s", async (_what, site, field, value) => {
    history.replaceState(null, "", "#sites")
    await open(withSite(site), known, origin)
    expect(document.activeElement).toBe(Desk.box(field))
    expect(Desk.box(field).value).toBe(value)
    expect(Desk.box("Address of a listing site").value).toBe(value)
    expect(document.querySelector("details.site-card-patterns")?.hasAttribute("open")).toBe(value === "")
  })
})

describe("patterns from the address that is tried", () => {
  it("are proposed with what they find, and added only after a look", async () => {
    const desk = await open(withSite({ patterns: ["!/blog/**"] }), known)
    await attempt("/rent/blue-door-r77")
    await Desk.press("Suggest patterns")
    expect(Desk.words()).toContain("Use /rent/:slug-*The blue door · 1 contract")
    await Desk.press("Use /rent/:slug-*")
    expect(Desk.box("New pattern").value).toBe("/rent/:slug-*")
    await Desk.waitFor(() => testerWords().includes("/rent/:slug-*blue-door"))
    expect(desk.requests.filter(({ type }) => type === "page.setPatterns")).toEqual([])
    await Desk.press("Add pattern")
    expect(desk.requests.filter(({ type }) => type === "page.setPatterns")).toEqual([
      { type: "page.setPatterns", origin, patterns: ["!/blog/**", "/rent/:slug-*"] },
    ])
  })

  it("say what they find on an open page of the site, the best first", async () => {
    const at = (path: string) => `https://homes.example${path}`
    Desk.tabs.open = [
      { id: 4, url: at("/rent/"), lastAccessed: 2 },
      { id: 5, url: "https://other.example/", lastAccessed: 3 },
      { id: 6, url: at("/about"), lastAccessed: 1 },
      { id: 7, url: at("/about"), lastAccessed: 4, discarded: true },
    ]
    Desk.tabs.links = { 4: ["/rent/blue-door-r77", "/rent/red-door-r78", "/about"], 5: ["/rent/no-door-r79"] }
    await open(withSite({}), (request, state) =>
      request.type === "index.known"
        ? request.references.filter((reference) => reference === "blue-door")
        : known(request, state),
    )
    await attempt("/rent/blue-door-r77")
    await Desk.press("Suggest patterns")
    await Desk.waitFor(() => Desk.has("Use /rent/:slug-*"))
    expect(Desk.words()).toContain("Links found on the page: 2. With contracts: 1.")
  })

  it.each([
    ["answers with something else", "links" as never],
    ["has no links", []],
  ])("are proposed as well where that page %s", async (_what, links) => {
    Desk.tabs.open = [{ id: 4, url: `${origin}/rent/` }]
    Desk.tabs.links = { 4: links }
    await open(withSite({}), known)
    await attempt("/rent/blue-door-r77")
    await Desk.press("Suggest patterns")
    expect(Desk.words()).toContain("Use /rent/:slug-*The blue door · 1 contract")
    expect(Desk.words()).not.toContain("Links found")
  })

  it("are none where nothing of it is known", async () => {
    await open(withSite({}), known)
    await attempt("/rent/red-door")
    await Desk.press("Suggest patterns")
    expect(Desk.words()).toContain(
      "This address contains no slug, listing number, contract number or unit that Deedkit knows.",
    )
  })

  it("say so when the background does not answer", async () => {
    await open(withSite({}), (request, state) => {
      if (request.type === "index.listing") throw new Error("gone")
      return state
    })
    await Desk.type("Test an address", "/rent/red-door")
    await Desk.waitFor(() => Desk.has("Suggest patterns"))
    await Desk.press("Suggest patterns")
    expect(Desk.alerts().join()).not.toBe("")
  })

  it("exclude it for ever", async () => {
    const desk = await open(withSite({ patterns: ["/:slug"] }), known)
    await attempt("/rent/blue-door?page=2#top")
    await Desk.press("Exclude this link")
    expect(desk.requests.at(-1)).toEqual({
      type: "page.setPatterns",
      origin,
      patterns: ["/:slug", "!/rent/blue-door?page=2"],
    })
  })

  it("may be all that counts", async () => {
    const desk = await open(withSite({ patterns: ["/:slug"] }))
    await Desk.choose("Only my patterns")
    expect(desk.requests).toEqual([{ type: "page.setPatterns", origin, patterns: ["/:slug", "!*"] }])
    await Desk.tidy()
    const again = await open(withSite({ patterns: ["/:slug", "!*"] }))
    expect(Desk.has("Remove pattern !*")).toBe(false)
    await Desk.choose("Only my patterns")
    expect(again.requests).toEqual([{ type: "page.setPatterns", origin, patterns: ["/:slug"] }])
  })
})
