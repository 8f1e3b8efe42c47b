/** `deedkit sync worker`: syncs the accounts in the queue of a mirror; with PostgreSQL, alongside any number of other workers. */
import * as Command from "effect/cli/Command"
import { text } from "../../command/SharedFlags.ts"
import type { Subcommand } from "../../command/Subcommand.ts"
import { whenRun } from "../../command/Subcommand.ts"
import { accountFlags, readFlags } from "../mirror/AccountFlags.ts"

const own = {
  to: text(
    "to",
    "MIRROR",
    "Mirror to write: postgres://user@host/database, or a file such as mirror.sqlite (one worker only)",
  ),
  ...accountFlags,
  ...readFlags,
  nightly: text(
    "nightly",
    "CRON",
    "Queue all accounts of this worker at these times, in UTC: '0 2 * * *' is at 02:00; queued once, however many workers set this",
  ),
} as const

export type WorkerChoices = Command.Command.Config.Infer<typeof own>

export const worker: Subcommand<"worker"> = Command.make(
  "worker",
  own,
  whenRun(async () => (await import("./Worker.ts")).worker),
).pipe(
  Command.withDescription("Sync queued accounts, on one machine or, with PostgreSQL, on as many as you like"),
  Command.withExamples([
    {
      command: "deedkit sync worker --accounts accounts.jsonl --to mirror.sqlite --nightly '0 2 * * *'",
      description: "One machine, every night",
    },
    {
      command: "deedkit sync worker --accounts accounts.jsonl --to postgres://user@host/database",
      description: "Work until SIGTERM or Ctrl-C",
    },
    {
      command:
        "deedkit sync worker --accounts accounts.jsonl --to postgres://user@host/database --nightly '0 2 * * *'",
      description: "Also queue every account at night",
    },
  ]),
)
