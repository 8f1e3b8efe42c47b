import { createHash } from "node:crypto"
import { Json } from "@deedkit/core"
import Papa from "papaparse"
import { describe, expect, it } from "vitest"
import * as XLSX from "xlsx"
import type { Done, Progress } from "../../src/export/ExportMessage.ts"
import { completedAt, contract, done, make, summary, usual, syncRecord } from "./World.ts"

const contracts = (count: number) => Array.from({ length: count }, (_, at) => contract(at + 1))

const bytesOf = async ({ file }: Done): Promise<Buffer> => Buffer.from(await file.content.arrayBuffer())

const rowsOf = async (file: Done): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const text = new TextDecoder("utf-8", { ignoreBOM: false }).decode(await bytesOf(file))
  return Papa.parse<ReadonlyArray<string>>(text.trimEnd()).data
}

/** As Excel reads it as a date. */
const clock = (timestamp: string): string => timestamp.slice(0, 19).replace("T", " ")

describe("the export worker", () => {
  it("describes both tables, so that the page need not know them", async () => {
    const { ask } = await make([])
    const notice = await ask({ _tag: "Describe" })
    if (notice._tag !== "Described") throw new Error(notice._tag)
    expect(notice.tables.contracts[0]).toEqual({
      name: "id",
      label: "Contract",
      kind: "integer",
      isUsual: true,
    })
    expect(notice.tables.contracts.find(({ name }) => name === "extra")?.isUsual).toBe(true)
    expect(notice.tables.keys.map(({ name }) => name)).toContain("scopes")
  })

  it("writes every contract of the index to CSV, value by value", async () => {
    const all = contracts(2_500)
    const world = await make(all)
    const file = done(await world.make({}))
    const [headings, ...rows] = await rowsOf(file)
    expect(headings).toEqual(["Contract", "Status", "Unit", "City", "Created (UTC)", "Unit id"])
    expect(rows).toEqual(
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

  it.each([
    ["excel", "\uFEFFContract,Unit\r\n"],
    ["excel-eu", "\uFEFFContract;Unit\r\n"],
    ["rfc4180", "Contract,Unit\r\n"],
  ])("writes CSV for the readers of %s", async (format, headings) => {
    const world = await make([contract(1)])
    const file = done(await world.make({ format, columns: ["id", "unit_label"] }))
    expect((await bytesOf(file)).toString("utf8")).toBe(
      `${headings}1${headings.includes(";") ? ";" : ","}Unit 1\r\n`,
    )
  })

  it("writes the same to a workbook, with numbers and dates", async () => {
    const all = contracts(1_200)
    const world = await make(all)
    const file = done(await world.make({ format: "xlsx" }))
    const workbook = XLSX.read(await bytesOf(file))
    const [, ...rows] = XLSX.utils.sheet_to_json<ReadonlyArray<unknown>>(workbook.Sheets["Contracts"]!, {
      header: 1,
      defval: null,
    })
    expect(rows).toEqual(
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

  it("keeps what the conditions say, in the order that was asked for", async () => {
    const all = contracts(2_100)
    const world = await make(all)
    const file = done(
      await world.make({ columns: ["id", "updated_at"], filters: ["status==active"], order: "-updated_at" }),
    )
    const expected = all
      .filter(({ status }) => status === "active")
      .toSorted((one, other) => Date.parse(other.updated_at) - Date.parse(one.updated_at))
      .map(({ id, updated_at }) => [String(id), clock(updated_at)])
    const [, ...rows] = await rowsOf(file)
    expect(rows).toEqual(expected)
    expect(file.manifest.tables[0]).toMatchObject({ filters: ["status=active"], rows: expected.length })
  })

  it("shows times in the zone of the reader, and judges conditions in UTC", async () => {
    const world = await make([contract(1)])
    const choice = { columns: ["created_at"], filters: ["created_at==2025-01"], timeZone: "Europe/Athens" }
    const rows = await rowsOf(done(await world.make(choice)))
    expect(rows).toEqual([["Created (Europe/Athens)"], ["2025-02-01 00:30:00"]])
  })

  it("writes the service's names as headings when they are asked for", async () => {
    const world = await make([contract(1)])
    const rows = await rowsOf(done(await world.make({ columns: ["listing.city", "id"], headings: "api" })))
    expect(rows[0]).toEqual(["listing.city", "id"])
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
    done(await world.make({ order: "id" }))
    expect([...world.opened].toSorted()).toEqual(["contracts", "meta"])
  })

  it("moves texts that no cell can hold to a file beside the workbook", async () => {
    const long = "x".repeat(40_000)
    const world = await make([contract(1), contract(2, { unit_label: long })])
    const file = done(await world.make({ columns: ["id", "unit_label"], format: "xlsx" }))
    const cells = XLSX.read(await bytesOf(file)).Sheets["Contracts"]!
    expect(cells["B3"].v).toBe("[40000 characters: see line 1 of contracts-2026-03-01.xlsx.texts.ndjson]")
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
    const copied = await world.make({ columns: ["id", "unit_label", "created_at"], format: null })
    expect(copied).toMatchObject({
      _tag: "Copied",
      text: "Contract\tUnit\tCreated (UTC)\r\n1\t'=1+1\t2025-01-31 22:30:00\r\n",
      rows: 1,
      verdict: "complete",
    })
  })

  it("gives the clipboard no more than it takes", async () => {
    const big = contract(1, { unit_label: "x".repeat(11 * 1024 * 1024) })
    const world = await make([big])
    expect(await world.make({ columns: ["unit_label"], format: null })).toEqual({
      _tag: "Failed",
      failure: { _tag: "TooMuchToCopy" },
    })
  })

  it("writes those contracts alone whose ids were picked, with conditions and in an order, and says so", async () => {
    const all = contracts(2_100)
    const world = await make(all)
    const ids = [3, 1_500, 2_099, 9_999]
    const file = done(await world.make({ columns: ["id"], ids }))
    expect(await rowsOf(file)).toEqual([["Contract"], ["3"], ["1500"], ["2099"]])
    expect(file.manifest.tables[0]).toMatchObject({ rows: 3, filters: ["id one of 3, 1500, 2099, 9999"] })
    const wanted = all.find(({ id }) => id === 3)!.status
    const chosen = await world.make({ columns: ["id"], ids, filters: [`status=${wanted}`], order: "-id" })
    const expected = all.filter(({ id, status }) => ids.includes(id) && status === wanted).toReversed()
    expect(await rowsOf(done(chosen))).toEqual([["Contract"], ...expected.map(({ id }) => [String(id)])])
    expect(done(chosen).manifest.tables[0]?.filters).toHaveLength(2)
  })

  it("says in words what is wrong with a choice, before anything is read", async () => {
    const world = await make(contracts(3))
    const check = (filter: string) =>
      world.ask({
        _tag: "Check",
        table: "contracts",
        choices: { columns: ["id"], filters: [filter], order: null, timeZone: "UTC", ids: null },
      })
    expect(await check("status==active")).toEqual({ _tag: "Checked" })
    const refused = await check("updated_at>yesterday")
    expect(refused).toMatchObject({ _tag: "Failed", failure: { _tag: "ChoiceInvalid" } })
    expect(JSON.stringify(refused)).toContain("a date or time in UTC")
    expect([...world.opened]).toEqual([])
  })

  it("says that the index could not be read", async () => {
    const world = await make(contracts(3))
    world.meanwhile(() => Promise.reject(new DOMException("gone", "UnknownError")))
    expect(await world.make({})).toEqual({ _tag: "Failed", failure: { _tag: "Storage" } })
  })

  it("tells how far it is, of how many", async () => {
    const world = await make(contracts(1_500))
    const heard: Array<Progress> = []
    done(await world.make({ order: "id" }, (progress) => heard.push(progress)))
    expect(heard[0]).toMatchObject({ step: "ordering", read: 1_000, expected: 1_500 })
  })

  it("exports API keys that came along, with every digit", async () => {
    const world = await make([])
    const key = (id: number, more: object = {}) => ({
      id,
      name: `Key ${id}`,
      scopes: ["read:contracts", "read:me"],
      created_at: completedAt,
      last_used_at: null,
      revoked_at: null,
      ...more,
    })
    const json = Json.stringify([key(1, { serial: 12_345_678_901_234_567_890n }), key(2)])
    const sync = { ...summary(2), collection: "api-keys" as const }
    const source = { _tag: "ApiKeys", json, readAt: completedAt, sync } as const
    const columns = ["id", "name", "scopes", "extra"]
    const file = done(await world.make({ source, columns, order: "-id", name: "api-keys-2026-03-01" }))
    expect(await rowsOf(file)).toEqual([
      ["Key", "Name", "Scopes", "Other members (JSON)"],
      ["2", "Key 2", "read:contracts read:me", ""],
      ["1", "Key 1", "read:contracts read:me", '{"serial":12345678901234567890}'],
    ])
    expect(file.manifest.verdict).toBe("complete")
    expect(file.manifest.tables[0]?.undocumented).toEqual({ included: ["serial"], excluded: [] })
    expect(world.opened.size).toBe(0)
    const without = done(await world.make({ source, columns: ["id"] }))
    expect(without.manifest.tables[0]?.undocumented).toEqual({ included: [], excluded: ["serial"] })
    const half = { ...source, sync: { ...sync, complete: false } }
    expect(done(await world.make({ source: half, columns })).manifest.verdict).toBe("unverified")
  })
})
