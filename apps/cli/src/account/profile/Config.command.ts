/** `deedkit config explain`: shows each setting and where it was given. */
import * as Command from "effect/cli/Command"
import type { Subcommand } from "../../command/Subcommand.ts"
import { whenRun } from "../../command/Subcommand.ts"

const explain = Command.make(
  "explain",
  {},
  whenRun(async () => (await import("./Config.ts")).explain),
).pipe(
  Command.withDescription("Show each setting, its value, its source, and which values it overrides"),
  Command.withExamples([{ command: "deedkit config explain" }, { command: "deedkit config explain --json" }]),
)

export const config: Subcommand<"config"> = Command.make("config").pipe(
  Command.withDescription("Show the configuration"),
  Command.withExamples([{ command: "deedkit config explain" }]),
  Command.withSubcommands([explain]),
)
