// @vitest-environment happy-dom
/** The line about changes at the popup's foot, and the list that it opens. */
import * as Counter from "../Counter.ts"
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest"
import type { AppState, ChangesAnswer } from "../../../../src/messages/AppState.ts"
import * as Visits from "../../../../src/ui/popup/changes/Visits.ts"
import * as Desk from "../../desk/Desk.ts"
import { changed, checked } from "../../gallery/Worlds.ts"

afterEach(async () => {
  Visits.leave(checked.account)
  await Desk.tidy()
})

const line = "2 new, 2 changed, 2 gone"
const open = (answer: ChangesAnswer = changed, state: AppState = checked) =>
  Counter.open(state, { answers: { "index.changes": answer } })
const watching = (ids: ReadonlyArray<number>): AppState => ({ ...checked, watched: { ids, changed: [] } })
const items = (): ReadonlyArray<string> =>
  [...document.querySelectorAll<HTMLElement>(".change")].map(({ textContent }) => textContent ?? "")
const select = async (name: string): Promise<void> => {
  const box = document.querySelector<HTMLSelectElement>(".changes select")!
  box.selectedIndex = [...box.options].findIndex(({ textContent }) => textContent === name)
  box.dispatchEvent(new Event("change", { bubbles: true }))
  await Counter.settle()
}
const openList = async (): Promise<void> => {
  await Desk.waitFor(() => Desk.has(line))
  await Desk.press(line)
  await Desk.waitFor(() => items().length > 0)
}

describe("the line about changes", () => {
  it("counts each contract once, as what it is now", async () => {
    await open()
    await Desk.waitFor(() => Desk.has(line))
    expect(document.querySelector(".changes-entry")?.textContent).toBe(line)
  })

  it("is not there when nothing has changed, or when that cannot be told", async () => {
    const { asked } = await open({ last: 0, changes: [] })
    await Desk.waitFor(() => asked("index.changes").length > 0)
    await Counter.settle()
    expect(document.querySelector(".changes-entry")).toBeNull()
    await Counter.open(checked, { failing: ["index.changes"] })
    await Counter.settle()
    expect(document.querySelector(".changes-entry")).toBeNull()
  })

  it("is about what came after the list was last looked at", async () => {
    localStorage.setItem(`changes ${checked.account}`, "4")
    await open()
    await Desk.waitFor(() => document.querySelector(".changes-entry") !== null)
    expect(document.querySelector(".changes-entry")?.textContent).toBe("1 new, 1 changed, 1 gone")
  })

  it("is gone once the list was looked at and left, and comes again with the next change", async () => {
    const { background } = await open()
    await openList()
    expect(localStorage.getItem(`changes ${checked.account}`)).toBe("7")
    await Desk.press("Back to the list")
    await Counter.settle()
    expect(document.querySelector(".changes-entry")).toBeNull()
    expect(background.requests.some(({ type }) => type === "page.sync")).toBe(false)
  })
})

describe("the list of changes", () => {
  it("has the latest first, with the names of what changed", async () => {
    await open()
    await openList()
    expect(items()).toHaveLength(7)
    expect(items()[0]).toContain("Gone7#31 Garden house")
    expect(items()[5]).toContain("Status, Template, deposit_cents")
    expect(items().some((item) => item.includes("Status: draft → activeUnit"))).toBe(true)
    expect(items()[6]).toContain("Room 9")
  })

  it("names a few of many members, the listing by its own word", async () => {
    const fields = ["listing", "unit_label", "template_id", "deposit_cents", "rent_cents", "terms"]
    const changes = changed.changes.map((change) =>
      change.kind === "changed" ? { ...change, fields } : change,
    )
    await open({ ...changed, changes })
    await openList()
    await select("All saved changes")
    expect(items().some((item) => item.includes("Listing, Unit, Template +3"))).toBe(true)
  })

  it("shows what was seen since the last complete sync, or all that is kept", async () => {
    localStorage.setItem(`changes ${checked.account}`, "6")
    await open()
    await Desk.waitFor(() => Desk.has("1 gone"))
    await Desk.press("1 gone")
    await Desk.waitFor(() => items().length === 1)
    await select("Since the last complete sync")
    expect(items()).toHaveLength(5)
    await select("All saved changes")
    expect(items()).toHaveLength(7)
    expect(document.querySelector(".changes-end")?.textContent).toBe("")
  })

  it("says when earlier changes are not kept", async () => {
    await open({ ...changed, last: 900 })
    await openList()
    expect(document.querySelector(".changes-end")?.textContent).toBe("Only the latest 7 changes are saved.")
  })

  it("says when nothing changed in the time that was chosen", async () => {
    const state = { ...checked, index: { ...checked.index, completedAt: "2026-03-01T14:10:00Z" } }
    await Counter.open(state, { answers: { "index.changes": changed } })
    await openList()
    await select("Since the last complete sync")
    expect(items()).toEqual([])
    expect(document.querySelector(".changes-end")?.textContent).toBe("No changes in this period.")
  })

  it("opens a contract, and is there as it was when that is left", async () => {
    await open()
    await openList()
    document.querySelectorAll<HTMLButtonElement>("button.change")[0]!.click()
    await Desk.waitFor(() => items().length === 0)
    await Desk.press("Back to the list")
    await Desk.waitFor(() => items().length > 0)
    expect(items()).toHaveLength(7)
  })

  it("offers no way to a contract that is gone", async () => {
    await open()
    await openList()
    const gone = [...document.querySelectorAll(".change")].filter((one) =>
      one.querySelector('[data-kind="gone"]'),
    )
    expect(gone.map(({ tagName }) => tagName)).toEqual(["DIV", "DIV"])
  })

  it("is what the popup opens with where it was opened for it", async () => {
    await Counter.open(checked, { answers: { "index.changes": changed } }, { subject: { _tag: "Changes" } })
    await Desk.waitFor(() => items().length > 0)
    expect(items()).toHaveLength(7)
  })

  it("is all that tells the background that the changes were looked at, and does so again when more change", async () => {
    const { asked, background } = await open()
    await Desk.waitFor(() => Desk.has(line))
    expect(asked("page.looked")).toEqual([])
    await openList()
    expect(asked("page.looked")).toHaveLength(1)
    background.set({ ...checked, watched: { ids: [2311], changed: [[2311, "2026-03-01T14:15:00Z"]] } })
    await Counter.settle()
    expect(asked("page.looked")).toHaveLength(2)
  })

  it("is not looked at in a window without the focus, but as soon as it has it", async () => {
    const focus = vi.spyOn(document, "hasFocus").mockReturnValue(false)
    onTestFinished(() => focus.mockRestore())
    const { asked } = await Counter.open(
      checked,
      { answers: { "index.changes": changed } },
      { subject: { _tag: "Changes" } },
    )
    const looks = () => asked("page.looked")
    await Desk.waitFor(() => items().length === 7)
    expect(looks()).toEqual([])
    expect(localStorage.getItem(`changes ${checked.account}`)).toBeNull()
    focus.mockReturnValue(true)
    dispatchEvent(new Event("focus"))
    await Counter.settle()
    expect(looks()).toHaveLength(1)
    expect(localStorage.getItem(`changes ${checked.account}`)).toBe("7")
    focus.mockReturnValue(false)
    dispatchEvent(new Event("blur"))
    await Counter.settle()
    expect(looks()).toHaveLength(1)
  })

  it("is left by Escape", async () => {
    await open()
    await openList()
    const event = new KeyboardEvent("keydown", { key: "Escape", bubbles: true, cancelable: true })
    document.querySelector(".changes")!.dispatchEvent(event)
    await Counter.settle()
    expect(document.querySelector(".changes")).toBeNull()
  })
})

describe("watched contracts", () => {
  it("are counted first in the line, each once, and come first in the list, named as watched", async () => {
    await open(changed, watching([2402, 2311, 5]))
    await Desk.waitFor(() => Desk.has("2 watched"))
    expect(document.querySelector(".changes-entry")?.textContent).toBe(`2 watched · ${line}`)
    await openList()
    expect(items()).toHaveLength(7)
    expect(
      items()
        .slice(0, 3)
        .map((item) => /#(\d+) watched/.exec(item)?.[1]),
    ).toEqual(["2402", "2402", "2311"])
    expect(items().slice(3).join()).not.toContain("watched")
  })

  it("have a way to the list as long as they are marked, whatever was looked at before", async () => {
    localStorage.setItem(`changes ${checked.account}`, "7")
    await open(changed, { ...checked, watched: { ids: [2311], changed: [[2311, "2026-03-01T14:15:00Z"]] } })
    await Desk.waitFor(() => document.querySelector(".changes-entry") !== null)
    expect(document.querySelector(".changes-entry")?.textContent).toBe("1 watched")
  })

  it("are not spoken of where none of them has changed since", async () => {
    localStorage.setItem(`changes ${checked.account}`, "1")
    await open(changed, watching([2311]))
    await Desk.waitFor(() => document.querySelector(".changes-entry") !== null)
    expect(document.querySelector(".changes-entry")?.textContent).not.toContain("watched")
  })
})

describe("changes since a number", () => {
  it.each([
    [0, 7],
    [4, 3],
    [7, 0],
    // An index that was emptied and filled again counts anew.
    [40, 7],
  ])("%d: %d of 7", (number, count) => {
    expect(Visits.since(changed, number)).toHaveLength(count)
  })

  it("are all that are kept where some of them are not kept any more", () => {
    expect(Visits.since({ ...changed, last: 900 }, 2)).toHaveLength(7)
    expect(Visits.since({ ...changed, last: 900 }, 897)).toHaveLength(3)
  })

  it("count a contract that was new and then changed as new, and one that went as gone", () => {
    const [gone, , made, then] = changed.changes
    expect(Visits.countsOf([made!, then!])).toEqual({ new: 1, changed: 0, gone: 0 })
    expect(Visits.countsOf([made!, then!, { ...gone!, id: made!.id }])).toEqual({
      new: 0,
      changed: 0,
      gone: 1,
    })
  })
})
