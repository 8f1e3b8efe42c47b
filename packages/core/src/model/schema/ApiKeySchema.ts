/**
 * API-key metadata as a Schema (Spec: Resources, API key). It accepts the same values as `ApiKey.isApiKey`, which a read uses because it is
 * faster; a property test checks that the two agree.
 */
import * as Schema from "effect/Schema"
import type { ApiKey } from "../ApiKey.ts"
import { others } from "./JsonSchema.ts"
import { TimestampSchema } from "./TimestampSchema.ts"

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
