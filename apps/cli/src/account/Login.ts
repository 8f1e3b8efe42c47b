/**
 * `deedkit auth login`: asks for an address and a key, checks them, reports what works, and saves them in a profile. A key without any access is not
 * saved, and nothing is saved in plaintext without `--insecure-storage`.
 */
import { resolve } from "node:path"
import { Trial } from "@deedkit/core/checkup"
import * as Effect from "effect/Effect"
import * as BaseUrl from "../store/BaseUrl.ts"
import type { LoginChoices } from "./Login.command.ts"
import { Environment } from "../terminal/Environment.ts"
import type { Variables } from "../terminal/Environment.ts"
import { Keychain } from "../store/Keychain.ts"
import * as SaveKey from "./SaveKey.ts"
import * as KeySource from "../session/KeySource.ts"
import * as KeyStore from "../store/KeyStore.ts"
import type { KeyPlace, Profile } from "../store/Profile.ts"
import { isNamed, nameOf } from "../session/ProfileChoice.ts"
import * as ProfileFile from "../store/ProfileFile.ts"
import { Prompts } from "../terminal/Prompts.ts"
import { root } from "../command/Root.ts"
import * as Session from "../session/Session.ts"
import type { Setting } from "../session/Setting.ts"
import { given, settle } from "../session/Setting.ts"
import * as Settings from "../session/Settings.ts"
import type { SharedFlags } from "../command/SharedFlags.ts"
import { Terminal } from "../terminal/Terminal.ts"
import * as TrialText from "./TrialText.ts"
import type { Work } from "../command/Subcommand.ts"
import { usageError } from "../failure/Failure.ts"

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

export const login: Work<LoginChoices> = Effect.fn(function* (mine) {
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
  yield* SaveKey.checkName(profiles, name, baseUrl)
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

  const { replaced, words } = yield* SaveKey.save(variables, name, place, client.config, apiKey)
  const missing = Trial.missingScopes(trials)
  for (const trial of trials) {
    note(`${TrialText.nameOf(trial)}: ${TrialText.words(trial)}`, trial.error === null ? "green" : "yellow")
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
      works: trials.filter(({ error }) => error === null).map(TrialText.nameOf),
      missingScopes: missing,
    }
    yield* terminal.json(JSON.stringify(document, null, 2))
  }
}, Effect.scoped)
