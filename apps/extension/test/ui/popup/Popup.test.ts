// @vitest-environment happy-dom
import * as Counter from "./Counter.ts"
import { afterEach, describe, expect, it } from "vitest"
import type { AppState, ConnectionState } from "../../../src/messages/AppState.ts"
import * as Desk from "../desk/Desk.ts"
import { contract, contracts, hostile, ready, connection, unread, unset } from "../gallery/Worlds.ts"

afterEach(Desk.tidy)

const homes = "https://homes.example/homes/olive-loft"
const plainly = { kind: "rent", status: "active", title: null, updatedAt: "2026-02-01T10:00:00Z" }

describe("the popup by keyboard alone", () => {
  it("begins in the search box, on the first of the latest updates", async () => {
    await Counter.open(ready)
    expect(document.activeElement).toBe(Counter.box())
    expect(Counter.groups()).toEqual(["Latest updates"])
    expect(Counter.chosen()).toBe("Sous-sol")
  })

  it("moves by arrows and leaps, and stays at both ends", async () => {
    await Counter.open(ready)
    await Counter.press("ArrowUp")
    expect(Counter.chosen()).toBe("Sous-sol")
    await Counter.press("ArrowDown", "ArrowDown")
    expect(Counter.chosen()).toBe("Bloco C, 41 3")
    await Counter.press("PageDown", "PageDown", "ArrowDown")
    expect(Counter.chosen()).toBe("Piso 3º izq.")
    await Counter.press("PageUp", "PageUp")
    expect(Counter.chosen()).toBe("Sous-sol")
    expect(document.querySelectorAll("[aria-selected=true]")).toHaveLength(1)
  })

  it("opens a contract by Enter, goes back by Escape, and finds the list as it was left", async () => {
    await Counter.open(ready)
    await Counter.type("a")
    await Counter.press("ArrowDown", "Enter")
    expect(Desk.words(document.querySelector(".detail h2"))).toBe("Hinterhaus 3 4")
    expect(await Counter.press("Escape")).toBe(true)
    expect(Counter.isDetail()).toBe(false)
    expect(document.activeElement).toBe(Counter.box())
    expect(Counter.box().value).toBe("a")
    expect(Counter.chosen()).toBe("Hinterhaus 3 4")
  })

  it("takes a filter off by Escape once nothing is typed", async () => {
    await Counter.open(ready)
    await Desk.press("draft")
    Counter.box().focus()
    await Counter.type("porte")
    expect(Counter.rows()).toEqual(["Porte 12B"])
    await Counter.press("Escape")
    expect(Counter.rows()).toEqual(["Porte 12B"])
    expect(await Counter.press("Escape")).toBe(true)
    expect(Counter.rows()).toHaveLength(contracts.length)
    expect(await Counter.press("Escape")).toBe(false)
  })

  it("clears what was typed by Escape, and leaves the next Escape to the browser, which closes it", async () => {
    await Counter.open(ready)
    await Counter.type("loft")
    expect(await Counter.press("Escape")).toBe(true)
    expect(Counter.box().value).toBe("")
    expect(await Counter.press("Escape")).toBe(false)
  })

  it("comes back to the search box by a slash from anywhere, and types one in the box itself", async () => {
    await Counter.open(ready)
    Desk.button("Options").focus()
    expect(await Counter.press("/")).toBe(true)
    expect(document.activeElement).toBe(Counter.box())
    expect(await Counter.press("/")).toBe(false)
    await Counter.press("Enter")
    expect(Counter.isDetail()).toBe(true)
    await Counter.press("/")
    expect(Counter.isDetail()).toBe(false)
    expect(document.activeElement).toBe(Counter.box())
  })

  it("opens the first row for what was typed, also when Enter comes before the answer", async () => {
    const { asked } = await Counter.open(ready)
    Counter.typeQuickly("ruzafa")
    await Counter.press("Enter")
    expect(asked("index.contract")[0]).toEqual({ type: "index.contract", id: 1299 })
  })

  it("opens nothing by an Enter that ends a composed character", async () => {
    await Counter.open(ready)
    const event = new KeyboardEvent("keydown", { key: "Enter", bubbles: true, isComposing: true })
    Counter.box().dispatchEvent(event)
    await Counter.settle()
    expect(Counter.isDetail()).toBe(false)
  })
})

describe("looking up", () => {
  it("asks for ten of the latest updates before it knows anything else, and for more and for counts after them", async () => {
    const many = Array.from({ length: 80 }, (_, place) =>
      contract({ ...plainly, id: place + 1, unit: `Unit ${place}` }),
    )
    const { asked, background } = await Counter.open(ready, { contracts: many })
    expect(background.requests[0]).toEqual({ type: "index.search", text: "", counts: false, limit: 10 })
    expect(asked("index.search")).toEqual([
      { type: "index.search", text: "", counts: false, limit: 10 },
      { type: "index.search", text: "", counts: true, limit: 50 },
    ])
    expect(Counter.rows()).toHaveLength(50)
  })

  it("shows shapes of rows until the first ones come", async () => {
    await Counter.open(ready, { waiting: ["index.search"] })
    expect(document.querySelector("[role=listbox]")?.getAttribute("aria-busy")).toBe("true")
    expect(document.querySelector(".skeleton")?.getAttribute("aria-hidden")).toBe("true")
    await Desk.tidy()
    await Counter.open(ready)
    expect(document.querySelector(".skeleton")).toBeNull()
  })

  it("never asks the service for rows", async () => {
    const { background } = await Counter.open(connection({ _tag: "Offline" }))
    await Counter.type("olive")
    expect(Counter.rows()).toEqual(["Hinterhaus 3 4", "Bloco C, 41 3"])
    expect(background.requests.every((request) => !("refresh" in request && request.refresh))).toBe(true)
  })

  it.each([
    ["#1318", ["Garage 7"]],
    ["listing:olive-loft", ["Hinterhaus 3 4", "Bloco C, 41 3"]],
    ["unit:porte", ["Porte 12B"]],
    ["city:ber", ["2. OG links"]],
    ["status:on", ["Bloco C, 41"]],
    ["kind:sale status:ended", ["2. OG links"]],
    ['city:"athens" olive status:ended', ["Bloco C, 41 3"]],
  ])("looks in the field that is typed: %s", async (text, found) => {
    await Counter.open(ready)
    await Counter.type(text)
    expect(Counter.rows()).toEqual(found)
    expect(Counter.groups()).toEqual(["Results"])
  })

  it("marks the letters that matched, each in the field that it was typed for", async () => {
    await Counter.open(ready)
    await Counter.type("OLIVE city:ath")
    const marked = [...document.querySelectorAll("mark")].map((element) => Desk.words(element))
    expect(marked).toEqual(["Olive", "Ath", "Olive", "Ath"])
    await Counter.type("")
    expect(document.querySelector("mark")).toBeNull()
  })

  it("shows more at the end of what is shown, and says how much there is", async () => {
    const many = Array.from({ length: 120 }, (_, place) =>
      contract({ ...plainly, id: place + 1, unit: `Unit ${place}` }),
    )
    await Counter.open(ready, { contracts: many })
    await Counter.type("unit")
    expect(document.body.textContent).toContain("50 of 120 shown")
    await Counter.press(...Array.from({ length: 9 }, () => "PageDown"))
    expect(Counter.rows()).toHaveLength(100)
    await Desk.press("Show more")
    expect(Counter.rows()).toHaveLength(120)
    expect(document.body.textContent).toContain("120 found")
    expect(Desk.has("Show more")).toBe(false)
  })

  it("keeps its choice when rows come in above it", async () => {
    const here = Promise.withResolvers<unknown>()
    await Counter.open(ready, { answers: { "index.listingAt": here.promise } }, { tab: homes })
    await Counter.press("ArrowDown", "ArrowDown", "ArrowDown")
    expect(Counter.chosen()).toBe("Porte 12B")
    here.resolve({ rows: contracts.slice(6, 8).map(({ row }) => row), title: null, total: 2 })
    await Counter.settle()
    expect(Counter.groups()).toEqual(["On this page", "Latest updates"])
    expect(Counter.chosen()).toBe("Porte 12B")
  })

  it("says how many contracts the page's listing has when it shows fewer", async () => {
    const rows = contracts.slice(6, 8).map(({ row }) => row)
    const answer = { rows, title: "Olive loft", total: 1_700 }
    await Counter.open(ready, { answers: { "index.listingAt": answer } }, { tab: homes })
    expect(Counter.groups()[0]).toBe("2 of 1,700 shown · On this page: Olive loft")
  })

  it("says how much was checked when nothing fits, and offers to take the filters off", async () => {
    const { asked } = await Counter.open(ready)
    await Desk.press("draft")
    await Counter.type("garage")
    expect(document.body.textContent).toContain("No matches (2,500 contracts checked)")
    await Desk.press("Clear filters")
    expect(Counter.rows()).toEqual(["Garage 7"])
    expect(asked("index.search").at(-1)).toMatchObject({ text: "garage" })
  })

  it("asks again when the index has changed, and not when it was only told how it is", async () => {
    const { asked, background } = await Counter.open(ready)
    const before = asked("index.search").length
    background.set({ ...ready, index: { ...ready.index, contracts: 2_600 } })
    await Counter.settle()
    expect(asked("index.search").length).toBe(before + 1)
  })

  it("offers to ask the service for a number that the index does not have, by Enter too", async () => {
    const { asked } = await Counter.open(ready)
    await Counter.type("1999")
    expect(Desk.has("Ask the service for contract 1999")).toBe(true)
    await Counter.press("Enter")
    expect(asked("index.contract")).toEqual([{ type: "index.contract", id: 1999 }])
    expect(asked("page.refresh")).toEqual([{ type: "page.refresh", id: 1999 }])
    expect(document.body.textContent).toContain("The service has no contract 1999.")
  })

  it.each(["0", "12345678901234567", "1.5", "-3"])(
    "offers no such thing for what is no id: %s",
    async (typed) => {
      await Counter.open(ready, { contracts: [] })
      await Counter.type(typed)
      expect(document.body.textContent).toContain("No matches")
      expect(document.body.textContent).not.toContain("Ask the service")
    },
  )

  it("says so when the index does not answer", async () => {
    await Counter.open(ready, { failing: ["index.search"] })
    expect(document.body.textContent).toContain("Search failed. Try again.")
  })
})

describe("the page in front", () => {
  it("comes first, and its contracts are not shown twice", async () => {
    await Counter.open(ready, { hereSlug: "olive-loft" }, { tab: homes })
    expect(Counter.groups()).toEqual(["On this page: The “Olive” loft, Kolonaki", "Latest updates"])
    expect(Counter.rows().slice(0, 3)).toEqual(["Hinterhaus 3 4", "Bloco C, 41 3", "Sous-sol"])
    expect(Counter.rows()).toHaveLength(contracts.length)
    expect(Counter.chosen()).toBe("Hinterhaus 3 4")
  })

  it("makes room for what is looked for", async () => {
    await Counter.open(ready, { hereSlug: "olive-loft" }, { tab: homes })
    await Counter.type("garage")
    expect(Counter.rows()).toEqual(["Garage 7"])
  })

  it("has a switch for its site", async () => {
    const { asked } = await Counter.open(ready, {}, { tab: homes })
    await Desk.choose("Badges on")
    expect(asked("page.switchSite")).toEqual([
      { type: "page.switchSite", origin: "https://homes.example", isOn: false },
    ])
    expect(Desk.box("Badges on").checked).toBe(false)
  })

  it.each([
    ["a site that was never added", [], "Add site"],
    ["a site that the browser took back", [{ ...ready.sites[0]!, isGranted: false }], "Allow again"],
  ])("sends to a tab for the permission of %s", async (_, sites, name) => {
    await Counter.open({ ...ready, sites }, {}, { tab: homes })
    await Desk.press(name)
    expect(Counter.opened).toEqual(["/options.html?site=https%3A%2F%2Fhomes.example#sites"])
    expect(Desk.grants.asked).toEqual([])
  })

  it("has no switch where there is no site", async () => {
    await Counter.open(ready)
    expect(document.querySelector(".site-bar")).toBeNull()
  })

  it("is the listing that the popup was opened for, in a tab of its own", async () => {
    const { asked } = await Counter.open(
      ready,
      { hereSlug: "olive-loft" },
      { subject: { _tag: "Listing", reference: "a/../b?c" } },
    )
    expect(asked("index.listing")[0]).toEqual({ type: "index.listing", reference: "a/../b?c" })
    expect(asked("index.listingAt")).toEqual([])
    expect(Counter.groups()[0]).toBe("The “Olive” loft, Kolonaki")
  })
})

describe("each state", () => {
  const lastFailure: ReadonlyArray<readonly [ConnectionState, string, string | null, string | null]> = [
    [{ _tag: "NoKey" }, "Create a key in the service's dashboard", "Add a key", "/options.html#key"],
    [
      { _tag: "NoPermission", origin: "https://api.homes.example" },
      "No access to api.homes.example",
      "Allow…",
      "/options.html#connection",
    ],
    [{ _tag: "WrongKey" }, "API key rejected", "Replace the key", "/options.html#key"],
    [
      { _tag: "MissingScope", scope: "read:contracts" },
      "The key lacks the scope read:contracts",
      "Try again",
      null,
    ],
    [{ _tag: "MissingScope", scope: null }, "The key lacks a scope", "Try again", null],
    [{ _tag: "RateLimited", until: null }, "Deedkit resumes automatically in a moment", null, null],
    [{ _tag: "Offline" }, "You are offline", "Try again", null],
    [{ _tag: "Unreachable" }, "No response from api.homes.example", "Try again", null],
    [{ _tag: "ServerFault", status: 503 }, "Service error (503)", "Try again", null],
    [
      { _tag: "UnreadableData", detail: "It was HTML." },
      "It was HTML.",
      "Test connection",
      "/options.html#connection",
    ],
    [{ _tag: "StorageFailed" }, "Contracts could not be saved", "Try again", null],
    [
      { _tag: "CursorUntrusted", detail: "Page 2 was page 1." },
      "Page 2 was page 1.",
      "Test connection",
      "/options.html#connection",
    ],
  ]

  it.each(lastFailure)(
    "%o says what it is and leads to what can be done",
    async (failure, words, button, page) => {
      const { asked } = await Counter.open(connection(failure))
      const notice = document.querySelector(".notice")
      expect(Desk.words(notice)).toContain(words)
      expect(Counter.rows()).toHaveLength(contracts.length)
      if (button === null) return expect(notice?.querySelector("button")).toBeNull()
      await Desk.press(button)
      if (page === null) expect(asked("page.sync")).toHaveLength(1)
      else expect(Counter.opened).toEqual([page])
    },
  )

  it.each(
    lastFailure.filter(
      ([failure]) => !["NoKey", "NoPermission", "MissingScope", "RateLimited"].includes(failure._tag),
    ),
  )("%o says that what was read is still there, where something was", async (failure) => {
    const { background } = await Counter.open(connection(failure))
    expect(document.body.textContent).toContain("Saved contracts are still available.")
    background.set(connection(failure, unread))
    await Counter.settle()
    expect(document.body.textContent).not.toContain("still available")
  })

  it("leads to the first steps before anything is set up, and shows nothing that could not work yet", async () => {
    await Counter.open(unset, {}, { tab: homes })
    expect(document.querySelector("input")).toBeNull()
    expect(document.querySelector(".site-bar")).toBeNull()
    await Desk.press("Set up")
    expect(Counter.opened).toEqual(["/welcome.html"])
  })

  it("offers the first sync where nothing was read, and tells of it while it runs", async () => {
    const { asked, background } = await Counter.open(unread)
    await Desk.press("Sync now")
    expect(asked("page.sync")).toHaveLength(1)
    background.set({
      ...unread,
      sync: { _tag: "Syncing", startedAt: "", pages: 1, records: 100, expected: null, waiting: null },
    })
    await Counter.settle()
    expect(document.body.textContent).toContain("Syncing your contracts")
    expect(document.querySelector("progress")?.hasAttribute("value")).toBe(false)
    expect(document.body.textContent).toContain("100 contracts synced")
  })

  it("shows how far a sync is and what it waits for, and stops it", async () => {
    const until = new Date(Date.now() + 30_500).toISOString()
    const { asked } = await Counter.open({
      ...ready,
      sync: {
        _tag: "Syncing",
        startedAt: "2026-03-01T14:20:00Z",
        pages: 5,
        records: 500,
        expected: 2_500,
        waiting: { reason: "rate-limited", until },
      },
    })
    expect(document.querySelector("progress")?.getAttribute("value")).toBe("0.2")
    expect(Desk.words(document.querySelector(".sync"))).toMatch(
      /500 of about 2,500 contracts synced Rate limited; resuming in \d+ sec/,
    )
    await Desk.press("Stop")
    expect(asked("page.stopSync")).toHaveLength(1)
    expect(document.querySelector("progress")).toBeNull()
  })

  it("begins a sync that waits to try again, where the failure is over, and none that waits for the service's limit", async () => {
    const until = new Date(Date.now() + 30_500).toISOString()
    const waits = (reason: "rate-limited" | "retry"): AppState => ({
      ...ready,
      sync: {
        _tag: "Syncing",
        startedAt: "2026-03-01T14:20:00Z",
        pages: 0,
        records: 0,
        expected: 2_500,
        waiting: { reason, until },
      },
    })
    const { asked, background } = await Counter.open(waits("retry"))
    await Desk.press("Sync all contracts")
    expect(asked("page.sync")).toHaveLength(1)
    background.set(waits("rate-limited"))
    await Counter.settle()
    expect(Desk.has("Sync all contracts")).toBe(false)
  })

  it("ends when its cause ends", async () => {
    const { background } = await Counter.open(connection({ _tag: "Offline" }))
    expect(document.querySelector(".notice")).not.toBeNull()
    background.set(ready)
    await Counter.settle()
    expect(document.querySelector(".notice")).toBeNull()
  })

  it.each([
    ["new", "checked for new"],
    ["changes", "checked for changes"],
  ] as const)("says what was checked after the last complete sync: %s", async (order, words) => {
    const head = { order, readAt: new Date(Date.now() - 300_000).toISOString() }
    await Counter.open({ ...ready, index: { ...ready.index, head } })
    expect(document.querySelector(".header-facts")?.textContent).toContain(words)
    await Counter.open({ ...ready, index: { ...ready.index, head: { order, readAt: null } } })
    expect(document.querySelector(".header-facts")?.textContent).toContain("synced")
  })

  it("tells stale contracts from fresh ones, and offers to read them again", async () => {
    const completedAt = new Date(Date.now() - 3 * 86_400_000).toISOString()
    const { asked } = await Counter.open({ ...ready, index: { ...ready.index, isStale: true, completedAt } })
    expect(document.body.textContent).toContain("Last synced 3 days ago")
    await Desk.press("Sync now")
    expect(asked("page.sync")).toHaveLength(1)
  })

  it("says so when the background does not answer", async () => {
    await Counter.open(unread, { failing: ["page.sync"] })
    await Desk.press("Sync now")
    expect(Desk.alerts()).toEqual([
      "The extension did not respond. Try again. If this happens again, restart the browser.",
    ])
  })
})

describe("hostile texts", () => {
  it("stay texts, and are cut where a row has no room for them", async () => {
    await Counter.open(ready, { contracts: [hostile] })
    expect(document.querySelector("script, img")).toBeNull()
    expect(document.body.textContent.length).toBeLessThan(2_000)
    await Counter.press("Enter")
    expect(document.querySelector("script, img")).toBeNull()
    expect(document.querySelector(".detail-fields")?.textContent).toContain("<script>alert(1)</script>")
  })
})

describe("trying again", () => {
  it("says that nothing has changed, once it is over", async () => {
    const offline = connection({ _tag: "Offline" })
    const { background } = await Counter.open(offline)
    expect(document.body.textContent).not.toContain("Tried again")
    await Desk.press("Try again")
    await Desk.waitFor(() => Desk.words().includes("Tried again at"))
    const sync = {
      _tag: "Syncing",
      startedAt: "2026-03-01T14:20:00Z",
      pages: 0,
      records: 0,
      expected: null,
      waiting: null,
    } as const
    background.set({ ...offline, sync })
    await Desk.waitFor(() => !Desk.words().includes("Tried again at"))
    background.set(offline)
    await Desk.waitFor(() => Desk.words().includes("Tried again at"))
  })
})
