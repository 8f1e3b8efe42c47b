import { createHash } from "node:crypto"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import type { Contract } from "@deedkit/core"
import Papa from "papaparse"
import { describe, expect, it } from "vitest"
import * as XLSX from "xlsx"
import type { Done, Progress } from "../../src/export/ExportMessage.ts"
import { contract, done, make, summary, usual, syncRecord } from "./World.ts"

const contracts = (count: number) => Array.from({ length: count }, (_, at) => contract(at + 1))

const bytesOf = async ({ file }: Done): Promise<Buffer> => Buffer.from(await file.content.arrayBuffer())

const rowsOf = async (file: Done): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const text = new TextDecoder("utf-8", { ignoreBOM: false }).decode(await bytesOf(file))
  return Papa.parse<ReadonlyArray<string>>(text.trimEnd()).data
}

/** As Excel reads it as a date. */
const clock = (timestamp: string): string => timestamp.slice(0, 19).replace("T", " ")

describe("the export worker", () => {
  it("writes every contract of the index to CSV, value by value", async () => {
    const all = contracts(2_500)
    const world = await make(all)
    const file = done(await world.make({}))
    const [headings, ...rows] = await rowsOf(file)
    expect(headings?.slice(0, 6)).toEqual(["Contract", "Status", "Kind", "Unit", "Listing", "City"])
    expect(rows.map((row) => [row[0], row[1], row[3], row[5], row[7], row[9]])).toEqual(
      all.map(({ created_at, id, listing, status, unit_id, unit_label }) => [
        String(id),
        status,
        unit_label,
        listing?.city ?? "",
        clock(created_at),
        unit_id ?? "",
      ]),
    )
    expect(file.file.name).toBe("contracts-2026-03-01.csv")
    expect(file.file.content.type).toBe("text/csv; charset=utf-8")
  })

  it.each(["el", "pt_PT"])("has the words of the popup in its headings, in %s", async (locale) => {
    const messages = JSON.parse(
      await readFile(join(import.meta.dirname, `../../public/_locales/${locale}/messages.json`), "utf8"),
    ) as Record<string, { readonly message: string } | undefined>
    const word = (name: string) => messages[name]?.message
    const world = await make([contract(1)])
    const language = word("language")!
    const [headings] = await rowsOf(done(await world.make({ language })))
    expect(headings?.slice(0, 10)).toEqual([
      ...[
        "fieldId",
        "fieldStatus",
        "fieldKind",
        "fieldUnitLabel",
        "partListing",
        "fieldCity",
        "fieldArea",
      ].map(word),
      `${word("fieldCreatedAt")} (UTC)`,
      `${word("fieldUpdatedAt")} (UTC)`,
      word("fieldUnitId"),
    ])
    const chosen = { search: "", ids: null }
    const shown = await world.ask({ _tag: "Preview", chosen, preset: "excel", language })
    expect(shown).toMatchObject({ headings })
  })

  it.each([
    ["excel", "\uFEFFContract,Status,"],
    ["excel-eu", "\uFEFFContract;Status;"],
    ["rfc4180", "id,status,"],
  ])("writes CSV for the readers of %s", async (preset, headings) => {
    const world = await make([contract(1)])
    const text = (await bytesOf(done(await world.make({ preset })))).toString("utf8")
    expect(text.startsWith(headings)).toBe(true)
    expect(text).toContain(`\r\n1${headings.includes(";") ? ";" : ","}active`)
  })

  it("writes the same to a workbook, with numbers and dates", async () => {
    const all = contracts(1_200)
    const world = await make(all)
    const file = done(await world.make({ preset: "xlsx" }))
    const workbook = XLSX.read(await bytesOf(file))
    const [, ...rows] = XLSX.utils.sheet_to_json<ReadonlyArray<unknown>>(workbook.Sheets["Contracts"]!, {
      header: 1,
      defval: null,
    })
    expect(rows.map((row) => [row[0], row[1], row[3], row[5], row[7], row[9]])).toEqual(
      all.map(({ created_at, id, listing, status, unit_id, unit_label }) => [
        id,
        status,
        unit_label,
        listing?.city ?? null,
        // Spreadsheets count days, the first of 1970 being number 25,569.
        Date.parse(created_at) / 86_400_000 + 25_569,
        unit_id,
      ]),
    )
    expect(file.sheets).toBe(1)
  })

  it.each([
    ["status:active", ({ status }: Contract.Contract) => status === "active"],
    [
      'kind:"rent" city:ath',
      (one: Contract.Contract) => one.kind === "rent" && one.listing?.city === "Athens",
    ],
    ["loft", ({ listing }: Contract.Contract) => listing?.title === "Loft"],
    ["#12", ({ id }: Contract.Contract) => id === 12],
    ["unit:nothing", () => false],
  ])("writes what the popup would find by %s, and says so", async (search, isFound) => {
    const all = contracts(2_100)
    const world = await make(all)
    const file = done(await world.make({ search }))
    const [, ...rows] = await rowsOf(file)
    const expected = all.filter(isFound).map(({ id }) => String(id))
    expect(rows.map(([id]) => id)).toEqual(expected)
    expect(file.manifest.tables[0]).toMatchObject({
      filters: [`found by ${JSON.stringify(search)}`],
      rows: expected.length,
    })
  })

  it("shows the first three rows, with the headings of the preset, and reads no further", async () => {
    const long = "x".repeat(5_000)
    const world = await make([contract(1, { unit_label: long }), ...contracts(2_500).slice(1)])
    const preview = await world.ask({
      _tag: "Preview",
      chosen: { search: "", ids: null },
      preset: "rfc4180",
      language: "en",
    })
    if (preview._tag !== "Preview") throw new Error(preview._tag)
    expect(preview.headings.slice(0, 4)).toEqual(["id", "status", "kind", "unit_label"])
    expect(preview.rows.map(([id]) => id)).toEqual(["1", "2", "3"])
    expect(preview.rows[0]?.[3]).toBe(`${"x".repeat(60)}…`)
    const chosen = { search: "status:active", ids: [2, 4, 7, 10] }
    const some = await world.ask({ _tag: "Preview", chosen, preset: "excel", language: "en" })
    expect(some).toMatchObject({ rows: [["4"], ["7"], ["10"]].map(([id]) => expect.arrayContaining([id])) })
    const none = await world.ask({
      _tag: "Preview",
      chosen: { search: "nowhere", ids: null },
      preset: "xlsx",
      language: "en",
    })
    expect(none).toMatchObject({ _tag: "Preview", rows: [] })
  })

  it("says what it made: rows, bytes, digest and the sync that it rests on", async () => {
    const world = await make(contracts(30))
    const file = done(await world.make({}))
    const bytes = await bytesOf(file)
    expect(file.manifest).toMatchObject({
      verdict: "complete",
      reasons: [],
      origin: usual.origin,
      madeBy: usual.madeBy,
      account: { profile: "Office", keyFingerprint: null, me: null, meReason: "it was not asked for" },
      tables: [{ table: "contracts", rows: 30, reading: summary(30) }],
      files: [
        {
          name: "contracts-2026-03-01.csv",
          tables: { contracts: 30 },
          bytes: bytes.byteLength,
          sha256: createHash("sha256").update(bytes).digest("hex"),
        },
      ],
    })
  })

  it("never calls an index complete that was not synced to its end", async () => {
    const world = await make(contracts(30), { isComplete: false })
    const { manifest } = done(await world.make({}))
    expect(manifest.verdict).toBe("unverified")
    expect(manifest.reasons).toEqual(["The list of contracts broke off after 13 pages."])
  })

  it("calls it partial when records of the sync were not as specified", async () => {
    const world = await make(contracts(3), { rejected: 2 })
    const { manifest } = done(await world.make({}))
    expect(manifest.verdict).toBe("partial")
    expect(manifest.reasons[0]).toContain("2 records of the last sync were not as specified")
  })

  it("does not call a file complete whose index was synced again during the export", async () => {
    const world = await make(contracts(2_500))
    world.meanwhile(() => world.finish("2026-03-01T11:00:00Z"))
    const { manifest } = done(await world.make({}))
    expect(manifest.verdict).toBe("unverified")
    expect(manifest.reasons).toEqual([expect.stringContaining("synced again during the export")])
  })

  it("does not call a file complete when a later read listed far fewer contracts", async () => {
    const world = await make(contracts(30))
    const { sequence } = await world.index.meta()
    await world.index.finish({ ...syncRecord(0, 0), after: sequence }, "2026-03-01T11:00:00Z")
    const { manifest } = done(await world.make({}))
    expect(manifest.verdict).toBe("unverified")
    expect(manifest.tables[0]?.rows).toBe(30)
    expect(manifest.reasons).toEqual([
      "A later read (2026-03-01T11:00:00Z) listed far fewer contracts: 0. Some contracts in this file may no longer exist.",
    ])
  })

  it("opens no store but those of the service's data", async () => {
    const world = await make(contracts(3))
    done(await world.make({ search: "unit" }))
    expect([...world.opened].toSorted()).toEqual(["contracts", "meta"])
  })

  it("moves texts that no cell can hold to a file beside the workbook", async () => {
    const long = "x".repeat(40_000)
    const world = await make([contract(1), contract(2, { unit_label: long })])
    const file = done(await world.make({ preset: "xlsx" }))
    const cells = XLSX.read(await bytesOf(file)).Sheets["Contracts"]!
    expect(cells["D3"].v).toBe("[40000 characters: see line 1 of contracts-2026-03-01.xlsx.texts.ndjson]")
    expect(JSON.parse((await file.texts?.content.text()) ?? "")).toEqual({
      table: "contracts",
      row: 2,
      column: "unit_label",
      text: long,
    })
    const kept = Buffer.from((await file.texts?.content.arrayBuffer()) ?? new ArrayBuffer(0))
    expect(file.manifest.longTexts).toEqual({
      name: file.texts?.name,
      texts: 1,
      bytes: kept.byteLength,
      sha256: createHash("sha256").update(kept).digest("hex"),
    })
  })

  it("guards cells that a spreadsheet would evaluate, on the clipboard too", async () => {
    const world = await make([contract(1, { unit_label: "=1+1" })])
    const copied = await world.make({ preset: null })
    if (copied._tag !== "Copied") throw new Error(copied._tag)
    expect(copied).toMatchObject({ rows: 1, verdict: "complete", filters: [] })
    const [headings, row] = copied.text.split("\r\n").map((line) => line.split("\t"))
    expect([headings?.[3], row?.[3], row?.[7]]).toEqual(["Unit", "'=1+1", "2025-01-31 22:30:00"])
    const file = done(await world.make({}))
    expect((await rowsOf(file))[1]?.[3]).toBe("'=1+1")
  })

  it("gives the clipboard no more than it takes", async () => {
    const big = contract(1, { unit_label: "x".repeat(11 * 1024 * 1024) })
    const world = await make([big])
    expect(await world.make({ preset: null })).toEqual({
      _tag: "Failed",
      failure: "TooMuchToCopy",
    })
  })

  it("writes those contracts alone whose ids were picked, and of them what is searched for, and says so", async () => {
    const all = contracts(2_100)
    const world = await make(all)
    const ids = [3, 1_500, 2_099, 9_999]
    const file = done(await world.make({ ids }))
    expect((await rowsOf(file)).map(([id]) => id)).toEqual(["Contract", "3", "1500", "2099"])
    expect(file.manifest.tables[0]).toMatchObject({ rows: 3, filters: ["id one of 3, 1500, 2099, 9999"] })
    const wanted = all.find(({ id }) => id === 3)!.status
    const some = done(await world.make({ ids, search: `status:${wanted}` }))
    const expected = all.filter(({ id, status }) => ids.includes(id) && status === wanted)
    expect((await rowsOf(some)).slice(1).map(([id]) => id)).toEqual(expected.map(({ id }) => String(id)))
    expect(some.manifest.tables[0]?.filters).toHaveLength(2)
  })

  it("says that the index could not be read", async () => {
    const world = await make(contracts(3))
    world.meanwhile(() => Promise.reject(new DOMException("gone", "UnknownError")))
    expect(await world.make({})).toEqual({ _tag: "Failed", failure: "Storage" })
  })

  it("tells how far it is, of how many", async () => {
    const world = await make(contracts(1_500))
    const heard: Array<Progress> = []
    done(await world.make({}, (progress) => heard.push(progress)))
    expect(heard[0]).toMatchObject({ read: 1_000, expected: 1_500 })
  })
})
