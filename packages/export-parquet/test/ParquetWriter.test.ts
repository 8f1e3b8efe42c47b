/** Files as DuckDB reads them, which had no part in writing them. */
import { Json } from "@deedkit/core"
import type { Contract } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"
import { make } from "@deedkit/emulator"
import { apiKeys, contracts, Table, TableWriter, TimeZone } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { writer } from "../src/ParquetWriter.ts"
import { query, tableOf, written } from "./tables.ts"

const listing = { id: 13, slug: "harbour-loft", title: "Harbour loft", city: "Χανιά", area: "Old port" }
const contract = (id: number, more: object = {}): Contract.Contract => ({
  ...Fixtures.contract({ id, created_at: "2026-03-01T09:30:00Z" }),
  listing,
  ...more,
})

describe("a file of contracts", () => {
  it("has types: integers, a struct, times in UTC, JSON", async () => {
    const { path } = await written(contracts, [[contract(1)]])
    expect(await query(`select column_name, column_type from (describe select * from '${path}')`)).toEqual([
      ["id", "BIGINT"],
      ["status", "VARCHAR"],
      ["kind", "VARCHAR"],
      ["unit_label", "VARCHAR"],
      ["listing", "STRUCT(title VARCHAR, city VARCHAR, area VARCHAR, slug VARCHAR, id BIGINT)"],
      ["created_at", "TIMESTAMP WITH TIME ZONE"],
      ["updated_at", "TIMESTAMP WITH TIME ZONE"],
      ["unit_id", "JSON"],
      ["listing_id", "BIGINT"],
      ["template_id", "BIGINT"],
      ["extra", "JSON"],
    ])
  })

  it("is asked for members as the API has them, every digit included", async () => {
    const payload = Json.parse('{"payload":{"rent":9007199254740993,"notes":["x","é"]}}') as object
    const unit = { unit_id: 36_893_488_147_419_103_233n as unknown as Json.Json }
    const { path } = await written(contracts, [
      [contract(1, payload), contract(2, unit), contract(3, { listing: null, unit_id: "2A" })],
    ])
    const sql = `select id, listing.city, unit_id->>'$', extra->>'$.payload.rent', extra->>'$.payload.notes[1]',
      epoch_us(created_at), listing is null from '${path}' order by id`
    const micros = String(Date.parse("2026-03-01T09:30:00Z") * 1_000)
    expect(await query(sql)).toEqual([
      ["1", "Χανιά", null, "9007199254740993", "é", micros, false],
      ["2", "Χανιά", expect.stringMatching(/^3.?6893488147419103/), null, null, micros, false],
      ["3", null, "2A", null, null, micros, true],
    ])
    expect(await query(`select unit_id::varchar from '${path}' where id = 2`)).toEqual([
      ["36893488147419103233"],
    ])
  })

  it("has the scopes of keys as a list", async () => {
    const keys = [
      Fixtures.apiKey({ id: 1, scopes: ["read:contracts", "read:keys"] }),
      Fixtures.apiKey({ id: 2, scopes: [] }),
    ]
    const { path } = await written(apiKeys, [keys])
    expect(await query(`select typeof(scopes), scopes[2], len(scopes) from '${path}' order by id`)).toEqual([
      ["VARCHAR[]", "read:keys", "2"],
      ["VARCHAR[]", null, "0"],
    ])
  })

  it("holds the instants of another zone, both hours of a night in October included", async () => {
    const athens = Result.getOrThrow(TimeZone.apply(contracts, "Europe/Athens"))
    const at = ["2025-10-26T00:30:00Z", "2025-10-26T01:30:00.123456Z", "1969-12-31T23:59:59.5Z"]
    for (const table of [contracts, athens]) {
      const { path } = await written(table, [at.map((created_at, id) => contract(id + 1, { created_at }))])
      expect(await query(`select epoch_us(created_at) from '${path}' order by id`)).toEqual([
        ["1761438600000000"],
        ["1761442200123" + (table === contracts ? "456" : "000")],
        ["-500000"],
      ])
    }
  })

  it("says where it is from in its metadata, and is packed by Zstandard", async () => {
    const { path } = await written(contracts, [[contract(1)]], {
      properties: () => ({ Source: "https://api.example.test", "Key fingerprint": "8d2f" }),
    })
    expect(
      await query(`select key::varchar, value::varchar from parquet_kv_metadata('${path}') order by 1`),
    ).toEqual([
      ["deedkit.key_fingerprint", "8d2f"],
      ["deedkit.source", "https://api.example.test"],
      ["deedkit.table", "Contracts"],
    ])
    expect(await query(`select distinct compression from parquet_metadata('${path}')`)).toEqual([["ZSTD"]])
  })

  it("holds the emulator's contracts value by value, with every text that hurts", async () => {
    const { store } = make({ contracts: 3_000, hurting: true })
    const records = store.contracts as ReadonlyArray<Contract.Contract>
    const pages = Array.from({ length: 7 }, (_, at) => records.slice(at * 450, at * 450 + 450))
    const { path } = await written(contracts, pages, { groupRows: 1_000 })
    const rows = await query(
      `select id, status, kind, unit_label, listing.title, listing.city, listing.area, listing.slug, listing.id, listing_id,
        template_id, unit_id::varchar, epoch_ms(created_at), epoch_ms(updated_at), extra from '${path}'`,
    )
    // The binding drops a byte order mark where it decodes a text.
    const whole = (text: string | undefined) => text?.toWellFormed().replace(/^\uFEFF/, "") ?? null
    const digits = (number: number | null | undefined) =>
      number === null || number === undefined ? null : String(number)
    expect(rows).toEqual(
      records.map((each) => [
        String(each.id),
        whole(each.status),
        whole(each.kind),
        whole(each.unit_label),
        whole(each.listing?.title),
        whole(each.listing?.city),
        whole(each.listing?.area),
        whole(each.listing?.slug),
        digits(each.listing?.id),
        digits(each.listing_id),
        digits(each.template_id),
        each.unit_id === null ? null : Json.stringify(each.unit_id).toWellFormed(),
        String(Date.parse(each.created_at)),
        String(Date.parse(each.updated_at)),
        null,
      ]),
    )
  })
})

describe("a value", () => {
  it("of JSON is the same in DuckDB, however hostile; half of a surrogate pair is replaced and counted", async () => {
    const values: ReadonlyArray<Json.Json> = [
      "=1+1",
      'a "quoted" \\ text\r\n\0\u2028',
      "\ud800",
      { "\udc00": ["\ud800", 1n] },
      [[[[]]], {}],
      Json.parse('{"__proto__":{"own":true},"toJSON":5,"rawJSON":"7"}'),
      18_446_744_073_709_551_617n,
      -0,
      1e21,
      true,
      Number.POSITIVE_INFINITY,
      Array.from({ length: 300 }).reduce<Json.Json>((inner) => [inner], "deep"),
    ]
    const table = tableOf("json", "text")
    const { changed, path } = await written(table, [values.map((value) => [value, value])])
    expect(changed).toEqual({ c0: 2, c1: 2 })
    const rows = await query(`select c0::varchar, c1 from '${path}'`)
    expect(rows.map(([json]) => Json.parse(String(json)))).toEqual(
      values.map((value) => Json.parse(Json.stringify(value).replaceAll(/\\ud[8-f]../g, "\uFFFD"))),
    )
    expect(rows.map(([, text]) => text).slice(0, 4)).toEqual([
      "=1+1",
      'a "quoted" \\ text\r\n\0\u2028',
      "\uFFFD",
      '{"\uFFFD":["\uFFFD",1]}',
    ])
  })

  it("that its type cannot hold is null and counted; integers keep every digit", async () => {
    const most = 9_223_372_036_854_775_807n
    const table = tableOf("integer", "decimal", "timestamp", "boolean")
    const { changed, path } = await written(table, [
      [
        [9_007_199_254_740_993n, 1.5, "2026-03-01T09:30:00+02:00", true],
        [most, -0.1, "9999-12-31T23:59:59.999999Z", false],
        [-most - 1n, 5e-324, "0001-01-01T00:00:00Z", null],
      ],
      [
        [most + 1n, Number.POSITIVE_INFINITY, "2026-02-30T00:00:00Z", "yes"],
        [1.5, Number.NaN, "soon", 1],
        ["7", "7", 7, []],
        [null, null, null, null],
      ],
    ])
    expect(changed).toEqual({ c0: 3, c1: 3, c2: 3, c3: 3 })
    expect(await query(`select c0, c1::varchar, epoch_us(c2), c3 from '${path}'`)).toEqual([
      ["9007199254740993", "1.5", String(Date.parse("2026-03-01T07:30:00Z") * 1_000), true],
      [String(most), "-0.1", "253402300799999999", false],
      [String(-most - 1n), "5e-324", "-62135596800000000", null],
      ...Array.from({ length: 4 }, () => [null, null, null, null]),
    ])
  })
})

describe("a list", () => {
  it("without records is a table with types, and one record is one row", async () => {
    for (const records of [[], [contract(1)]]) {
      const { path } = await written(contracts, [records])
      expect(await query(`select count(*), count(listing.city) from '${path}'`)).toEqual([
        [String(records.length), String(records.length)],
      ])
      expect(await query(`select count(*) from (describe select * from '${path}')`)).toEqual([["11"]])
    }
  })

  it("gives the same bytes in pages of any size, a row group at a time", async () => {
    const records = Array.from({ length: 250 }, (_, id) => contract(id + 1))
    const one = await written(contracts, [records], { groupRows: 100 })
    const many = await written(
      contracts,
      records.map((record) => [record]),
      { groupRows: 100 },
    )
    expect(many.bytes.equals(one.bytes)).toBe(true)
    // Three row groups, then what is known at the end.
    expect(many.chunks).toHaveLength(4)
    expect(
      await query(`select distinct row_group_num_rows from parquet_metadata('${one.path}') order by 1`),
    ).toEqual([["50"], ["100"]])
  })

  it("of large records ends its row groups early", async () => {
    const records = Array.from({ length: 40 }, (_, id) =>
      contract(id + 1, { payload: "x".repeat(1_000_000) }),
    )
    const { path } = await written(contracts, [records])
    expect(await query(`select count(distinct row_group_id) from parquet_metadata('${path}')`)).toEqual([
      ["3"],
    ])
  })

  it("that fails at its first page leaves no bytes", async () => {
    const bytes = TableWriter.bytes(writer(), contracts, Stream.fail("offline" as const))
    const chunks: Array<Uint8Array> = []
    const failed = Effect.flip(Stream.runForEach(bytes, (chunk) => Effect.sync(() => chunks.push(chunk))))
    expect([await Effect.runPromise(failed), chunks]).toEqual(["offline", []])
  })

  it("with chosen columns has these only, one of the payload under its whole name", async () => {
    const table = Result.getOrThrow(Table.select(contracts, ["listing.city", "extra.payload.rent", "id"]))
    const { path } = await written(table, [
      [contract(1, { payload: { rent: 5 } }), contract(2, { listing: null })],
    ])
    expect(await query(`select listing, "extra.payload.rent"::varchar, id from '${path}'`)).toEqual([
      [{ city: "Χανιά" }, "5", "1"],
      [null, null, "2"],
    ])
  })

  it("is smaller with the compression `small`", async () => {
    const { store } = make({ contracts: 2_000 })
    const pages = [store.contracts as ReadonlyArray<Contract.Contract>]
    const [fast, small] = [
      await written(contracts, pages),
      await written(contracts, pages, { compression: "small" }),
    ]
    expect(small.bytes.byteLength).toBeLessThan(fast.bytes.byteLength)
  })
})
