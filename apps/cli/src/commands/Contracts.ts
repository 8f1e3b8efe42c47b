/** `deedkit contracts list` and `deedkit contracts get ID` (Spec: Endpoints, rows 3 and 4). */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as RecordGet from "../RecordGet.ts"
import { contracts as kind } from "../RecordKind.ts"
import * as RecordList from "../RecordList.ts"
import { toggle } from "../SharedFlags.ts"
import type { Subcommand } from "../Subcommand.ts"

const get = Command.make(
  "get",
  {
    id: RecordGet.id("contract").pipe(Argument.withMetavar("ID")),
    data: toggle("data", "Ask for the contract's data payload too (include_data)"),
  },
  ({ data, id }) => RecordGet.show(kind, id, { includeData: data }),
).pipe(
  Command.withDescription("Show one contract"),
  Command.withExamples([
    { command: "deedkit contracts get 1204", description: "Its fields" },
    { command: "deedkit contracts get 1204 --data --json", description: "With its data, as JSON" },
  ]),
)

export const contracts: Subcommand<"contracts"> = Command.make("contracts").pipe(
  Command.withDescription("Look at contracts"),
  Command.withExamples([
    { command: "deedkit contracts list" },
    { command: "deedkit contracts get 1204 --data" },
  ]),
  Command.withSubcommands([RecordList.command(kind), get]),
)
