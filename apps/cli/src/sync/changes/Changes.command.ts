/** `deedkit sync changes MIRROR --since DATE`: shows what changed in a mirror, for people, documents and programs. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import { text, toggle } from "../../command/SharedFlags.ts"
import type { Subcommand } from "../../command/Subcommand.ts"
import { whenRun } from "../../command/Subcommand.ts"
import * as DigestFormat from "./digest/DigestFormat.ts"
import * as Since from "./Since.ts"

const own = {
  mirror: Argument.String("MIRROR").pipe(
    Argument.withDescription("Mirror that a sync has written: its file, or its address in PostgreSQL"),
  ),
  since: Flag.String("since").pipe(
    Flag.filter(
      (value) => Since.isSince(value),
      () => Since.shape,
    ),
    Flag.withMetavar("DATE"),
    Flag.withDescription(
      "Show what was first seen since then: a date, a UTC time, or a span such as 36h or 7d",
    ),
  ),
  format: Flag.Literals("format", DigestFormat.names).pipe(
    Flag.withDescription(
      "Text, Markdown, a page of HTML, JSON (as --json) or a workbook; default: the ending of --out, else text",
    ),
    Flag.optional,
    Flag.map(Option.getOrUndefined),
  ),
  out: text("out", "FILE", "File to write, or - for standard output; a workbook needs one"),
  overwrite: toggle("overwrite", "Replace an existing file"),
  failOnChanges: toggle("fail-on-changes", "Exit with code 12 when there are changes"),
  notify: text(
    "notify",
    "URL",
    "Post the JSON digest to your own webhook when there are changes, signed with the secret in DEEDKIT_NOTIFY_SECRET",
  ),
  notifySecretFile: text(
    "notify-secret-file",
    "FILE",
    "File that holds the secret of --notify and nothing else (mode 600), instead of the variable",
  ),
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
      command: "deedkit sync changes mirror.sqlite --since 2026-11-01 --out november.html",
      description: "As a page to send on; .md, .json and .xlsx work the same way",
    },
    {
      command: "deedkit sync changes mirror.sqlite --since 36h --fail-on-changes --quiet",
      description: "In a scheduled job: exit code 12 when there are changes",
    },
    {
      command: "deedkit sync changes mirror.sqlite --since 1d --notify https://hooks.example.com/deedkit",
      description: "To a webhook, which checks the signature",
    },
  ]),
)
