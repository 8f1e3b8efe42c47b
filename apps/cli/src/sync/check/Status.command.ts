/** `deedkit sync status MIRROR`: shows whether every account of a mirror is complete, and since when. */
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Age from "../../command/Age.ts"
import { text } from "../../command/SharedFlags.ts"
import type { Subcommand } from "../../command/Subcommand.ts"
import { whenRun } from "../../command/Subcommand.ts"

const own = {
  mirror: Argument.String("MIRROR").pipe(
    Argument.withDescription("Mirror that a sync has written: its file, or its address in PostgreSQL"),
  ),
  maxAge: Flag.String("max-age").pipe(
    Flag.filter(
      (span) => Age.parse(span) !== null,
      () => Age.shape,
    ),
    Flag.withMetavar("SPAN"),
    Flag.withDescription(
      "Exit with code 9 when an account was last complete longer ago than SPAN, such as 36h or 2d",
    ),
    Flag.optional,
    Flag.map(Option.getOrUndefined),
  ),
  format: Flag.Literals("format", ["text", "prometheus"]).pipe(
    Flag.withDescription("Text, or metrics for Prometheus; default text"),
    Flag.optional,
    Flag.map(Option.getOrUndefined),
  ),
  out: text("out", "FILE", "File for --format prometheus, replaced as a whole; default: standard output"),
} as const

export type StatusChoices = Command.Command.Config.Infer<typeof own>

export const status: Subcommand<"status"> = Command.make(
  "status",
  own,
  whenRun(async () => (await import("./Status.ts")).status),
).pipe(
  Command.withDescription("Show for each account of a mirror whether it is complete, and since when"),
  Command.withExamples([
    { command: "deedkit sync status mirror.sqlite", description: "One line for each account" },
    {
      command: "deedkit sync status mirror.sqlite --max-age 36h --quiet",
      description: "In a scheduled job: exit code 9 when an account is not complete, or too old",
    },
    {
      command:
        "deedkit sync status mirror.sqlite --json | jq -r '.accounts[] | select(.complete | not) | .account'",
      description: "The accounts that need attention",
    },
    {
      command:
        "deedkit sync status mirror.sqlite --format prometheus --out /var/lib/node_exporter/deedkit.prom",
      description: "Metrics for the textfile collector of node_exporter",
    },
  ]),
)
