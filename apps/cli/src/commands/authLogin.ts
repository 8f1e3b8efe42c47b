/**
 * `deedkit auth login`: asks for an address and a key, checks them, reports what works, and saves them in a profile. After a mistake at a prompt it asks
 * again. A key without any access is not saved. Without a keychain a key is saved only as the user decides: in a file of its own, or with
 * `--insecure-storage`.
 *
 * The key goes to its store and its location to the profile under the lock of the settings, so that two simultaneous logins do not overwrite each other.
 */
import { resolve } from "node:path"
import { ClientError } from "@deedkit/core"
import type { ClientConfig } from "@deedkit/core"
import { Trial } from "@deedkit/core/checkup"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import type * as Redacted from "effect/Redacted"
import type * as Stdio from "effect/Stdio"
import * as Command from "effect/cli/Command"
import { trialName, trialWords } from "../doctor/FindingWords.ts"
import { examples, root, text, toggle } from "../command/SharedFlags.ts"
import type { SharedFlags } from "../command/SharedFlags.ts"
import type { Subcommand, Work } from "../command/Subcommand.ts"
import * as Catalogue from "../failure/Catalogue.ts"
import * as ExitCode from "../failure/ExitCode.ts"
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
import type { Deleted } from "./profile.ts"
import { deleteKey, tellDeleted } from "./profile.ts"

const own = {
  withKey: toggle("with-key", "Read the API key from standard input instead of asking for it"),
  keyFile: text("key-file", "FILE", "Use the key in FILE (mode 600), which is not copied"),
  insecureStorage: toggle("insecure-storage", "Save the key in a plaintext file instead of the keychain"),
  noInput: toggle("no-input", "Never prompt"),
} as const

type LoginChoices = Command.Command.Config.Infer<typeof own>

/** Times that a person is asked for the same. */
const mostTries = 3

/** Prompts are short, because a terminal can break them at any character. A line printed before each one explains it. */
const askable = Effect.fnUntraced(function* (noInput: boolean) {
  const { canAsk, secret, text } = yield* Prompts
  const { say } = yield* Terminal
  if (!canAsk || noInput) return null
  return {
    baseUrl: Effect.gen(function* () {
      say("The base URL of the API, without /v1/, like https://api.example.com", "dim")
      for (let tries = 1; ; tries += 1) {
        const typed = yield* text("Base URL: ")
        const meant = BaseUrl.withScheme(typed)
        if (meant !== null) say(`The address is ${meant}.`, "dim")
        // What the last try is, is said when it is used.
        if (meant !== null || BaseUrl.isUrl(typed) || tries === mostTries) return meant ?? typed
        say("This is not an address. An address begins with https:// and names a server.", "yellow")
      }
    }),
    /** Whether a file may hold the key. Enter is a yes. Any other text is a no: it could be the key. */
    mayWrite: (path: string, reason: string) =>
      Effect.suspend(() => {
        say(`${reason} The key can be saved in ${path}, which only you can read.`, "yellow")
        return Effect.map(text("Save it there? [Y/n] "), (answer) => /^(?:y|yes)?$/i.test(answer))
      }),
    apiKey: Effect.fnUntraced(function* (address: string | null) {
      if (address !== null) say(`For ${address}`, "dim")
      say("An API key from the service's dashboard (Settings, Integrations). Input is hidden.", "dim")
      return yield* secret("API key: ")
    }),
  }
})

type Asking = NonNullable<Effect.Success<ReturnType<typeof askable>>>

/**
 * The address and its source. Prompts when no source gives one. With `--profile` and without `--base-url`, an address from the environment is rejected
 * unless it is that of the profile.
 */
const baseUrlOf = Effect.fnUntraced(function* (
  flags: SharedFlags,
  variables: Variables,
  existing: { readonly name: Setting<string>; readonly profile: Profile } | null,
  { keyFile, withKey }: LoginChoices,
  prompts: Asking | null,
) {
  const ofVariable = variables.baseUrl === "" ? undefined : variables.baseUrl
  const isOther = existing === null || !BaseUrl.isSame(existing.profile.baseUrl, ofVariable ?? "")
  if (flags.profile !== undefined && flags.baseUrl === undefined && ofVariable !== undefined && isOther) {
    return yield* usageError(
      `--profile ${flags.profile} cannot be combined with DEEDKIT_BASE_URL${existing === null ? "" : `: the profile is for ${existing.profile.baseUrl}`}`,
      "Pass the address of the profile with --base-url, or unset DEEDKIT_BASE_URL.",
    )
  }
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
  { keyFile, withKey }: LoginChoices,
  prompts: Asking | null,
  /** The address that the key will be sent to, if the user did not type it. */
  address: string | null,
) {
  if (withKey || flags.apiKeyStdin) {
    return { read: KeySource.fromStdin(withKey ? "--with-key" : "--api-key-stdin"), isAsked: false }
  }
  if (keyFile !== undefined)
    return { read: KeySource.fromFile(keyFile, "--key-file", { orPipe: false }), isAsked: false }
  if (prompts !== null) {
    const read = Effect.suspend(() => prompts.apiKey(address))
    return { read: Effect.map(read, KeyStore.wrap), isAsked: true }
  }
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
  /** What became of the key in the place where the profile had its key before; null if that is the same. */
  readonly before: Deleted | null
}

/**
 * Rejects a name that is used for another address, whose account would be replaced, or that differs only in case. Some keychains do not distinguish
 * `Office` from `office`.
 */
const checkName = ({ byName }: Profiles, name: string, baseUrl: string): Effect.Effect<void, Failure> => {
  const existing = byName.get(name)
  if (existing !== undefined && !BaseUrl.isSame(existing.baseUrl, baseUrl)) {
    return usageError(
      `Profile ${name} is for ${existing.baseUrl}`,
      `Give the other address a name of its own with --profile NAME, or remove this one with deedkit profile remove ${name}.`,
    )
  }
  const alike = [...byName.keys()].find(
    (other) => other !== name && other.toLowerCase() === name.toLowerCase(),
  )
  return alike === undefined
    ? Effect.void
    : usageError(
        `There is a profile "${alike}", and "${name}" differs from it in upper and lower case only`,
        `Use ${alike}, or choose another name.`,
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
    else if (place.path === ProfileFile.keyFile(variables, name)) yield* KeyStore.writeFile(place.path, key)
    const { cursor = null, learnt = null } = existing ?? {}
    const added = { baseUrl: config.base, key: place, cursor, learnt }
    yield* ProfileFile.update(variables, (now) => add(now, name, added)).pipe(
      // A key that no saved profile points to is removed: it would never be found again.
      Effect.tapError(() =>
        isSamePlace(existing?.key ?? null, place)
          ? Effect.void
          : Effect.ignore(deleteKey(variables, name, added)),
      ),
    )
    const isMoved = existing !== null && !isSamePlace(existing.key, place)
    const before = isMoved ? yield* Effect.option(deleteKey(variables, name, existing)) : Option.none()
    return { words: wordsOf(place, owner.plaintextPath), replaced, before: Option.getOrNull(before) }
  }).pipe(ProfileFile.alone(variables))

const isSamePlace = (one: KeyPlace | null, other: KeyPlace): boolean =>
  one?.in === other.in && (one.in !== "file" || other.in !== "file" || one.path === other.path)

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

/** Where the key will be. Finds out that the keychain cannot be used before anybody types the key, and then offers a file. */
const placeOf = Effect.fnUntraced(function* (
  { insecureStorage, keyFile }: LoginChoices,
  prompts: Asking | null,
  own: string | null,
) {
  if (keyFile !== undefined) return { in: "file", path: resolve(keyFile) } satisfies KeyPlace
  if (insecureStorage) return { in: "plaintext" } satisfies KeyPlace
  const keychain: KeyPlace = { in: "keychain" }
  const failure = yield* Effect.flip((yield* Keychain).get("availability")).pipe(Effect.option)
  if (Option.isNone(failure)) return keychain
  if (prompts === null || own === null) return yield* failure.value
  const reason = failure.value.message.split(". ")[0]!
  return (yield* prompts.mayWrite(own, `${reason}.`))
    ? ({ in: "file", path: own } satisfies KeyPlace)
    : yield* failure.value
})

/** Connects, and tries what the key can read. */
const tried = Effect.fnUntraced(function* (options: ClientConfig.ClientOptions, flags: SharedFlags) {
  const session = yield* Session.connect(options, flags)
  const trials = yield* Trial.run(session.client)
  const failure = Trial.failure(trials)
  return failure === null ? { ...session, trials } : yield* failure
})

/** Whether another key could help; otherwise another address could. */
const isKeyRefused = (failure: ClientError.ClientError | Failure): boolean => {
  if (failure instanceof ClientError.ClientError && failure.reason._tag === "ConfigInvalid") {
    return failure.reason.setting === "API key"
  }
  const code = ExitCode.ofError(failure)
  return code === ExitCode.codes.authentication || code === ExitCode.codes.permission
}

const work: Work<LoginChoices> = Effect.fn(function* (mine) {
  const flags = yield* root
  const variables = yield* Environment
  const { profiles } = yield* ProfileFile.load(variables)
  const chosen = yield* nameOf(flags, variables, profiles)
  const name = chosen?.value ?? "default"
  const profile = profiles.byName.get(name) ?? null
  const existing = chosen === null || profile === null ? null : { name: chosen, profile }
  const prompts = yield* askable(mine.noInput)
  const first = yield* baseUrlOf(flags, variables, existing, mine, prompts)
  const typo = first.source === null ? null : BaseUrl.withoutScheme(first.value)
  if (typo !== null) return yield* typo
  yield* checkName(profiles, name, first.value)
  let { value: baseUrl } = first
  const isTyped = first.source === null || first.source === "--base-url"
  const { isAsked, read } = yield* keyFrom(
    flags,
    mine,
    prompts,
    isTyped ? null : `${BaseUrl.addressOf(baseUrl)} (${first.source})`,
  )
  const place = yield* placeOf(mine, prompts, ProfileFile.keyFile(variables, name))
  let apiKey = yield* read
  const tryIt = Effect.suspend(() =>
    tried({ baseUrl, apiKey, rate: flags.rate, ...Settings.retryOptions(flags, "interactive") }, flags),
  )
  let outcome = yield* Effect.result(tryIt)
  for (let tries = 1; Result.isFailure(outcome) && tries < mostTries; tries += 1) {
    const { failure } = outcome
    const isOfKey = isKeyRefused(failure)
    const canAsk = isOfKey ? isAsked : first.source === null
    if (!canAsk || prompts === null) break
    ;(yield* Terminal).say(Catalogue.messageOf(failure), "yellow")
    if (isOfKey) apiKey = yield* read
    else {
      baseUrl = yield* prompts.baseUrl
      yield* checkName(profiles, name, baseUrl)
    }
    outcome = yield* Effect.result(tryIt)
  }
  const { client, note, terminal, trials } = yield* Effect.fromResult(outcome)

  const { before, replaced, words } = yield* save(variables, name, place, client.config, apiKey)
  const missing = Trial.missingScopes(trials)
  for (const trial of trials) {
    note(`${trialName(trial)}: ${trialWords(trial)}`, trial.error === null ? "green" : "yellow")
  }
  const shown = KeyStore.lastFour(apiKey)
  note(`Profile ${name} (${client.config.base}): the key ${shown === null ? "" : `${shown} `}${words}.`)
  if (before?.isLeft === true) tellDeleted({ note, terminal }, before)
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
  examples(`
    deedkit auth login  # Asks for both; the key stays hidden
    pass show deedkit | deedkit auth login --base-url https://api.example.com --with-key  # Without prompts
    deedkit auth login --profile office --key-file ~/.deedkit-key  # With a key file
  `),
)
