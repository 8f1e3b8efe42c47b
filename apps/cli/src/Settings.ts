/**
 * From flags, environment and profile to the options of a client: flags win, then variables, then the profile. The key comes from standard
 * input, a variable, a file or the profile's store, in this order, and never from a flag.
 *
 * What is missing is found here and said in one sentence; what is there but cannot work is the client's to refuse. What a profile keeps
 * belongs to the address that it names: its key and its cursor are for no other.
 */
import { RetryPolicy } from "@deedkit/core"
import type { ClientConfig } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type { Variables } from "./Environment.ts"
import * as KeySource from "./KeySource.ts"
import type { KeyPlace, Profile } from "./Profile.ts"
import { originOf } from "./Profile.ts"
import * as ProfileChoice from "./ProfileChoice.ts"
import { pathOf } from "./ProfileFile.ts"
import type { Setting } from "./Setting.ts"
import { given, settle, settleOr } from "./Setting.ts"
import type { SharedFlags } from "./SharedFlags.ts"
import type { StoreError } from "./StoreError.ts"
import type { UsageError } from "./UsageError.ts"
import { usageError } from "./UsageError.ts"

/** Patience of a command: `interactive` for people who wait, `export` for long walks. */
export type Policy = "interactive" | "export"

/** All settings with where they come from, before anything is opened or checked. */
export interface Sources {
  readonly choice: ProfileChoice.Choice
  readonly baseUrl: Setting<string> | null
  readonly apiKey: Setting<KeySource.KeySource> | null
  readonly cursorParam: Setting<string>
  /** The profile in force, when the address is its own; null when another one was given, or there is no profile. */
  readonly own: { readonly name: string; readonly profile: Profile } | null
}

/** The name of the file of plaintext keys, beside that of the profiles. */
const plaintextName = "credentials.json"

/** Whose key it would be. */
export const ownerOf = (variables: Variables, profile: string, origin: string) => ({
  profile,
  origin,
  plaintextPath: pathOf(variables, plaintextName) ?? plaintextName,
})

const keptKey = (variables: Variables, name: string, origin: string, key: KeyPlace): KeySource.KeySource =>
  key.in === "file"
    ? { _tag: "File", path: key.path, named: `profile ${name}` }
    : { _tag: "Kept", kind: key.in, owner: ownerOf(variables, name, origin) }

/** The file of profiles is not worth a failure where everything is given without it. */
const choose = (flags: SharedFlags, variables: Variables) => {
  const isNamed = flags.profile !== undefined || variables.profile !== undefined
  const hasUrl = flags.baseUrl !== undefined || variables.baseUrl !== undefined
  const hasKey = flags.apiKeyStdin || variables.apiKey !== undefined || variables.apiKeyFile !== undefined
  const chosen = ProfileChoice.choose(flags, variables)
  return isNamed || !hasUrl || !hasKey
    ? chosen
    : Effect.catchTag(chosen, "StoreError", (error) => Effect.succeed(ProfileChoice.without(error)))
}

/** Gathers the settings from everywhere. Reads the file of profiles and no key. */
export const gather = (
  flags: SharedFlags,
  variables: Variables,
): Effect.Effect<Sources, StoreError | UsageError> =>
  Effect.gen(function* () {
    const choice = yield* choose(flags, variables)
    const { name, profile } = choice
    const from = `profile ${name?.value}`
    const baseUrl = settle(
      given("--base-url", flags.baseUrl),
      given("DEEDKIT_BASE_URL", variables.baseUrl),
      given(from, profile?.baseUrl),
    )
    const origin = profile === null ? null : originOf(profile.baseUrl)
    const isOwn = baseUrl !== null && origin !== null && originOf(baseUrl.value) === origin
    const own = name !== null && profile !== null && isOwn ? { name: name.value, profile } : null
    const key = own?.profile.key ?? null
    const { apiKey, apiKeyFile, cursorParam } = variables
    const file =
      apiKeyFile === undefined
        ? null
        : ({ _tag: "File", path: apiKeyFile, named: "DEEDKIT_API_KEY_FILE" } as const)
    return {
      choice,
      baseUrl,
      own,
      apiKey: settle<KeySource.KeySource>(
        flags.apiKeyStdin ? given("--api-key-stdin", { _tag: "Stdin" }) : null,
        apiKey === undefined ? null : given("DEEDKIT_API_KEY", { _tag: "Variable", key: apiKey }),
        given("DEEDKIT_API_KEY_FILE", file),
        own === null || key === null || origin === null
          ? null
          : given(from, keptKey(variables, own.name, origin, key)),
      ),
      cursorParam: settleOr(
        "auto",
        given("--cursor-param", flags.cursorParam),
        given("DEEDKIT_CURSOR_PARAM", cursorParam),
        given(from, own?.profile.cursor?.parameter),
      ),
    }
  })

const noBaseUrl = ({ choice }: Sources): UsageError =>
  usageError("There is no base URL", ProfileChoice.advice(choice) ?? howToGiveABaseUrl)

const howToGiveABaseUrl =
  "Set DEEDKIT_BASE_URL or pass --base-url: the address of the API, like https://api.example.com; or keep it in a profile with deedkit auth login."

const howToGiveAKey =
  "Set DEEDKIT_API_KEY, or name a file that holds it in DEEDKIT_API_KEY_FILE, or pass it on standard input with --api-key-stdin; or keep it with deedkit auth login."

const noKey = ({ baseUrl, choice, own }: Sources): UsageError => {
  const { name, profile } = choice
  return profile !== null && profile.key !== null && own === null
    ? usageError(
        `The API key of profile ${name?.value} belongs to ${profile.baseUrl}, and ${baseUrl?.source} names another address`,
        "A kept key goes nowhere else. Give the key of that address, or choose its profile with --profile.",
      )
    : usageError("There is no API key", howToGiveAKey)
}

/** Whether walks look for another name of the cursor's parameter: not where somebody has named one. */
export const searches = ({ cursorParam, own }: Sources): boolean =>
  cursorParam.value === "auto" || isKept({ cursorParam, own })

/** Whether the cursor's parameter is the one that the profile keeps. */
export const isKept = ({ cursorParam, own }: Pick<Sources, "cursorParam" | "own">): boolean =>
  own !== null && cursorParam.source === `profile ${own.name}`

/** What flags say about patience. */
export const patience = (
  flags: Pick<SharedFlags, "attempts" | "timeout">,
  policy: Policy,
): Pick<ClientConfig.ClientOptions, "policy" | "timeLimits"> => {
  const { attempts, timeout } = flags
  const preset = policy === "export" ? RetryPolicy.patient : RetryPolicy.interactive
  const capped = (seconds: number): number => 1_000 * Math.min(seconds, timeout ?? seconds)
  return {
    policy: attempts === undefined ? preset : { ...preset, attempts },
    timeLimits: {
      ...(timeout === undefined ? {} : { attempt: 1_000 * timeout }),
      connect: capped(10),
      idle: capped(15),
      ...(policy === "export" ? { deadline: null } : {}),
    },
  }
}

/** The options of a client. Fails where the base URL or the key is missing or cannot be read. */
export const optionsOf = (
  sources: Sources,
  flags: SharedFlags,
  policy: Policy,
): Effect.Effect<ClientConfig.ClientOptions, StoreError | UsageError> =>
  Effect.gen(function* () {
    const { baseUrl, cursorParam } = sources
    if (baseUrl === null) return yield* noBaseUrl(sources)
    if (sources.apiKey === null) return yield* noKey(sources)
    const apiKey = yield* KeySource.read(sources.apiKey.value)
    return {
      baseUrl: baseUrl.value,
      apiKey,
      cursorParam: cursorParam.value,
      rate: flags.rate,
      ...patience(flags, policy),
    }
  })
