/** The flags that name several accounts. `--profile` is a flag of every command; where it is repeated, it becomes `--profiles`. */
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { text, toggle } from "../../command/SharedFlags.ts"

export const accountFlags = {
  profiles: Flag.String("profiles").pipe(Flag.atLeast(0), Flag.withHidden),
  all: toggle("all", "Use the accounts of all profiles. For several, repeat --profile"),
  accounts: text(
    "accounts",
    "FILE",
    "Use the accounts of a file: JSON Lines with name, baseUrl, and keyFile, keyEnv or profile",
  ),
} as const

export type AccountChoices = Command.Command.Config.Infer<typeof accountFlags>
