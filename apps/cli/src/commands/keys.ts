/** `deedkit keys list`, `get ID...` and `audit`: metadata only, the service never returns a secret (Spec: Endpoints, rows 1 and 2). */
import * as Command from "effect/cli/Command"
import { examples } from "../command/SharedFlags.ts"
import type { Subcommand } from "../command/Subcommand.ts"
import { formFlags, queryFlags } from "../records/RecordQuery.ts"
import * as RecordGet from "../records/RecordGet.ts"
import { keys as kind } from "../records/RecordKind.ts"
import * as RecordList from "../records/RecordList.ts"
import { countOf } from "./count.ts"
import { audit } from "./keysAudit.ts"

const list = Command.make("list", queryFlags, (choices) => RecordList.show(kind, choices)).pipe(
  Command.withDescription("List API keys"),
  examples(`
    deedkit keys list  # The first page
    # Keys that are not revoked, least recently used first
    deedkit keys list --where revoked=no --sort last_used_at
    # Keys that can read contracts, with their age
    deedkit keys list --where scopes~read:contracts --columns id,name,age_days,unused_days
    deedkit keys list --all --json | jq '.items | length'  # The number of API keys
  `),
)

const get = Command.make("get", { ids: RecordGet.idArgument("API key"), ...formFlags }, (choices) =>
  RecordGet.show(kind, choices),
).pipe(
  Command.withDescription("Show the metadata of API keys by id"),
  examples(`
    deedkit keys get 14  # Its fields
    deedkit keys get 14 --json  # As JSON
    deedkit keys get 14 15 16 --ndjson  # Three keys, one a line
  `),
)

export const keys: Subcommand<"keys"> = Command.make("keys").pipe(
  examples(`
    deedkit keys list
    deedkit keys get 14
    deedkit keys audit
  `),
  Command.withSubcommands([list, get, countOf(kind, "revoked"), audit]),
)
