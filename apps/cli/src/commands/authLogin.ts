/**
 * `deedkit auth login`: asks for an address and a key, checks them, reports what works, and saves them in a profile. A key without any access is not
 * saved, and nothing is saved in plaintext without `--insecure-storage`.
 *
 * The key goes to its store and its location to the profile under the lock of the settings, so that two simultaneous logins do not overwrite each other.
 */
import { resolve } from "node:path"
import type { ClientConfig } from "@deedkit/core"
import { Trial } from "@deedkit/core/checkup"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type * as Stdio from "effect/Stdio"
import * as Command from "effect/cli/Command"
import { trialName, trialWords } from "../doctor/FindingWords.ts"
import { root, text, toggle } from "../command/SharedFlags.ts"
import type { SharedFlags } from "../command/SharedFlags.ts"
import type { Subcommand, Work } from "../command/Subcommand.ts"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"
import * as KeySource from "../session/KeySource.ts"
import { isNamed, nameOf } from "../session/ProfileChoice.ts"
import * as Session from "../session/Session.ts"
import type { Setting } from "../session/Setting.ts"
import { given, settle } from "../session/Setting.ts"
import * as Settings from "../session/Settings.ts"
import * as BaseUrl from "../store/BaseUrl.ts"
import { Keychain } from "../store/Keychain.ts"
import * as KeyStore from "../store/KeyStore.ts"
import type { KeyPlace, Profile, Profiles } from "../store/Profile.ts"
import { add } from "../store/Profile.ts"
import * as ProfileFile from "../store/ProfileFile.ts"
import { Environment } from "../terminal/Environment.ts"
import type { Variables } from "../terminal/Environment.ts"
import { Prompts } from "../terminal/Prompts.ts"
import { Terminal } from "../terminal/Terminal.ts"

const own = {
  withKey: toggle("with-key", "Read the API key from standard input instead of asking for it"),
  keyFile: text("key-file", "FILE", "Use the key in FILE (mode 600), which is not copied"),
  insecureStorage: toggle("insecure-storage", "Save the key in a plaintext file instead of the keychain"),
  noInput: toggle("no-input", "Never prompt"),
} as const

type LoginChoices = Command.Command.Config.Infer<typeof own>

/** Prompts are short, because a terminal can break them at any character. A line printed before each one explains it. */
const askable = (noInput: boolean) =>
  Effect.gen(function* () {
    const { canAsk, secret, text } = yield* Prompts
    const { say } = yield* Terminal
    if (!canAsk || noInput) return null
    return {
      baseUrl: Effect.suspend(() => {
        say("The base URL of the API, without /v1/, like https://api.example.com", "dim")
        return text("Base URL: ")
      }),
      apiKey: Effect.fnUntraced(function* (address: string | null) {
        if (address !== null) say(`For ${address}`, "dim")
        say("An API key from the service's dashboard (Settings, Integrations). Input is hidden.", "dim")
        return yield* secret("API key: ")
      }),
    }
  })

/**
 * The address and its source. Prompts when no source gives one. With `--profile` and without `--base-url`, an address from the environment is rejected
 * unless it is that of the profile.
 */
const baseUrlOf = Effect.fnUntraced(function* (
  flags: SharedFlags,
  variables: Variables,
  existing: { readonly name: Setting<string>; readonly profile: Profile } | null,
  { keyFile, noInput, withKey }: LoginChoices,
) {
  const ofVariable = variables.baseUrl === "" ? undefined : variables.baseUrl
  const isOther = existing === null || !BaseUrl.isSame(existing.profile.baseUrl, ofVariable ?? "")
  if (flags.profile !== undefined && flags.baseUrl === undefined && ofVariable !== undefined && isOther) {
    return yield* usageError(
      `--profile ${flags.profile} cannot be combined with DEEDKIT_BASE_URL${existing === null ? "" : `: the profile is for ${existing.profile.baseUrl}`}`,
      "Pass the address of the profile with --base-url, or unset DEEDKIT_BASE_URL.",
    )
  }
  const prompts = yield* askable(noInput)
  const known = settle(
    given("--base-url", flags.baseUrl),
    given("DEEDKIT_BASE_URL", ofVariable),
    given("the profile", existing?.profile.baseUrl),
  )
  // A prompt shows where the key will be sent; a file and a pipe do not.
  const isTyped = !withKey && !flags.apiKeyStdin && keyFile === undefined
  if (known?.source === "the profile" && !isTyped && !isNamed(existing)) {
    return yield* usageError(
      "The account of the API key is not specified",
      `Pass --profile ${existing?.name.value} to log in to ${known.value} again, or --base-url with another address.`,
    )
  }
  if (known !== null) return known
  if (prompts !== null) return { value: yield* prompts.baseUrl, source: null }
  return yield* usageError(
    "Missing base URL, and no terminal to ask for it",
    "Pass --base-url or set DEEDKIT_BASE_URL.",
  )
})

/** How the key will be read. Fails before any request if it cannot be read. */
const keyFrom = Effect.fnUntraced(function* (
  flags: SharedFlags,
  { keyFile, noInput, withKey }: LoginChoices,
  /** The address that the key will be sent to, if the user did not type it. */
  address: string | null,
) {
  if (withKey || flags.apiKeyStdin) {
    return { read: KeySource.fromStdin(withKey ? "--with-key" : "--api-key-stdin") }
  }
  if (keyFile !== undefined) return { read: KeySource.fromFile(keyFile, "--key-file") }
  const prompts = yield* askable(noInput)
  if (prompts !== null) return { read: Effect.map(prompts.apiKey(address), KeyStore.wrap) }
  return yield* usageError(
    "Missing API key, and no terminal to ask for it",
    "Pass it on standard input with --with-key, or name its file with --key-file.",
  )
})

/** The variables that commands would reject together with this profile, or use instead of it. */
const hiders = ({ apiKey, apiKeyFile }: Variables): ReadonlyArray<string> => [
  ...(apiKey === undefined ? [] : ["DEEDKIT_API_KEY"]),
  ...(apiKeyFile === undefined ? [] : ["DEEDKIT_API_KEY_FILE"]),
]

interface Saved {
  /** Where the key is now, as a phrase that follows "the key". */
  readonly words: string
  /** The last four characters of a different key that was replaced; null if there was none. */
  readonly replaced: string | null
}

/**
 * Rejects a name that is used for another address, whose account would be replaced, or that differs only in case. Some keychains do not distinguish
 * `Office` from `office`.
 */
const checkName = ({ byName }: Profiles, name: string, baseUrl: string): Effect.Effect<void, Failure> => {
  const existing = byName.get(name)
  if (existing !== undefined && !BaseUrl.isSame(existing.baseUrl, baseUrl)) {
    return Effect.fail(
      usageError(
        `Profile ${name} is for ${existing.baseUrl}`,
        `Give the other address a name of its own with --profile NAME, or remove this one with deedkit profile remove ${name}.`,
      ),
    )
  }
  const alike = [...byName.keys()].find(
    (other) => other !== name && other.toLowerCase() === name.toLowerCase(),
  )
  return alike === undefined
    ? Effect.void
    : Effect.fail(
        usageError(
          `There is a profile "${alike}", and "${name}" differs from it in upper and lower case only`,
          `Use ${alike}, or choose another name.`,
        ),
      )
}

/** The last four characters of the profile's current key if they differ from those of `key`; null if they are equal or unknown. */
const otherKey = (
  variables: Variables,
  name: string,
  existing: Profile,
  key: Redacted.Redacted,
): Effect.Effect<string | null, never, Stdio.Stdio> => {
  const source = Settings.savedKey(variables, name, existing)
  if (source === null) return Effect.succeed(null)
  return Effect.map(Effect.option(KeySource.read(source)), (before) => {
    const end = Option.isNone(before) ? null : KeyStore.lastFour(before.value)
    return end === KeyStore.lastFour(key) ? null : end
  })
}

/** Saves the key of a profile. Fails with a `Failure` if the profile has been changed to another address in the meantime. */
const save = (
  variables: Variables,
  name: string,
  place: KeyPlace,
  config: Pick<ClientConfig.ClientConfig, "base" | "origin">,
  key: Redacted.Redacted,
): Effect.Effect<Saved, Failure, Stdio.Stdio> =>
  Effect.gen(function* () {
    const { profiles } = yield* ProfileFile.load(variables)
    yield* checkName(profiles, name, config.base)
    const existing = profiles.byName.get(name) ?? null
    const replaced = existing === null ? null : yield* otherKey(variables, name, existing, key)
    const owner = Settings.ownerOf(variables, name, config.origin)
    if (place.in !== "file") yield* KeyStore.write(place.in, owner, key)
    const { cursor = null, learnt = null } = existing ?? {}
    yield* ProfileFile.update(variables, (now) =>
      add(now, name, { baseUrl: config.base, key: place, cursor, learnt }),
    ).pipe(
      // A key that no saved profile points to is removed: it would never be found again.
      Effect.tapError(() =>
        place.in === "file" || existing?.key?.in === place.in
          ? Effect.void
          : Effect.ignore(KeyStore.remove(place.in, owner)),
      ),
    )
    const before = existing?.key
    if (before != null && before.in !== "file" && before.in !== place.in) {
      yield* Effect.ignore(KeyStore.remove(before.in, owner))
    }
    return { words: wordsOf(place, owner.plaintextPath), replaced }
  }).pipe(ProfileFile.alone(variables))

const wordsOf = (place: KeyPlace, plaintextPath: string): string => {
  switch (place.in) {
    case "file":
      return `stays in the file ${place.path}`
    case "keychain":
      return "is saved in the keychain"
    case "plaintext":
      return `is saved in plaintext in ${plaintextPath}, readable by anyone who can read your files`
  }
}

const work: Work<LoginChoices> = Effect.fn(function* (mine) {
  const flags = yield* root
  const variables = yield* Environment
  const { profiles } = yield* ProfileFile.load(variables)
  const chosen = yield* nameOf(flags, variables, profiles)
  const name = chosen?.value ?? "default"
  const profile = profiles.byName.get(name) ?? null
  const existing = chosen === null || profile === null ? null : { name: chosen, profile }
  const place: KeyPlace =
    mine.keyFile !== undefined
      ? { in: "file", path: resolve(mine.keyFile) }
      : { in: mine.insecureStorage ? "plaintext" : "keychain" }
  const { source, value: baseUrl } = yield* baseUrlOf(flags, variables, existing, mine)
  const typo = BaseUrl.withoutScheme(baseUrl)
  if (typo !== null) return yield* typo
  yield* checkName(profiles, name, baseUrl)
  const isTyped = source === null || source === "--base-url"
  const key = yield* keyFrom(flags, mine, isTyped ? null : `${BaseUrl.addressOf(baseUrl)} (${source})`)
  // Detects an unusable keychain before the user types the key.
  if (place.in === "keychain") yield* (yield* Keychain).get("availability")
  const apiKey = yield* key.read
  const options = { baseUrl, apiKey, rate: flags.rate, ...Settings.retryOptions(flags, "interactive") }
  const { client, note, terminal } = yield* Session.connect(options, flags)
  const trials = yield* Trial.run(client)
  const failure = Trial.failure(trials)
  if (failure !== null) return yield* failure

  const { replaced, words } = yield* save(variables, name, place, client.config, apiKey)
  const missing = Trial.missingScopes(trials)
  for (const trial of trials) {
    note(`${trialName(trial)}: ${trialWords(trial)}`, trial.error === null ? "green" : "yellow")
  }
  const shown = KeyStore.lastFour(apiKey)
  note(`Profile ${name} (${client.config.base}): the key ${shown === null ? "" : `${shown} `}${words}.`)
  if (replaced !== null) {
    note(
      `It replaces the key ${replaced}. A second account needs a profile of its own: --profile NAME.`,
      "yellow",
    )
  }
  for (const hider of hiders(variables)) {
    note(`${hider} is set: unset it to use this profile.`, "yellow")
  }
  if (flags.json) {
    const document = {
      profile: name,
      baseUrl: client.config.base,
      key: {
        ...place,
        lastFour: shown,
        insecure: place.in === "plaintext",
        hiddenBy: hiders(variables),
        replaced,
      },
      works: trials.filter(({ error }) => error === null).map(trialName),
      missingScopes: missing,
    }
    yield* terminal.json(JSON.stringify(document, null, 2))
  }
}, Effect.scoped)

export const login: Subcommand<"login"> = Command.make("login", own, work).pipe(
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
