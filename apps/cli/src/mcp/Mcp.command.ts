/** `deedkit mcp`: serves contracts and API keys to assistants. */
import * as Command from "effect/cli/Command"
import type { Subcommand } from "../command/Subcommand.ts"
import { whenRun } from "../command/Subcommand.ts"

export const mcp: Subcommand<"mcp"> = Command.make(
  "mcp",
  {},
  whenRun(async () => (await import("./Mcp.ts")).mcp),
).pipe(
  Command.withDescription(
    "Serve contracts and API keys to an AI assistant, read-only (Model Context Protocol)",
  ),
  Command.withExamples([
    { command: "deedkit mcp", description: "The command for the assistant's configuration" },
    {
      command: "deedkit mcp --verbose 2> mcp.log",
      description: "With a log of every request to the service",
    },
  ]),
)
