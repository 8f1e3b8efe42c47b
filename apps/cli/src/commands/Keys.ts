/** `deedkit keys list` and `deedkit keys get ID`: metadata only, the service never tells a secret (Spec: Endpoints, rows 1 and 2). */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as RecordGet from "../RecordGet.ts"
import { keys as kind } from "../RecordKind.ts"
import * as RecordList from "../RecordList.ts"
import type { Subcommand } from "../Subcommand.ts"

const get = Command.make("get", { id: RecordGet.id("API key").pipe(Argument.withMetavar("ID")) }, ({ id }) =>
  RecordGet.show(kind, id),
).pipe(
  Command.withDescription("Show what is known of one API key"),
  Command.withExamples([
    { command: "deedkit keys get 14", description: "Its fields" },
    { command: "deedkit keys get 14 --json", description: "As JSON" },
  ]),
)

export const keys: Subcommand<"keys"> = Command.make("keys").pipe(
  Command.withDescription("Look at API keys: names, scopes and use, never secrets"),
  Command.withExamples([{ command: "deedkit keys list" }, { command: "deedkit keys get 14" }]),
  Command.withSubcommands([RecordList.command(kind), get]),
)
