// @vitest-environment happy-dom
import * as Desk from "../../desk/Desk.ts"
import { h } from "preact"
import { act } from "preact/test-utils"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { SettingsPreview } from "../../../../src/messages/AccountMessage.ts"
import type { AppState } from "../../../../src/messages/AppState.ts"
import * as SettingsFile from "../../../../src/messages/SettingsFile.ts"
import { Options } from "../../../../src/ui/options/Options.tsx"

const { full } = Desk
const open = (state: AppState, answer?: Desk.Answer) =>
  Desk.mount(state, h(Options, { wantedSite: "" }), answer)

/** Chooses a file, as a user does in the browser's window. */
const choose = async (file: File): Promise<void> => {
  const box = document.querySelector<HTMLInputElement>("#transfer-file")!
  Object.defineProperty(box, "files", { configurable: true, value: [file] })
  box.dispatchEvent(new Event("change", { bubbles: true }))
  await Desk.settle()
  await Desk.settle()
}
const chooseFile = (content: string): Promise<void> => choose(new File([content], "settings.json"))

const shown = (): string => Desk.words(document.querySelector(".preview"))
/** Opens the list of patterns that the preview has. */
const openPatterns = async (): Promise<void> => {
  await act(() => {
    const details = document.querySelector<HTMLDetailsElement>(".preview details")!
    details.open = true
    details.dispatchEvent(new Event("toggle"))
  })
}
const items = (title: string): ReadonlyArray<string> => {
  const part = [...document.querySelectorAll(".preview-part")].find(
    (one) => Desk.words(one.querySelector("h4")) === title,
  )
  return [...(part?.querySelectorAll(":scope > ul > li") ?? [])].map((item) => Desk.words(item))
}

/** Everything that a file can change, at once. */
const preview: SettingsPreview = {
  accounts: [
    ...full.accounts,
    { id: "new", name: "Flats", baseUrl: "https://api.flats.example/rest" },
    { id: "other", name: "", baseUrl: "https://xn--hmes-55d.example" },
  ],
  sites: [
    { origin: "https://homes.example", isOn: false, patterns: ["/homes/:slug", "?listing=:id"] },
    { origin: "https://flats.example:8443", isOn: true, patterns: [] },
  ],
  settings: {
    theme: "dark",
    refreshMinutes: null,
    toolbarCount: false,
    panel: "none",
    keyStorage: "session",
  },
  leftOut: 2,
}
const nothing: SettingsPreview = { ...full, leftOut: 0 }
const imported: AppState = { ...full, settings: preview.settings }

const answering =
  (what: unknown = preview): Desk.Answer =>
  ({ type }, state) =>
    type === "page.previewSettings" ? what : type === "page.importSettings" ? imported : state

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
    await Desk.press("Export settings")
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

  it("is shown with all that it changes, and nothing is imported before a further click", async () => {
    const desk = await open(full, answering())
    Desk.grants.isAllowed = false
    await chooseFile("{}")
    expect(desk.requests).toEqual([{ type: "page.previewSettings", text: "{}" }])
    expect(document.activeElement?.textContent).toBe("Import these settings?")
    expect(items("Accounts")).toEqual([
      "Flats new accounthttps://api.flats.example/rest",
      "xn--hmes-55d.example new accounthttps://xn--hmes-55d.example",
    ])
    expect(items("Listing sites")).toEqual([
      "homes.example changed · badges off2 link patterns added homes.example",
      "flats.example:8443 new site",
    ])
    expect(items("Other settings")).toEqual([
      "Theme: Dark (now: System)",
      "Sync automatically: never (now: every hour)",
      "Count on the toolbar button: hidden (now: shown)",
      "On a listing's own page: Nothing (now: A small pill)",
      "Save the key: Until the browser closes (now: On this device)",
    ])
    expect(items("Permissions")).toEqual([
      "api.flats.example",
      "xn--hmes-55d.example",
      "homes.example",
      "flats.example:8443",
    ])
    expect(shown()).toContain("Allow these after the import")
    expect(shown()).not.toContain("Already allowed in this browser")
    expect(shown()).toContain("Names with xn-- contain letters outside a to z.")
    expect(shown()).toContain("2 accounts cannot be imported. You can have at most 20")
    expect(shown()).toContain("Keys are not imported.")
    expect(Desk.grants.asked).toEqual([])

    await Desk.press("Confirm import")
    expect(desk.requests.slice(1)).toEqual([{ type: "page.importSettings", text: "{}" }])
    expect(shown()).toBe("")
    expect(Desk.words(document.querySelector("#transfer"))).toContain("The settings were imported.")
    expect(document.activeElement?.id).toBe("transfer-file")
    expect(Desk.grants.asked).toEqual([])
  })

  it("says where it works at once, because the browser allows it already", async () => {
    await open(full, answering())
    await chooseFile("{}")
    expect(shown()).toContain("Already allowed in this browser:")
    expect(shown()).not.toContain("Allow these after the import")
  })

  it("shows what goes from a site as well as what comes", async () => {
    const patterns = ["/old/:slug", "/kept/:slug"]
    const sites = [{ ...full.sites[0]!, patterns, isOn: false }]
    const after = [{ origin: sites[0]!.origin, isOn: true, patterns: ["/kept/:slug", "/new/:slug"] }]
    await open({ ...full, sites }, answering({ ...nothing, sites: after }))
    await chooseFile("{}")
    expect(document.querySelector(".preview code")).toBeNull()
    await openPatterns()
    expect(items("Listing sites")).toEqual([
      "homes.example changed · badges on1 link pattern added · 1 link pattern removed homes.example/new/:slug/old/:slug",
    ])
    expect([...document.querySelectorAll(".preview ins, .preview del")].map((part) => part.tagName)).toEqual([
      "INS",
      "DEL",
    ])
  })

  it("shows an account that gets the address of the file, and not those that stay as they are", async () => {
    const accounts = [...full.accounts, { id: "empty", name: "Mine", baseUrl: null }]
    const filled = [...full.accounts, { ...accounts[1]!, baseUrl: "https://api.flats.example" }]
    await open({ ...full, accounts }, answering({ ...nothing, accounts: filled }))
    await chooseFile("{}")
    expect(items("Accounts")).toEqual(["Mine address addedhttps://api.flats.example"])
  })

  it("that changes nothing says so, and offers nothing to import", async () => {
    await open(full, answering(nothing))
    await chooseFile("{}")
    expect(document.activeElement?.textContent).toBe("The file contains no changes")
    expect(Desk.has("Confirm import")).toBe(false)
    await Desk.press("Close")
    expect(shown()).toBe("")
  })

  it.each(["Cancel", "Escape"])("is not imported after all: %s", async (way) => {
    const desk = await open(full, answering())
    await chooseFile("{}")
    if (way === "Escape") {
      const escape = new KeyboardEvent("keydown", { key: "Escape", bubbles: true })
      await act(() => void document.activeElement?.dispatchEvent(escape))
      await Desk.settle()
    } else await Desk.press(way)
    expect(shown()).toBe("")
    expect(document.activeElement?.id).toBe("transfer-file")
    expect(desk.requests.map(({ type }) => type)).toEqual(["page.previewSettings"])
  })

  it("is looked at anew when what is there changes under the preview", async () => {
    const desk = await open(full, answering())
    await chooseFile("{}")
    await desk.set({ ...full, settings: preview.settings })
    await Desk.settle()
    expect(desk.requests.map(({ type }) => type)).toEqual(["page.previewSettings", "page.previewSettings"])
    expect(items("Other settings")).toEqual([])
    expect(items("Accounts")).toHaveLength(2)
  })

  it("stays closed once it is imported, though the change was told before the answer", async () => {
    let answerImport = (): void => {}
    let answerPreview = (): void => {}
    let looks = 0
    const desk = await open(full, ({ type }) => {
      if (type === "page.importSettings") {
        return new Promise((resolve) => {
          answerImport = () => resolve(imported)
        })
      }
      looks += 1
      return looks === 1
        ? preview
        : new Promise((resolve) => {
            answerPreview = () => resolve(nothing)
          })
    })
    await chooseFile("{}")
    await Desk.press("Confirm import")
    await desk.set(imported)
    await Desk.settle()
    expect(looks).toBe(2)
    answerImport()
    await Desk.settle()
    answerPreview()
    await Desk.settle()
    expect(shown()).toBe("")
    expect(Desk.words(document.querySelector("#transfer"))).toContain("The settings were imported.")
    expect(document.activeElement?.id).toBe("transfer-file")
  })

  it("that is refused says why, before and after the preview", async () => {
    let isRefused = true
    await open(full, (request, state) =>
      isRefused || request.type === "page.importSettings"
        ? Desk.failed("The settings were not imported.")
        : answering()(request, state),
    )
    await chooseFile("{}")
    expect(Desk.alerts().join()).toContain("The settings were not imported. Do it again.")
    expect(shown()).toBe("")
    isRefused = false
    await chooseFile("{}")
    expect(Desk.alerts()).toEqual([])
    await Desk.press("Confirm import")
    expect(Desk.alerts().join()).toContain("The settings were not imported. Do it again.")
    expect(Desk.words(document.querySelector("#transfer"))).not.toContain("The settings were imported")
  })

  it.each([500_001, 24_000_000])("of %d bytes is refused by its size, and not even read", async (size) => {
    const desk = await open(full, answering())
    const file = new File([], "settings.json")
    const read = vi.fn<() => Promise<string>>(() => Promise.resolve("{}"))
    Object.defineProperties(file, { size: { value: size }, text: { value: read } })
    await choose(file)
    expect(Desk.alerts().join()).toContain("The file is larger than 500 kB.")
    expect(read).not.toHaveBeenCalled()
    expect(desk.requests).toEqual([])
  })

  it("that cannot be read is refused in words", async () => {
    const desk = await open(full, answering())
    const file = new File(["{}"], "settings.json")
    Object.defineProperty(file, "text", { value: () => Promise.reject(new Error("gone")) })
    await choose(file)
    expect(Desk.alerts().join()).toContain("The settings were not imported.")
    expect(desk.requests).toEqual([])
  })

  it("cannot turn or hide what is said of it", async () => {
    const name = `Rechnung \u202eexe.example\u202c ${"W".repeat(40)}`
    const accounts = [...full.accounts, { id: "new", name, baseUrl: "https://evil.example/%E2%80%AE" }]
    const sites = [{ origin: "https://xn--80ak6aa92e.com", isOn: true, patterns: ["/<b>:slug", "/:slug"] }]
    await open(full, answering({ ...nothing, accounts, sites: [...nothing.sites, ...sites] }))
    await chooseFile("{}")
    await openPatterns()
    expect(document.querySelectorAll(".preview code")).toHaveLength(2)
    expect(document.querySelector(".preview b")).toBeNull()
    const texts = [...document.querySelectorAll(".preview bdi, .preview code")].map((part) =>
      Desk.words(part),
    )
    for (const part of [
      name.replace(/\s+/g, " ").trim(),
      "https://evil.example/%E2%80%AE",
      "xn--80ak6aa92e.com",
    ]) {
      expect(texts).toContain(part)
    }
  })
})
