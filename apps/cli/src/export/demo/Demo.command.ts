/** `deedkit demo`: runs an export from end to end, without an account. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import type { Subcommand } from "../../command/Subcommand.ts"
import { whenRun } from "../../command/Subcommand.ts"

export const demo: Subcommand<"demo"> = Command.make(
  "demo",
  {
    out: Flag.String("out").pipe(
      Flag.withMetavar("FOLDER"),
      Flag.withDescription("Folder for the files, created if needed; default ./demo"),
      Flag.withDefault("demo"),
    ),
  },
  whenRun(async () => (await import("./Demo.ts")).demo),
).pipe(
  Command.withExamples([
    { command: "deedkit demo" },
    { command: "deedkit demo --out /tmp/demo", description: "Write the files to another folder" },
  ]),
)
