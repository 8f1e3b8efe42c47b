/** `deedkit keys list`, `get ID...` and `audit`: metadata only, the service never tells a secret (Spec: Endpoints, rows 1 and 2). */
import * as Command from "effect/cli/Command"
import * as RecordIds from "../RecordIds.ts"
import { formFlags, queryFlags } from "../RecordFlags.ts"
import type { Subcommand } from "../../command/Subcommand.ts"
import { whenRun } from "../../command/Subcommand.ts"
import { audit } from "./Audit.command.ts"

const list = Command.make(
  "list",
  queryFlags,
  whenRun(async () => (await import("./Keys.ts")).list),
).pipe(
  Command.withDescription("List API keys"),
  Command.withExamples([
    { command: "deedkit keys list", description: "The first page" },
    {
      command: "deedkit keys list --where revoked=no --sort last_used_at",
      description: "Those that work, the one used longest ago first",
    },
    {
      command: "deedkit keys list --where scopes~read:contracts --columns id,name,age_days,unused_days",
      description: "Those that can read contracts, with their age",
    },
    { command: "deedkit keys list --all --json | jq '.items | length'", description: "All, counted" },
  ]),
)

const get = Command.make(
  "get",
  { ids: RecordIds.argument("API key"), ...formFlags },
  whenRun(async () => (await import("./Keys.ts")).get),
).pipe(
  Command.withDescription("Show what is known of one API key or several"),
  Command.withExamples([
    { command: "deedkit keys get 14", description: "Its fields" },
    { command: "deedkit keys get 14 --json", description: "As JSON" },
    { command: "deedkit keys get 14 15 16 --ndjson", description: "Three, a line each" },
  ]),
)

export const keys: Subcommand<"keys"> = Command.make("keys").pipe(
  Command.withDescription("Look at API keys: names, scopes and use, never secrets"),
  Command.withExamples([
    { command: "deedkit keys list" },
    { command: "deedkit keys get 14" },
    { command: "deedkit keys audit" },
  ]),
  Command.withSubcommands([list, get, audit]),
)
