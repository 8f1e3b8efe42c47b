/**
 * The straight-line checks of records and their Schemas accept the same values. `DEEDKIT_CASES` sets the number of values for each model; the
 * suite takes few, because a hundred thousand need half a minute.
 */
import * as Arbitrary from "effect/Arbitrary"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { apiKey, contract, listing } from "../../src/testing/Fixtures.ts"
import * as ApiKey from "../../src/ApiKey.ts"
import * as Contract from "../../src/Contract.ts"
import * as Json from "../../src/Json.ts"
import {
  ApiKeySchema,
  ContractSchema,
  JsonSchema,
  ListingSchema,
  TimestampSchema,
} from "../../src/Schemas.ts"
import { isTimestamp } from "../../src/Timestamp.ts"
import { mutations } from "../fixtures/mutations.ts"

const cases = Number(process.env["DEEDKIT_CASES"] ?? 3_000)
const timeout = 120_000

const strange = ["note", "toString", "constructor", "length", "__proto__"]

const models: ReadonlyArray<{
  readonly name: string
  readonly schema: Schema.Codec<unknown>
  readonly check: (value: unknown) => boolean
  readonly values: fc.Arbitrary<unknown>
}> = [
  {
    name: "a contract",
    schema: ContractSchema,
    check: Contract.isContract,
    values: mutations(contract({ listing_id: 3, unit_id: 77, listing: listing() }), [
      ...Contract.members,
      ...Contract.listingMembers.map((member) => `listing.${member}`),
      ...strange,
      "listing.note",
    ]),
  },
  {
    name: "an API key",
    schema: ApiKeySchema,
    check: ApiKey.isApiKey,
    values: mutations(apiKey(), [...ApiKey.members, ...strange]),
  },
]

describe.each(models)("the Schema of $name", ({ check, schema, values }) => {
  const is = Schema.is(schema)
  const decode = Schema.decodeUnknownResult(schema)

  it(
    "accepts what the check accepts, and gives back an equal value",
    () => {
      const seen = { accepted: 0, refused: 0 }
      fc.assert(
        fc.property(fc.oneof({ weight: 9, arbitrary: values }, fc.jsonValue()), (value) => {
          const expected = check(value)
          seen[expected ? "accepted" : "refused"] += 1
          expect(is(value)).toBe(expected)
          const decoded = decode(value)
          expect(decoded._tag).toBe(expected ? "Success" : "Failure")
          if (decoded._tag === "Success") expect(decoded.success).toEqual(value)
        }),
        { numRuns: cases },
      )
      // Both sides of the property were seen often.
      expect(Math.min(seen.accepted, seen.refused)).toBeGreaterThan(cases / 20)
    },
    timeout,
  )
})

describe("TimestampSchema", () => {
  it(
    "accepts what isTimestamp accepts",
    () => {
      const is = Schema.is(TimestampSchema)
      const near = fc
        .tuple(
          fc.constantFrom("2026-03-01", "2026-02-30", "2026-13-01", "0000-01-01", "26-03-01"),
          fc.constantFrom("T", "t", " ", ""),
          fc.constantFrom("09:30:00", "09:30", "24:00:00", "23:59:60", "9:30:00"),
          fc.constantFrom("", ".5", ".123456789", ".1234567890", "."),
          fc.constantFrom("Z", "z", "", "+02:00", "-0530", "+2"),
        )
        .map((parts) => parts.join(""))
      fc.assert(
        fc.property(fc.oneof(near, fc.string()), (text) => {
          expect(is(text)).toBe(isTimestamp(text))
        }),
        { numRuns: cases },
      )
    },
    timeout,
  )
})

/** What tools derive from the Schemas: JSON Schema, Standard Schema, arbitraries, codecs. */
const schemas: ReadonlyArray<readonly [name: string, schema: Schema.Codec<unknown>]> = [
  ["ListingSchema", ListingSchema],
  ["ContractSchema", ContractSchema],
  ["ApiKeySchema", ApiKeySchema],
  ["TimestampSchema", TimestampSchema],
  ["JsonSchema", JsonSchema],
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
      expect(() => Json.stringify(encoded)).not.toThrow()
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
  const document = Schema.toJsonSchemaDocument(ContractSchema).schema as {
    readonly properties: { readonly [member: string]: unknown }
    readonly required: ReadonlyArray<string>
  }

  it("requires every documented member but the listing, which a contract without one may omit", () => {
    expect([...document.required, "listing"]).toEqual(Contract.members)
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
    const large = Json.parse('{"unit_id":9007199254740993}') as { readonly unit_id: bigint }
    expect(Schema.is(ContractSchema)({ ...contract(), ...large })).toBe(true)
  })

  it("leaves kind and status open, and allows undocumented members", () => {
    expect(JSON.stringify(document.properties["kind"])).toContain('{"type":"string"}')
    expect(document).toMatchObject({ allOf: [{ additionalProperties: {} }] })
  })

  it("has a pattern for timestamps that fits every accepted form", () => {
    const { pattern } = document.properties["created_at"] as { readonly pattern: string }
    for (const text of ["2026-03-01T09:30:00Z", "2026-03-01 09:30", "2026-03-01T23:59:60.5+02:00"]) {
      expect(Schema.is(TimestampSchema)(text)).toBe(true)
      expect(text).toMatch(new RegExp(pattern))
    }
  })
})

describe("JsonSchema", () => {
  it("accepts a value that is nested deeper than the stack", () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 200_000; depth++) deep = [deep]
    expect(Schema.is(ContractSchema)({ ...contract(), unit_id: deep, note: deep })).toBe(true)
  })
})
