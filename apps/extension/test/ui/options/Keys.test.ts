// @vitest-environment happy-dom
import * as Desk from "../desk/Desk.ts"
import { h } from "preact"
import { act } from "preact/test-utils"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { Keys } from "../../../src/ui/options/Keys.tsx"

interface Commands {
  getAll: () => Promise<ReadonlyArray<{ readonly name: string; readonly shortcut: string }>>
  openShortcutSettings?: () => Promise<void>
}
const browser = (globalThis as unknown as { browser: { commands: Commands; tabs: object } }).browser
let opened: Array<string> = []
let exportKeys = "Alt+Shift+E"

beforeEach(() => {
  opened = []
  exportKeys = "Alt+Shift+E"
  browser.commands = {
    getAll: async () => [
      { name: "_execute_action", shortcut: "Alt+Shift+D" },
      { name: "sync", shortcut: "" },
      { name: "open-export", shortcut: exportKeys },
      { name: "of-another-version", shortcut: "F1" },
    ],
  }
  browser.tabs = { create: async ({ url }: { readonly url: string }) => void opened.push(url) }
})
afterEach(Desk.tidy)

const rows = () => [...document.querySelectorAll(".shortcuts > div")].map((row) => Desk.words(row))

describe("the keys of the keyboard", () => {
  it("are shown as the browser has them at present, with what each does", async () => {
    await Desk.mount(Desk.full, h(Keys, {}))
    expect(rows()).toEqual([
      "Open the popupAlt+Shift+D",
      "Sync all contractsNot set",
      "Export to a spreadsheetAlt+Shift+E",
    ])
  })

  it("are looked at again when the user comes back from changing them", async () => {
    await Desk.mount(Desk.full, h(Keys, {}))
    exportKeys = "Ctrl+Shift+9"
    await act(() => void dispatchEvent(new Event("focus")))
    await Desk.settle()
    expect(rows()).toContain("Export to a spreadsheetCtrl+Shift+9")
  })

  it("are changed on the browser's own page, in Chrome by its address and in Firefox by its call", async () => {
    await Desk.mount(Desk.full, h(Keys, {}))
    await Desk.press("Change shortcuts")
    browser.commands.openShortcutSettings = async () => void opened.push("Firefox's page")
    await Desk.press("Change shortcuts")
    expect(opened).toEqual(["chrome://extensions/shortcuts", "Firefox's page"])
  })
})
