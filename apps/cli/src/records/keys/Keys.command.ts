/** `deedkit keys list`, `get ID...` and `audit`: metadata only, the service never returns a secret (Spec: Endpoints, rows 1 and 2). */
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
      description: "Keys that are not revoked, least recently used first",
    },
    {
      command: "deedkit keys list --where scopes~read:contracts --columns id,name,age_days,unused_days",
      description: "Keys that can read contracts, with their age",
    },
    {
      command: "deedkit keys list --all --json | jq '.items | length'",
      description: "The number of API keys",
    },
  ]),
)

const get = Command.make(
  "get",
  { ids: RecordIds.argument("API key"), ...formFlags },
  whenRun(async () => (await import("./Keys.ts")).get),
).pipe(
  Command.withDescription("Show the metadata of API keys by id"),
  Command.withExamples([
    { command: "deedkit keys get 14", description: "Its fields" },
    { command: "deedkit keys get 14 --json", description: "As JSON" },
    { command: "deedkit keys get 14 15 16 --ndjson", description: "Three keys, one a line" },
  ]),
)

export const keys: Subcommand<"keys"> = Command.make("keys").pipe(
  Command.withDescription("List, show and audit API keys: metadata, never secrets"),
  Command.withExamples([
    { command: "deedkit keys list" },
    { command: "deedkit keys get 14" },
    { command: "deedkit keys audit" },
  ]),
  Command.withSubcommands([list, get, audit]),
)
