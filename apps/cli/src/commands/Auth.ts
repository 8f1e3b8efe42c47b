/** `deedkit auth`: the API key of an account, kept, looked at, forgotten. */
import * as Command from "effect/cli/Command"
import type { Subcommand } from "../Subcommand.ts"
import { login } from "./AuthLogin.ts"
import { logout } from "./AuthLogout.ts"
import { status } from "./AuthStatus.ts"

export const auth: Subcommand<"auth"> = Command.make("auth").pipe(
  Command.withDescription("Log in, see which key is in use, log out"),
  Command.withExamples([{ command: "deedkit auth login" }, { command: "deedkit auth status" }]),
  Command.withSubcommands([login, status, logout]),
)
