/** The tool that says which API keys deserve a look: the findings of `KeyAudit`, for an assistant. */
import { KeyAudit } from "@deedkit/core"
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import { about, between, failing, part, readOnly, Records } from "./ToolShape.ts"

const { maxAgeDays, maxScopes, unusedDays } = KeyAudit.defaults

export const keysAudit = readOnly(
  Tool.make("keys_audit", {
    description:
      "Says which API keys deserve a look: never or long not used, used after they were revoked, with many or unknown scopes, or old. It cannot know which scopes an integration needs.",
    parameters: Schema.Struct({
      unused_days: between(1, 36_500, `Days without use, default ${unusedDays}`),
      max_scopes: between(1, 1_000, `Scopes that a key may have, default ${maxScopes}`),
      max_age_days: between(1, 36_500, `Days after which a key should be replaced, default ${maxAgeDays}`),
    }),
    success: Schema.Struct({
      ...about,
      left_out: part.left_out,
      judged_at: Schema.String,
      keys: Schema.Int,
      complete: Schema.Boolean,
      findings: Records,
    }),
    ...failing,
  }),
)
