/** Exports of everything that the index holds, read back by other programs value by value. */
import { createHash } from "node:crypto"
import type { Contract } from "@deedkit/core"
import Papa from "papaparse"
import { expect } from "vitest"
import * as XLSX from "xlsx"
import { it } from "./BrowserTest.ts"
import * as ExportPage from "./ExportPage.ts"
import { said, seen } from "./Words.ts"
import type { World } from "./World.ts"

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

/** Tests in a world with a complete index. */
export const writesEverything = (here: () => World): void => {
  it("writes the whole index to CSV, without asking the service", async () => {
    const world = here()
    const tab = await ExportPage.open(world)
    world.emulator.journal.clear()
    await tab.click("button", said("exportStart"))
    const page = await seen(tab, said("exportComplete"))
    const bytes = await ExportPage.fileOf(tab)
    const { data } = Papa.parse<ReadonlyArray<string>>(
      bytes
        .toString("utf8")
        .replace(/^\uFEFF/, "")
        .trimEnd(),
    )
    expect(data.slice(1)).toEqual(rowsOf(world).map((row) => row.map(csvText)))
    expect(await ExportPage.savedNames(tab)).toEqual([
      expect.stringMatching(/^contracts-\d{4}-\d\d-\d\d\.csv$/),
    ])
    expect(page).toContain(createHash("sha256").update(bytes).digest("hex"))
    expect(world.emulator.journal.entries).toEqual([])
  })

  it("writes the same to a workbook", async () => {
    const world = here()
    const tab = await ExportPage.open(world)
    await ExportPage.choose(tab, "xlsx")
    await tab.click("button", said("exportStart"))
    await seen(tab, said("exportComplete"))
    const workbook = XLSX.read(await ExportPage.fileOf(tab))
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
    expect(await ExportPage.savedNames(tab)).toEqual([expect.stringMatching(/\.xlsx$/)])
  })
}
