/**
 * The error as a schema: encodes a `ClientError` to plain JSON and decodes it to a `ClientError` again, so that it can cross a message
 * port, a worker or a file and still be matched on the other side.
 */
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import { ClientError } from "../../error/ClientError.ts"
import type { ClientErrorFields } from "../../error/ClientErrorFields.ts"
import { reasonTags } from "../../error/Reason.ts"
import type { Reason } from "../../error/Reason.ts"
import { IssueSchema } from "./IssueSchema.ts"
import { ReadSummarySchema } from "./ReadSummarySchema.ts"

const text = Schema.String
const textOrNull = Schema.NullOr(Schema.String)
const int = Schema.Int
const intOrNull = Schema.NullOr(Schema.Int)

const says = { status: int, serverSays: textOrNull }
const issues = Schema.Array(IssueSchema)

/** Every reason, tagged; a plain value and its encoded form are the same. */
export const ReasonSchema: Schema.Codec<Reason> = Schema.Union([
  Schema.TaggedStruct("Unauthenticated", says),
  Schema.TaggedStruct("Forbidden", { ...says, scope: textOrNull }),
  Schema.TaggedStruct("NotFound", says),
  Schema.TaggedStruct("Rejected", says),
  Schema.TaggedStruct("RateLimited", {
    ...says,
    retryAt: textOrNull,
    source: Schema.Literals(["retry-after", "backoff"]),
  }),
  Schema.TaggedStruct("ServerFault", says),
  Schema.TaggedStruct("Redirected", { status: int, location: textOrNull, sameOrigin: Schema.Boolean }),
  Schema.TaggedStruct("NotTheApi", { status: int, contentType: textOrNull }),
  Schema.TaggedStruct("BodyInvalid", {
    status: int,
    problem: Schema.Literals(["json", "encoding"]),
    bodyCharacters: int,
  }),
  Schema.TaggedStruct("NotOk", says),
  Schema.TaggedStruct("EnvelopeInvalid", { issues }),
  Schema.TaggedStruct("RecordInvalid", { id: intOrNull, issues }),
  Schema.TaggedStruct("ShapeMismatch", { expected: Schema.Literals(["list", "retrieve"]) }),
  Schema.TaggedStruct("IdentityMismatch", { asked: int, got: int }),
  Schema.TaggedStruct("CursorIgnored", {
    cursorParam: text,
    evidence: Schema.Struct({
      kind: Schema.Literals(["same-records", "same-cursor", "no-records"]),
      text,
    }),
  }),
  Schema.TaggedStruct("CursorRejected", { ...says, cursorParam: text }),
  Schema.TaggedStruct("PaginationStalled", {
    evidence: Schema.Struct({
      kind: Schema.Literals(["cursor-repeated", "empty-pages", "no-new-records", "too-many-pages"]),
      text,
    }),
  }),
  Schema.TaggedStruct("CheckpointRefused", {
    mismatch: Schema.Struct({ field: Schema.Literals(["origin", "key", "collection", "version"]) }),
  }),
  Schema.TaggedStruct("TransportFailed", {
    phase: Schema.Literals(["connect", "tls", "request", "body"]),
    code: textOrNull,
    detail: text,
  }),
  Schema.TaggedStruct("TimedOut", {
    which: Schema.Literals(["connect", "attempt", "idle", "deadline"]),
    afterMillis: Schema.Finite,
  }),
  Schema.TaggedStruct("BodyTooLarge", { maxBodyBytes: Schema.Finite }),
  Schema.TaggedStruct("ConfigInvalid", { setting: text, problem: text }),
])

const attempts = Schema.Array(
  Schema.Struct({
    at: text,
    status: intOrNull,
    requestId: textOrNull,
    reason: Schema.Literals(reasonTags),
    phase: textOrNull,
    waitedMillis: Schema.NullOr(Schema.Finite),
    why: textOrNull,
  }),
)

const Fields: Schema.Codec<ClientErrorFields> = Schema.Struct({
  reason: ReasonSchema,
  request: Schema.NullOr(Schema.Struct({ method: text, path: text, subject: text })),
  requestId: textOrNull,
  attempts,
  reading: Schema.NullOr(ReadSummarySchema),
})

const crossing = {
  decode: SchemaGetter.transform((fields: ClientErrorFields) => new ClientError(fields)),
  encode: SchemaGetter.transform(
    ({ attempts, reason, request, requestId, reading }: ClientError): ClientErrorFields => ({
      attempts,
      reason,
      request,
      requestId,
      reading,
    }),
  ),
}

/** Converts between a `ClientError` and plain JSON. */
export const ClientErrorSchema: Schema.Codec<ClientError, ClientErrorFields> = Fields.pipe(
  Schema.decodeTo(
    Schema.instanceOf(ClientError, {
      toCodecArbitrary: () => Schema.link<ClientError>()(Fields, crossing),
    }),
    crossing,
  ),
)
