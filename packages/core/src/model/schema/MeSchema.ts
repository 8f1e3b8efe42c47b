/** The answer of `GET /v1/me/` as a Schema: only `ok: true` is certain (Spec: Endpoints 7). */
import * as Schema from "effect/Schema"
import type { Me } from "../Me.ts"
import { JsonSchema } from "./JsonSchema.ts"

/** The account of the key. Every other member is kept. */
export const MeSchema: Schema.Codec<Me> = Schema.StructWithRest(Schema.Struct({ ok: Schema.Literal(true) }), [
  Schema.Record(Schema.String, JsonSchema),
])
