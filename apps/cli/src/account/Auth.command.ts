/** `deedkit auth`: the API key of an account, kept, looked at, forgotten. */
import * as Command from "effect/cli/Command"
import type { Subcommand } from "../command/Subcommand.ts"
import { login } from "./Login.command.ts"
import { logout } from "./Logout.command.ts"
import { status } from "./Status.command.ts"

export const auth: Subcommand<"auth"> = Command.make("auth").pipe(
  Command.withDescription("Log in, see which key is in use, log out"),
  Command.withExamples([{ command: "deedkit auth login" }, { command: "deedkit auth status" }]),
  Command.withSubcommands([login, status, logout]),
)
