/** `deedkit me`: shows who the key belongs to. */
import * as Command from "effect/cli/Command"
import type { Subcommand } from "../command/Subcommand.ts"
import { whenRun } from "../command/Subcommand.ts"

export const me: Subcommand<"me"> = Command.make(
  "me",
  {},
  whenRun(async () => (await import("./Me.ts")).me),
).pipe(
  Command.withDescription("Show who the API key belongs to; the quickest check of address and key"),
  Command.withExamples([
    { command: "deedkit me" },
    {
      command: "pass show deedkit | deedkit me --base-url https://api.example.com --api-key-stdin",
      description: "With the key from a password store",
    },
  ]),
)
