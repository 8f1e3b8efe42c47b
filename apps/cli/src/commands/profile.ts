/** `deedkit profile`: lists profiles, selects the current one, and removes a profile. Also deletes the saved key of one. */
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { examples, root } from "../command/SharedFlags.ts"
import type { Subcommand } from "../command/Subcommand.ts"
import type { Failure } from "../failure/Failure.ts"
import { find, nameOf } from "../session/ProfileChoice.ts"
import { note } from "../session/Session.ts"
import { ownerOf } from "../session/Settings.ts"
import * as KeyStore from "../store/KeyStore.ts"
import type { KeyPlace, Profile } from "../store/Profile.ts"
import * as Profiles from "../store/Profile.ts"
import { originOf } from "../store/Profile.ts"
import * as PrivateFile from "../store/PrivateFile.ts"
import * as ProfileFile from "../store/ProfileFile.ts"
import { Environment } from "../terminal/Environment.ts"
import type { Variables } from "../terminal/Environment.ts"
import { Terminal } from "../terminal/Terminal.ts"
import * as TerminalTable from "../terminal/TerminalTable.ts"

interface Deleted {
  /** Whether a saved key was deleted. A user's own key file is never touched. */
  readonly removed: boolean
  readonly words: string
}

const revoke =
  "The key itself still works: revoke it in the service's dashboard (Settings, Integrations) if it is not needed."

/** Deletes the saved key of a profile. Nothing changes at the service. */
export const deleteKey = (
  variables: Variables,
  name: string,
  { baseUrl, key }: Profile,
): Effect.Effect<Deleted, Failure> => {
  const origin = originOf(baseUrl)
  if (key === null || origin === null) {
    return Effect.succeed({ removed: false, words: `Profile ${name} has no saved key.` })
  }
  if (key.in === "file" && key.path === ProfileFile.keyFile(variables, name)) {
    return Effect.as(PrivateFile.remove(key.path), {
      removed: true,
      words: `The file ${key.path} with the key of profile ${name} is deleted. ${revoke}`,
    })
  }
  if (key.in === "file") {
    return Effect.succeed({
      removed: false,
      words: `Profile ${name} no longer uses the file ${key.path}, which stays where it is. ${revoke}`,
    })
  }
  const store = key.in === "keychain" ? "the keychain" : "the file of plaintext keys"
  return Effect.map(KeyStore.remove(key.in, ownerOf(variables, name, origin)), (removed) => ({
    removed,
    words: removed
      ? `The key of profile ${name} is no longer in ${store}. ${revoke}`
      : `The key of profile ${name} was not in ${store} any more. ${revoke}`,
  }))
}

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

const list = Command.make(
  "list",
  {},
  Effect.fn(function* () {
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
  }),
).pipe(
  Command.withDescription("List the profiles"),
  examples(`
    deedkit profile list
    deedkit profile list --json
  `),
)

/** The profile of this name, read from the profile file. */
const existing = (variables: Variables, name: string) =>
  Effect.flatMap(ProfileFile.load(variables), ({ profiles }) => find(profiles, name))

const name = Argument.String("name").pipe(
  Argument.withMetavar("NAME"),
  Argument.withDescription("The name of the profile"),
)

const use = Command.make(
  "use",
  { name },
  Effect.fn(function* ({ name }) {
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
  }),
).pipe(
  Command.withDescription("Make a profile the current one"),
  examples(`
    deedkit profile use office
  `),
)

const remove = Command.make(
  "remove",
  { name },
  Effect.fn(function* ({ name }) {
    const flags = yield* root
    const variables = yield* Environment
    const tell = note(yield* Terminal, flags)
    yield* existing(variables, name)
    const { deleted, profile } = yield* Effect.gen(function* () {
      const profile = yield* existing(variables, name)
      const deleted = yield* deleteKey(variables, name, profile)
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
  }),
).pipe(
  Command.withDescription("Remove a profile and its saved key"),
  examples(`
    deedkit profile remove office
  `),
)

export const profile: Subcommand<"profile"> = Command.make("profile").pipe(
  examples(`
    deedkit profile list
    deedkit profile use office
  `),
  Command.withSubcommands([list, use, remove]),
)
