/** `next_before_id` as a Schema: an integer of any size or a text (Spec: Endpoints 5 shows neither its type nor its meaning). */
import * as Schema from "effect/Schema"
import type { Cursor, SavedCursor } from "../../pagination/Cursor.ts"
import { asJson } from "./JsonSchema.ts"

/** A cursor. Its JSON Schema gives `integer` no bounds, because an integer beyond 2^53 is a `bigint` and is written as its digits. */
export const CursorSchema: Schema.Codec<Cursor> = asJson(
  (value): value is Cursor =>
    typeof value === "string" || typeof value === "bigint" || Number.isSafeInteger(value),
  "integer or string",
  { type: ["integer", "string"] },
  Schema.Union([Schema.Int, Schema.BigInt, Schema.String]),
)

/** A cursor as a checkpoint holds it: its text, so that nothing is rounded. */
export const SavedCursorSchema: Schema.Codec<SavedCursor> = Schema.Union([
  Schema.Struct({ type: Schema.Literal("string"), text: Schema.String }),
  Schema.Struct({ type: Schema.Literal("integer"), text: Schema.String.check(Schema.isPattern(/^-?\d+$/)) }),
])
