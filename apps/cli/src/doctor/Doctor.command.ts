/** `deedkit doctor`: reports how this server behaves. */
import * as Command from "effect/cli/Command"
import { toggle } from "../command/SharedFlags.ts"
import type { Subcommand } from "../command/Subcommand.ts"
import { whenRun } from "../command/Subcommand.ts"

export const doctor: Subcommand<"doctor"> = Command.make(
  "doctor",
  { save: toggle("save", "Save the findings in the profile") },
  whenRun(async () => (await import("./Doctor.ts")).doctor),
).pipe(
  Command.withDescription("Check how this server behaves, with at most 25 small requests"),
  Command.withExamples([
    { command: "deedkit doctor" },
    { command: "deedkit doctor --save", description: "Save the findings in the profile" },
    {
      command: "deedkit doctor --json | jq '.findings[] | select(.problem)'",
      description: "Problems only",
    },
  ]),
)
