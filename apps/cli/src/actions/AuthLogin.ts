/**
 * `deedkit auth login`: asks for address and key, tries them, says in plain words what works, and keeps them in a profile. Nothing is kept
 * of a key that is of no use, and nothing goes into a file in plaintext that nobody asked for.
 */
import { resolve } from "node:path"
import type { ClientConfig } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { LoginChoices } from "../commands/AuthLogin.ts"
import { Environment } from "../Environment.ts"
import type { Variables } from "../Environment.ts"
import { Keychain } from "../Keychain.ts"
import * as KeySource from "../KeySource.ts"
import * as KeyStore from "../KeyStore.ts"
import * as KeyTrial from "../KeyTrial.ts"
import type { KeyPlace, Profile } from "../Profile.ts"
import * as Profiles from "../Profile.ts"
import { nameOf } from "../ProfileChoice.ts"
import * as ProfileFile from "../ProfileFile.ts"
import { Prompts } from "../Prompts.ts"
import { root } from "../Root.ts"
import * as Session from "../Session.ts"
import * as Settings from "../Settings.ts"
import type { SharedFlags } from "../SharedFlags.ts"
import { Terminal } from "../Terminal.ts"
import { usageError } from "../UsageError.ts"
import type { Work } from "../Subcommand.ts"

/** Questions are short, because a terminal breaks them anywhere; what they are about is said before. */
const askable = (noInput: boolean) =>
  Effect.gen(function* () {
    const { canAsk, secret, text } = yield* Prompts
    const { say } = yield* Terminal
    if (!canAsk || noInput) return null
    return {
      baseUrl: Effect.suspend(() => {
        say("The address of the API, without /v1/, like https://api.example.com", "dim")
        return text("Base URL: ")
      }),
      apiKey: Effect.suspend(() => {
        say("A key from the service's dashboard (Settings, Integrations); it is not shown here", "dim")
        return secret("API key: ")
      }),
    }
  })

const baseUrlOf = Effect.fnUntraced(function* (
  flags: SharedFlags,
  variables: Variables,
  existing: Profile | null,
  noInput: boolean,
) {
  const prompts = yield* askable(noInput)
  const known = flags.baseUrl ?? variables.baseUrl ?? existing?.baseUrl
  if (known !== undefined) return known
  if (prompts !== null) {
    return yield* prompts.baseUrl
  }
  return yield* usageError(
    "There is no base URL, and nobody to ask for it",
    "Pass --base-url or set DEEDKIT_BASE_URL.",
  )
})

/** How the key is going to be had. Fails when there is no way, before anything else is tried. */
const keyFrom = Effect.fnUntraced(function* (
  flags: SharedFlags,
  { keyFile, noInput, withKey }: LoginChoices,
) {
  if (withKey || flags.apiKeyStdin) {
    return { read: KeySource.fromStdin(withKey ? "--with-key" : "--api-key-stdin") }
  }
  if (keyFile !== undefined) return { read: KeySource.fromFile(keyFile, "--key-file") }
  const prompts = yield* askable(noInput)
  if (prompts !== null) return { read: Effect.map(prompts.apiKey, KeyStore.wrap) }
  return yield* usageError(
    "There is no API key, and nobody to ask for it",
    "Pass it on standard input with --with-key, or name its file with --key-file.",
  )
})

/** Another address under the same name would silently take the place of an account. */
const refuseOther = (name: string, existing: Profile | null, baseUrl: string) =>
  existing === null || Profiles.originOf(existing.baseUrl) === Profiles.originOf(baseUrl)
    ? Effect.void
    : Effect.fail(
        usageError(
          `Profile ${name} is for ${existing.baseUrl}`,
          `Give the other address a name of its own with --profile NAME, or remove this one with deedkit profile remove ${name}.`,
        ),
      )

const keep = Effect.fnUntraced(function* (
  name: string,
  place: KeyPlace,
  config: ClientConfig.ClientConfig,
  key: Redacted.Redacted,
  existing: Profile | null,
) {
  const variables = yield* Environment
  const owner = Settings.ownerOf(variables, name, config.origin)
  if (place.in !== "file") yield* KeyStore.write(place.in, owner, key)
  const { cursor = null, learnt = null } = existing ?? {}
  yield* ProfileFile.update(variables, (profiles) =>
    Profiles.put(profiles, name, { baseUrl: config.base, key: place, cursor, learnt }),
  ).pipe(
    // A key that no profile knows of would never be found again.
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
  return place.in === "file"
    ? `stays in the file ${place.path}`
    : place.in === "keychain"
      ? "is kept in the keychain"
      : `is kept in plaintext in ${owner.plaintextPath}, where whoever can read your files can read it`
})

/** What hides the kept key from now on, in words. */
const hiders = ({ apiKey, apiKeyFile }: Variables): ReadonlyArray<string> => [
  ...(apiKey === undefined ? [] : ["DEEDKIT_API_KEY"]),
  ...(apiKeyFile === undefined ? [] : ["DEEDKIT_API_KEY_FILE"]),
]

export const login: Work<LoginChoices> = Effect.fn(function* (mine) {
  const flags = yield* root
  const variables = yield* Environment
  const { profiles } = yield* ProfileFile.load(variables)
  const name = (yield* nameOf(flags, variables, profiles))?.value ?? "default"
  const existing = profiles.byName.get(name) ?? null
  const place: KeyPlace =
    mine.keyFile !== undefined
      ? { in: "file", path: resolve(mine.keyFile) }
      : { in: mine.insecureStorage ? "plaintext" : "keychain" }
  const baseUrl = yield* baseUrlOf(flags, variables, existing, mine.noInput)
  yield* refuseOther(name, existing, baseUrl)
  const key = yield* keyFrom(flags, mine)
  // A keychain that cannot be used is found before anybody has typed a key.
  if (place.in === "keychain") yield* (yield* Keychain).get("availability")
  const apiKey = yield* key.read
  const options = { baseUrl, apiKey, rate: flags.rate, ...Settings.patience(flags, "interactive") }
  const { client, note, terminal } = yield* Session.connect(options, flags)
  const trials = yield* KeyTrial.run(client)
  const failure = KeyTrial.failure(trials)
  if (failure !== null) return yield* failure

  const kept = yield* keep(name, place, client.config, apiKey, existing)
  const missing = KeyTrial.missingScopes(trials)
  for (const trial of trials) {
    note(`${trial.what}: ${KeyTrial.words(trial)}`, trial.error === null ? "green" : "yellow")
  }
  const shown = KeyStore.lastFour(apiKey)
  note(`Profile ${name} (${client.config.base}): the key ${shown === null ? "" : `${shown} `}${kept}.`)
  for (const hider of hiders(variables)) {
    note(`${hider} is set and hides the kept key: unset it to use this profile's.`, "yellow")
  }
  if (flags.json) {
    const document = {
      profile: name,
      baseUrl: client.config.base,
      key: { ...place, lastFour: shown, insecure: place.in === "plaintext", hiddenBy: hiders(variables) },
      works: trials.filter(({ error }) => error === null).map(({ what }) => what),
      missingScopes: missing,
    }
    yield* terminal.json(JSON.stringify(document, null, 2))
  }
}, Effect.scoped)
