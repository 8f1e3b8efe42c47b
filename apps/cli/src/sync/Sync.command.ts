/** `deedkit sync`: maintains a mirror of many accounts, in one SQLite file or in PostgreSQL. Its subcommands inspect the mirror and remove data from it. */
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { text, toggle } from "../command/SharedFlags.ts"
import type { Subcommand } from "../command/Subcommand.ts"
import { whenRun } from "../command/Subcommand.ts"
import { accountFlags, readFlags } from "./mirror/AccountFlags.ts"
import { changes } from "./changes/Changes.command.ts"
import { forget, prune } from "./prune/Prune.command.ts"
import { verify } from "./check/Verify.command.ts"
import { status } from "./check/Status.command.ts"
import { worker } from "./worker/Worker.command.ts"

const own = {
  to: text(
    "to",
    "MIRROR",
    "Mirror to write: a file such as mirror.sqlite, or postgres://user@host/database; created if it does not exist",
  ),
  ...accountFlags,
  ...readFlags,
  queue: toggle(
    "queue",
    "Queue the accounts for `sync worker` instead of reading them here, and return at once; with a mirror in a file only while it has no worker",
  ),
  night: text(
    "night",
    "NAME",
    "With --queue: an account is synced once in the night of that name; default: today's date in UTC",
  ),
  sameAccount: Flag.String("same-account").pipe(
    Flag.withMetavar("NAME"),
    Flag.withDescription(
      "Confirm that the account NAME has a new key or address and is the one in the mirror. Repeat for several",
    ),
    Flag.atLeast(0),
  ),
} as const

export type SyncChoices = Command.Command.Config.Infer<typeof own>

export const sync: Subcommand<"sync"> = Command.make(
  "sync",
  own,
  whenRun(async () => (await import("./Sync.ts")).sync),
).pipe(
  Command.withExamples([
    { command: "deedkit sync --to mirror.sqlite", description: "The current account; run it every night" },
    {
      command: "deedkit sync --profile acme --profile beta --to mirror.sqlite",
      description: "Two profiles",
    },
    {
      command: "deedkit sync --accounts accounts.jsonl --to mirror.sqlite",
      description: "The accounts of a file",
    },
    {
      command: "deedkit sync status mirror.sqlite --max-age 36h",
      description: "Is every account complete and recent?",
    },
    {
      command: "deedkit sync --accounts accounts.jsonl --to postgres://user@host/database --queue",
      description: "Queue the accounts for the workers",
    },
    { command: "deedkit sync changes mirror.sqlite --since 1d", description: "What changed since yesterday" },
  ]),
  Command.withSubcommands([status, changes, verify, prune, forget, worker]),
)
