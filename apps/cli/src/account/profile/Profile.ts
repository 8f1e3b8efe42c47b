/** `deedkit profile`: lists profiles, selects the current one, and removes a profile. */
import * as Effect from "effect/Effect"
import { Environment } from "../../terminal/Environment.ts"
import type { Variables } from "../../terminal/Environment.ts"
import * as DeleteKey from "../DeleteKey.ts"
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

const columns = ["Profile", "Active", "Base URL", "Key", "Cursor", "Verified"].map((heading) => ({
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
  const active = (yield* nameOf(flags, variables, profiles))?.value
  const rows = [...profiles.byName].map(([each, { baseUrl, cursor, key, learnt }]) => ({
    name: each,
    active: each === active,
    baseUrl,
    key,
    cursor,
    learnt,
  }))
  if (othersMayRead) tell(`Other users can read the profile file ${path}: run chmod 600 on it.`, "yellow")
  if (flags.json) {
    return yield* terminal.json(
      JSON.stringify({ path, current: profiles.current, othersMayRead, profiles: rows }, null, 2),
    )
  }
  if (rows.length === 0) return tell("No profiles. Create one with `deedkit auth login`.")
  const { style, width } = terminal
  yield* terminal.dressed(
    TerminalTable.render(
      columns,
      rows.map(({ baseUrl, cursor, active, key, name }) => [
        name,
        active ? "yes" : "",
        baseUrl,
        keyWords(key),
        cursor?.parameter ?? "not verified",
        cursor?.verifiedAt.slice(0, 10) ?? "",
      ]),
      { width, style },
    ),
  )
})

/** The profile of this name, read from the profile file. */
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
  tell(`${name} is now the current profile.`)
  if (variables.profile !== undefined && variables.profile !== name) {
    tell(`DEEDKIT_PROFILE is set to ${variables.profile} and is used until it is unset.`, "yellow")
  }
})

export const remove: Work<Named> = Effect.fn(function* ({ name }) {
  const flags = yield* root
  const variables = yield* Environment
  const tell = note(yield* Terminal, flags)
  yield* existing(variables, name)
  const { deleted, profile } = yield* Effect.gen(function* () {
    const profile = yield* existing(variables, name)
    const deleted = yield* DeleteKey.remove(variables, name, profile)
    yield* ProfileFile.update(variables, (profiles) => Profiles.remove(profiles, name))
    return { deleted, profile }
  }).pipe(ProfileFile.alone(variables))
  tell(`Removed profile ${name}. ${profile.key === null ? "" : deleted.words}`.trim())
  const { byName, current } = (yield* ProfileFile.load(variables)).profiles
  if (current === null && byName.size > 0) {
    tell(
      `No profile is current. Choose one of ${[...byName.keys()].join(", ")} with \`deedkit profile use NAME\`.`,
    )
  }
})
