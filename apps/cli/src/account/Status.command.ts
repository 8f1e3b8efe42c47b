/** `deedkit auth status`: shows which key is in use, and what it can read. */
import * as Command from "effect/cli/Command"
import type { Subcommand } from "../command/Subcommand.ts"
import { whenRun } from "../command/Subcommand.ts"

export const status: Subcommand<"status"> = Command.make(
  "status",
  {},
  whenRun(async () => (await import("./Status.ts")).status),
).pipe(
  Command.withDescription("Show the API key in use, where it is stored, and what it can read"),
  Command.withExamples([
    { command: "deedkit auth status" },
    {
      command: "deedkit auth status --profile office --json | jq .missingScopes",
      description: "For a script",
    },
  ]),
)
