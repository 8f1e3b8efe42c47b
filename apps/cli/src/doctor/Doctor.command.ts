/** `deedkit doctor`: what this server really does. */
import * as Command from "effect/cli/Command"
import { toggle } from "../command/SharedFlags.ts"
import type { Subcommand } from "../command/Subcommand.ts"
import { whenRun } from "../command/Subcommand.ts"

export const doctor: Subcommand<"doctor"> = Command.make(
  "doctor",
  { save: toggle("save", "Keep what was learnt in the profile") },
  whenRun(async () => (await import("./Doctor.ts")).doctor),
).pipe(
  Command.withDescription("Find out what this server really does, with at most 25 small requests"),
  Command.withExamples([
    { command: "deedkit doctor" },
    { command: "deedkit doctor --save", description: "And keep it in the profile" },
    {
      command: "deedkit doctor --json | jq '.findings[] | select(.trouble)'",
      description: "Only what stands in the way",
    },
  ]),
)
