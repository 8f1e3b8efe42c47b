/** `deedkit auth`: saves, shows and deletes the API key of an account. */
import * as Command from "effect/cli/Command"
import type { Subcommand } from "../command/Subcommand.ts"
import { login } from "./Login.command.ts"
import { logout } from "./Logout.command.ts"
import { status } from "./Status.command.ts"

export const auth: Subcommand<"auth"> = Command.make("auth").pipe(
  Command.withDescription("Log in, show the API key in use, log out"),
  Command.withExamples([{ command: "deedkit auth login" }, { command: "deedkit auth status" }]),
  Command.withSubcommands([login, status, logout]),
)
