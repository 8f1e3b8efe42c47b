/** `deedkit auth login`: an address and its API key are tried, and kept in a profile. */
import * as Command from "effect/cli/Command"
import { text, toggle } from "../command/SharedFlags.ts"
import type { Subcommand } from "../command/Subcommand.ts"
import { whenRun } from "../command/Subcommand.ts"

const own = {
  withKey: toggle("with-key", "Read the API key from standard input instead of asking for it"),
  keyFile: text("key-file", "FILE", "Use the key in this file of mode 600, which stays where it is"),
  insecureStorage: toggle(
    "insecure-storage",
    "Keep the key in plaintext in a file, where there is no keychain",
  ),
  noInput: toggle("no-input", "Ask nothing, not even at a terminal"),
} as const

export type LoginChoices = Command.Command.Config.Infer<typeof own>

export const login: Subcommand<"login"> = Command.make(
  "login",
  own,
  whenRun(async () => (await import("./Login.ts")).login),
).pipe(
  Command.withDescription("Keep an address and its API key in a profile, once they have been tried"),
  Command.withExamples([
    { command: "deedkit auth login", description: "Asks for both; the key is not shown" },
    {
      command: "pass show deedkit | deedkit auth login --base-url https://api.example.com --with-key",
      description: "Without questions",
    },
    {
      command: "deedkit auth login --profile office --key-file ~/.deedkit-key",
      description: "With a key that stays in its file",
    },
  ]),
)
