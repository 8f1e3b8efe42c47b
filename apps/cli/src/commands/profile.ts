/** `deedkit profile`: lists profiles, selects the current one, and removes a profile. Also deletes the saved key of one. */
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import { examples } from "../command/SharedFlags.ts"
import type { Subcommand } from "../command/Subcommand.ts"
import type { Failure } from "../failure/Failure.ts"
import { find, nameOf } from "../session/ProfileChoice.ts"
import { output } from "../session/Session.ts"
import type { Session } from "../session/Session.ts"
import { ownerOf } from "../session/Settings.ts"
import * as KeyStore from "../store/KeyStore.ts"
import type { KeyPlace, Profile } from "../store/Profile.ts"
import * as Profiles from "../store/Profile.ts"
import { originOf } from "../store/Profile.ts"
import * as PrivateFile from "../store/PrivateFile.ts"
import * as ProfileFile from "../store/ProfileFile.ts"
import { Environment } from "../terminal/Environment.ts"
import type { Variables } from "../terminal/Environment.ts"
import * as TerminalTable from "../terminal/TerminalTable.ts"

export interface Deleted {
  /** Whether a saved key was deleted. A user's own key file is never touched. */
  readonly removed: boolean
  /** Whether a saved key may be left, because its keychain cannot be used. */
  readonly isLeft?: boolean
  readonly words: string
}

/** Says what was deleted. Without a key that is left, --quiet leaves it out. */
export const tellDeleted = (
  { note, terminal }: Pick<Session, "note" | "terminal">,
  { isLeft = false, words }: Deleted,
): void => (isLeft ? terminal.say(words, "yellow") : note(words))

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
  const removing = Effect.map(KeyStore.remove(key.in, ownerOf(variables, name, origin)), (removed) => ({
    removed,
    words: removed
      ? `The key of profile ${name} is no longer in ${store}. ${revoke}`
      : `The key of profile ${name} was not in ${store} any more. ${revoke}`,
  }))
  if (key.in === "plaintext") return removing
  // A profile has to be removable on a machine that has lost its keychain.
  return Effect.catch(removing, ({ message }) =>
    Effect.succeed({
      removed: false,
      isLeft: true,
      words: `${message.split(". ")[0]}. The key of profile ${name} may still be in it, as the entry deedkit for "${name} ${origin}": delete it there. ${revoke}`,
    }),
  )
}

const keyWords = (key: KeyPlace | null): string =>
  key === null
    ? "none"
    : key.in === "file"
      ? `file ${key.path}`
      : key.in === "plaintext"
        ? "plaintext, insecure"
        : key.in

const columns = ["Profile", "Active", "Base URL", "Key", "Cursor", "Verified"].map((heading) =>
  TerminalTable.left(heading, heading === "Base URL" || heading === "Key"),
)

const list = Command.make(
  "list",
  {},
  Effect.fn(function* () {
    const { flags, note, terminal } = yield* output
    const variables = yield* Environment
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
    if (othersMayRead) note(`Other users can read the profile file ${path}: run chmod 600 on it.`, "yellow")
    if (flags.json) {
      return yield* terminal.json(
        JSON.stringify({ path, current: profiles.current, othersMayRead, profiles: rows }, null, 2),
      )
    }
    if (rows.length === 0) return note("No profiles. Create one with `deedkit auth login`.")
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
        terminal,
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
    const { note } = yield* output
    const variables = yield* Environment
    yield* existing(variables, name)
    yield* Effect.gen(function* () {
      yield* existing(variables, name)
      yield* ProfileFile.update(variables, (profiles) => ({ ...profiles, current: name }))
    }).pipe(ProfileFile.alone(variables))
    note(`${name} is now the current profile.`)
    if (variables.profile !== undefined && variables.profile !== name) {
      note(`DEEDKIT_PROFILE is set to ${variables.profile} and is used until it is unset.`, "yellow")
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
    const told = yield* output
    const variables = yield* Environment
    yield* existing(variables, name)
    const { deleted, profile } = yield* Effect.gen(function* () {
      const profile = yield* existing(variables, name)
      const deleted = yield* deleteKey(variables, name, profile)
      yield* ProfileFile.update(variables, (profiles) => Profiles.remove(profiles, name))
      return { deleted, profile }
    }).pipe(ProfileFile.alone(variables))
    const words = `Removed profile ${name}. ${profile.key === null ? "" : deleted.words}`.trim()
    tellDeleted(told, { ...deleted, words })
    const { byName, current } = (yield* ProfileFile.load(variables)).profiles
    if (current === null && byName.size > 0) {
      told.note(
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
