import { beforeEach, describe, expect, it } from "vitest"
import * as Menus from "../../src/browser-ui/Menus.ts"
import { contracts } from "../ui/gallery/Worlds.ts"
import * as Shell from "./Shell.ts"

const rows = contracts.map(({ row }) => row)
const [link, selection, panel] = Menus.items(Shell.make())
const linkUrl = "https://homes.example/homes/olive-loft?secret=1#photos"

let shell: Shell.FakeShell
beforeEach(() => {
  shell = Shell.make()
})

describe("the browser's menus", () => {
  it("have an item for links, one for selected texts, and one for the panel at the button", () => {
    expect(Menus.items(shell)).toEqual([
      { id: "lookup-link", title: "menuLink", contexts: ["link"] },
      { id: "lookup-selection", title: "menuSelection", contexts: ["selection"] },
      { id: "open-panel", title: "menuPanel", contexts: ["action"] },
    ])
  })

  it("open the popup for a link before anything is waited for, and it looks the link up itself", async () => {
    const { index, asked } = Shell.reading()
    const choosing = Menus.choose(index, shell, { item: link!.id, linkUrl, windowId: 1 })
    expect(shell.opened).toEqual([[`/popup.html?link=${encodeURIComponent(linkUrl)}&in=popup`, "popup"]])
    await choosing
    expect(asked).toEqual([])
  })

  it("open a window for a link's listing where there is no popup, and its address names the listing alone", async () => {
    shell.opensPopups = false
    const { index, asked } = Shell.reading({
      "index.listingAt": { rows: [rows[1]!, rows[2]!], title: null, total: 2 },
    })
    await Menus.choose(index, shell, { item: link!.id, linkUrl, windowId: 1 })
    expect(asked).toEqual([{ type: "index.listingAt", url: linkUrl }])
    expect(shell.opened).toEqual([["/popup.html?listing=olive-loft", "window"]])
  })

  it.each([
    ["https://homes.example/homes/caf%C3%A9/?a=b", "/popup.html?find=caf%C3%A9"],
    ["https://homes.example/", "/popup.html?find="],
    ["https://homes.example/%E0%A4%A", "/popup.html?find=%25E0%25A4%25A"],
  ])("search for the last part of a link that is of no listing: %s", async (address, page) => {
    expect(await Menus.pageOfLink(Shell.reading().index, address)).toBe(page)
  })

  it("do not put an endless link into an address", async () => {
    const { index } = Shell.reading()
    await Menus.choose(index, shell, {
      item: link!.id,
      linkUrl: `${linkUrl}${"x".repeat(5_000)}`,
      windowId: 1,
    })
    expect(shell.opened).toEqual([["/popup.html?find=olive-loft", "window"]])
  })

  it("search for a selected text, on one line and cut", async () => {
    const { index } = Shell.reading()
    const choose = () =>
      Menus.choose(index, shell, {
        item: selection!.id,
        selection: ` The\n olive & ${"x".repeat(900)}`,
        windowId: 1,
      })
    await choose()
    shell.opensPopups = false
    await choose()
    const [[popup, place], [window, other]] = shell.opened as [[string, string], [string, string]]
    expect([place, other]).toEqual(["popup", "window"])
    expect(popup).toBe(`${window}&in=popup`)
    expect(decodeURIComponent(window)).toMatch(/^\/popup\.html\?find=The olive & x{180,200}$/)
  })

  it("open the panel at the side, or in a tab where there is none", async () => {
    const { index } = Shell.reading()
    const click = { item: panel!.id, windowId: 1 }
    await Menus.choose(index, shell, click)
    shell.opensPanels = false
    await Menus.choose(index, shell, click)
    expect(shell.opened).toEqual([
      ["/sidepanel.html", "panel"],
      ["/sidepanel.html", "tab"],
    ])
  })
})
