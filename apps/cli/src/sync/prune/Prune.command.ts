/** `deedkit sync prune MIRROR` removes old history; `deedkit sync forget MIRROR ACCOUNT...` removes whole accounts. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import type { Subcommand } from "../../command/Subcommand.ts"
import { whenRun } from "../../command/Subcommand.ts"
import * as Since from "../changes/Since.ts"

const mirror = Argument.String("MIRROR").pipe(
  Argument.withDescription("Mirror that a sync has written: its file, or its address in PostgreSQL"),
)

const ofPrune = {
  mirror,
  before: Flag.String("before").pipe(
    Flag.filter(
      (text) => Since.isSince(text),
      () => Since.shape,
    ),
    Flag.withMetavar("DATE"),
    Flag.withDescription(
      "Remove versions that were replaced before then: a date, a UTC time, or a span such as 90d",
    ),
  ),
} as const

const ofForget = {
  mirror,
  accounts: Argument.String("ACCOUNT").pipe(
    Argument.withDescription("The names of accounts in the mirror"),
    Argument.atLeast(1),
  ),
} as const

export type PruneChoices = Command.Command.Config.Infer<typeof ofPrune>
export type ForgetChoices = Command.Command.Config.Infer<typeof ofForget>

export const prune: Subcommand<"prune"> = Command.make(
  "prune",
  ofPrune,
  whenRun(async () => (await import("./Prune.ts")).prune),
).pipe(
  Command.withDescription("Remove old versions from the history of a mirror"),
  Command.withExamples([
    { command: "deedkit sync prune mirror.sqlite --before 365d", description: "Keep the history of a year" },
    {
      command: "deedkit sync prune mirror.sqlite --before 2025-01-01",
      description: "Keep the history from a date on",
    },
  ]),
)

export const forget: Subcommand<"forget"> = Command.make(
  "forget",
  ofForget,
  whenRun(async () => (await import("./Prune.ts")).forget),
).pipe(
  Command.withDescription("Remove accounts from a mirror, with their history and proof"),
  Command.withExamples([
    {
      command: "deedkit sync forget mirror.sqlite acme",
      description: "An account that left, or was misspelt",
    },
  ]),
)
