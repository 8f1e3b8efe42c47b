/**
 * `deedkit auth`: saves, shows and deletes the API key of an account. `logout` deletes the saved key of a profile, which keeps its address and the
 * findings about the server. The key stays valid: only the dashboard revokes one (Spec: States, API key).
 */
import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { examples } from "../command/SharedFlags.ts"
import type { Subcommand } from "../command/Subcommand.ts"
import { usageError } from "../failure/Failure.ts"
import * as ProfileChoice from "../session/ProfileChoice.ts"
import { output } from "../session/Session.ts"
import { put } from "../store/Profile.ts"
import * as ProfileFile from "../store/ProfileFile.ts"
import { Environment } from "../terminal/Environment.ts"
import { login } from "./authLogin.ts"
import { status } from "./authStatus.ts"
import { deleteKey, tellDeleted } from "./profile.ts"

const logout: Subcommand<"logout"> = Command.make(
  "logout",
  {},
  Effect.fn(function* () {
    const told = yield* output
    const { flags, note, terminal } = told
    const variables = yield* Environment
    const choice = yield* ProfileChoice.choose(flags, variables)
    const { name, profile } = choice
    if (name === null || profile === null) {
      return yield* usageError(
        "No profile to log out of",
        ProfileChoice.advice(choice) ?? "Create one with `deedkit auth login`.",
      )
    }
    const deleted = yield* Effect.gen(function* () {
      const { profiles } = yield* ProfileFile.load(variables)
      const now = yield* ProfileChoice.find(profiles, name.value)
      const done = yield* deleteKey(variables, name.value, now)
      yield* ProfileFile.update(variables, (all) =>
        now.key === null ? all : put(all, name.value, { ...now, key: null }),
      )
      return done
    }).pipe(ProfileFile.alone(variables))
    tellDeleted(told, deleted)
    if (variables.apiKey !== undefined) note("DEEDKIT_API_KEY is still set.", "yellow")
    if (flags.json) {
      const left = deleted.isLeft === true ? { left: true } : {}
      const document = { profile: name.value, removed: deleted.removed, ...left }
      yield* terminal.json(JSON.stringify(document, null, 2))
    }
  }),
).pipe(
  Command.withDescription(
    "Delete the saved API key of a profile; the key stays valid until it is revoked in the dashboard",
  ),
  examples(`
    deedkit auth logout
    deedkit auth logout --profile office
  `),
)

export const auth: Subcommand<"auth"> = Command.make("auth").pipe(
  examples(`
    deedkit auth login
    deedkit auth status
  `),
  Command.withSubcommands([login, status, logout]),
)
