import { beforeEach, describe, expect, it } from "vitest"
import * as Toolbar from "../../src/browser-ui/Toolbar.ts"
import type { AppState, ConnectionState } from "../../src/messages/AppState.ts"
import { ready, connection, unset } from "../ui/gallery/Worlds.ts"
import * as Shell from "./Shell.ts"

const quiet: AppState = { ...ready, settings: { ...ready.settings, toolbarCount: false } }
const wrongKey = connection({ _tag: "WrongKey" })

let shell: Shell.FakeShell
let toolbar: Toolbar.Toolbar
beforeEach(() => {
  shell = Shell.make()
  shell.openTabs.add(3).add(4)
  toolbar = Toolbar.make(shell)
})

describe("the toolbar's button", () => {
  it("has the contracts of the page in a tab, as a number and in words, and nothing for a page without", async () => {
    await toolbar.take(ready)
    await toolbar.show(3, "12")
    await toolbar.show(4, "1")
    expect([...shell.badges]).toEqual([
      [null, ""],
      [3, "12"],
      [4, "1"],
    ])
    expect(shell.titles.get(3)).toBe("toolbarMany 12")
    expect(shell.titles.get(4)).toBe("toolbarOne")
    expect(shell.titles.get(null)).toBe("extensionAction")
    await toolbar.show(3, "")
    expect(shell.badges.has(3)).toBe(false)
    expect(shell.titles.has(3)).toBe(false)
  })

  it("has an exclamation mark in every tab while the extension needs its user", async () => {
    await toolbar.take(ready)
    await toolbar.show(3, "12")
    await toolbar.take(wrongKey)
    await toolbar.show(4, "2")
    expect([...shell.badges]).toEqual([[null, "!"]])
    expect([...shell.titles]).toEqual([[null, "toolbarNeed wrongKeyTitle"]])
  })

  it("has pages tell their numbers again when the need is over, also after the background was stopped", async () => {
    await toolbar.take(wrongKey)
    await Toolbar.make(shell).take(ready)
    expect(shell.badges.get(null)).toBe("")
    expect(shell.titles.get(null)).toBe("extensionAction")
    expect(shell.askedAnew).toEqual([3, 4])
  })

  it("shows a number that comes before the state does, as after the switch was turned on", async () => {
    await toolbar.take(quiet)
    await toolbar.show(3, "12")
    await toolbar.take(ready)
    expect(shell.badges.get(3)).toBe("12")
  })

  it("has the last number that was given, also where the browser takes its time for the one before", async () => {
    const slow: typeof shell.setTitle = async (tabId, title) => {
      if (title === null) await new Promise((resolve) => setTimeout(resolve, 20))
      await shell.setTitle(tabId, title)
    }
    toolbar = Toolbar.make({ ...shell, setTitle: slow })
    await Promise.all(["7", "", "12"].map((count) => toolbar.show(3, count)))
    expect([shell.badges.get(3), shell.titles.get(3)]).toEqual(["12", "toolbarMany 12"])
  })

  it("leaves pages alone while nothing changes", async () => {
    await toolbar.take(ready)
    const synced: AppState = { ...ready, index: { ...ready.index, contracts: 3 } }
    await toolbar.take(synced)
    await Toolbar.make(shell).take(ready)
    expect(shell.askedAnew).toEqual([])
  })

  it("shows no mark where that is switched off, and says what is needed in words all the same", async () => {
    await toolbar.take({ ...quiet, connection: { _tag: "WrongKey" } })
    expect(shell.badges.get(null)).toBe("")
    expect(shell.titles.get(null)).toBe("toolbarNeed wrongKeyTitle")
  })
})

describe("the toolbar's button, when watched contracts changed", () => {
  const changed: AppState = { ...ready, watched: { ids: [7], changed: [[7, "2026-03-01T14:00:00Z"]] } }
  const changedAndQuiet: AppState = { ...changed, settings: quiet.settings }

  it("has a dot, before the number where the page has contracts, and says why", async () => {
    await toolbar.take(changed)
    await toolbar.show(3, "12")
    await toolbar.show(4, "")
    expect([...shell.badges]).toEqual([
      [null, "•"],
      [3, "•12"],
    ])
    expect(shell.titles.get(null)).toBe("toolbarNeed watchedNeed")
    expect(shell.titles.get(3)).toBe("toolbarMany 12 · watchedNeed")
  })

  it("has pages tell their numbers again when the dot comes and when it goes, and not in between", async () => {
    await toolbar.take(ready)
    await toolbar.take(changed)
    expect(shell.askedAnew).toEqual([3, 4])
    await toolbar.take({
      ...changed,
      watched: { ids: [7, 8], changed: [...changed.watched.changed, [8, ""]] },
    })
    expect(shell.askedAnew).toEqual([3, 4])
    await toolbar.take(ready)
    expect(shell.askedAnew).toEqual([3, 4, 3, 4])
    expect(shell.badges.get(null)).toBe("")
  })

  it("has the dot also for a page that comes before the state does, after the background was stopped", async () => {
    await toolbar.take(changed)
    shell.askedAnew.length = 0
    const woken = Toolbar.make(shell)
    await woken.show(3, "12")
    await woken.take(changed)
    expect(shell.badges.get(3)).toBe("•12")
    expect(shell.askedAnew).toEqual([])
  })

  it("has the exclamation mark instead while the extension needs its user, and the dot again after", async () => {
    await toolbar.take(changed)
    await toolbar.take({ ...changed, connection: { _tag: "WrongKey" } })
    await toolbar.show(3, "12")
    expect([...shell.badges]).toEqual([[null, "!"]])
    await toolbar.take(changed)
    await toolbar.show(3, "12")
    expect([...shell.badges]).toEqual([
      [null, "•"],
      [3, "•12"],
    ])
  })

  it("shows no dot where numbers are switched off, and says it in words all the same", async () => {
    await toolbar.take(changedAndQuiet)
    await toolbar.show(3, "")
    expect([...shell.badges]).toEqual([[null, ""]])
    expect(shell.titles.get(null)).toBe("toolbarNeed watchedNeed")
  })

  it("leaves the notification until the changes were looked at", async () => {
    shell.notifications = 1
    await toolbar.take(changed)
    await toolbar.take({ ...changed, connection: { _tag: "WrongKey" } })
    expect(shell.notifications).toBe(1)
    await toolbar.take(changedAndQuiet)
    await toolbar.take(quiet)
    expect(shell.notifications).toBe(0)
  })
})

describe("what needs the user", () => {
  const needs: ReadonlyArray<readonly [ConnectionState, string | null]> = [
    [{ _tag: "NoAddress" }, null],
    [{ _tag: "NoKey" }, "noKeyTitle"],
    [{ _tag: "NoPermission", origin: "https://api.example" }, "noPermissionTitle api.example"],
    [{ _tag: "WrongKey" }, "wrongKeyTitle"],
    [{ _tag: "MissingScope", scope: "read:contracts" }, "missingScopeTitle read:contracts"],
    [{ _tag: "MissingScope", scope: null }, "noScopeTitle"],
    [{ _tag: "CursorUntrusted", detail: "" }, "cursorTitle"],
    [{ _tag: "RateLimited", until: null }, null],
    [{ _tag: "Offline" }, null],
    [{ _tag: "Unreachable" }, null],
    [{ _tag: "ServerFault", status: 500 }, null],
    [{ _tag: "UnreadableData", detail: "" }, null],
    [{ _tag: "StorageFailed" }, null],
    [{ _tag: "Ready" }, null],
  ]
  it.each(needs)("of %j is %j", (connection, need) => {
    expect(Toolbar.needOf({ connection, index: unset.index }, shell.text)).toBe(need)
  })

  it("is a decision about a smaller list, where nothing else is needed first", () => {
    const index = { ...unset.index, smaller: { id: "some-list", contracts: 3 } }
    expect(Toolbar.needOf({ connection: { _tag: "Ready" }, index }, shell.text)).toBe("smallerNeed")
    expect(Toolbar.needOf({ connection: { _tag: "Offline" }, index }, shell.text)).toBe("smallerNeed")
    expect(Toolbar.needOf({ connection: { _tag: "WrongKey" }, index }, shell.text)).toBe("wrongKeyTitle")
  })
})
