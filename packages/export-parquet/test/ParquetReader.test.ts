import type { Contract } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"
import { make } from "@deedkit/emulator"
import { apiKeys, Cell, contracts } from "@deedkit/export"
import { expect, it } from "vitest"
import { read } from "../src/ParquetReader.ts"
import { query, tableOf, written } from "./tables.ts"

const cellsOf = async (path: string) => {
  const { readFile } = await import("node:fs/promises")
  return read(await readFile(path))
}

it("gives back the cells that the columns have", async () => {
  const { store } = make({ contracts: 500, hurting: true })
  const records = store.contracts as ReadonlyArray<Contract.Contract>
  const { bytes } = await written(contracts, [records], { groupRows: 200 })
  const table = await read(bytes)
  const at = new Map(table?.headings.map((name, index) => [name, index]))
  for (const { get, kind, name } of contracts.columns) {
    if (kind === "timestamp") continue
    expect(table?.rows.map((row) => row[at.get(name)!])).toEqual(
      records.map((record) => String(Cell.scalar(get(record)) ?? "").toWellFormed()),
    )
  }
  expect(at.size).toBe(contracts.columns.length)
})

it("gives back every value: times to the microsecond, integers of 64 bits, JSON with every digit, scopes", async () => {
  const table = tableOf("integer", "timestamp", "json", "boolean", "decimal", "text")
  const rows = [
    [9_007_199_254_740_993n, "2026-03-01T09:30:00.120Z", { a: 9_007_199_254_740_993n }, true, 1.5, ""],
    [null, null, null, null, null, null],
    [-1, "1969-12-31T23:59:59.5Z", "text", false, 1e21, "\uFEFFmark"],
  ]
  expect((await read((await written(table, [rows])).bytes))?.rows).toEqual([
    ["9007199254740993", "2026-03-01T09:30:00.12Z", '{"a":9007199254740993}', "true", "1.5", ""],
    ["", "", "", "", "", ""],
    ["-1", "1969-12-31T23:59:59.5Z", "text", "false", "1e+21", "\uFEFFmark"],
  ])
  const key = Fixtures.apiKey({ id: 1, scopes: ["read:contracts", "read:keys"] })
  const keys = await read((await written(apiKeys, [[key]])).bytes)
  expect(keys?.rows[0]?.[keys.headings.indexOf("scopes")]).toBe("read:contracts read:keys")
})

it("reads what DuckDB made of such a file", async () => {
  const { path } = await written(contracts, [[Fixtures.contract({ id: 7 }), Fixtures.contract({ id: 8 })]])
  const copy = path.replace(".parquet", "-copy.parquet")
  await query(`copy (select * from '${path}') to '${copy}' (format parquet, compression snappy)`)
  expect(await cellsOf(copy)).toEqual(await cellsOf(path))
})

it("reads the headings of a file without records", async () => {
  const table = await read((await written(contracts, [])).bytes)
  expect(table?.headings).toContain("listing.city")
  expect(table?.rows).toEqual([])
})

it("reads nothing from what is no Parquet, or only a part of it", async () => {
  const { bytes } = await written(contracts, [[Fixtures.contract({ id: 7 })]])
  for (const part of [
    new Uint8Array(),
    Buffer.from("PAR1"),
    bytes.subarray(0, -9),
    bytes.subarray(99),
    Buffer.from("id,status\r\n1,a"),
  ]) {
    expect(await read(part)).toBeNull()
  }
})
