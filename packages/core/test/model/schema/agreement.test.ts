/**
 * The straight-line checks of records and their Schemas accept the same values. `DEEDKIT_CASES` sets the number of values for each model; the
 * suite takes few, because a hundred thousand need half a minute.
 */
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { apiKey, contract, listing } from "../../../src/testing/Fixtures.ts"
import * as ApiKey from "../../../src/model/ApiKey.ts"
import * as Contract from "../../../src/model/Contract.ts"
import { isObject } from "../../../src/model/Json.ts"
import { ApiKeySchema } from "../../../src/model/schema/ApiKeySchema.ts"
import { ContractSchema } from "../../../src/model/schema/ContractSchema.ts"
import { MeSchema } from "../../../src/model/schema/MeSchema.ts"
import { TimestampSchema } from "../../../src/model/schema/TimestampSchema.ts"
import { isTimestamp } from "../../../src/model/Timestamp.ts"
import { mutations } from "../../fixtures/mutations.ts"

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
  {
    name: "the account of the key",
    schema: MeSchema,
    check: (value) => isObject(value) && value["ok"] === true,
    values: mutations({ ok: true, name: "Ada" }, ["ok", "name", ...strange]),
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
