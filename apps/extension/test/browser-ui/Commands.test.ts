import { beforeEach, describe, expect, it } from "vitest"
import type { Ask } from "../../src/browser-ui/Commands.ts"
import * as Commands from "../../src/browser-ui/Commands.ts"
import type { PageRequest } from "../../src/messages/Requests.ts"
import { ready } from "../ui/gallery/Worlds.ts"
import * as Shell from "./Shell.ts"

const tab = { id: 4, windowId: 1, url: "https://homes.example/homes/olive-loft" }

let shell: Shell.FakeShell
beforeEach(() => {
  shell = Shell.make()
})

describe("the key for badges", () => {
  it.each([true, false])("switches the site in front over from %s", async (isOn) => {
    const sites = [{ ...ready.sites[0]!, isOn }]
    const { ask, asked } = Shell.answering({ "page.state": { ...ready, sites } })
    await Commands.run(ask, shell, "toggle-badges", tab)
    expect(asked.at(-1)).toEqual({ type: "page.switchSite", origin: "https://homes.example", isOn: !isOn })
    expect(shell.opened).toEqual([])
  })

  it("switches the site off and on again when it is pressed twice at once", async () => {
    let site = ready.sites[0]!
    const switched: Array<boolean> = []
    const ask = (async (request: PageRequest) => {
      if (request.type === "page.switchSite") {
        switched.push(request.isOn)
        site = { ...site, isOn: request.isOn }
      }
      return { ...ready, sites: [site] }
    }) as Ask
    await Promise.all([1, 2].map(() => Commands.run(ask, shell, "toggle-badges", tab)))
    expect(switched).toEqual([!ready.sites[0]!.isOn, ready.sites[0]!.isOn])
  })

  it("shows badges once on a site that was not added", async () => {
    const state = { ...ready, sites: [] }
    const { ask, asked } = Shell.answering({ "page.state": state, "page.showOnce": state })
    await Commands.run(ask, shell, "toggle-badges", tab)
    expect(asked.at(-1)).toEqual({ type: "page.showOnce", tabId: 4, origin: "https://homes.example" })
    expect(shell.opened).toEqual([])
  })

  it("offers to add the site where the browser does not let the extension look", async () => {
    const { ask } = Shell.answering({
      "page.state": { ...ready, sites: [] },
      "page.showOnce": { _tag: "UserError", message: "", advice: "" },
    })
    await Commands.run(ask, shell, "toggle-badges", tab)
    expect(shell.opened).toEqual([["/options.html?site=https%3A%2F%2Fhomes.example#sites", "tab"]])
  })

  it.each([
    null,
    { ...tab, url: null },
    { ...tab, url: "chrome://extensions" },
    { ...tab, url: "http://homes.example/" },
  ])("opens the sites in the options where there is no site in front: %j", async (front) => {
    const { ask, asked } = Shell.answering({ "page.state": ready })
    await Commands.run(ask, shell, "toggle-badges", front)
    expect(asked).toEqual([])
    expect(shell.opened).toEqual([["/options.html#sites", "tab"]])
  })

  it("does nothing while the background refuses to answer", async () => {
    const { ask, asked } = Shell.answering({})
    await Commands.run(ask, shell, "toggle-badges", tab)
    expect(asked).toEqual([{ type: "page.state" }])
    expect(shell.opened).toEqual([])
  })
})

describe("the other keys", () => {
  it("read the contracts again, and open the export", async () => {
    const { ask, asked } = Shell.answering({})
    await Commands.run(ask, shell, "sync", null)
    await Commands.run(ask, shell, "open-export", null)
    await Commands.run(ask, shell, "unknown", null)
    expect(asked).toEqual([{ type: "page.sync" }])
    expect(shell.opened).toEqual([["/export.html", "tab"]])
  })
})
