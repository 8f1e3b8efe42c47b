// @vitest-environment happy-dom
/** The choice between a smaller list and what is saved, on every page that offers it. */
import * as Counter from "../popup/Counter.ts"
import { h } from "preact"
import { afterEach, describe, expect, it } from "vitest"
import type { AppState } from "../../../src/messages/AppState.ts"
import { Options } from "../../../src/ui/options/Options.tsx"
import { Welcome } from "../../../src/ui/welcome/Welcome.tsx"
import * as Desk from "../desk/Desk.ts"
import { ready, smaller, connection } from "../gallery/Worlds.ts"

afterEach(Desk.tidy)

/** The same with other numbers, or before any read was complete. */
const list = (index: Partial<AppState["index"]>, contracts = 3): AppState => ({
  ...smaller,
  index: { ...smaller.index, ...index, smaller: { id: "some-list", contracts } },
})
const notice = (): string => Desk.words(document.querySelector(".smaller"))

describe("a smaller list", () => {
  it("is shown with its number, and what is saved with its number, time and age", async () => {
    const completedAt = new Date(Date.now() - 2 * 3_600_000).toISOString()
    await Counter.open(list({ contracts: 412, completedAt }))
    expect(notice()).toMatch(
      /The service now lists 3 contracts ?412 contracts are saved from .*\d{4}, \d\d?:\d\d.* \(2 hours ago\)\./,
    )
    expect(notice()).toContain("use the saved contracts until you decide")
    expect(Counter.rows().length).toBeGreaterThan(3)
  })

  it.each([
    [0, "The service now lists no contracts"],
    [1, "The service now lists 1 contract"],
    [1_200, "The service now lists 1,200 contracts"],
  ])("is counted in words that fit: %d", async (contracts, words) => {
    await Counter.open(list({ contracts: 4_000 }, contracts))
    expect(Desk.words(document.querySelector(".smaller h2"))).toBe(words)
  })

  it("says no time where no read was ever complete", async () => {
    await Counter.open(list({ contracts: 1, completedAt: null }, 0))
    expect(notice()).toContain("1 contract is saved from a sync that did not finish.")
    expect(document.body.textContent).not.toContain("No contracts yet")
  })

  it.each([
    ["Keep the saved list and sync again", false],
    ["Use the new list", true],
  ])("is decided about by name: %s", async (name, isUsed) => {
    const { asked, background } = await Counter.open(smaller)
    await Desk.press(name)
    expect(asked("page.decideList")).toEqual([{ type: "page.decideList", id: "some-list", isUsed }])
    background.set(ready)
    await Counter.settle()
    expect(notice()).toBe("")
  })

  it("is decided about as it is shown, when another read has replaced it", async () => {
    const { asked, background } = await Counter.open(smaller)
    background.set({ ...smaller, index: { ...smaller.index, smaller: { id: "newer", contracts: 5 } } })
    await Counter.settle()
    expect(notice()).toContain("now lists 5 contracts")
    await Desk.press("Use the new list")
    expect(asked("page.decideList")).toMatchObject([{ id: "newer" }])
  })

  it("stands beside what else is in the way, and instead of the line about old contracts", async () => {
    const { background } = await Counter.open(connection({ _tag: "Offline" }, smaller))
    expect(document.body.textContent).toContain("You are offline")
    expect(notice()).toContain("now lists 3 contracts")
    background.set(list({ isStale: true }))
    await Counter.settle()
    expect(document.body.textContent).not.toContain("Last read")
    expect(document.querySelectorAll(".notice")).toHaveLength(1)
  })

  it("says so when the decision was not answered, and can be decided about again", async () => {
    const { asked } = await Counter.open(smaller, { failing: ["page.decideList"] })
    await Desk.press("Use the new list")
    expect(Desk.alerts().join()).toContain("The extension did not respond.")
    await Desk.press("Use the new list")
    expect(asked("page.decideList")).toHaveLength(2)
  })

  it("is asked about in the options and in the first steps, too", async () => {
    const desk = await Desk.mount(smaller, h(Options, { wantedSite: "" }), () => ready)
    await Desk.press("Use the new list")
    expect(desk.requests).toEqual([{ type: "page.decideList", id: "some-list", isUsed: true }])
    expect(notice()).toBe("")
    await Desk.tidy()
    history.replaceState(null, "", "#sync")
    const steps = await Desk.mount(list({ completedAt: null }), h(Welcome, { onClose: () => {} }))
    await Desk.press("Keep the saved list")
    expect(steps.requests).toEqual([{ type: "page.decideList", id: "some-list", isUsed: false }])
  })

  it("is not there without one", async () => {
    await Counter.open(ready)
    expect(document.querySelector(".smaller")).toBeNull()
  })
})
