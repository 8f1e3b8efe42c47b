/** `deedkit sync`: a mirror of many accounts, in one SQLite file or in PostgreSQL. Its subcommands look at it, and take things out of it. */
import * as Option from "effect/Option"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { text, toggle, wholeNumber } from "../command/SharedFlags.ts"
import type { Subcommand } from "../command/Subcommand.ts"
import { whenRun } from "../command/Subcommand.ts"
import { accountFlags } from "./mirror/AccountFlags.ts"
import { changes } from "./changes/Changes.command.ts"
import { forget, prune } from "./prune/Prune.command.ts"
import { verify } from "./check/Verify.command.ts"
import { status } from "./check/Status.command.ts"

/** Accounts that are read at once. */
export const defaultConcurrency = 8

const own = {
  to: text(
    "to",
    "MIRROR",
    "Mirror to write: a file such as mirror.sqlite, or postgres://user@host/database; made where there is none",
  ),
  ...accountFlags,
  only: Flag.Literals("only", ["contracts", "keys"]).pipe(
    Flag.withDescription("Read one list of each account; default: contracts and keys"),
    Flag.optional,
    Flag.map(Option.getOrUndefined),
  ),
  data: toggle("data", "Also read each contract's data payload (include_data), one request each"),
  concurrency: wholeNumber("concurrency", `Accounts that are read at once; default ${defaultConcurrency}`),
  pageSize: wholeNumber("page-size", "Records a page; default 100"),
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
  Command.withDescription("Mirror accounts in SQLite or PostgreSQL, with the history of every record"),
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
    { command: "deedkit sync changes mirror.sqlite --since 1d", description: "What changed since yesterday" },
  ]),
  Command.withSubcommands([status, changes, verify, prune, forget]),
)
