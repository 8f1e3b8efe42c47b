/** Events as a Schema, for a log or another process. */
import * as Schema from "effect/Schema"
import { reasonTags } from "../../error/Reason.ts"
import type { ClientEvent } from "../../events/ClientEvent.ts"
import { ReadSummarySchema } from "./ReadSummarySchema.ts"

const { Finite, Int, String: Text } = Schema

/** Every event of a client. Plain JSON: a value and its encoded form are the same. */
export const ClientEventSchema: Schema.Codec<ClientEvent> = Schema.Union([
  Schema.TaggedStruct("Attempted", {
    at: Text,
    localId: Int,
    method: Text,
    target: Text,
    attempt: Int,
    status: Schema.NullOr(Int),
    requestId: Schema.NullOr(Text),
    durationMillis: Finite,
    outcome: Schema.Literals(["ok", ...reasonTags]),
  }),
  Schema.TaggedStruct("Waiting", {
    at: Text,
    until: Text,
    waitMillis: Finite,
    why: Schema.Literals(["retry", "rate-limited", "throttled"]),
    reason: Schema.NullOr(Schema.Literals(reasonTags)),
    source: Schema.Literals(["retry-after", "backoff", "rate-limiter"]),
    target: Text,
  }),
  Schema.TaggedStruct("PageRead", {
    at: Text,
    collection: Text,
    records: Schema.Int,
    rejected: Schema.Int,
    summary: ReadSummarySchema,
  }),
  Schema.TaggedStruct("AnomalySeen", {
    at: Text,
    collection: Text,
    anomaly: Schema.Literals([
      "cursor-param-found",
      "end-sentinel",
      "empty-page",
      "inclusive-cursor",
      "limit-rejected",
      "limit-clamped",
      "listing-id-differs",
      "timestamp-form",
    ]),
    detail: Text,
  }),
  Schema.TaggedStruct("SchemaDrift", { at: Text, collection: Text, path: Text, found: Text }),
])
