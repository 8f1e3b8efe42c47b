// @vitest-environment happy-dom
import * as Counter from "../Counter.ts"
import { afterEach, describe, expect, it } from "vitest"
import * as Desk from "../../desk/Desk.ts"
import { ready, smaller } from "../../gallery/Worlds.ts"

afterEach(Desk.tidy)

const homes = "https://homes.example/homes/olive-loft"
const two = [...ready.accounts, { id: "second", name: "Rentals", baseUrl: "https://api.second.example/" }]

describe("commands after a >", () => {
  it("are what can be done at the moment, and no rows", async () => {
    await Counter.open({ ...ready, accounts: two }, {}, { tab: homes })
    await Counter.type(">")
    const shown = [...document.querySelectorAll("[role=option]")].map((one) => Desk.words(one))
    expect(shown.slice(0, 6)).toEqual([
      "Sync all contracts",
      "Hide badgeshomes.example",
      "Export to a spreadsheet",
      "Switch account: Rentals",
      "Theme: Light",
      "Theme: Dark",
    ])
    expect(shown).toContain("Options: Listing sites")
    expect(document.querySelector("[role=listbox]")?.getAttribute("aria-label")).toBe("Commands")
  })

  it("are found by the words of their names, and done by Enter once", async () => {
    const { asked } = await Counter.open(ready)
    await Counter.type("> dark the")
    expect(Counter.chosen()).toBe("Theme: Dark")
    await Counter.press("Enter", "Enter")
    expect(asked("page.setSettings")).toEqual([{ type: "page.setSettings", settings: { theme: "dark" } }])
    expect(Counter.box().value).toBe("")
  })

  it("are done for an Enter that comes before they do", async () => {
    const { asked } = await Counter.open(ready)
    Counter.typeQuickly(">sync")
    await Counter.press("Enter")
    expect(asked("page.sync")).toHaveLength(1)
    expect(Counter.isDetail()).toBe(false)
  })

  it("open pages, by the pointer too", async () => {
    await Counter.open(ready)
    await Counter.type(">export")
    document.querySelector<HTMLElement>("[role=option]")!.click()
    await Counter.settle()
    expect(Counter.opened).toEqual(["/export.html"])
  })

  it("switch the badges of the site in front, and stop a sync that is under way", async () => {
    const sync = {
      _tag: "Syncing",
      startedAt: "",
      pages: 1,
      records: 1,
      expected: null,
      waiting: null,
    } as const
    const { asked } = await Counter.open({ ...ready, sync }, {}, { tab: homes })
    await Counter.type(">badges")
    await Counter.press("Enter")
    expect(asked("page.switchSite")).toEqual([
      { type: "page.switchSite", origin: "https://homes.example", isOn: false },
    ])
    await Counter.type(">stop")
    await Counter.press("Enter")
    expect(asked("page.stopSync")).toHaveLength(1)
  })

  it("say so when there is none, and Enter does nothing then", async () => {
    const { asked } = await Counter.open(smaller)
    const before = asked("index.contract").length
    await Counter.type(">zzz")
    expect(Desk.words(document.querySelector(".lookup-end [role=status]"))).toBe("No such command")
    await Counter.press("Enter")
    expect(asked("index.contract")).toHaveLength(before)
    await Counter.press("Escape")
    expect(Counter.rows().length).toBeGreaterThan(0)
  })

  it("never reach the index as a search", async () => {
    const { asked } = await Counter.open(ready)
    await Counter.type(">sale")
    expect(asked("index.search").every((request) => "text" in request && request.text === "")).toBe(true)
  })
})
