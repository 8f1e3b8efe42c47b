/** `deedkit mcp`: serves contracts and API keys to assistants, read-only, over standard input and output (Model Context Protocol). */
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { examples, root } from "../command/SharedFlags.ts"
import type { Subcommand } from "../command/Subcommand.ts"
import { usageError } from "../failure/Failure.ts"
import { serve } from "../mcp/Serve.ts"
import { install } from "./mcpInstall.ts"
import * as Session from "../session/Session.ts"

export const mcp: Subcommand<"mcp"> = Command.make(
  "mcp",
  {},
  Effect.fn(function* () {
    const flags = yield* root
    if (flags.apiKeyStdin) {
      return yield* usageError(
        "deedkit mcp uses standard input for the protocol, so --api-key-stdin cannot be used",
        "Name a profile with --profile, or set DEEDKIT_BASE_URL and DEEDKIT_API_KEY or DEEDKIT_API_KEY_FILE.",
      )
    }
    // Progress is for people, so it is not shown here.
    const { client, terminal } = yield* Session.open({ ...flags, quiet: true }, "interactive")
    yield* serve(client, terminal.say)
  }, Effect.scoped),
).pipe(
  Command.withSubcommands([install]),
  examples(`
    deedkit mcp install claude-desktop  # Print the configuration
    deedkit mcp  # The command that it has
    deedkit mcp --verbose 2> mcp.log  # With a log of every request to the service
  `),
)
