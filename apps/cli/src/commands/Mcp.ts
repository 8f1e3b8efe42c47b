/** `deedkit mcp`: contracts and API keys for assistants, over standard input and output (Model Context Protocol), read-only. */
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { root } from "../Root.ts"
import * as Session from "../Session.ts"
import type { Subcommand } from "../Subcommand.ts"
import { usageError } from "../UsageError.ts"

export const mcp: Subcommand<"mcp"> = Command.make(
  "mcp",
  {},
  Effect.fn(function* () {
    const flags = yield* root
    if (flags.apiKeyStdin) {
      return yield* usageError(
        "mcp speaks with the assistant on standard input, so the API key cannot come from there",
        "Set DEEDKIT_API_KEY or DEEDKIT_API_KEY_FILE.",
      )
    }
    // Progress is for people who wait.
    const { client, terminal } = yield* Session.open({ ...flags, quiet: true }, "interactive")
    const { serve } = yield* Effect.promise(() => import("../mcp/Serve.ts"))
    yield* serve(client, terminal.say)
  }, Effect.scoped),
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
