/** `deedkit keys audit`: which API keys deserve a look. */
import { KeyAudit } from "@deedkit/core"
import * as Command from "effect/cli/Command"
import { toggle, wholeNumber } from "../../command/SharedFlags.ts"
import type { Subcommand } from "../../command/Subcommand.ts"
import { whenRun } from "../../command/Subcommand.ts"

const { maxAgeDays, maxScopes, unusedDays } = KeyAudit.defaults

const own = {
  unusedDays: wholeNumber(
    "unused-days",
    `Days without use after which a key is reported; default ${unusedDays}`,
  ),
  maxScopes: wholeNumber("max-scopes", `Scopes that a key may have; default ${maxScopes}`),
  maxAgeDays: wholeNumber("max-age-days", `Days after which a key should be replaced; default ${maxAgeDays}`),
  failOnFindings: toggle("fail-on-findings", "End with exit code 12 when there is a finding"),
} as const

export type AuditChoices = Command.Command.Config.Infer<typeof own>

export const audit: Subcommand<"audit"> = Command.make(
  "audit",
  own,
  whenRun(async () => (await import("./Audit.ts")).audit),
).pipe(
  Command.withDescription("Find API keys that are not used, can do too much, or are old"),
  Command.withExamples([
    { command: "deedkit keys audit", description: "What deserves a look, the gravest first" },
    {
      command: "deedkit keys audit --unused-days 30 --fail-on-findings --quiet",
      description: "In a scheduled job: exit code 12 when there is a finding",
    },
    {
      command: "deedkit keys audit --json | jq -r '.findings[] | [.keyId, .rule] | @tsv'",
      description: "For another program",
    },
  ]),
)
