import { Fixtures } from "@deedkit/core/testing"
import { make } from "@deedkit/emulator"
import type { Contract } from "@deedkit/core"
import { Ajv2020 } from "ajv/dist/2020.js"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { json } from "../../src/formats/Json.ts"
import { ndjson } from "../../src/formats/Ndjson.ts"
import { schemaFile } from "../../src/schema/SchemaFile.ts"
import { summary } from "../../src/run/Summary.ts"
import { apiKeysAt } from "../../src/tables/ApiKeys.ts"
import { contracts } from "../../src/tables/Contracts.ts"
import type { Table } from "../../src/table/Table.ts"
import { select } from "../../src/table/Table.ts"
import * as TimeZone from "../../src/table/TimeZone.ts"
import { bytes } from "../../src/write/TableWriter.ts"

const schemaOf = (table: Table<never>, isList = false) =>
  JSON.parse(new TextDecoder().decode(schemaFile(table, { _tag: "Records", isList }, "labels"))) as object

/** A validator of files. `date-time` is not checked: the service's own pattern is. */
const validator = (table: Table<never>, isList = false) =>
  new Ajv2020({ allErrors: true, strict: true, validateFormats: false }).compile(schemaOf(table, isList))

const written = async <A>(table: Table<A>, records: ReadonlyArray<A>, writer = ndjson) =>
  Buffer.concat(
    await Effect.runPromise(Stream.runCollect(bytes(writer, table, Stream.make(records)))),
  ).toString("utf8")

const { store } = make({ contracts: 500, hurting: true })
const records = store.contracts as ReadonlyArray<Contract.Contract>
const listing = { id: 1, slug: "s", title: "T", city: "C", area: "A", price: 5 }
const odd = { ...Fixtures.contract({ id: 1, kind: "lease" }), listing, deposit: { months: 2 } }
const keys = apiKeysAt(0)

const everything = [
  ["whole contracts", contracts],
  ["contracts in another zone", Result.getOrThrow(TimeZone.apply(contracts, "Europe/Athens"))],
  [
    "chosen columns",
    Result.getOrThrow(
      select(contracts, ["listing.city", "id", "unit_id", "extra.deposit.months", "created_at", "extra"]),
    ),
  ],
] as const

describe("a JSON Schema", () => {
  it.each(everything)("holds of every line and of the list: %s", async (_name, table) => {
    const isValid = validator(table)
    for (const line of (await written(table, [...records, odd])).trim().split("\n")) {
      isValid(JSON.parse(line))
      expect(isValid.errors).toBeNull()
    }
    const isList = validator(table, true)
    isList(JSON.parse(await written(table, records, json)))
    expect(isList.errors).toBeNull()
  })

  it("holds of keys, whole and with computed columns", async () => {
    for (const table of [keys, Result.getOrThrow(select(keys, ["scopes", "revoked", "age_days", "id"]))]) {
      const isValid = validator(table)
      const line = await written(table, [Fixtures.apiKey({ id: 1, scopes: ["read:contracts", "other"] })])
      isValid(JSON.parse(line))
      expect(isValid.errors).toBeNull()
    }
  })

  it("finds a record of another shape", () => {
    const isValid = validator(contracts)
    const whole = { ...Fixtures.contract({ id: 1 }), listing }
    expect(isValid(whole)).toBe(true)
    for (const wrong of [
      { ...whole, id: "1" },
      { ...whole, created_at: "soon" },
      { ...whole, listing: {} },
      { id: 1 },
      [],
    ]) {
      expect(isValid(wrong)).toBe(false)
    }
    const some = validator(Result.getOrThrow(select(contracts, ["listing.city", "id"])) as Table<never>)
    expect(some({ listing: { city: null }, id: 1 })).toBe(true)
    for (const wrong of [
      { listing: { city: 5 }, id: 1 },
      { listing: {}, id: 1 },
      { listing: { city: "C" } },
    ]) {
      expect(some(wrong)).toBe(false)
    }
  })

  it("of another table is made of its columns", () => {
    expect(schemaOf(summary)).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      title: "Summary",
      type: "object",
      required: ["section", "item", "value"],
    })
  })
})
