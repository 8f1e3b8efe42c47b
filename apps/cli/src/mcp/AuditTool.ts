/** The tool that audits API keys. It returns the findings of `KeyAudit`. */
import { KeyAudit } from "@deedkit/core"
import * as Schema from "effect/Schema"
import * as Tool from "effect/ai/Tool"
import { about, between, failing, part, readOnly, Records } from "./ToolShape.ts"

const { maxAgeDays, maxScopes, unusedDays } = KeyAudit.defaults

export const keysAudit = readOnly(
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
