/** `deedkit auth login`: checks an address and its API key and saves both in a profile. */
import * as Command from "effect/cli/Command"
import { text, toggle } from "../command/SharedFlags.ts"
import type { Subcommand } from "../command/Subcommand.ts"
import { whenRun } from "../command/Subcommand.ts"

const own = {
  withKey: toggle("with-key", "Read the API key from standard input instead of asking for it"),
  keyFile: text("key-file", "FILE", "Use the key in FILE (mode 600), which is not copied"),
  insecureStorage: toggle("insecure-storage", "Save the key in a plaintext file instead of the keychain"),
  noInput: toggle("no-input", "Never prompt"),
} as const

export type LoginChoices = Command.Command.Config.Infer<typeof own>

export const login: Subcommand<"login"> = Command.make(
  "login",
  own,
  whenRun(async () => (await import("./Login.ts")).login),
).pipe(
  Command.withDescription("Check a base URL and an API key, and save them in a profile"),
  Command.withExamples([
    { command: "deedkit auth login", description: "Asks for both; the key stays hidden" },
    {
      command: "pass show deedkit | deedkit auth login --base-url https://api.example.com --with-key",
      description: "Without prompts",
    },
    {
      command: "deedkit auth login --profile office --key-file ~/.deedkit-key",
      description: "With a key file",
    },
  ]),
)
