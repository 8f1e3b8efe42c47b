/**
 * The command `deedkit` itself: its shared flags, without its commands, so that these can read the flags from here.
 */
import * as Command from "effect/cli/Command"
import { sharedFlags } from "./SharedFlags.ts"

export const root = Command.make("deedkit").pipe(
  Command.withSharedFlags(sharedFlags),
  Command.withDescription(
    "Contracts and API keys of your property management service, in spreadsheets and scripts. Reads only.",
  ),
)
