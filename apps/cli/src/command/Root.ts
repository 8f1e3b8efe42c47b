/**
 * The command `deedkit` itself, with its shared flags but without its subcommands, so that they can import it.
 */
import * as Command from "effect/cli/Command"
import { sharedFlags } from "./SharedFlags.ts"

export const root = Command.make("deedkit").pipe(
  Command.withSharedFlags(sharedFlags),
  Command.withDescription(
    `Contracts and API keys of your property management service, in spreadsheets and scripts. Read-only.

  Exit codes: 0 done, 1 bug, 2 usage, 3 not found, 4 key not accepted, 5 scope missing,
  6 rate limited, 7 network, 8 answer not as specified, 9 not complete, 10 local file or keychain,
  11 pagination, 12 findings or changes. Signals: 129 hangup, 130 Ctrl-C, 131 quit, 143 terminate.`,
  ),
)
