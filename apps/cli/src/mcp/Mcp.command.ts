/** `deedkit mcp`: contracts and API keys for assistants. */
import * as Command from "effect/cli/Command"
import type { Subcommand } from "../command/Subcommand.ts"
import { whenRun } from "../command/Subcommand.ts"

export const mcp: Subcommand<"mcp"> = Command.make(
  "mcp",
  {},
  whenRun(async () => (await import("./Mcp.ts")).mcp),
).pipe(
  Command.withDescription(
    "Let an assistant read contracts and API keys (Model Context Protocol on standard input and output)",
  ),
  Command.withExamples([
    { command: "deedkit mcp", description: "What an assistant is told to start" },
    {
      command: "deedkit mcp --verbose 2> mcp.log",
      description: "With a log of every request to the service",
    },
  ]),
)
