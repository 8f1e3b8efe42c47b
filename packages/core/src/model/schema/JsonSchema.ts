/**
 * Any JSON value as a Schema, for members whose type the specification does not give (`unit_id`, the data payload, undocumented members).
 *
 * Integers beyond 2^53 are `bigint` here, and digits in the JSON text that `Json.stringify` writes. JSON Schema describes that text, so it says
 * `integer` or nothing, never a string of digits. Like the checks of records, these schemas check the value itself and not the values within it.
 */
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import type { Json } from "../Json.ts"

/** The keywords of the JSON Schema of a value. */
type Described = { readonly [keyword: string]: Schema.Json }

/** A Schema of values that JSON text holds unchanged, with their name in errors and their JSON Schema. */
export const asJson = <A extends Json | undefined>(
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
export const others = Schema.Record(
  Schema.String,
  asJson((value): value is Json | undefined => typeof value !== "function", "any JSON value", {}, anyJson),
)
