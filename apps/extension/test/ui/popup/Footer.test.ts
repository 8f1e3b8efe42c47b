// @vitest-environment happy-dom
import * as Counter from "./Counter.ts"
import { afterEach, describe, expect, it } from "vitest"
import * as Desk from "../desk/Desk.ts"
import { ready } from "../gallery/Worlds.ts"

afterEach(Desk.tidy)

const homes = "https://homes.example/homes/olive-loft"

describe("badges for the page in front alone", () => {
  const unknown = { ...ready, sites: [] }

  it("are asked for with the tab and its site, without a prompt and without leaving the popup", async () => {
    const { asked } = await Counter.open(unknown, {}, { tab: homes })
    await Desk.waitFor(() => Desk.has("Show once"))
    await Desk.press("Show once")
    expect(asked("page.showOnce")).toEqual([
      { type: "page.showOnce", tabId: 3, origin: "https://homes.example" },
    ])
    expect(Counter.opened).toEqual([])
    expect(Desk.grants.asked).toEqual([])
  })

  it("are refused in words where the browser does not allow extensions look", async () => {
    await Counter.open(unknown, { answers: { "page.showOnce": Desk.failed("Not here.") } }, { tab: homes })
    await Desk.waitFor(() => Desk.has("Show once"))
    await Desk.press("Show once")
    expect(Desk.alerts()).toEqual(["Not here. Do it again."])
  })

  it("are not offered on a site that has them", async () => {
    await Counter.open(ready, {}, { tab: homes })
    await Desk.waitFor(() => document.querySelector(".site-bar") !== null)
    expect(Desk.has("Show once")).toBe(false)
  })
})

describe("a popup that was opened for a search", () => {
  it("has it in the box, with what was found", async () => {
    const { asked } = await Counter.open(
      ready,
      {},
      { subject: { _tag: "Search", text: "garage" }, tab: homes },
    )
    expect(Counter.box().value).toBe("garage")
    expect(Counter.rows()).toEqual(["Garage 7"])
    expect(asked("index.listingAt")).toEqual([])
  })
})

describe("a page without badges", () => {
  const offer = "No badges on this page? Paste a listing's link"
  const noCards = () => Promise.resolve({ cards: [], total: 0 })

  it("has the way to the patterns of its site, where badges are on", async () => {
    await Counter.open(ready, {}, { tab: "https://homes.example/offers", script: noCards })
    await Desk.waitFor(() => Desk.has(offer))
    await Desk.press(offer)
    expect(Counter.opened).toEqual(["/options.html?site=https%3A%2F%2Fhomes.example#sites"])
  })

  it.each([
    ["badges are off", { sites: ready.sites.map((site) => ({ ...site, isOn: false })) }],
    ["the site was not added", { sites: [] }],
    ["nothing was synced", { index: { ...ready.index, contracts: 0 } }],
  ])("has none where %s", async (_why, changed) => {
    await Counter.open({ ...ready, ...changed }, {}, { tab: "https://homes.example/offers", script: noCards })
    await Desk.waitFor(() => document.querySelector(".site-bar") !== null)
    await Counter.settle()
    expect(Desk.has(offer)).toBe(false)
  })

  it("has none where it is the page of a listing with contracts", async () => {
    await Counter.open(ready, { hereSlug: "olive-loft" }, { tab: homes, script: noCards })
    await Desk.waitFor(() => document.querySelector(".site-bar") !== null)
    await Counter.settle()
    expect(Desk.has(offer)).toBe(false)
  })
})
