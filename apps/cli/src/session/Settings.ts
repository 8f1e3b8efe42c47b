/**
 * Derives the options of a client from flags, environment and profile: flags override variables, and variables override the profile. Address and key
 * come from one place, either a profile or flags and variables; other combinations are rejected. The key is never a flag.
 *
 * Missing settings are found here; invalid ones are rejected by the client. The key and the cursor of a profile belong to its address.
 */
import { RetryPolicy } from "@deedkit/core"
import type { ClientConfig } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Stdio from "effect/Stdio"
import * as BaseUrl from "../store/BaseUrl.ts"
import type { Variables } from "../terminal/Environment.ts"
import * as KeySource from "./KeySource.ts"
import type { Profile } from "../store/Profile.ts"
import { originOf } from "../store/Profile.ts"
import * as ProfileChoice from "./ProfileChoice.ts"
import { pathOf } from "../store/ProfileFile.ts"
import type { Known } from "../store/ProfileFile.ts"
import type { Setting } from "./Setting.ts"
import { given, settle, settleOr } from "./Setting.ts"
import type { SharedFlags } from "../command/SharedFlags.ts"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"
import { capitalized, listed } from "../terminal/Figures.ts"
import * as KeyStore from "../store/KeyStore.ts"

/** All settings with their sources, before anything is opened or checked. */
export interface Sources {
  /** The profile of the account; without a name if flags and variables give address and key. */
  readonly choice: ProfileChoice.Choice
  /** The current profile, if address and key from flags and variables replace it. */
  readonly unused: Setting<string> | null
  readonly baseUrl: Setting<string> | null
  readonly apiKey: Setting<KeySource.KeySource> | null
  readonly cursorParam: Setting<string>
  /** The profile of the account, if its address is used as well. Findings about the server can be saved in it. */
  readonly own: Known | null
  /** Why these settings do not name one account; null if they do, or if a setting is merely missing. If not null, nothing is sent. */
  readonly problem: Failure | null
}

/** The name of the file of plaintext keys, in the same folder as the profile file. */
const plaintextName = "credentials.json"

/** The owner of a saved key. */
export const ownerOf = (variables: Variables, profile: string, origin: string) => ({
  profile,
  origin,
  plaintextPath: pathOf(variables, plaintextName) ?? plaintextName,
})

/** Where the key of a profile is stored; null when there is none. */
export const savedKey = (
  variables: Variables,
  name: string,
  { baseUrl, key }: Profile,
): KeySource.KeySource | null => {
  const origin = originOf(baseUrl)
  if (key === null || origin === null) return null
  return key.in === "file"
    ? { _tag: "File", path: key.path, named: `profile ${name}` }
    : { _tag: "Saved", kind: key.in, owner: ownerOf(variables, name, origin) }
}

/** A key from flags or variables, in order of precedence. An empty key counts: it is rejected rather than treated as missing. */
const givenKey = (
  flags: SharedFlags,
  { apiKey, apiKeyFile }: Variables,
): Setting<KeySource.KeySource> | null =>
  settle<KeySource.KeySource>(
    flags.apiKeyStdin ? given("--api-key-stdin", { _tag: "Stdin" }) : null,
    apiKey === undefined ? null : given("DEEDKIT_API_KEY", { _tag: "Variable", key: apiKey }),
    apiKeyFile === undefined
      ? null
      : given("DEEDKIT_API_KEY_FILE", { _tag: "File", path: apiKeyFile, named: "DEEDKIT_API_KEY_FILE" }),
  )

/** The named profile, or the current one. An unreadable profile file is only a warning if flags and variables give everything. */
const choose = (flags: SharedFlags, variables: Variables) => {
  // If flags give both address and key, DEEDKIT_PROFILE is ignored.
  const isWhole = flags.baseUrl !== undefined && flags.apiKeyStdin
  const variablesOf = isWhole ? { ...variables, profile: undefined } : variables
  const isNamed = flags.profile !== undefined || variablesOf.profile !== undefined
  const hasUrl = flags.baseUrl !== undefined || variables.baseUrl !== undefined
  const chosen = ProfileChoice.choose(flags, variablesOf)
  return isNamed || !hasUrl || givenKey(flags, variables) === null
    ? chosen
    : Effect.catchReason(chosen, "Failure", "StoreError", (reason, { message }) =>
        Effect.succeed(ProfileChoice.without(reason.path, message)),
      )
}

// An account is given by a profile, or by an address and a key from flags and variables. Mixing the two could send a key to an address that it was not
// meant for, or read one account under the name of another, so it is rejected.

/** The flags and variables that name an account. */
interface Given {
  readonly flags: Pick<SharedFlags, "apiKeyStdin" | "baseUrl">
  readonly variables: Pick<Variables, "apiKey" | "apiKeyFile" | "baseUrl">
}

/** A profile and where its name was given. */
interface Chosen {
  readonly name: Setting<string>
  readonly profile: Profile
}

const isSet = (variable: string | undefined): variable is string => variable !== undefined && variable !== ""

/** The names of the variables that hold a key. An empty variable does not. */
const keyVariables = ({ apiKey, apiKeyFile }: Given["variables"]): ReadonlyArray<string> => [
  ...(apiKey !== undefined && !KeyStore.isEmpty(apiKey) ? ["DEEDKIT_API_KEY"] : []),
  ...(isSet(apiKeyFile) ? ["DEEDKIT_API_KEY_FILE"] : []),
]

/** `leave out --base-url and unset DEEDKIT_API_KEY` */
const without = (sources: ReadonlyArray<string>): string => {
  const flags = sources.filter((source) => source.startsWith("--"))
  const variables = sources.filter((source) => !source.startsWith("--"))
  return listed([
    ...(flags.length === 0 ? [] : [`leave out ${listed(flags)}`]),
    ...(variables.length === 0 ? [] : [`unset ${listed(variables)}`]),
  ])
}

/** The conflict with a profile that a flag or a variable names; null if there is none. An empty variable does not conflict. */
const withNamed = ({ flags, variables }: Given, { name, profile }: Chosen): Failure | null => {
  const isOther = (baseUrl: string): boolean => !BaseUrl.isSame(baseUrl, profile.baseUrl)
  const address =
    flags.baseUrl !== undefined
      ? { source: "--base-url", isOther: isOther(flags.baseUrl) }
      : { source: "DEEDKIT_BASE_URL", isOther: isSet(variables.baseUrl) && isOther(variables.baseUrl) }
  const others = [
    ...(flags.apiKeyStdin ? ["--api-key-stdin"] : []),
    ...keyVariables(variables),
    ...(address.isOther ? [address.source] : []),
  ]
  if (others.length === 0) return null
  const named = name.source.startsWith("--") ? `${name.source} ${name.value}` : `${name.source}=${name.value}`
  return usageError(
    `${named} cannot be combined with ${listed(others)}`,
    `A profile is used with its own address (${profile.baseUrl}) and its own key only. ${capitalized(without(others))}, or ${without([name.source])}.`,
  )
}

const emptyProblem = (source: string, what: string): Failure =>
  usageError(`${source} is set and empty`, `Set it to ${what}, or unset it.`)

/** Why a key from flags and variables cannot be used; null if it can. `current` is the profile that the key would replace. */
const withGivenKey = (
  { flags, variables }: Given,
  keySource: string,
  current: Chosen | null,
): Failure | null => {
  const { apiKey, apiKeyFile, baseUrl } = variables
  if (!flags.apiKeyStdin) {
    if (apiKey !== undefined && KeyStore.isEmpty(apiKey)) return emptyProblem("DEEDKIT_API_KEY", "an API key")
    if (apiKeyFile === "") return emptyProblem("DEEDKIT_API_KEY_FILE", "the path of a file with an API key")
    if (apiKey !== undefined && apiKeyFile !== undefined) {
      return usageError(
        "DEEDKIT_API_KEY and DEEDKIT_API_KEY_FILE are both set",
        "They may hold keys of two accounts. Unset one of them.",
      )
    }
    if (flags.baseUrl !== undefined && isSet(baseUrl) && !BaseUrl.isSame(flags.baseUrl, baseUrl)) {
      return usageError(
        `${keySource} belongs to the address in DEEDKIT_BASE_URL, and --base-url names another one`,
        "Pass the key of that address with --api-key-stdin, or unset both variables and choose its profile with --profile.",
      )
    }
  }
  if (flags.baseUrl === undefined && baseUrl === "")
    return emptyProblem("DEEDKIT_BASE_URL", "the address of the API")
  if (flags.baseUrl !== undefined || baseUrl !== undefined || current === null) return null
  return usageError(
    `${keySource} gives an API key without an address`,
    `Set DEEDKIT_BASE_URL or pass --base-url. To use the current profile ${current.name.value} (${current.profile.baseUrl}) instead, ${without([keySource])}.`,
  )
}

/** Rejects an empty address, which would otherwise count as not set. */
const withoutGivenKey = ({ flags, variables }: Given): Failure | null =>
  flags.baseUrl === undefined && variables.baseUrl === ""
    ? emptyProblem("DEEDKIT_BASE_URL", "the address of the API")
    : null

const problemOf = (
  flags: SharedFlags,
  variables: Variables,
  chosen: ProfileChoice.Choice,
  ownKey: Setting<KeySource.KeySource> | null,
): Failure | null => {
  const { name, profile } = chosen
  const active = name === null || profile === null ? null : { name, profile }
  const isNamed = active !== null && ProfileChoice.isNamed(chosen)
  const address = flags.baseUrl ?? variables.baseUrl
  const typo = BaseUrl.withoutScheme(
    address === undefined || address === "" ? (profile?.baseUrl ?? "") : address,
  )
  if (typo !== null) return typo
  // The client rejects an invalid URL with a reason.
  if (flags.baseUrl !== undefined && !BaseUrl.isUrl(flags.baseUrl)) return null
  if (isNamed) return withNamed({ flags, variables }, active)
  return ownKey === null
    ? withoutGivenKey({ flags, variables })
    : withGivenKey({ flags, variables }, ownKey.source, active)
}

/** Collects the settings from all places. Reads the profile file and no key. */
export const gather = Effect.fnUntraced(function* (
  flags: SharedFlags,
  variables: Variables,
): Effect.fn.Return<Sources, Failure> {
  const chosen = yield* choose(flags, variables)
  const { name, profile } = chosen
  const ownKey = givenKey(flags, variables)
  const problem = problemOf(flags, variables, chosen, ownKey)
  const isNamed = ProfileChoice.isNamed(chosen)
  const isGiven = ownKey !== null && !isNamed
  const from = `profile ${name?.value}`
  const ofVariable = isNamed && variables.baseUrl === "" ? undefined : variables.baseUrl
  const ownUrls = [given("--base-url", flags.baseUrl), given("DEEDKIT_BASE_URL", ofVariable)]
  // A key from flags and variables is for an address from flags and variables only.
  const hasNoUrl = isGiven && ownUrls.every((each) => each === null)
  const baseUrl = hasNoUrl ? null : settle(...ownUrls, given(from, profile?.baseUrl))
  const isSame = baseUrl !== null && profile !== null && BaseUrl.isSame(baseUrl.value, profile.baseUrl)
  const kept = isSame && name !== null ? savedKey(variables, name.value, profile) : null
  const own = isSame && name !== null && !isGiven && problem === null ? { name: name.value, profile } : null
  return {
    choice: isGiven ? { ...chosen, name: null, profile: null } : chosen,
    unused: isGiven ? name : null,
    baseUrl,
    own,
    problem,
    apiKey: settle<KeySource.KeySource>(
      ...(isGiven || problem !== null ? [ownKey, ...(ownKey?.hides ?? [])] : []),
      given(from, kept),
    ),
    cursorParam: settleOr(
      "auto",
      given("--cursor-param", flags.cursorParam),
      given("DEEDKIT_CURSOR_PARAM", variables.cursorParam),
      given(from, own?.profile.cursor?.parameter),
    ),
  }
})

const noBaseUrl = ({ choice }: Sources): Failure =>
  usageError("Missing base URL", ProfileChoice.advice(choice) ?? howToGiveABaseUrl)

const howToGiveABaseUrl =
  "Set DEEDKIT_BASE_URL or pass --base-url: the address of the API, like https://api.example.com; or save it in a profile with `deedkit auth login`."

const howToGiveAKey =
  "Set DEEDKIT_API_KEY, or name a file that holds it in DEEDKIT_API_KEY_FILE, or pass it on standard input with --api-key-stdin; or save it with `deedkit auth login`."

const noKey = ({ baseUrl, choice, own }: Sources): Failure => {
  const { name, profile } = choice
  return profile !== null && profile.key !== null && own === null
    ? usageError(
        `The API key of profile ${name?.value} belongs to ${profile.baseUrl}, and ${baseUrl?.source} names another address`,
        "A saved key is sent to no other address. Pass the key of that address, or choose its profile with --profile.",
      )
    : name === null
      ? usageError("Missing API key", howToGiveAKey)
      : usageError(
          `Missing API key: profile ${name.value} has none`,
          `Run \`deedkit auth login --profile ${name.value}\`, or set both DEEDKIT_BASE_URL and DEEDKIT_API_KEY and name no profile.`,
        )
}

/** Whether reads search for another cursor parameter; false if one is set explicitly. */
export const searches = ({ cursorParam, own }: Sources): boolean =>
  cursorParam.value === "auto" || isKept({ cursorParam, own })

/** Whether the cursor parameter comes from the profile. */
export const isKept = ({ cursorParam, own }: Pick<Sources, "cursorParam" | "own">): boolean =>
  own !== null && cursorParam.source === `profile ${own.name}`

/** Retries and time limits from flags. */
export const retryOptions = (
  flags: Pick<SharedFlags, "attempts" | "timeout">,
  preset: RetryPolicy.Preset,
): Pick<ClientConfig.ClientOptions, "retry" | "timeLimits"> => {
  const { attempts, timeout } = flags
  const policy = preset === "patient" ? RetryPolicy.patient : RetryPolicy.interactive
  const capped = (seconds: number): number => 1_000 * Math.min(seconds, timeout ?? seconds)
  return {
    retry: attempts === undefined ? preset : { ...policy, attempts },
    timeLimits: {
      ...(timeout === undefined ? {} : { attempt: 1_000 * timeout }),
      connect: capped(10),
      idle: capped(15),
      ...(preset === "patient" ? { deadline: null } : {}),
    },
  }
}

/** The options of a client. Fails where the base URL or the key is missing or cannot be read. */
export const optionsOf = Effect.fnUntraced(function* (
  sources: Sources,
  flags: SharedFlags,
  preset: RetryPolicy.Preset,
): Effect.fn.Return<ClientConfig.ClientOptions, Failure, Stdio.Stdio> {
  const { baseUrl, cursorParam, problem } = sources
  if (problem !== null) return yield* problem
  if (baseUrl === null) return yield* noBaseUrl(sources)
  if (sources.apiKey === null) return yield* noKey(sources)
  const apiKey = yield* KeySource.read(sources.apiKey.value)
  return {
    baseUrl: baseUrl.value,
    apiKey,
    cursorParam: cursorParam.value,
    rate: flags.rate,
    ...retryOptions(flags, preset),
  }
})
