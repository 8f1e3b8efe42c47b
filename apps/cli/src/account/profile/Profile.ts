/** `deedkit profile`: the accounts that this program knows, which one is current, and how to forget one. */
import * as Effect from "effect/Effect"
import { Environment } from "../../terminal/Environment.ts"
import type { Variables } from "../../terminal/Environment.ts"
import * as KeyForgetting from "../DeleteKey.ts"
import type { KeyPlace } from "../../store/Profile.ts"
import * as Profiles from "../../store/Profile.ts"
import { find, nameOf } from "../../session/ProfileChoice.ts"
import * as ProfileFile from "../../store/ProfileFile.ts"
import { root } from "../../command/Root.ts"
import { note } from "../../session/Session.ts"
import { Terminal } from "../../terminal/Terminal.ts"
import * as TerminalTable from "../../terminal/TerminalTable.ts"
import type { Work } from "../../command/Subcommand.ts"

const keyWords = (key: KeyPlace | null): string =>
  key === null
    ? "none"
    : key.in === "file"
      ? `file ${key.path}`
      : key.in === "plaintext"
        ? "plaintext, insecure"
        : key.in

const columns = ["Profile", "In force", "Base URL", "Key", "Cursor", "Verified"].map((heading) => ({
  heading,
  align: "left" as const,
  shrinks: heading === "Base URL" || heading === "Key",
}))

export const list: Work = Effect.fn(function* () {
  const flags = yield* root
  const variables = yield* Environment
  const terminal = yield* Terminal
  const tell = note(terminal, flags)
  const { othersMayRead, path, profiles } = yield* ProfileFile.load(variables)
  const inForce = (yield* nameOf(flags, variables, profiles))?.value
  const rows = [...profiles.byName].map(([each, { baseUrl, cursor, key, learnt }]) => ({
    name: each,
    inForce: each === inForce,
    baseUrl,
    key,
    cursor,
    learnt,
  }))
  if (othersMayRead) tell(`Others may read the file of profiles ${path}: run chmod 600 on it.`, "yellow")
  if (flags.json) {
    return yield* terminal.json(
      JSON.stringify({ path, current: profiles.current, othersMayRead, profiles: rows }, null, 2),
    )
  }
  if (rows.length === 0) return tell("There is no profile. Make one with deedkit auth login.")
  const { style, width } = terminal
  yield* terminal.dressed(
    TerminalTable.render(
      columns,
      rows.map(({ baseUrl, cursor, inForce, key, name }) => [
        name,
        inForce ? "yes" : "",
        baseUrl,
        keyWords(key),
        cursor?.parameter ?? "not verified",
        cursor?.verifiedAt.slice(0, 10) ?? "",
      ]),
      { width, style },
    ),
  )
})

/** The profile of a name, as it is now. */
const existing = (variables: Variables, name: string) =>
  Effect.flatMap(ProfileFile.load(variables), ({ profiles }) => find(profiles, name))

interface Named {
  readonly name: string
}

export const use: Work<Named> = Effect.fn(function* ({ name }) {
  const flags = yield* root
  const variables = yield* Environment
  const tell = note(yield* Terminal, flags)
  yield* existing(variables, name)
  yield* Effect.gen(function* () {
    yield* existing(variables, name)
    yield* ProfileFile.update(variables, (profiles) => ({ ...profiles, current: name }))
  }).pipe(ProfileFile.alone(variables))
  tell(`Commands that name no profile work with ${name} from now on.`)
  if (variables.profile !== undefined && variables.profile !== name) {
    tell(`DEEDKIT_PROFILE is set to ${variables.profile} and stays in force until it is unset.`, "yellow")
  }
})

export const remove: Work<Named> = Effect.fn(function* ({ name }) {
  const flags = yield* root
  const variables = yield* Environment
  const tell = note(yield* Terminal, flags)
  yield* existing(variables, name)
  const { forgotten, profile } = yield* Effect.gen(function* () {
    const profile = yield* existing(variables, name)
    const forgotten = yield* KeyForgetting.forget(variables, name, profile)
    yield* ProfileFile.update(variables, (profiles) => Profiles.remove(profiles, name))
    return { forgotten, profile }
  }).pipe(ProfileFile.alone(variables))
  tell(`Profile ${name} is removed. ${profile.key === null ? "" : forgotten.words}`.trim())
  const { byName, current } = (yield* ProfileFile.load(variables)).profiles
  if (current === null && byName.size > 0) {
    tell(
      `No profile is current now. There are: ${[...byName.keys()].join(", ")}; choose with deedkit profile use.`,
    )
  }
})
