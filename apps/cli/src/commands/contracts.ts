/** `deedkit contracts list` and `deedkit contracts get ID...` (Spec: Endpoints, rows 3 and 4). */
import * as Command from "effect/cli/Command"
import { examples, toggle } from "../command/SharedFlags.ts"
import type { Subcommand } from "../command/Subcommand.ts"
import { formFlags, queryFlags } from "../records/RecordQuery.ts"
import * as RecordGet from "../records/RecordGet.ts"
import { contracts as kind } from "../records/RecordKind.ts"
import * as RecordList from "../records/RecordList.ts"
import { countOf } from "./count.ts"

const list = Command.make("list", queryFlags, (choices) => RecordList.show(kind, choices)).pipe(
  Command.withDescription("List contracts"),
  examples(`
    deedkit contracts list  # The first page
    # Active contracts in Athens, last updated first
    deedkit contracts list --where status=active --where city=Athens --sort -updated_at
    # Since March, three columns
    deedkit contracts list --where 'created_at>=2026-03' --columns id,unit_label,title
    # The number of drafts
    deedkit contracts list --where status=draft --json=id,listing.city | jq '.items | length'
    deedkit contracts list --all --ndjson > contracts.ndjson  # All contracts, one a line
  `),
)

const get = Command.make(
  "get",
  {
    ids: RecordGet.idArgument("contract"),
    data: toggle("data", "Also read the contract's data payload (include_data)"),
    ...formFlags,
  },
  ({ data, ...choices }) => RecordGet.show(kind, { ...choices, options: { includeData: data } }),
).pipe(
  Command.withDescription("Show contracts by id"),
  examples(`
    deedkit contracts get 1204  # Its fields
    deedkit contracts get 1204 --data --json  # With its data, as JSON
    deedkit contracts get 1204 1187 --json=id,status  # Two contracts, two fields each
    deedkit contracts get - --ndjson < ids.txt  # The ids of a file, in its order
  `),
)

export const contracts: Subcommand<"contracts"> = Command.make("contracts").pipe(
  examples(`
    deedkit contracts list --where status=active
    deedkit contracts get 1204 --data
  `),
  Command.withSubcommands([list, get, countOf(kind, "status,city")]),
)
