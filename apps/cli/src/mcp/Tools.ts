/**
 * The tools of `deedkit mcp`: names, arguments, results, errors and descriptions. Contracts and metadata of API keys, read-only (Spec: Endpoints).
 * `Handlers` does the work.
 */
import { ClientError, KeyAudit } from "@deedkit/core"
import type { ExportError } from "@deedkit/export"
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"

/** The error of a tool, for an assistant to act on. It names no flag of the command line. `error` names the kind, such as `FilterInvalid`. */
export class ToolError extends Schema.TaggedError<ToolError>()("ToolError", {
  error: Schema.String,
  message: Schema.String,
  /** Whether the same call may succeed later without any change. */
  retryable: Schema.Boolean,
}) {}

export const wrong = (error: string, message: string): ToolError =>
  new ToolError({ error, message, retryable: false })

/** Converts an error of the client or of an export for an assistant. */
export const toolError = (failure: ClientError.ClientError | ExportError.ExportError): ToolError =>
  new ToolError({
    error: failure.reason._tag,
    message: failure.message,
    retryable: failure instanceof ClientError.ClientError && failure.retryable,
  })

/** Number of records that one call returns: default and maximum. */
export const records = { usual: 50, most: 100 } as const
/** Number of pages that one call requests: defaults and maximum. A page has up to 100 records. */
export const pages = { search: 20, summary: 50, most: 200 } as const

const between = (minimum: number, maximum: number, description: string) =>
  Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum, maximum })).annotate({ description }))

const limit = between(1, records.most, `Records to return, default ${records.usual}`)
const cursor = Schema.optionalKey(
  Schema.String.annotate({
    description: "The `next` of an earlier result, to continue there. Omit it in the first call",
  }),
)
const maxPages = (usual: number) =>
  between(1, pages.most, `Pages of up to 100 records to read, default ${usual}`)

/** Records as received, as plain data. */
const Records = Schema.Array(Schema.Record(Schema.String, Schema.Json))
const about = {
  notice: Schema.String,
  /** The arguments in effect, defaults included. */
  applied: Schema.Record(Schema.String, Schema.Json),
} as const
/** Members of every page of a result. */
const part = {
  ...about,
  /** Pass as `cursor` for more; null at the end. */
  next: Schema.NullOr(Schema.String),
  /** Records that are not as specified: their ids and what is wrong. */
  rejected: Schema.Array(
    Schema.Struct({ id: Schema.NullOr(Schema.Int), problems: Schema.Array(Schema.String) }),
  ),
} as const

/** Annotates a tool as read-only, using an external service, and accepting only known arguments. */
const readOnly = <T extends Tool.Any>(tool: T): T =>
  tool
    .annotate(Tool.Readonly, true)
    .annotate(Tool.Destructive, false)
    .annotate(Tool.Idempotent, true)
    .annotate(Tool.OpenWorld, true)
    .annotate(Tool.Strict, true) as T

/** Returns a failure as a result that the assistant can read. */
const failing = { failure: ToolError, failureMode: "return" } as const

const conditions =
  "Conditions, all of which must hold: COLUMN=VALUE, != (other), ~ (contains, any case), < <= > >= (numbers, dates such as 2026-03 or 2026-03-01), COLUMN= (empty)"

const contractsList = readOnly(
  Tool.make("contracts_list", {
    description:
      "Lists contracts in the order of the service, which is not specified. To find particular contracts use contracts_search.",
    parameters: Schema.Struct({ limit, cursor }),
    success: Schema.Struct({ ...part, contracts: Records }),
    ...failing,
  }),
)

const contractsSearch = readOnly(
  Tool.make("contracts_search", {
    description:
      "Finds contracts by conditions, by words, or both. The service cannot search, so pages are read and filtered here; `complete` says whether all were read. `hints` names the existing values where a condition such as status=ACTIVE matches none.",
    parameters: Schema.Struct({
      where: Schema.optionalKey(
        Schema.Array(Schema.String)
          .check(Schema.isMaxLength(20))
          .annotate({
            description: `${conditions}. Columns: id, status (draft, active, ended and others), kind (rent, sale and others), unit_label, title, city, area, slug, created_at, updated_at, unit_id, listing_id, template_id`,
          }),
      ),
      text: Schema.optionalKey(
        Schema.String.check(Schema.isMaxLength(200)).annotate({
          description:
            "Words that must all occur, in any case, somewhere in id, status, kind, unit or listing",
        }),
      ),
      limit,
      max_pages: maxPages(pages.search),
      cursor,
    }),
    success: Schema.Struct({
      ...part,
      contracts: Records,
      pages_read: Schema.Int,
      records_read: Schema.Int,
      /** Conditions whose value did not occur, with the values that did. */
      hints: Schema.Array(Schema.String),
      complete: Schema.Boolean,
    }),
    ...failing,
  }),
)

const contractsGet = readOnly(
  Tool.make("contracts_get", {
    description:
      "Reads contracts by id, in the order of the ids. An id that does not exist is in `unknown_ids`.",
    parameters: Schema.Struct({
      ids: Schema.Array(Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))).check(
        Schema.isMinLength(1),
        Schema.isMaxLength(records.usual),
      ),
      include_data: Schema.optionalKey(
        Schema.Boolean.annotate({
          description: "Include the contract's data payload, whose shape is not specified",
        }),
      ),
    }),
    success: Schema.Struct({ ...about, contracts: Records, unknown_ids: Schema.Array(Schema.Int) }),
    ...failing,
  }),
)

const keysList = readOnly(
  Tool.make("keys_list", {
    description:
      "Lists the metadata of API keys: name, scopes, times of creation, last use and revocation. Never secrets.",
    parameters: Schema.Struct({ limit, cursor }),
    success: Schema.Struct({ ...part, keys: Records }),
    ...failing,
  }),
)

const { maxAgeDays, maxScopes, unusedDays } = KeyAudit.defaults

const keysAudit = readOnly(
  Tool.make("keys_audit", {
    description:
      "Finds API keys that need attention: never used, unused for long, used after being revoked, with many or unknown scopes, or old. It cannot know which scopes an integration needs.",
    parameters: Schema.Struct({
      unused_days: between(1, 36_500, `Days without use, default ${unusedDays}`),
      max_scopes: between(1, 1_000, `Most scopes of a key, default ${maxScopes}`),
      max_age_days: between(1, 36_500, `Days after which a key should be replaced, default ${maxAgeDays}`),
    }),
    success: Schema.Struct({
      ...about,
      rejected: part.rejected,
      judged_at: Schema.String,
      keys: Schema.Int,
      complete: Schema.Boolean,
      findings: Records,
    }),
    ...failing,
  }),
)

const summary = readOnly(
  Tool.make("summary", {
    description: "Counts contracts by status, kind and city. `complete` says whether all pages were read.",
    parameters: Schema.Struct({ max_pages: maxPages(pages.summary) }),
    success: Schema.Struct({
      ...about,
      rejected: part.rejected,
      contracts: Schema.Int,
      complete: Schema.Boolean,
      pages_read: Schema.Int,
      by: Schema.Record(
        Schema.String,
        Schema.Array(Schema.Struct({ value: Schema.NullOr(Schema.String), records: Schema.Int })),
      ),
    }),
    ...failing,
  }),
)

export const toolkit = Toolkit.make(
  contractsList,
  contractsSearch,
  contractsGet,
  keysList,
  keysAudit,
  summary,
)
