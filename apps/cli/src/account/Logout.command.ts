/** `deedkit auth logout`: deletes the saved key of a profile. */
import * as Command from "effect/cli/Command"
import type { Subcommand } from "../command/Subcommand.ts"
import { whenRun } from "../command/Subcommand.ts"

export const logout: Subcommand<"logout"> = Command.make(
  "logout",
  {},
  whenRun(async () => (await import("./Logout.ts")).logout),
).pipe(
  Command.withDescription(
    "Delete the saved API key of a profile; the key stays valid until it is revoked in the dashboard",
  ),
  Command.withExamples([
    { command: "deedkit auth logout" },
    { command: "deedkit auth logout --profile office" },
  ]),
)
