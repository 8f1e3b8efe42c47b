// @vitest-environment happy-dom
import * as Counter from "../Counter.ts"
import { act } from "preact/test-utils"
import { afterEach, describe, expect, it } from "vitest"
import type { TabRequest } from "../../../../src/messages/TabMessage.ts"
import * as Desk from "../../desk/Desk.ts"
import * as Picked from "../../../../src/ui/export/Form.ts"
import { cards, contract, contracts, hostile, ready } from "../../gallery/Worlds.ts"

afterEach(Desk.tidy)

const tab = "https://homes.example/"

/** The popup before a page with listings, and what its script was asked; `answers` is what it says. */
const open = async (
  answers: Partial<{ cards: unknown; show: unknown }> = {},
  changes: Parameters<typeof Counter.open>[1] = {},
) => {
  const said = { cards: { cards, total: cards.length } as unknown, show: true as unknown, ...answers }
  const requests: Array<TabRequest> = []
  const script = (request: TabRequest) => {
    requests.push(request)
    return Promise.resolve(request.type === "tab.cards" ? said.cards : said.show)
  }
  const counter = await Counter.open(ready, changes, { tab, script })
  return { ...counter, said, shown: () => requests.filter(({ type }) => type === "tab.show") }
}
const enter = async (...given: Parameters<typeof open>) => {
  const counter = await open(...given)
  await Desk.press("on this page")
  await Counter.settle()
  return counter
}

const main = () => document.querySelector<HTMLElement>(".on-page")
const options = () => [...document.querySelectorAll<HTMLElement>(".on-page [role=option]")]
const titles = () => options().map((option) => Desk.words(option.querySelector(".row-name")))
const list = () => document.querySelector<HTMLElement>(".on-page [role=listbox]")!
const chosen = () => document.getElementById(list().getAttribute("aria-activedescendant") ?? "")
const status = () => Desk.words(document.querySelector(".on-page [role=status]"))
/** Presses a button of the list itself: the search that is hidden behind it has filters, too. */
const press = async (name: string) => {
  const buttons = [...main()!.querySelectorAll("button")].filter((each) => Desk.words(each).startsWith(name))
  if (buttons.length !== 1)
    throw new Error(`${buttons.length} buttons named ${name} in: ${Desk.words(main())}`)
  await act(() => buttons[0]!.click())
  await Counter.settle()
}
const order = async (value: string) => {
  const select = Desk.box("Sort by") as unknown as HTMLSelectElement
  await act(() => {
    select.value = value
    select.dispatchEvent(new Event("change", { bubbles: true }))
  })
}

const all = cards.map(({ title }) => title)

describe("the listings of the page in front", () => {
  it("are offered with their number", async () => {
    await open()
    expect(Desk.has("7 listings on this page")).toBe(true)
    expect(main()).toBeNull()
  })

  it.each([
    ["there is no script", null],
    ["the page has none", { cards: [], total: 0 }],
    ["the answer has another shape", { cards: [{ id: 1, title: "x", references: [] }], total: 1, more: 1 }],
    ["a title is no text", { cards: [{ id: 1, title: 7, references: [] }], total: 1 }],
    ["a title is very long", { cards: [{ id: 1, title: "W".repeat(201), references: [] }], total: 1 }],
    ["there are very many", { cards: Array.from({ length: 301 }, () => cards[0]), total: 301 }],
    ["a reference is very long", { cards: [{ id: 1, title: "", references: ["x".repeat(201)] }], total: 1 }],
  ])("are not offered, and nothing breaks, where %s", async (_, answer) => {
    await open({ cards: answer })
    expect(Desk.words()).not.toMatch(/\d listings? on this page/)
    expect(Desk.has("No badges on this page?")).toBe(true)
    expect(Counter.rows()).toHaveLength(contracts.length)
  })

  it("are not asked for where the browser keeps the page to itself, or the popup was opened for something else", async () => {
    const asked: Array<unknown> = []
    const script = (request: TabRequest) => Promise.resolve(void asked.push(request))
    await Counter.open(ready, {}, { script })
    await Desk.tidy()
    await Counter.open(ready, {}, { tab, script, subject: { _tag: "Listing", reference: "olive-loft" } })
    expect(asked).toEqual([])
  })

  it("stand with their contracts, and those without, in the order of the page", async () => {
    const { asked } = await enter()
    expect(titles()).toEqual(all)
    expect(Desk.words(options()[1])).toContain("2 contracts")
    expect(Desk.words(options()[1])).toContain("Hinterhaus 3 4rentactive#1323")
    expect(Desk.words(options()[1])).toContain("Bloco C, 41 3rentended#1322")
    expect(Desk.words(options()[2])).toBe("Studio by the old harbour, no liftNo contract")
    expect(status()).toBe("7 found")
    expect(asked("index.listing")).toHaveLength(cards.length)
  })

  it("are what the index says: a page cannot give a listing contracts, nor list one twice", async () => {
    const twice = [
      { id: 1, title: "9 contracts", references: ["nothing", "nothing-else"] },
      { id: 2, title: "One", references: ["wrong", "olive-loft"] },
      { id: 3, title: "Other", references: ["olive-loft"] },
    ]
    await enter({ cards: { cards: twice, total: 3 } })
    expect(titles()).toEqual(["9 contracts", "The “Olive” loft, Kolonaki"])
    expect(Desk.words(options()[0])).toBe("9 contractsNo contract")
  })

  it("are chosen by arrows, leaps and ends, and shown in the page by Enter", async () => {
    const { shown } = await enter()
    expect(document.activeElement).toBe(list())
    expect(chosen()).toBe(options()[0])
    await Counter.press("ArrowDown", "ArrowDown")
    expect(chosen()).toBe(options()[2])
    await Counter.press("End", "ArrowDown")
    expect(chosen()).toBe(options()[6])
    await Counter.press("PageUp")
    expect(chosen()).toBe(options()[1])
    await Counter.press("Home", "ArrowUp")
    expect(chosen()).toBe(options()[0])
    expect(await Counter.press("ArrowDown", "Enter")).toBe(true)
    expect(shown()).toEqual([{ type: "tab.show", id: 2 }])
    expect(document.activeElement).toBe(list())
    await act(() => options()[4]!.click())
    await Counter.settle()
    expect(shown().at(-1)).toEqual({ type: "tab.show", id: 5 })
    expect(chosen()).toBe(options()[4])
  })

  it.each([false, null, "yes"])("say so when the page shows no card: %j", async (show) => {
    await enter({ show })
    await Counter.press("Enter")
    expect(status()).toBe("This listing is not visible on the page now.")
  })

  it("are filtered by status and kind with counts, and to those without", async () => {
    await enter()
    await press("ended")
    expect(titles()).toEqual(["The “Olive” loft, Kolonaki", "Altbau am Kanal"])
    expect(Desk.words(options()[0])).toContain("1 of 2 contracts")
    expect(status()).toBe("2 of 7 shown")
    expect(Desk.words(document.querySelectorAll(".on-page .filter")[1])).toBe("rent 1sale 1")
    await press("sale")
    expect(titles()).toEqual(["Altbau am Kanal"])
    await press("No contract")
    expect(titles()).toEqual(["Studio by the old harbour, no lift", "Garden flat"])
    await press("No contract")
    expect(titles()).toEqual(all)
  })

  it("are sorted by status and by the latest update, those without last", async () => {
    await enter()
    const ends = [all[2], all[5]]
    await order("updated")
    expect(titles()).toEqual([all[0], all[1], all[3], all[6], all[4], ...ends])
    await order("status")
    expect(titles()).toEqual([all[0], all[1], all[4], all[6], all[3], ...ends])
    await order("page")
    expect(titles()).toEqual(all)
  })

  it("are copied as a table with headings, as they are filtered and sorted, and guarded", async () => {
    const evil = contract({
      id: 5,
      kind: "rent",
      status: "active",
      unit: '=HYPERLINK("x")\tB',
      title: "+1",
      slug: "evil",
      updatedAt: "2026-02-01T10:00:00Z",
    })
    const listings = [
      { id: 1, title: "", references: ["evil"] },
      { id: 2, title: "@none", references: ["x"] },
    ]
    await enter({ cards: { cards: listings, total: 2 } }, { contracts: [evil] })
    await press("Copy as table")
    const headings = "Title\tCity\tContract\tUnit\tKind\tStatus\tUpdated"
    const line = `'+1\tLisboa\t5\t'=HYPERLINK("x") B\trent\tactive\t2026-02-01T10:00:00Z`
    expect(Counter.clipboard.text).toBe([headings, line, "'@none\t\t\t\t\t\t"].join("\n"))
    expect(status()).toBe("Copied. Paste it into a spreadsheet.")
    await press("No contract")
    await press("Copy as table")
    expect(Counter.clipboard.text).toBe([headings, "'@none\t\t\t\t\t\t"].join("\n"))
  })

  it("are exported: the page for that opens with the contracts that are shown, and of this account", async () => {
    await enter()
    await press("active")
    const shown = [...document.querySelectorAll(".listing-contract .row-id")].map((id) =>
      Number(Desk.words(id).slice(1)),
    )
    await press("Export these")
    const [page = ""] = Counter.opened
    expect(page).toMatch(/^\/export\.html#account=first&contracts=[\d.]+$/)
    const fragment = page.slice(page.indexOf("#"))
    expect(Picked.read(fragment, "first")).toEqual(expect.arrayContaining(shown))
    expect(Picked.read(fragment, "second")).toEqual([])
    await press("active")
    await press("No contract")
    expect(document.body.textContent).not.toContain("Export these")
  })

  it("are left by Escape, after a filter was taken off, and by a slash", async () => {
    await enter()
    await press("active")
    expect(await Counter.press("Escape")).toBe(true)
    expect(titles()).toEqual(all)
    await Counter.press("Escape")
    expect(main()).toBeNull()
    expect(document.activeElement).toBe(Counter.box())
    await Desk.press("on this page")
    await Counter.press("/")
    expect(main()).toBeNull()
  })

  it("are texts, whatever page and service call them", async () => {
    const title = "<img src=x onerror=alert(1)>"
    const listings = [
      { id: 1, title, references: ["x"] },
      { id: 2, title: "", references: [hostile.row.slug!] },
    ]
    await enter({ cards: { cards: listings, total: 2 } }, { contracts: [hostile] })
    expect(titles()[0]).toBe(title)
    expect(main()!.querySelector("img, script")).toBeNull()
    for (const name of main()!.querySelectorAll(".row-name, .row-title, .row-kind, .status-name")) {
      expect(name.localName).toBe("bdi")
      expect(name.textContent.length).toBeLessThanOrEqual(160)
    }
  })

  it("say that they could not be loaded when the index does not answer", async () => {
    await enter({}, { failing: ["index.listing"] })
    expect(status()).toBe("Contracts could not be loaded. Try again in a moment.")
    expect(options()).toEqual([])
  })

  it("are asked for again when the user comes back, and when the contracts have changed", async () => {
    const { asked, background, said } = await enter()
    said.cards = { cards: cards.slice(0, 2), total: 2 }
    await act(() => void window.dispatchEvent(new Event("focus")))
    await Counter.settle()
    expect(titles()).toEqual(all.slice(0, 2))
    const before = asked("index.listing").length
    background.set({ ...ready, index: { ...ready.index, contracts: 2_600 } })
    await Counter.settle()
    expect(asked("index.listing")).toHaveLength(before + 2)
  })

  it("are those of the latest tab, also where an earlier one answers after it", async () => {
    const late = Promise.withResolvers<unknown>()
    const { said } = await enter()
    said.cards = late.promise
    await act(() => void window.dispatchEvent(new Event("focus")))
    said.cards = { cards: cards.slice(3), total: 4 }
    await act(() => void window.dispatchEvent(new Event("focus")))
    await Counter.settle()
    late.resolve({ cards: cards.slice(0, 1), total: 1 })
    await Counter.settle()
    expect(titles()).toEqual(all.slice(3))
  })

  it("are called by what names them where neither page nor service has a title", async () => {
    const nameless = contract({
      id: 5,
      kind: "rent",
      status: "active",
      unit: "A",
      title: "  ",
      slug: "the-slug",
      updatedAt: "2026-02-01T10:00:00Z",
    })
    const listings = ["the-slug", "other"].map((name, at) => ({ id: at + 1, title: "", references: [name] }))
    await enter({ cards: { cards: listings, total: 2 } }, { contracts: [nameless] })
    expect(titles()).toEqual(["the-slug", "other"])
  })

  it("say how many there are where the page has more than are listed", async () => {
    await enter({ cards: { cards, total: 900 } })
    expect(status()).toBe("7 of 900 shown")
  })

  it("are left when another account is used", async () => {
    const { background } = await enter()
    background.set({ ...ready, account: "second" })
    await Counter.settle()
    expect(main()).toBeNull()
  })
})
