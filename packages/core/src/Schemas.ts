/**
 * Records as Schemas (Spec: Resources), for composition, JSON Schema, Standard Schema and arbitraries. They accept the same values as
 * `Contract.isContract` and `ApiKey.isApiKey`, which a read uses because they are faster; a property test checks that they agree.
 *
 * A member whose type the specification does not give is any JSON value. Integers beyond 2^53 are `bigint` here, and digits in the JSON text that
 * `Json.stringify` writes. JSON Schema describes that text, so it says nothing of them, and never a string of digits. Like the checks of records,
 * these schemas check such a value itself and not the values within it.
 */
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import type { ApiKey } from "./ApiKey.ts"
import type { Contract, Listing } from "./Contract.ts"
import type { Json } from "./Json.ts"
import { isTimestamp, tolerated } from "./Timestamp.ts"

const { Int, String: Text } = Schema

/** The keywords of the JSON Schema of a value. */
type Described = { readonly [keyword: string]: Schema.Json }

/** A Schema of values that JSON text holds unchanged, with their name in errors and their JSON Schema. */
const asJson = <A extends Json | undefined>(
  is: (value: unknown) => value is A,
  expected: string,
  described: Described,
  samples: Schema.Codec<A>,
): Schema.Codec<A> => {
  const unchanged = { decode: SchemaGetter.passthrough<A>(), encode: SchemaGetter.passthrough<A>() }
  const written = Schema.Any.check(Schema.makeFilter(is, { expected, toJsonSchema: () => described }))
  return Schema.declare(is, {
    expected,
    toCodecJson: () => Schema.link<A>()(written, unchanged),
    toCodecArbitrary: () => Schema.link<A>()(samples, unchanged),
  })
}

const leaves = [Schema.Null, Schema.Boolean, Schema.Finite, Schema.BigInt, Schema.String] as const
const leaf = Schema.Union(leaves)
const anyJson: Schema.Codec<Json> = Schema.Union([
  ...leaves,
  Schema.Array(leaf),
  Schema.Record(Schema.String, leaf),
])

/** A JSON value that is present; null counts as present. */
export const JsonSchema: Schema.Codec<Json> = asJson(
  (value): value is Json => value !== undefined,
  "any JSON value or null",
  {},
  anyJson,
)

/** The undocumented members of a record: kept, whatever they are. */
const others = Schema.Record(
  Schema.String,
  asJson((value): value is Json | undefined => typeof value !== "function", "any JSON value", {}, anyJson),
)

/** The pattern of generated samples: only months, days, hours, minutes and seconds that always exist. */
const sample = "^20\\d\\d-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\dZ$"

/**
 * An ISO 8601 date and time. JSON Schema gets the pattern of every accepted form instead of `format: date-time`, which would refuse those
 * without a zone or with a space. A date that does not exist passes the pattern only.
 */
export const TimestampSchema = Schema.String.check(
  Schema.makeFilter(isTimestamp, {
    expected: "timestamp",
    toJsonSchema: () => [{ pattern: tolerated.source }, true],
    arbitraryConstraint: { patterns: [{ source: sample, flags: "" }] },
  }),
)

/** The embedded listing summary. Undocumented members are kept. */
export const ListingSchema: Schema.Codec<Listing> = Schema.StructWithRest(
  Schema.Struct({ id: Int, slug: Text, title: Text, city: Text, area: Text }),
  [others],
)

/** The documented members of a contract, for a `Schema.Struct` of your own. */
export const contractFields = {
  id: Int,
  listing_id: Schema.NullOr(Int),
  kind: Schema.Union([Schema.Literals(["rent", "sale"]), Schema.StringForLiteralAutocomplete]),
  status: Schema.Union([Schema.Literals(["draft", "active", "ended"]), Schema.StringForLiteralAutocomplete]),
  created_at: TimestampSchema,
  updated_at: TimestampSchema,
  unit_id: JsonSchema,
  unit_label: Text,
  template_id: Int,
  listing: Schema.optional(Schema.NullOr(ListingSchema)),
}

/** A contract. `kind` and `status` are open; undocumented members are kept. */
export const ContractSchema: Schema.Codec<Contract> = Schema.StructWithRest(Schema.Struct(contractFields), [
  others,
])

const scope = Schema.Union([
  Schema.Literals(["read:api_keys", "read:contracts", "read:me", "read:listings", "read:contact_messages"]),
  Schema.StringForLiteralAutocomplete,
])

/** The documented members of a key record, for a `Schema.Struct` of your own. */
export const apiKeyFields = {
  id: Schema.Int,
  name: Schema.String,
  scopes: Schema.Array(scope),
  created_at: TimestampSchema,
  last_used_at: Schema.NullOr(TimestampSchema),
  revoked_at: Schema.NullOr(TimestampSchema),
}

/** A key record. Scope names are open; undocumented members are kept. */
export const ApiKeySchema: Schema.Codec<ApiKey> = Schema.StructWithRest(Schema.Struct(apiKeyFields), [others])
