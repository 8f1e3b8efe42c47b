/** `deedkit contracts list` and `deedkit contracts get ID...` (Spec: Endpoints, rows 3 and 4). */
import * as Command from "effect/cli/Command"
import * as RecordIds from "./RecordIds.ts"
import { formFlags, queryFlags } from "./RecordFlags.ts"
import { toggle } from "../command/SharedFlags.ts"
import type { Subcommand } from "../command/Subcommand.ts"
import { whenRun } from "../command/Subcommand.ts"

const list = Command.make(
  "list",
  queryFlags,
  whenRun(async () => (await import("./Contracts.ts")).list),
).pipe(
  Command.withDescription("List contracts"),
  Command.withExamples([
    { command: "deedkit contracts list", description: "The first page" },
    {
      command: "deedkit contracts list --where status=active --where city=Athens --sort -updated_at",
      description: "The active ones in Athens, the latest change first",
    },
    {
      command: "deedkit contracts list --where 'created_at>=2026-03' --columns id,unit_label,title",
      description: "Since March, three columns",
    },
    {
      command: "deedkit contracts list --where status=draft --json=id,listing.city | jq '.items | length'",
      description: "The drafts, counted",
    },
    { command: "deedkit contracts list --all --ndjson > contracts.ndjson", description: "All, a line each" },
  ]),
)

const get = Command.make(
  "get",
  {
    ids: RecordIds.argument("contract"),
    data: toggle("data", "Ask for the contract's data payload too (include_data)"),
    ...formFlags,
  },
  whenRun(async () => (await import("./Contracts.ts")).get),
).pipe(
  Command.withDescription("Show one contract or several"),
  Command.withExamples([
    { command: "deedkit contracts get 1204", description: "Its fields" },
    { command: "deedkit contracts get 1204 --data --json", description: "With its data, as JSON" },
    {
      command: "deedkit contracts get 1204 1187 --json=id,status",
      description: "Two, with two members each",
    },
    { command: "deedkit contracts get - --ndjson < ids.txt", description: "Those of a file, in its order" },
  ]),
)

export const contracts: Subcommand<"contracts"> = Command.make("contracts").pipe(
  Command.withDescription("Look at contracts"),
  Command.withExamples([
    { command: "deedkit contracts list --where status=active" },
    { command: "deedkit contracts get 1204 --data" },
  ]),
  Command.withSubcommands([list, get]),
)
