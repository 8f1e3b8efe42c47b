/** `deedkit export verify FILE...`: whether files are as they were exported. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import type { Subcommand } from "../Subcommand.ts"
import { whenRun } from "../Subcommand.ts"

export const verify: Subcommand<"verify"> = Command.make(
  "verify",
  {
    files: Argument.String("FILE").pipe(
      Argument.withDescription("Exported files, or their manifests for all files of an export"),
      Argument.atLeast(1),
    ),
  },
  whenRun(async () => (await import("../actions/ExportVerify.ts")).verify),
).pipe(
  Command.withDescription("Check files against the manifests beside them"),
  Command.withExamples([
    { command: "deedkit export verify contracts.xlsx", description: "One file" },
    { command: "deedkit export verify contracts.csv.manifest.json", description: "All files of an export" },
  ]),
)
