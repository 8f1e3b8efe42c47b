/** `deedkit keys audit`: lists API keys that need attention. */
import { KeyAudit } from "@deedkit/core"
import * as Command from "effect/cli/Command"
import { toggle, wholeNumber } from "../../command/SharedFlags.ts"
import type { Subcommand } from "../../command/Subcommand.ts"
import { whenRun } from "../../command/Subcommand.ts"

const { maxAgeDays, maxScopes, unusedDays } = KeyAudit.defaults

const own = {
  unusedDays: wholeNumber(
    "unused-days",
    `Report keys that have been unused for N days; default ${unusedDays}`,
  ),
  maxScopes: wholeNumber("max-scopes", `Report keys with more than N scopes; default ${maxScopes}`),
  maxAgeDays: wholeNumber("max-age-days", `Report keys that are older than N days; default ${maxAgeDays}`),
  failOnFindings: toggle("fail-on-findings", "Exit with code 12 when there are findings"),
} as const

export type AuditChoices = Command.Command.Config.Infer<typeof own>

export const audit: Subcommand<"audit"> = Command.make(
  "audit",
  own,
  whenRun(async () => (await import("./Audit.ts")).audit),
).pipe(
  Command.withDescription("Find API keys that are unused, have many scopes, or are old"),
  Command.withExamples([
    { command: "deedkit keys audit", description: "All findings, most severe first" },
    {
      command: "deedkit keys audit --unused-days 30 --fail-on-findings --quiet",
      description: "In a scheduled job: exit code 12 when there are findings",
    },
    {
      command: "deedkit keys audit --json | jq -r '.findings[] | [.keyId, .rule] | @tsv'",
      description: "For another program",
    },
  ]),
)
