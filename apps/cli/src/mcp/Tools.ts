/**
 * The tools of `deedkit mcp`: names, arguments, results and descriptions. Contracts and metadata of API keys, read-only (Spec: Endpoints).
 * `Handlers` does the work.
 */
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"
import { keysAudit } from "./AuditTool.ts"
import {
  about,
  cursor,
  failing,
  limit,
  maxPages,
  pages,
  part,
  readOnly,
  records,
  Records,
} from "./ToolShape.ts"

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
