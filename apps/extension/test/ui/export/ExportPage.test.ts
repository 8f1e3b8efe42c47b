// @vitest-environment happy-dom
import * as Desk from "../desk/Desk.ts"
import { h } from "preact"
import { act } from "preact/test-utils"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import type { Copied, Done, ExportNotice } from "../../../src/export/ExportMessage.ts"
import type { AppState, SyncState } from "../../../src/messages/AppState.ts"
import { ExportPage } from "../../../src/ui/export/ExportPage.tsx"
import * as Facts from "./Facts.ts"

const { full } = Desk

/** What was saved, by its name. */
const saved = new Map<string, Blob>()
let clipboard: string | null = null
let mayCopy = true
let workers = Facts.make()

const open = (state: AppState = full, answer?: Desk.Answer) =>
  Desk.mount(
    state,
    h(ExportPage, {
      madeBy: "Deedkit extension 0.0.0",
      startWorker: workers.start,
      copy: async (text) => {
        if (!mayCopy) throw new DOMException("no", "NotAllowedError")
        clipboard = text
      },
    }),
    answer,
  )

const makes = () => workers.requests.filter(({ _tag }) => _tag === "Make")
const previews = () => workers.requests.filter(({ _tag }) => _tag === "Preview")

const say = async (notice: ExportNotice): Promise<void> => {
  await act(() => workers.say(notice))
  await Desk.settle()
}

const syncing = (more: Partial<Extract<SyncState, { _tag: "Syncing" }>> = {}): AppState => ({
  ...full,
  sync: {
    _tag: "Syncing",
    startedAt: "2026-03-01T14:19:00Z",
    pages: 2,
    records: 400,
    expected: 2_500,
    waiting: null,
    ...more,
  },
})
const synced: AppState = { ...full, index: { ...full.index, completedAt: "2026-03-01T15:00:00Z" } }

const done: Done = {
  _tag: "Done",
  file: { name: "contracts-2026-03-01.csv", content: new Blob(["Contract\r\n1\r\n"]) },
  texts: null,
  sheets: 1,
  manifest: {
    version: 1,
    verdict: "complete",
    reasons: [],
    evidence: [],
    madeBy: "Deedkit extension 0.0.0",
    startedAt: "2026-03-01T15:00:00Z",
    endedAt: "2026-03-01T15:00:01Z",
    isResumed: false,
    origin: "https://api.example.com/",
    account: { profile: null, keyFingerprint: null, me: null, meReason: "it was not asked for" },
    timeZone: "UTC",
    tables: [
      {
        table: "contracts",
        title: "Contracts",
        columns: ["id"],
        filters: [],
        rows: 2_345,
        undocumented: { included: [], excluded: [] },
        reading: {} as never,
      },
    ],
    files: [
      {
        name: "contracts-2026-03-01.csv",
        format: "csv",
        tables: { contracts: 2_345 },
        bytes: 1_234_567,
        sha256: "ab".repeat(32),
      },
    ],
    rejected: null,
    longTexts: null,
    textsChanged: {},
    newValues: [],
  },
}

beforeEach(() => {
  workers = Facts.make()
  saved.clear()
  clipboard = null
  mayCopy = true
  const blobs = new Map<string, Blob>()
  vi.spyOn(URL, "createObjectURL").mockImplementation((content) => {
    blobs.set(`blob:${blobs.size}`, content as Blob)
    return `blob:${blobs.size - 1}`
  })
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    const content = blobs.get(this.getAttribute("href") ?? "")
    if (content !== undefined) saved.set(this.download, content)
  })
})
afterEach(async () => {
  await Desk.tidy()
  vi.restoreAllMocks()
})

describe("the export page", () => {
  it("says how old the contracts are before anything is made of them", async () => {
    await open()
    expect(Desk.words()).toContain("2,500 contracts, synced")
    expect(workers.running()).toBe(0)
  })

  it("asks the worker for what was chosen, as the popup finds it", async () => {
    await open()
    await Desk.choose("Excel workbook")
    await Desk.type("Only contracts that match", " status:active ")
    await Desk.press("Export file")
    expect(makes()).toMatchObject([
      {
        _tag: "Make",
        request: {
          search: "status:active",
          ids: null,
          preset: "xlsx",
          origin: full.baseUrl,
          language: "en",
          madeBy: "Deedkit extension 0.0.0",
        },
      },
    ])
  })

  it("shows the first rows of the file, anew for each choice, once nobody types any more", async () => {
    await open()
    await Desk.waitFor(() => document.querySelector(".export-preview td") !== null)
    expect(Desk.words(document.querySelector(".export-preview"))).toBe("The first rowsContract12")
    await Desk.type("Only contracts that match", "c")
    await Desk.type("Only contracts that match", "city:por")
    await Desk.waitFor(() => previews().length === 2)
    expect(previews()).toMatchObject([
      { chosen: { search: "", ids: null }, preset: "excel" },
      { chosen: { search: "city:por", ids: null }, preset: "excel" },
    ])
    expect(workers.running()).toBe(0)
  })

  it("names the account in use as the user does, and no account where it has no name", async () => {
    await open()
    await Desk.press("Export file")
    expect(makes()[0]).toMatchObject({ request: { profile: null } })
    await Desk.tidy()
    workers = Facts.make()
    const accounts = [
      { id: "first", name: "Home", baseUrl: null },
      { id: "second", name: "Office", baseUrl: full.baseUrl },
    ]
    await open({ ...full, accounts, account: "second" })
    await Desk.press("Export file")
    expect(makes()[0]).toMatchObject({ request: { profile: "Office" } })
  })

  it("shows how far it is, and what was made, and saves the file once", async () => {
    await open()
    await Desk.press("Export file")
    await say({ _tag: "Progress", read: 500, expected: 1_000, rows: 480, bytes: 52_000 })
    expect(Desk.words()).toContain("480 rows written, 52 kB")
    expect(document.querySelector("progress")?.value).toBe(0.5)
    expect(Desk.box("Only contracts that match").closest("fieldset[disabled]")).not.toBeNull()
    await say(done)
    expect([...saved.keys()]).toEqual(["contracts-2026-03-01.csv"])
    expect(Desk.words()).toContain("Complete: the file has every record")
    expect(Desk.words()).toContain("2,345")
    expect(Desk.words()).toContain("1.2 MB")
    expect(Desk.words()).toContain("ab".repeat(32))
    await Desk.press("Save manifest")
    const manifest = await saved.get("contracts-2026-03-01.csv.manifest.json")?.text()
    expect(JSON.parse(manifest ?? "")).toEqual(done.manifest)
    expect(workers.running()).toBe(0)
  })

  it("says of some contracts only that these are complete", async () => {
    await open()
    await Desk.press("Export file")
    const tables = done.manifest.tables.map((table) => ({ ...table, filters: ['found by "status:active"'] }))
    await say({ ...done, manifest: { ...done.manifest, tables } })
    expect(Desk.words()).toContain("Complete: the file has every chosen contract that the service lists.")
    expect(Desk.words()).not.toContain("every record")
  })

  it("says why a file is not known to be complete", async () => {
    await open()
    await Desk.press("Export file")
    const reasons = ["The list of contracts broke off after 3 pages."]
    await say({ ...done, manifest: { ...done.manifest, verdict: "unverified", reasons } })
    expect(Desk.words()).toContain("Completeness is not verified.")
    expect(Desk.words()).toContain(reasons[0])
  })

  it("gives up at once, and nothing of it comes later", async () => {
    await open()
    await Desk.press("Export file")
    expect(workers.running()).toBe(1)
    await Desk.press("Cancel")
    expect(workers.running()).toBe(0)
    await say(done)
    expect(saved.size).toBe(0)
    expect(Desk.words()).not.toContain("SHA-256")
    expect(Desk.button("Export file").disabled).toBe(false)
  })

  it.each([
    ["TooMuchToCopy", "too many rows to copy"],
    ["Storage", "could not be read"],
    ["Memory", "ran out of memory"],
    ["Unexpected", "The export failed."],
  ] as const)("says in plain words that it failed: %s", async (failure, said) => {
    await open()
    await Desk.press("Export file")
    await say({ _tag: "Failed", failure })
    expect(Desk.alerts().join()).toContain(said)
    expect(Desk.button("Export file").disabled).toBe(false)
  })

  it("says so when the worker cannot run", async () => {
    await open()
    await Desk.press("Export file")
    await act(() => workers.break())
    expect(Desk.alerts().join()).toContain("The export failed.")
  })

  it("does not offer to make a file of nothing", async () => {
    const index = {
      contracts: 0,
      listings: 0,
      completedAt: null,
      isStale: false,
      rejected: 0,
      smaller: null,
      head: null,
    }
    await open({ ...full, index })
    expect(Desk.button("Export file").disabled).toBe(true)
    expect(Desk.words()).toContain("No contracts yet.")
    await Desk.choose("A new sync")
    expect(Desk.button("Export file").disabled).toBe(false)
  })

  it("warns of what will hurt before it does", async () => {
    await open({ ...full, index: { ...full.index, contracts: 30_000_000 } })
    expect(Desk.words()).toContain("the export needs about")
    await Desk.choose("Excel workbook")
    expect(Desk.words()).toContain("29 sheets of up to 1,048,575 rows")
  })
})

describe("after a fresh sync", () => {
  const fresh = async (begun: AppState = syncing()) => {
    const desk = await open(full, (request, state) => (request.type === "page.sync" ? begun : state))
    await Desk.choose("A new sync")
    await Desk.press("Export file")
    return desk
  }

  it("makes the file when the sync has come to its end, and not before", async () => {
    const desk = await fresh()
    expect(desk.requests).toEqual([{ type: "page.sync" }])
    await desk.set(syncing({ records: 800 }))
    expect(Desk.words()).toContain("800 of about 2,500 contracts synced")
    expect(makes()).toEqual([])
    await desk.set(synced)
    expect(makes()).toHaveLength(1)
  })

  it("says what the sync waits for, and how long", async () => {
    const desk = await fresh()
    const until = new Date(Date.now() + 40_000)
    await desk.set(syncing({ waiting: { reason: "rate-limited", until: until.toISOString() } }))
    expect(Desk.words()).toMatch(/Rate limited; resuming in (?:40|39) seconds\./)
  })

  it("fails with what stands in the way when the sync ends without an end", async () => {
    const desk = await fresh()
    await desk.set({ ...full, connection: { _tag: "WrongKey" } })
    await Desk.settle()
    expect(Desk.alerts().join()).toContain("key")
    expect(makes()).toEqual([])
    expect(workers.running()).toBe(0)
  })

  it("makes no file of what is saved when the service listed far fewer contracts", async () => {
    const desk = await fresh()
    const smaller = { ...full, index: { ...full.index, smaller: { id: "some-list", contracts: 3 } } }
    await desk.set({ ...smaller, connection: { _tag: "WrongKey" } })
    await Desk.settle()
    expect(Desk.alerts().join()).toContain("API key rejected")
    const again = await fresh()
    await again.set(smaller)
    await Desk.settle()
    expect(Desk.alerts().join()).toContain("The service now lists 3 contracts")
    expect(Desk.alerts().join()).toContain("Choose a list in the popup or in the options")
    expect(makes()).toEqual([])
  })

  it("waits for a sync that has not begun when its answer comes", async () => {
    const desk = await fresh(full)
    expect(Desk.alerts()).toEqual([])
    await desk.set(syncing())
    await desk.set(full)
    await Desk.settle()
    expect(Desk.alerts().join()).toContain("The sync was stopped.")
  })

  it("is not misled by a state that was put together while the sync ended", async () => {
    const desk = await open(full, (request) => (request.type === "page.state" ? synced : syncing()))
    await Desk.choose("A new sync")
    await Desk.press("Export file")
    await desk.set(syncing())
    await desk.set(full)
    await Desk.settle()
    expect(Desk.alerts()).toEqual([])
    expect(makes()).toHaveLength(1)
  })

  it("stops the sync that it began when it is given up", async () => {
    const desk = await fresh()
    await Desk.press("Cancel")
    expect(desk.requests).toEqual([{ type: "page.sync" }, { type: "page.stopSync" }])
    await desk.set(synced)
    expect(makes()).toEqual([])
  })

  it("leaves a sync alone that was under way before", async () => {
    const desk = await open(syncing(), () => syncing())
    await Desk.choose("A new sync")
    await Desk.press("Export file")
    await Desk.press("Cancel")
    expect(desk.requests).toEqual([{ type: "page.sync" }])
  })
})

describe("another account", () => {
  const other: AppState = {
    ...full,
    accounts: [...full.accounts, { id: "second", name: "Office", baseUrl: "https://office.example.com/" }],
    account: "second",
    baseUrl: "https://office.example.com/",
    index: { ...full.index, completedAt: "2026-03-01T16:00:00Z" },
  }

  it("is exported as it is, and not by the contracts that were picked in the one before", async () => {
    history.replaceState(null, "", "#account=first&contracts=5.9")
    const desk = await open()
    expect(Desk.words()).toContain("2 contracts picked")
    await desk.set(other)
    expect(Desk.words()).not.toContain("contracts picked")
    await Desk.press("Export file")
    expect(makes()).toMatchObject([{ request: { ids: null, profile: "Office", origin: other.baseUrl } }])
  })

  it.each<[string, ReadonlyArray<AppState>]>([
    ["at once", [other]],
    ["after some pages", [syncing(), other, { ...other, sync: syncing().sync }]],
  ])(
    "ends an export that waits for the sync of the one before, and no sync of its own: %s",
    async (_, states) => {
      const desk = await open(full, (request, state) => (request.type === "page.sync" ? syncing() : state))
      await Desk.choose("A new sync")
      await Desk.press("Export file")
      for (const state of states) await desk.set(state)
      await Desk.settle()
      expect(Desk.has("Cancel")).toBe(false)
      expect(Desk.alerts()).toEqual([])
      await desk.set({ ...synced, accounts: other.accounts })
      await Desk.tidy()
      expect(makes()).toEqual([])
      expect(workers.running()).toBe(0)
      expect(desk.requests).toEqual([{ type: "page.sync" }])
    },
  )

  it("is not taken for the one before by a state that was asked for", async () => {
    const desk = await open(full, (request) => (request.type === "page.state" ? other : syncing()))
    await Desk.choose("A new sync")
    await Desk.press("Export file")
    await desk.set(syncing())
    await desk.set(full)
    await Desk.settle()
    expect(makes()).toEqual([])
    expect(Desk.has("Cancel")).toBe(false)
  })

  it("shows no file of the one before", async () => {
    const desk = await open()
    await Desk.press("Export file")
    await say(done)
    expect(Desk.words()).toContain("SHA-256")
    await desk.set(other)
    expect(Desk.words()).not.toContain("SHA-256")
  })
})

describe("copying", () => {
  const copied: Copied = {
    _tag: "Copied",
    text: "Contract\r\n1\r\n",
    rows: 1,
    verdict: "complete",
    reasons: [],
    filters: [],
  }

  it("puts the rows on the clipboard and makes no file", async () => {
    await open()
    await Desk.press("Copy for Google Sheets")
    expect(makes()[0]).toMatchObject({ request: { preset: null } })
    await say(copied)
    expect(clipboard).toBe(copied.text)
    expect(Desk.words()).toContain("1 row copied.")
    expect(saved.size).toBe(0)
  })

  it("asks for a click where the browser wants one", async () => {
    mayCopy = false
    await open()
    await Desk.press("Copy for Google Sheets")
    await say(copied)
    expect(clipboard).toBeNull()
    expect(Desk.words()).toContain("1 row is ready to copy.")
    mayCopy = true
    await Desk.press("Copy now")
    expect(clipboard).toBe(copied.text)
    expect(Desk.words()).toContain("1 row copied.")
  })
})
