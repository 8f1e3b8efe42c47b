/**
 * The command `deedkit` itself: its shared flags, without its commands, so that these can read the flags from here.
 */
import * as Command from "effect/cli/Command"
import { sharedFlags } from "./SharedFlags.ts"

export const root = Command.make("deedkit").pipe(
  Command.withSharedFlags(sharedFlags),
  Command.withDescription(
    `Contracts and API keys of your property management service, in spreadsheets and scripts. Reads only.

  Exit codes: 0 done, 1 a bug, 2 usage, 3 not found, 4 key not accepted, 5 scope missing,
  6 rate limited, 7 network, 8 answer not as specified, 9 not complete, 10 local file or keychain,
  11 pagination, 12 findings. Ended by a signal: 129 hangup, 130 Ctrl-C, 131 quit, 143 terminate.`,
  ),
)
