// @vitest-environment happy-dom
import * as Counter from "./Counter.ts"
import { afterEach, describe, expect, it } from "vitest"
import * as Desk from "../desk/Desk.ts"
import { contracts, ready } from "../gallery/Worlds.ts"

afterEach(Desk.tidy)

const ask = "No badges on this page?"
const numbers = contracts.flatMap(({ row: { listingId } }) => listingId ?? [])
const results = [
  "/",
  "/about",
  ...numbers.map((n, at) => `/rent/flat-${at}/${n}?from=search`),
  "/rent/flat-x/90000001",
  "/rent/flat-y/90000002",
]
const pattern = "/rent/*/:id"

const open = async (links: ReadonlyArray<string>, state = ready) => {
  const counter = await Counter.open(
    state,
    { answers: {} },
    {
      tab: "https://homes.example/rent",
      script: () => Promise.resolve({ cards: [], total: 0 }),
      links,
    },
  )
  await Desk.waitFor(() => document.querySelector(".site-bar") !== null)
  await Counter.settle()
  await Counter.settle()
  return counter
}

describe("a page whose links carry numbers of listings", () => {
  it("is offered badges by one click, and nothing is added before it", async () => {
    const { asked } = await open(results)
    await Desk.waitFor(() => Desk.words().includes(`${numbers.length} links look like your listings.`))
    expect(Desk.has(ask)).toBe(false)
    expect(asked("page.setPatterns")).toEqual([])
    await Desk.press("Show badges")
    expect(asked("page.setPatterns")).toEqual([
      { type: "page.setPatterns", origin: "https://homes.example", patterns: [pattern] },
    ])
  })

  it("keeps the site's own patterns, and adds what was edited, with what that finds", async () => {
    const sites = [{ ...ready.sites[0]!, patterns: ["!/blog/**"] }]
    const { asked } = await open(results, { ...ready, sites })
    await Desk.waitFor(() => Desk.has("Edit"))
    await Desk.press("Edit")
    expect(Desk.box("New pattern").value).toBe(pattern)
    expect(Desk.words()).toContain(
      `Links found on the page: ${numbers.length + 2}. With contracts: ${numbers.length}.`,
    )
    await Desk.type("New pattern", "/rent/flat-0/:id")
    expect(Desk.words()).toContain("Links found on the page: 1. With contracts: 1.")
    await Desk.press("Show badges")
    expect(asked("page.setPatterns")).toMatchObject([{ patterns: ["!/blog/**", "/rent/flat-0/:id"] }])
  })

  it.each([
    ["few of them do", results.slice(0, 4)],
    ["the browser lets nobody read its links", []],
    ["its script answers with something else", "links" as never],
  ])("is offered nothing but its site's patterns where %s", async (_why, links) => {
    await open(links)
    await Desk.waitFor(() => Desk.has(ask))
    expect(Desk.has("Show badges")).toBe(false)
  })
})
