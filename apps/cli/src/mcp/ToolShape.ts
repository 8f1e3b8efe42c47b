/** Shared by all tools: limits, pagination, and the read-only annotations. */
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import { ToolError } from "./ToolError.ts"

/** Number of records that one call returns: default and maximum. */
export const records = { usual: 50, most: 100 } as const
/** Number of pages that one call requests: defaults and maximum. A page has up to 100 records. */
export const pages = { search: 20, summary: 50, most: 200 } as const

export const between = (minimum: number, maximum: number, description: string) =>
  Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum, maximum })).annotate({ description }))

export const limit = between(1, records.most, `Records to return, default ${records.usual}`)
export const cursor = Schema.optionalKey(
  Schema.String.annotate({
    description: "The `next` of an earlier result, to continue there. Omit it in the first call",
  }),
)
export const maxPages = (usual: number) =>
  between(1, pages.most, `Pages of up to 100 records to read, default ${usual}`)

/** Records as received, as plain data. */
export const Records = Schema.Array(Schema.Record(Schema.String, Schema.Json))
/** Members of every result. */
export const about = {
  notice: Schema.String,
  /** The arguments in effect, defaults included. */
  applied: Schema.Record(Schema.String, Schema.Json),
} as const
/** Members of every page of a result. */
export const part = {
  ...about,
  /** Pass as `cursor` for more; null at the end. */
  next: Schema.NullOr(Schema.String),
  /** Records that are not as specified: their ids and what is wrong. */
  rejected: Schema.Array(
    Schema.Struct({ id: Schema.NullOr(Schema.Int), problems: Schema.Array(Schema.String) }),
  ),
} as const

/** Annotates a tool as read-only, using an external service, and accepting only known arguments. */
export const readOnly = <T extends Tool.Any>(tool: T): T =>
  tool
    .annotate(Tool.Readonly, true)
    .annotate(Tool.Destructive, false)
    .annotate(Tool.Idempotent, true)
    .annotate(Tool.OpenWorld, true)
    .annotate(Tool.Strict, true) as T

/** Returns a failure as a result that the assistant can read. */
export const failing = { failure: ToolError, failureMode: "return" } as const
