/** `deedkit export report`: a workbook that is sent on, with a cover, units, months, and API keys with what is wrong with them. */
import * as Command from "effect/cli/Command"
import { contractFlags, formatFlags, runFlags } from "../formats/ExportFlags.ts"
import type { Subcommand } from "../../command/Subcommand.ts"
import { whenRun } from "../../command/Subcommand.ts"

const { compression, out, overwrite, paper } = formatFlags
const { dryRun, manifest, maxRejects, pageSize, quick, resume, sign } = runFlags

export const report: Subcommand<"report"> = Command.make(
  "report",
  {
    compression,
    dryRun,
    manifest,
    maxRejects,
    out,
    overwrite,
    pageSize,
    paper,
    quick,
    resume,
    sign,
    ...contractFlags,
  },
  whenRun(async () => (await import("./Report.ts")).report),
).pipe(
  Command.withDescription(
    "Export a workbook to send on: cover, contracts, units, months, API keys with findings",
  ),
  Command.withExamples([
    { command: "deedkit export report --out march.xlsx" },
    {
      command: "deedkit export report --paper letter --link 'https://site.example/{slug}' --out march.xlsx",
      description: "For US Letter, with links to the listings",
    },
  ]),
)
