/** `deedkit export diff OLD NEW`: shows what was added, removed and changed between two exports of the same table. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { formatFlags } from "../formats/ExportFlags.ts"
import { toggle } from "../../command/SharedFlags.ts"
import type { Subcommand } from "../../command/Subcommand.ts"
import { whenRun } from "../../command/Subcommand.ts"

const { format, formulaGuard, flavour, compression, paper, headers, out, overwrite } = formatFlags

export const diff: Subcommand<"diff"> = Command.make(
  "diff",
  {
    before: Argument.String("OLD").pipe(Argument.withDescription("The earlier export")),
    after: Argument.String("NEW").pipe(Argument.withDescription("The later one")),
    format,
    formulaGuard,
    flavour,
    compression,
    paper,
    headers,
    out,
    overwrite,
    failOnChanges: toggle("fail-on-changes", "Exit with code 12 when anything differs"),
  },
  whenRun(async () => (await import("./Diff.ts")).diff),
).pipe(
  Command.withDescription("Compare two exports of the same table"),
  Command.withExamples([
    { command: "deedkit export diff march.csv april.csv", description: "As a table" },
    {
      command: "deedkit export diff march.csv april.ndjson --out changes.xlsx",
      description: "As a workbook",
    },
    {
      command: "deedkit export diff march.csv april.csv --json | jq .added",
      description: "The number of new records",
    },
  ]),
)
