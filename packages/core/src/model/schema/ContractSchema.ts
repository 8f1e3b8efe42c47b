/**
 * Contracts as a Schema (Spec: Resources, Contract), for composition, JSON Schema, Standard Schema and arbitraries. It accepts the same values
 * as `Contract.isContract`, which a read uses because it is faster; a property test checks that the two agree.
 */
import * as Schema from "effect/Schema"
import type { Contract, Listing } from "../Contract.ts"
import { JsonSchema, others } from "./JsonSchema.ts"
import { TimestampSchema } from "./TimestampSchema.ts"

const { Int, String: Text } = Schema

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
