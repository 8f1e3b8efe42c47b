// @vitest-environment happy-dom
import * as Desk from "../desk/Desk.ts"
import { h } from "preact"
import { act } from "preact/test-utils"
import { afterEach, describe, expect, it, vi } from "vitest"
import { actionError } from "../../../src/failures/ActionFailure.ts"
import type { AppState } from "../../../src/messages/AppState.ts"
import * as SettingsFile from "../../../src/messages/SettingsFile.ts"
import { text } from "../../../src/ui/kit/Message.ts"
import { Options } from "../../../src/ui/options/Options.tsx"

const { full } = Desk
const open = (state: AppState, answer: Desk.Answer = (_, now) => now) =>
  Desk.mount(state, h(Options, { wantedSite: "" }), (request, now) =>
    request.type === "page.readSettings"
      ? (SettingsFile.read(request.text) ?? actionError(text, "FileInvalid"))
      : answer(request, now),
  )
/** Requests that change something. */
const changesOf = ({ requests }: Desk.Desk) => requests.filter(({ type }) => type !== "page.readSettings")

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
const items = (): ReadonlyArray<string> =>
  [...document.querySelectorAll(".preview li")].map((item) => Desk.words(item))

const file: SettingsFile.SettingsFile = {
  format: "deedkit-settings",
  version: 1,
  accounts: [
    {
      name: "Flats",
      baseUrl: "https://api.flats.example/rest",
      links: [{ address: "https://homes.example/view/1001", listing: 41001 }],
    },
    { name: "", baseUrl: "https://hömes.example" },
    { name: "Nothing yet", baseUrl: null },
  ],
  sites: [
    { origin: "https://homes.example", isOn: false, patterns: ["/homes/:slug", "?listing=:id"] },
    { origin: "https://flats.example:8443", isOn: true, patterns: [] },
  ],
  settings: {
    theme: "dark",
    refreshMinutes: null,
    toolbarCount: false,
    pill: false,
    keyStorage: "session",
  },
}
const content = JSON.stringify(file)
const imported: AppState = { ...full, settings: file.settings }

const importing: Desk.Answer = ({ type }, state) => (type === "page.importSettings" ? imported : state)

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
    const links = { "https://homes.example/view/1001": 41001 }
    await open({ ...full, accounts: [{ ...full.accounts[0]!, links }] })
    await Desk.press("Export settings")
    const written = await saved[0]!.text()
    expect(SettingsFile.read(written)).toEqual({
      format: "deedkit-settings",
      version: 1,
      settings: full.settings,
      sites: [{ origin: "https://homes.example", isOn: true, patterns: [] }],
      accounts: [
        {
          name: "",
          baseUrl: "https://api.example.com/",
          links: [{ address: "https://homes.example/view/1001", listing: 41001 }],
        },
      ],
    })
    expect(written).not.toContain(full.keyHint)
    expect(written).not.toContain("before_id")
  })

  it("is shown with what it holds, hosts as browsers use them, and nothing is imported before a further click", async () => {
    const desk = await open(full, importing)
    await chooseFile(content)
    expect(changesOf(desk)).toEqual([])
    expect(document.activeElement?.textContent).toBe("Import these settings?")
    expect(items()).toEqual(
      [
        "Flats https://api.flats.example/rest 1 linked page",
        " https://xn--hmes-5qa.example/",
        "https://homes.example/ 2 link patterns",
        "https://flats.example:8443/",
        "All settings",
      ].map((words) => words.trim()),
    )
    expect(shown()).toContain("Names with xn-- contain letters outside a to z.")
    await Desk.press("Confirm import")
    expect(changesOf(desk)).toEqual([{ type: "page.importSettings", text: content }])
    expect(shown()).toBe("")
    expect(Desk.words(document.querySelector("#transfer"))).toContain("The settings were imported.")
    expect(document.activeElement?.id).toBe("transfer-file")
    expect(Desk.grants.asked).toEqual([])
  })

  it.each(["Cancel", "Escape"])("is not imported after all: %s", async (way) => {
    const desk = await open(full, importing)
    await chooseFile(content)
    if (way === "Escape") {
      const escape = new KeyboardEvent("keydown", { key: "Escape", bubbles: true })
      await act(() => void document.activeElement?.dispatchEvent(escape))
      await Desk.settle()
    } else await Desk.press(way)
    expect(shown()).toBe("")
    expect(document.activeElement?.id).toBe("transfer-file")
    expect(changesOf(desk)).toEqual([])
  })

  it.each(["nonsense", "{}", JSON.stringify({ ...file, version: 2 })])(
    "is refused at once if it is no such file: %s",
    async (wrong) => {
      const desk = await open(full, importing)
      await chooseFile(wrong)
      expect(Desk.alerts().join()).toContain(
        "The settings were not imported. This is not a Deedkit settings file.",
      )
      expect([shown(), changesOf(desk)]).toEqual(["", []])
    },
  )

  it("that the background refuses says why, and can be confirmed again or left", async () => {
    await open(full, () => Desk.failed("The settings were not imported."))
    await chooseFile(content)
    await Desk.press("Confirm import")
    expect(Desk.alerts().join()).toContain("The settings were not imported. Do it again.")
    expect(Desk.words(document.querySelector("#transfer"))).not.toContain("The settings were imported")
    await chooseFile(content)
    expect(Desk.alerts()).toEqual([])
  })

  it.each([20_000_001, 24_000_000])("of %d bytes is refused by its size, and not even read", async (size) => {
    const desk = await open(full, importing)
    const large = new File([], "settings.json")
    const read = vi.fn<() => Promise<string>>(() => Promise.resolve("{}"))
    Object.defineProperties(large, { size: { value: size }, text: { value: read } })
    await choose(large)
    expect(Desk.alerts().join()).toContain("The file is larger than 20 MB.")
    expect(read).not.toHaveBeenCalled()
    expect(changesOf(desk)).toEqual([])
  })

  it("that cannot be read is refused in words", async () => {
    const desk = await open(full, importing)
    const gone = new File([content], "settings.json")
    Object.defineProperty(gone, "text", { value: () => Promise.reject(new Error("gone")) })
    await choose(gone)
    expect(Desk.alerts().join()).toContain("The settings were not imported.")
    expect(changesOf(desk)).toEqual([])
  })

  it("cannot turn or hide what is said of it", async () => {
    const name = `Rechnung \u202eexe.example\u202c ${"W".repeat(30)}`
    const hostile = {
      ...file,
      accounts: [{ name, baseUrl: "https://evil.example/\u202e<b>" }],
      sites: [{ origin: "https://аррӏе.com", isOn: true, patterns: [] }],
    }
    await open(full, importing)
    await chooseFile(JSON.stringify(hostile))
    expect(document.querySelector(".preview b")).toBeNull()
    const texts = [...document.querySelectorAll(".preview bdi")].map((part) => Desk.words(part))
    expect(texts).toEqual([
      name.replace(/\s+/g, " ").trim(),
      "https://evil.example/%E2%80%AE%3Cb%3E",
      "https://xn--80ak6aa92e.com/",
    ])
  })
})
