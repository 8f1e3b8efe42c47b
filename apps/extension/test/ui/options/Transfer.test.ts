// @vitest-environment happy-dom
import * as Desk from "../Desk.ts"
import { h } from "preact"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { AppState } from "../../../src/messages/AppState.ts"
import * as SettingsFile from "../../../src/messages/SettingsFile.ts"
import { Options } from "../../../src/ui/options/Options.tsx"

const { full } = Desk
const open = (state: AppState, answer?: Desk.Answer) =>
  Desk.mount(state, h(Options, { wantedSite: "" }), answer)

/** Chooses a file, as a user does in the browser's window. */
const chooseFile = async (content: string): Promise<void> => {
  const box = document.querySelector<HTMLInputElement>("#transfer-file")!
  Object.defineProperty(box, "files", { configurable: true, value: [new File([content], "settings.json")] })
  box.dispatchEvent(new Event("change", { bubbles: true }))
  await Desk.settle()
  await Desk.settle()
}

afterEach(async () => {
  vi.restoreAllMocks()
  await Desk.tidy()
})

describe("the settings file", () => {
  it("is saved with sites, choices and accounts, and without key and contracts", async () => {
    const saved: Array<Blob> = []
    vi.spyOn(URL, "createObjectURL").mockImplementation((file) => {
      saved.push(file as Blob)
      return "blob:settings"
    })
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(() => {})
    await open(full)
    await Desk.press("Save a settings file")
    const content = await saved[0]!.text()
    expect(SettingsFile.read(content)).toEqual({
      format: "deedkit-settings",
      version: 1,
      settings: full.settings,
      sites: [{ origin: "https://homes.example", isOn: true, patterns: [] }],
      accounts: [{ name: "", baseUrl: "https://api.example.com/" }],
    })
    expect(content).not.toContain(full.keyHint)
    expect(content).not.toContain("before_id")
  })

  it("is handed to the background, and it is said what it has brought", async () => {
    const imported = { accounts: 2, accountsKnown: 1, sites: 1, sitesChanged: 0 }
    const desk = await open(full, () => ({ state: full, imported }))
    await chooseFile("{}")
    expect(desk.requests).toEqual([{ type: "page.importSettings", text: "{}" }])
    const section = Desk.words(document.querySelector("#transfer"))
    expect(section).toContain("2 accounts were added. Each needs its key.")
    expect(section).toContain("1 account was there already and stays as it is.")
    expect(section).toContain("1 site was added. Allow it under Sites.")
    expect(section).not.toContain("has the patterns")
  })

  it("that is refused says why, and one that is too large is not even read", async () => {
    const desk = await open(full, () => Desk.refused("Nothing was taken over from this file."))
    await chooseFile("{}")
    expect(Desk.alerts().join()).toContain("Nothing was taken over from this file. Do it again.")
    await chooseFile("a".repeat(500_001))
    expect(desk.requests).toHaveLength(1)
    expect(Desk.alerts().join()).toContain("It is not a settings file")
  })
})
