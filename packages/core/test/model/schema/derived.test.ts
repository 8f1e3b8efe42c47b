/** What tools derive from the Schemas: JSON Schema, Standard Schema, arbitraries, codecs. */
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { CursorSchema, SavedCursorSchema } from "../../../src/model/schema/CursorSchema.ts"
import { IssueSchema } from "../../../src/model/schema/IssueSchema.ts"
import { contract } from "../../../src/testing/Fixtures.ts"
import * as core from "../../../src/index.ts"

const schemas: ReadonlyArray<readonly [name: string, schema: Schema.Codec<unknown, unknown>]> = [
  ["ListingSchema", core.ListingSchema],
  ["ContractSchema", core.ContractSchema],
  ["ApiKeySchema", core.ApiKeySchema],
  ["MeSchema", core.MeSchema],
  ["PageSchema", core.PageSchema(core.ContractSchema)],
  ["CheckpointSchema", core.CheckpointSchema],
  ["ReadSummarySchema", core.ReadSummarySchema],
  ["ClientErrorSchema", core.ClientErrorSchema],
  ["ReasonSchema", core.ReasonSchema],
  ["ClientEventSchema", core.ClientEventSchema],
  ["LookupSchema", core.LookupSchema(core.ContractSchema)],
  ["RejectedRecordSchema", core.RejectedRecordSchema],
  ["RecordedPageSchema", core.RecordedPageSchema],
  ["TimestampSchema", core.TimestampSchema],
  ["CursorSchema", CursorSchema],
  ["SavedCursorSchema", SavedCursorSchema],
  ["JsonSchema", core.JsonSchema],
  ["IssueSchema", IssueSchema],
]

describe.each(schemas)("%s", (_, schema) => {
  it("has an arbitrary, whose values it accepts and gives back as JSON", () => {
    const codec = Schema.toCodecJson(schema)
    const samples = Effect.runSync(
      Arbitrary.sampleEffect(Arbitrary.schema(schema), { count: 30, seed: "deedkit" }),
    )
    for (const sample of samples) {
      expect(Schema.is(schema)(sample)).toBe(true)
      const encoded = Schema.encodeSync(codec)(sample)
      expect(Schema.encodeSync(codec)(Schema.decodeSync(codec)(encoded))).toEqual(encoded)
      expect(() => core.Json.stringify(encoded)).not.toThrow()
    }
  })

  it("is described by JSON Schema 2020-12", () => {
    const document = Schema.toJsonSchemaDocument(schema)
    expect(document.dialect).toBe("draft-2020-12")
    expect(JSON.parse(JSON.stringify(document))).toEqual(document)
  })

  it("is a Standard Schema once it is asked for", () => {
    const standard = Schema.toStandardSchemaV1(schema)["~standard"]
    expect(standard.version).toBe(1)
    expect(standard.validate(undefined)).toMatchObject({ issues: [{ path: [] }] })
  })
})

describe("the JSON Schema of a contract", () => {
  const document = Schema.toJsonSchemaDocument(core.ContractSchema).schema as {
    readonly properties: { readonly [member: string]: unknown }
    readonly required: ReadonlyArray<string>
  }

  it("requires every documented member but the listing, which a contract without one may omit", () => {
    expect([...document.required, "listing"]).toEqual(core.Contract.members)
  })

  it("bounds ids to the integers that a number holds, as the check does", () => {
    const id = { type: "integer", minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
    expect(document.properties).toMatchObject({
      id,
      template_id: id,
      listing_id: { anyOf: [id, { type: "null" }] },
    })
  })

  it("says nothing of unit_id, which may be an integer beyond 2^53", () => {
    expect(document.properties["unit_id"]).toEqual({})
    const large = core.Json.parse('{"unit_id":9007199254740993}') as { readonly unit_id: bigint }
    expect(Schema.is(core.ContractSchema)({ ...contract(), ...large })).toBe(true)
  })

  it("leaves kind and status open, and allows undocumented members", () => {
    expect(JSON.stringify(document.properties["kind"])).toContain('{"type":"string"}')
    expect(document).toMatchObject({ allOf: [{ additionalProperties: {} }] })
  })

  it("has a pattern for timestamps that fits every accepted form", () => {
    const { pattern } = document.properties["created_at"] as { readonly pattern: string }
    for (const text of ["2026-03-01T09:30:00Z", "2026-03-01 09:30", "2026-03-01T23:59:60.5+02:00"]) {
      expect(Schema.is(core.TimestampSchema)(text)).toBe(true)
      expect(text).toMatch(new RegExp(pattern))
    }
  })
})

describe("the JSON Schema of a page", () => {
  it("has a cursor that is an integer without bounds, or a text", () => {
    const { schema } = Schema.toJsonSchemaDocument(core.PageSchema(core.ContractSchema))
    expect(schema["properties"]).toMatchObject({
      next: { anyOf: [{ type: ["integer", "string"] }, { type: "null" }] },
    })
  })

  it("keeps a cursor beyond 2^53 exact through JSON text", () => {
    const codec = Schema.toCodecJson(CursorSchema)
    for (const cursor of [12, 9007199254740993n, "12", "9007199254740993"]) {
      const text = core.Json.stringify(Schema.encodeSync(codec)(cursor))
      expect(Schema.decodeUnknownSync(codec)(core.Json.parse(text))).toBe(cursor)
    }
  })
})

describe("JsonSchema", () => {
  it("accepts a value that is nested deeper than the stack", () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 200_000; depth++) deep = [deep]
    expect(Schema.is(core.ContractSchema)({ ...contract(), unit_id: deep, note: deep })).toBe(true)
  })
})
