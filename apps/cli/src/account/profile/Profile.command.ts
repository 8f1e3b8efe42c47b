/** `deedkit profile`: lists, selects and removes profiles. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import type { Subcommand } from "../../command/Subcommand.ts"
import { whenRun } from "../../command/Subcommand.ts"

const name = Argument.String("name").pipe(
  Argument.withMetavar("NAME"),
  Argument.withDescription("The name of the profile"),
)

const list = Command.make(
  "list",
  {},
  whenRun(async () => (await import("./Profile.ts")).list),
).pipe(
  Command.withDescription("List the profiles"),
  Command.withExamples([{ command: "deedkit profile list" }, { command: "deedkit profile list --json" }]),
)

const use = Command.make(
  "use",
  { name },
  whenRun(async () => (await import("./Profile.ts")).use),
).pipe(
  Command.withDescription("Make a profile the current one"),
  Command.withExamples([{ command: "deedkit profile use office" }]),
)

const remove = Command.make(
  "remove",
  { name },
  whenRun(async () => (await import("./Profile.ts")).remove),
).pipe(
  Command.withDescription("Remove a profile and its saved key"),
  Command.withExamples([{ command: "deedkit profile remove office" }]),
)

export const profile: Subcommand<"profile"> = Command.make("profile").pipe(
  Command.withDescription("List, choose and remove profiles"),
  Command.withExamples([{ command: "deedkit profile list" }, { command: "deedkit profile use office" }]),
  Command.withSubcommands([list, use, remove]),
)
