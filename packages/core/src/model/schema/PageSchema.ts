/** Pages of a read as a Schema: records, rejected records, cursor, checkpoint, summary. */
import * as Schema from "effect/Schema"
import type { Page, RejectedRecord } from "../../pagination/Page.ts"
import type { RecordedPage } from "../../pagination/Recording.ts"
import { CheckpointSchema } from "./CheckpointSchema.ts"
import { CursorSchema } from "./CursorSchema.ts"
import { IssueSchema } from "./IssueSchema.ts"
import { JsonSchema } from "./JsonSchema.ts"
import { ReadSummarySchema } from "./ReadSummarySchema.ts"

const { Int, String: Text } = Schema

/** A record that is not as specified, with the reasons. `raw` is personal data. */
export const RejectedRecordSchema: Schema.Codec<RejectedRecord> = Schema.Struct({
  id: Schema.NullOr(Int),
  issues: Schema.Array(IssueSchema),
  raw: JsonSchema,
})

/** The recorded answer of a page. */
export const RecordedPageSchema: Schema.Codec<RecordedPage> = Schema.Struct({
  body: Text,
  wellEncoded: Schema.optionalKey(Schema.Boolean),
  requestId: Schema.NullOr(Text),
  cursorParam: Text,
  sent: Schema.NullOr(Text),
  limit: Schema.NullOr(Int),
  answeredAt: Text,
  tookMillis: Schema.Finite,
  serviceDate: Schema.NullOr(Text),
  resumedAt: Schema.NullOr(Text),
  requests: Int,
  retries: Int,
  waitedMillis: Schema.Finite,
})

/** A page whose records have this Schema: `PageSchema(ContractSchema)`. */
export const PageSchema = <A, I, RD, RE>(
  record: Schema.Codec<A, I, RD, RE>,
): Schema.Codec<Page<A>, Page<I>, RD, RE> =>
  Schema.Struct({
    records: Schema.Array(record),
    superseded: Schema.Array(record),
    rejected: Schema.Array(RejectedRecordSchema),
    next: Schema.NullOr(CursorSchema),
    requestId: Schema.NullOr(Text),
    checkpoint: CheckpointSchema,
    summary: ReadSummarySchema,
    recorded: Schema.optionalKey(RecordedPageSchema),
  })
