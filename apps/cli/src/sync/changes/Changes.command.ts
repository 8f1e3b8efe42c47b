/** `deedkit sync changes MIRROR --since DATE`: what changed in a mirror, for people, documents and programs. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { toggle } from "../../command/SharedFlags.ts"
import type { Subcommand } from "../../command/Subcommand.ts"
import { whenRun } from "../../command/Subcommand.ts"
import * as Since from "./Since.ts"

const own = {
  mirror: Argument.String("MIRROR").pipe(
    Argument.withDescription("Mirror that a sync has written: its file, or its address in PostgreSQL"),
  ),
  since: Flag.String("since").pipe(
    Flag.filter(
      (text) => Since.isSince(text),
      () => Since.shape,
    ),
    Flag.withMetavar("DATE"),
    Flag.withDescription(
      "Show what was first seen since then: a date, a UTC time, or a span such as 36h or 7d",
    ),
  ),
  format: Flag.Literals("format", ["text", "md", "json"]).pipe(
    Flag.withDescription("Text, Markdown, or JSON (as --json); default text"),
    Flag.withDefault("text"),
  ),
  failOnChanges: toggle("fail-on-changes", "Exit with code 12 when there are changes"),
} as const

export type ChangesChoices = Command.Command.Config.Infer<typeof own>

export const changes: Subcommand<"changes"> = Command.make(
  "changes",
  own,
  whenRun(async () => (await import("./Changes.ts")).changes),
).pipe(
  Command.withDescription("Show which records of a mirror were added, changed or removed"),
  Command.withExamples([
    { command: "deedkit sync changes mirror.sqlite --since 1d", description: "Since yesterday" },
    {
      command: "deedkit sync changes mirror.sqlite --since 2026-11-01 --format md > november.md",
      description: "As a document",
    },
    {
      command: "deedkit sync changes mirror.sqlite --since 36h --fail-on-changes --quiet",
      description: "In a scheduled job: exit code 12 when there are changes",
    },
  ]),
)
