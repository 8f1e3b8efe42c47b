/** Python, jq and DuckDB read what every hostile value becomes. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Json } from "@deedkit/core"
import type { Contract } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"
import { DuckDBInstance } from "@duckdb/node-api"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { afterAll, describe, expect, it } from "vitest"
import { json } from "../../src/formats/Json.ts"
import { ndjson } from "../../src/formats/Json.ts"
import { apiKeys } from "../../src/tables/ApiKeys.ts"
import { contracts } from "../../src/tables/Contracts.ts"
import type { Table } from "../../src/table/Table.ts"
import type { TableWriter } from "../../src/write/TableWriter.ts"
import { bytes } from "../../src/write/TableWriter.ts"
import { values } from "./objects.ts"

const has = (program: string): boolean => {
  const isThere = spawnSync(program, ["--version"]).status === 0
  if (!isThere) console.warn(`SKIPPED: ${program} is not installed, so it reads no JSON.`)
  return isThere
}

const folder = mkdtempSync(join(tmpdir(), "deedkit-json-"))
afterAll(() => rmSync(folder, { recursive: true }))

const listing = { id: 13, slug: "harbour-loft", title: "Harbour loft", city: "Chania", area: "Old port" }

/** One contract for each hostile value, which stands in every place that can hold it. */
const hostile: ReadonlyArray<Contract.Contract> = values.map((value, at) => {
  const text = typeof value === "string" ? value : `text ${at}`
  const record = Fixtures.contract({ id: at + 1, status: text, unit_label: text, unit_id: value })
  const more = { payload: { [text]: value }, [`${text}\ud800`]: [value] }
  return Object.assign(record, { listing: { ...listing, title: text, city: text } }, more)
})

const written = async <A>(
  writer: TableWriter,
  table: Table<A>,
  records: ReadonlyArray<A>,
): Promise<{ readonly path: string; readonly text: string }> => {
  const chunks = await Effect.runPromise(
    Stream.runCollect(bytes(writer, table, Stream.make(records.slice(0, 3), records.slice(3)))),
  )
  const path = join(folder, `${table.name}.${writer.format.name}`)
  writeFileSync(path, Buffer.concat(chunks))
  return { path, text: Buffer.concat(chunks).toString("utf8") }
}

const query = async (sql: string): Promise<ReadonlyArray<unknown>> => {
  const connection = await (await DuckDBInstance.create(":memory:")).connect()
  return (await connection.runAndReadAll(sql)).getRowsJson()
}

describe("JSON of hostile records", () => {
  it.skipIf(!has("python3"))("is read by Python line by line, to the same values", async () => {
    const { path, text } = await written(ndjson, contracts, hostile)
    const program = `
import json, sys
for line in open(sys.argv[1], encoding="utf-8", newline="\\n"):
    sys.stdout.buffer.write(json.dumps(json.loads(line), ensure_ascii=False, separators=(",", ":")).encode("utf-8") + b"\\n")
`
    const { status, stdout, stderr } = spawnSync("python3", ["-c", program, path], { encoding: "utf8" })
    expect([status, stderr]).toEqual([0, ""])
    expect(stdout.trim().split("\n").map(Json.parse)).toEqual(text.trim().split("\n").map(Json.parse))
  })

  it.skipIf(!has("jq"))("is read by jq, as a list and line by line", async () => {
    for (const [writer, filter] of [
      [ndjson, ".listing.city"],
      [json, ".[].listing.city"],
    ] as const) {
      const { path } = await written(writer, contracts, hostile)
      const { status, stdout, stderr } = spawnSync("jq", ["-c", filter, path], { encoding: "utf8" })
      expect([status, stderr]).toEqual([0, ""])
      expect(stdout.trim().split("\n").map(Json.parse)).toEqual(
        hostile.map(({ listing }) => listing?.city.toWellFormed()),
      )
    }
  })

  it("is read by DuckDB, which finds a struct and exact integers in it", async () => {
    for (const writer of [json, ndjson]) {
      const { path } = await written(writer, contracts, [
        Fixtures.contract({ id: 7, unit_id: 9_007_199_254_740_993n as unknown as Json.Json }),
        ...hostile,
      ])
      const [[type, unit, count] = []] = (await query(
        `select typeof(listing), unit_id::varchar, (select count(*) from '${path}') from '${path}' limit 1`,
      )) as ReadonlyArray<ReadonlyArray<unknown>>
      expect([type, unit, count]).toEqual([
        "STRUCT(id BIGINT, slug VARCHAR, title VARCHAR, city VARCHAR, area VARCHAR)",
        "9007199254740993",
        String(hostile.length + 1),
      ])
    }
  })

  it("has the scopes of keys as a list in DuckDB", async () => {
    const keys = [
      Fixtures.apiKey({ id: 1, scopes: ["read:contracts", "read:keys"] }),
      Fixtures.apiKey({ id: 2 }),
    ]
    const { path } = await written(ndjson, apiKeys, keys)
    expect(await query(`select typeof(scopes), scopes[2] from '${path}' where id = 1`)).toEqual([
      ["VARCHAR[]", "read:keys"],
    ])
  })
})
