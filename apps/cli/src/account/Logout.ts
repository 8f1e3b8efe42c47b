/**
 * `deedkit auth logout`: forgets the key of a profile. The profile keeps its address and what is known of the server, and the service keeps
 * the key: only its dashboard revokes one (Spec: States, API key).
 */
import * as Effect from "effect/Effect"
import { Environment } from "../terminal/Environment.ts"
import * as KeyForgetting from "./DeleteKey.ts"
import { put } from "../store/Profile.ts"
import * as ProfileChoice from "../session/ProfileChoice.ts"
import * as ProfileFile from "../store/ProfileFile.ts"
import { root } from "../command/Root.ts"
import { note } from "../session/Session.ts"
import { Terminal } from "../terminal/Terminal.ts"
import { usageError } from "../failure/UsageError.ts"
import type { Work } from "../command/Subcommand.ts"

export const logout: Work = Effect.fn(function* () {
  const flags = yield* root
  const variables = yield* Environment
  const terminal = yield* Terminal
  const tell = note(terminal, flags)
  const choice = yield* ProfileChoice.choose(flags, variables)
  const { name, profile } = choice
  if (name === null || profile === null) {
    return yield* usageError(
      "There is no profile to log out of",
      ProfileChoice.advice(choice) ?? "deedkit auth login makes one.",
    )
  }
  const forgotten = yield* Effect.gen(function* () {
    const { profiles } = yield* ProfileFile.load(variables)
    const now = yield* ProfileChoice.find(profiles, name.value)
    const done = yield* KeyForgetting.forget(variables, name.value, now)
    yield* ProfileFile.update(variables, (all) =>
      now.key === null ? all : put(all, name.value, { ...now, key: null }),
    )
    return done
  }).pipe(ProfileFile.alone(variables))
  tell(forgotten.words)
  if (variables.apiKey !== undefined) tell("DEEDKIT_API_KEY is still set.", "yellow")
  if (flags.json) {
    const document = { profile: name.value, removed: forgotten.removed }
    yield* terminal.json(JSON.stringify(document, null, 2))
  }
})
