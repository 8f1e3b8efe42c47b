/** `deedkit export verify FILE...`: checks whether files match their manifests, and whether the exports are complete and recent. */
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Age from "../../command/Age.ts"
import { text } from "../../command/SharedFlags.ts"
import type { Subcommand } from "../../command/Subcommand.ts"
import { whenRun } from "../../command/Subcommand.ts"

export const verify: Subcommand<"verify"> = Command.make(
  "verify",
  {
    files: Argument.String("FILE").pipe(
      Argument.withDescription("Exported files, or a manifest for all files of an export"),
      Argument.atLeast(1),
    ),
    manifest: text("manifest", "FILE", "Manifest; default: the one beside each file"),
    maxAge: Flag.String("max-age").pipe(
      Flag.filter(
        (span) => Age.parse(span) !== null,
        () => Age.shape,
      ),
      Flag.withMetavar("SPAN"),
      Flag.withDescription("Exit with code 9 when an export ended longer ago than SPAN, such as 36h or 2d"),
      Flag.optional,
      Flag.map(Option.getOrUndefined),
    ),
  },
  whenRun(async () => (await import("./Verify.ts")).verify),
).pipe(
  Command.withDescription("Check files against their manifests; the exit code is that of the worst file"),
  Command.withExamples([
    { command: "deedkit export verify contracts.xlsx", description: "One file" },
    { command: "deedkit export verify contracts.csv.manifest.json", description: "All files of an export" },
    {
      command: "deedkit export verify contracts.xlsx --max-age 36h",
      description: "Check that last night's export is complete and recent",
    },
    {
      command: "deedkit export verify 2026-03.csv --manifest contracts.csv.manifest.json",
      description: "A file that was renamed",
    },
  ]),
)
