/** `deedkit sync verify MIRROR`: reads some records of each account again from the service and compares them. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { wholeNumber } from "../../command/SharedFlags.ts"
import type { Subcommand } from "../../command/Subcommand.ts"
import { whenRun } from "../../command/Subcommand.ts"
import { accountFlags } from "../mirror/AccountFlags.ts"

const own = {
  mirror: Argument.String("MIRROR").pipe(
    Argument.withDescription("Mirror that a sync has written: its file, or its address in PostgreSQL"),
  ),
  ...accountFlags,
  sample: wholeNumber("sample", "Records of each list that are compared; default 20"),
} as const

export type VerifyChoices = Command.Command.Config.Infer<typeof own>

export const verify: Subcommand<"verify"> = Command.make(
  "verify",
  own,
  whenRun(async () => (await import("./Verify.ts")).verify),
).pipe(
  Command.withDescription("Compare a sample of a mirror with the service, record by record"),
  Command.withExamples([
    {
      command: "deedkit sync verify mirror.sqlite",
      description: "20 records of each list of the current account",
    },
    {
      command: "deedkit sync verify mirror.sqlite --accounts accounts.jsonl --sample 100",
      description: "A larger sample of every account of a file",
    },
  ]),
)
