/**
 * The export page of the built extension, under its own security policy, in both browsers: the worker starts, reads the index, and makes
 * files that other programs read back value by value.
 */
import { createHash } from "node:crypto"
import type { Contract } from "@deedkit/core"
import Papa from "papaparse"
import { afterAll, expect } from "vitest"
import { it, scenario } from "../BrowserTest.ts"
import * as XLSX from "xlsx"
import type { Tab } from "../browsers/Driver.ts"
import { until } from "../browsers/Driver.ts"
import * as ExportPage from "../ExportPage.ts"
import { said, seen, textOf } from "../Words.ts"
import type { World } from "../World.ts"

/** The names of the files that were saved by themselves; waits for the first one. */
const savedNames = (tab: Tab): Promise<ReadonlyArray<string>> =>
  until(
    "a saved file",
    () => tab.evaluate(() => (globalThis as unknown as { saved: Array<string> }).saved),
    (names) => names.length > 0,
  )

/** The bytes of the file that was made first since the page was opened; its manifest is made after it. */
const fileOf = async (tab: Tab): Promise<Buffer> => {
  const text = await tab.evaluate(async () => {
    const [content] = (globalThis as unknown as { made: Array<Blob> }).made
    const reader = new FileReader()
    reader.readAsDataURL(content!)
    await new Promise((resolve) => reader.addEventListener("load", resolve))
    return reader.result as string
  })
  return Buffer.from(text.slice(text.indexOf(",") + 1), "base64")
}

/** What stands in a cell of the emulator's contracts; it gives a unit's number as a text or as digits. */
type Value = string | number | null

/** A record as the file's row, in the order of the usual columns. */
const rowOf = (contract: Contract.Contract): ReadonlyArray<Value> => {
  const { created_at, id, kind, listing, listing_id, status, template_id, unit_id, unit_label, updated_at } =
    contract
  return [
    id,
    status,
    kind,
    unit_label,
    listing?.title ?? null,
    listing?.city ?? null,
    listing?.area ?? null,
    created_at,
    updated_at,
    unit_id as Value,
    listing_id,
    listing?.slug ?? null,
    template_id,
    listing?.id ?? null,
    // The emulator gives no member that the specification does not name.
    null,
  ]
}

/** A text of CSV before it is quoted: an apostrophe before what a spreadsheet would evaluate. */
const guarded = (value: Value): string =>
  typeof value === "string" && /^'*[=+@-]/.test(value) ? `'${value}` : value === null ? "" : `${value}`

const timeColumns: ReadonlySet<number> = new Set([7, 8])
const unitIdColumn = 9

/** A cell of CSV; a time as Excel reads it as a date. */
const csvText = (value: Value, at: number): string =>
  timeColumns.has(at) ? `${value}`.slice(0, 19).replace("T", " ") : guarded(value)

/** Spreadsheets count days, the first of 1970 being number 25,569; to the millisecond. */
const epochMillis = (day: unknown): number => Math.round((Number(day) - 25_569) * 86_400_000)

/** The rows of a file with every contract of the service. */
const rowsOf = ({ emulator }: World): ReadonlyArray<ReadonlyArray<Value>> =>
  (emulator.store.contracts as ReadonlyArray<Contract.Contract>)
    .toSorted((one, other) => one.id - other.id)
    .map(rowOf)

scenario("an export of 10,000 contracts", () => {
  let world: World
  // One world for all tests, which only read: its index takes the longest of all to read.
  it.beforeAll(async ({ enter }) => {
    world = await enter({ contracts: 10_000 })
    await world.setUp()
  }, 180_000)
  afterAll(() => world?.close())

  it("writes the whole index to CSV, without asking the service", async () => {
    const tab = await ExportPage.open(world)
    world.emulator.journal.clear()
    await tab.click("button", said("exportStart"))
    const page = await seen(tab, said("exportComplete"))
    const bytes = await fileOf(tab)
    const { data } = Papa.parse<ReadonlyArray<string>>(
      bytes
        .toString("utf8")
        .replace(/^\uFEFF/, "")
        .trimEnd(),
    )
    expect(data.slice(1)).toEqual(rowsOf(world).map((row) => row.map(csvText)))
    expect(await savedNames(tab)).toEqual([expect.stringMatching(/^contracts-\d{4}-\d\d-\d\d\.csv$/)])
    expect(page).toContain(createHash("sha256").update(bytes).digest("hex"))
    expect(world.emulator.journal.entries).toEqual([])
  })

  it("writes the same to a workbook", async () => {
    const tab = await ExportPage.open(world)
    await ExportPage.choose(tab, "xlsx")
    await tab.click("button", said("exportStart"))
    await seen(tab, said("exportComplete"))
    const workbook = XLSX.read(await fileOf(tab))
    const [, ...rows] = XLSX.utils.sheet_to_json<ReadonlyArray<unknown>>(workbook.Sheets["Contracts"]!, {
      header: 1,
      defval: null,
    })
    const read = rows.map((row) => row.map((value, at) => (timeColumns.has(at) ? epochMillis(value) : value)))
    const cell = (value: Value, at: number): unknown => {
      if (timeColumns.has(at)) return Date.parse(`${value}`)
      // An empty text and no text are the same cell. A unit's id is a text in all rows, or it would sort in two parts.
      if (value === "" || value === null) return null
      return at === unitIdColumn ? `${value}` : value
    }
    const wanted = rowsOf(world).map((row) => row.map(cell))
    expect(read).toEqual(wanted)
    expect(await savedNames(tab)).toEqual([expect.stringMatching(/\.xlsx$/)])
  })

  it("gives up within a second, and leaves nothing", async () => {
    const tab = await ExportPage.open(world)
    await ExportPage.choose(tab, "xlsx")
    const [start, cancel] = [said("exportStart"), said("exportCancel")]
    const millis = await tab.evaluate(
      async (start, cancel) => {
        const find = (name: string) =>
          [...document.querySelectorAll("button")].find(({ innerText }) => innerText.trim() === name)
        const turn = () => new Promise((resolve) => setTimeout(resolve, 5))
        find(start)?.click()
        while (find(cancel) === undefined) await turn()
        const from = performance.now()
        find(cancel)?.click()
        while (find(cancel) !== undefined || find(start)?.disabled === true) await turn()
        return performance.now() - from
      },
      start,
      cancel,
    )
    expect(millis).toBeLessThan(1_000)
    await ExportPage.choose(tab, "excel")
    await tab.click("button", start)
    await seen(tab, said("exportComplete"))
    expect(await savedNames(tab)).toEqual([expect.stringMatching(/\.csv$/)])
  })
})

scenario("an export", () => {
  it("reads the contracts again first when it is asked to, and exports what is new", async ({ world }) => {
    const here = await world("with-index")
    const tab = await ExportPage.open(here)
    const { id } = here.emulator.store.insert({ unit_label: "Brand new" })
    here.emulator.faults.add({ name: "rate-limit", retryAfter: 6, when: { form: "list", requests: [3] } })
    await ExportPage.choose(tab, "fresh")
    await tab.click("button", said("exportStart"))
    const [pause] = said("exportWaitLimited", "|").split("|")
    await seen(tab, pause!)
    await seen(tab, said("exportComplete"), 60_000)
    const text = (await fileOf(tab)).toString("utf8")
    expect(text).toContain(`\r\n${id},`)
    expect(text).toContain("Brand new")
  })

  it("asks for the API keys each time, and their secrets stay where they are", async ({ world }) => {
    const here = await world("with-index")
    const tab = await ExportPage.open(here)
    await ExportPage.choose(tab, "keys")
    await tab.click("button", said("exportStart"))
    await seen(tab, said("exportComplete"))
    const text = (await fileOf(tab)).toString("utf8")
    const { data } = Papa.parse<ReadonlyArray<string>>(text.trimEnd())
    const ids = here.emulator.store.apiKeys.map((key) => `${key.id}`)
    expect(new Set(data.slice(1).map(([id]) => id))).toEqual(new Set(ids))
    expect(data).toHaveLength(ids.length + 1)
    expect(text).not.toContain(here.emulator.apiKey)
  })

  it("refuses a choice that cannot be, in words", async ({ world }) => {
    const here = await world("with-index")
    const tab = await ExportPage.open(here)
    await tab.click("button", said("exportConditionAdd"))
    await tab.evaluate(() => {
      const [, , sign] = document.querySelectorAll<HTMLOptionElement>(
        ".condition select:nth-of-type(2) option",
      )
      sign!.selected = true
      sign!.parentElement!.dispatchEvent(new Event("change", { bubbles: true }))
    })
    await tab.click("button", said("exportStart"))
    await seen(tab, said("exportChoiceInvalid"))
    expect(await textOf(tab)).toContain("a value after ~")
    await until("the button", () => tab.has("button", said("exportStart")), Boolean)
  })
})
