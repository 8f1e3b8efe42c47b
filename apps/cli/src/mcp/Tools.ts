/**
 * The tools of `deedkit mcp`: names, arguments, errors and descriptions. `Handlers` does the work. A result is one text, JSON, because every assistant
 * reads texts: structured content would repeat all of it.
 */
import { ClientError, KeyAudit } from "@deedkit/core"
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import type { CommandError } from "../command/Subcommand.ts"

/** The error of a tool, for an assistant to act on. `error` names the kind, such as `FilterInvalid`. */
export class ToolError extends Schema.TaggedError<ToolError>()("ToolError", {
  error: Schema.String,
  message: Schema.String,
  /** Whether the same call may succeed later without any change. */
  retryable: Schema.Boolean,
}) {}

export const wrong = (error: string, message: string): ToolError =>
  new ToolError({ error, message, retryable: false })

/** Converts the error of a command for an assistant. */
export const toolError = (failure: CommandError | ToolError): ToolError =>
  failure instanceof ToolError
    ? failure
    : new ToolError({
        error: failure.reason._tag,
        message: failure.message,
        retryable: failure instanceof ClientError.ClientError && failure.retryable,
      })

/** Number of records that one call returns: default and maximum. */
export const records = { usual: 50, most: 100 } as const
/** Number of pages that one call reads: defaults and maximum. */
export const pages = { search: 20, summary: 50, most: 200 } as const

const about = <A>(schema: Schema.Codec<A>, description: string) =>
  Schema.optionalKey(schema.annotate({ description }))
const between = (minimum: number, maximum: number, description: string) =>
  about(Schema.Int.check(Schema.isBetween({ minimum, maximum })), description)
const texts = (description: string) =>
  about(Schema.Array(Schema.String).check(Schema.isMaxLength(20)), description)
const word = (description: string) => about(Schema.String.check(Schema.isMaxLength(200)), description)

const columns =
  "Columns: id, status (draft, active, ended and others), kind (rent, sale and others), unit_label, title, city, area, slug, created_at, updated_at, unit_id, listing_id, template_id"
const where = texts(
  `Conditions, all of which must hold: COLUMN=VALUE, != (other), ~ (contains, any case), < <= > >= (numbers, dates such as 2026-03 or 2026-03-01), COLUMN= (empty). ${columns}`,
)
const fields = texts("Return only these columns, such as id, status, city; default: whole records")
const limit = between(1, records.most, `Records to return, default ${records.usual}`)
const cursor = word("The `next` of an earlier result, to continue there. Omit it in the first call")
const sort = texts(
  "Columns to sort by; a minus before a name means descending, such as -updated_at. Reads up to max_pages pages first",
)
const maxPages = (usual: number) =>
  between(1, pages.most, `Pages to read, of 100 records or 1,000 of a mirror; default ${usual}`)

const make = <const Name extends string, const Fields extends Schema.Struct.Fields>(
  name: Name,
  description: string,
  parameters: Fields,
) =>
  Tool.make(name, {
    description,
    parameters: Schema.Struct({
      ...parameters,
      account: word("One of the accounts of this server; needed where it has several"),
    }),
    success: Schema.Record(Schema.String, Schema.Json),
    failure: ToolError,
    // A failure is a result that the assistant can read.
    failureMode: "return",
  })
    .annotate(Tool.Strict, true)
    .annotate(Tool.Readonly, true)
    .annotate(Tool.Destructive, false)
    .annotate(Tool.Idempotent, true)
    .annotate(Tool.OpenWorld, true)

const { maxAgeDays, maxScopes, unusedDays } = KeyAudit.defaults

export const reading = Toolkit.make(
  make(
    "contracts_list",
    "Lists contracts in the order of the service, which is not specified. To find particular contracts use contracts_search.",
    { limit, cursor, fields },
  ),
  make(
    "contracts_search",
    "Finds contracts by conditions, by words, or both, and sorts them. The service cannot search, so pages are read and filtered here; `complete` says whether all were read. `hints` names the existing values where a condition such as status=ACTIVE matches none.",
    {
      where,
      text: word("Words that must all occur, in any case, somewhere in id, status, kind, unit or listing"),
      sort,
      fields,
      limit,
      max_pages: maxPages(pages.search),
      cursor,
    },
  ),
  make(
    "contracts_get",
    "Reads contracts by id, in the order of the ids. An id that does not exist is in `unknown_ids`.",
    {
      ids: Schema.Array(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))).check(
        Schema.isMinLength(1),
        Schema.isMaxLength(records.usual),
      ),
      include_data: about(
        Schema.Boolean,
        "Include the contract's data payload, whose shape is not specified. A mirror always includes those that it has",
      ),
      fields,
    },
  ),
  make(
    "keys_list",
    "Lists the metadata of API keys: name, scopes, times of creation, last use and revocation. Never secrets.",
    { limit, cursor, fields },
  ),
  make(
    "keys_audit",
    "Finds API keys that need attention: never used, unused for long, used after being revoked, with many or unknown scopes, or old. It cannot know which scopes an integration needs.",
    {
      unused_days: between(1, 36_500, `Days without use, default ${unusedDays}`),
      max_scopes: between(1, 1_000, `Most scopes of a key, default ${maxScopes}`),
      max_age_days: between(1, 36_500, `Days after which a key should be replaced, default ${maxAgeDays}`),
    },
  ),
  make(
    "summary",
    "Counts contracts by status, kind and city, or in groups of equal values of several columns. `complete` says whether all pages were read.",
    {
      max_pages: maxPages(pages.summary),
      group_by: texts("Count in groups of equal values of these columns instead, such as status, city"),
    },
  ),
)

/** The tool of a server that reads a mirror. */
export const history = Toolkit.make(
  make(
    "changes",
    "Lists what syncs have first seen since a moment: contracts and API keys that were added, changed, removed or returned, with the differences.",
    {
      since: Schema.String.annotate({
        description: "A date such as 2026-11-01, a UTC time, or a span before now such as 36h or 7d",
      }),
      limit,
      cursor,
    },
  ),
)

/** The tool of a server that may write files. */
export const exporting = Toolkit.make(
  make(
    "contracts_export",
    "Writes all contracts, or those that meet conditions, to a new file in the folder that this server was given: a workbook (.xlsx), .csv, .json, .ndjson or .parquet.",
    {
      file: Schema.String.annotate({
        description: "Name of the file without a folder, such as contracts.xlsx",
      }),
      where,
      fields: texts("Columns of the file, in this order; default: all"),
    },
  )
    .annotate(Tool.Readonly, false)
    .annotate(Tool.Idempotent, false),
)
