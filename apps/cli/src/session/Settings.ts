/**
 * From flags, environment and profile to the options of a client: flags win, then variables, then the profile. Address and key come from
 * one place, a profile or flags and variables; `AccountConflict` says what does not go together. The key is never a flag.
 *
 * What is missing is found here and said in one sentence; what is there but cannot work is the client's to refuse. What a profile keeps
 * belongs to the address that it names: its key and its cursor are for no other.
 */
import { RetryPolicy } from "@deedkit/core"
import type { ClientConfig } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type * as Stdio from "effect/Stdio"
import * as AccountConflict from "./AccountConflict.ts"
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
import type { StoreError } from "../failure/StoreError.ts"
import type { UsageError } from "../failure/UsageError.ts"
import { usageError } from "../failure/UsageError.ts"

/** Patience of a command: `interactive` for people who wait, `export` for long reads. */
export type Policy = "interactive" | "export"

/** All settings with where they come from, before anything is opened or checked. */
export interface Sources {
  /** The profile whose account it is; without a name where address and key are given by hand. */
  readonly choice: ProfileChoice.Choice
  /** The current profile, where address and key by hand take its place. */
  readonly unused: Setting<string> | null
  readonly baseUrl: Setting<string> | null
  readonly apiKey: Setting<KeySource.KeySource> | null
  readonly cursorParam: Setting<string>
  /** The profile whose account it is, when the address is its own as well; what is learnt of the server may be kept in it. */
  readonly own: Known | null
  /** Why these settings name no account; null when they do, or when something is only missing. Nothing may be sent with them. */
  readonly problem: UsageError | null
}

/** The name of the file of plaintext keys, beside that of the profiles. */
const plaintextName = "credentials.json"

/** Whose key it would be. */
export const ownerOf = (variables: Variables, profile: string, origin: string) => ({
  profile,
  origin,
  plaintextPath: pathOf(variables, plaintextName) ?? plaintextName,
})

/** Where the key of a profile is kept; null when there is none. */
export const keptKey = (
  variables: Variables,
  name: string,
  { baseUrl, key }: Profile,
): KeySource.KeySource | null => {
  const origin = originOf(baseUrl)
  if (key === null || origin === null) return null
  return key.in === "file"
    ? { _tag: "File", path: key.path, named: `profile ${name}` }
    : { _tag: "Kept", kind: key.in, owner: ownerOf(variables, name, origin) }
}

/** A key that flags or variables give, the weightiest first. An empty one counts: it is refused, and not taken for none. */
const keyByHand = (
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

/** The profile that is named, or the current one. The file of profiles is not worth a failure where everything is given without it. */
const choose = (flags: SharedFlags, variables: Variables) => {
  // Where flags give both, there is no question left for the variable to answer.
  const isWhole = flags.baseUrl !== undefined && flags.apiKeyStdin
  const heard = isWhole ? { ...variables, profile: undefined } : variables
  const isNamed = flags.profile !== undefined || heard.profile !== undefined
  const hasUrl = flags.baseUrl !== undefined || variables.baseUrl !== undefined
  const chosen = ProfileChoice.choose(flags, heard)
  return isNamed || !hasUrl || keyByHand(flags, variables) === null
    ? chosen
    : Effect.catchTag(chosen, "StoreError", (error) => Effect.succeed(ProfileChoice.without(error)))
}

const problemOf = (
  flags: SharedFlags,
  variables: Variables,
  chosen: ProfileChoice.Choice,
  handKey: Setting<KeySource.KeySource> | null,
): UsageError | null => {
  const { name, profile } = chosen
  const inForce = name === null || profile === null ? null : { name, profile }
  const isNamed = inForce !== null && ProfileChoice.isNamed(chosen)
  const address = flags.baseUrl ?? variables.baseUrl
  const typo = BaseUrl.withoutScheme(
    address === undefined || address === "" ? (profile?.baseUrl ?? "") : address,
  )
  if (typo !== null) return typo
  // The client refuses it, and says why.
  if (flags.baseUrl !== undefined && !BaseUrl.isUrl(flags.baseUrl)) return null
  if (isNamed) return AccountConflict.withNamed({ flags, variables }, inForce)
  return handKey === null
    ? AccountConflict.withoutKeyByHand({ flags, variables })
    : AccountConflict.withKeyByHand({ flags, variables }, handKey.source, inForce)
}

/** Gathers the settings from everywhere. Reads the file of profiles and no key. */
export const gather = (
  flags: SharedFlags,
  variables: Variables,
): Effect.Effect<Sources, StoreError | UsageError> =>
  Effect.gen(function* () {
    const chosen = yield* choose(flags, variables)
    const { name, profile } = chosen
    const handKey = keyByHand(flags, variables)
    const problem = problemOf(flags, variables, chosen, handKey)
    const isNamed = ProfileChoice.isNamed(chosen)
    const isByHand = handKey !== null && !isNamed
    const from = `profile ${name?.value}`
    const ofVariable = isNamed && variables.baseUrl === "" ? undefined : variables.baseUrl
    const handUrl = [given("--base-url", flags.baseUrl), given("DEEDKIT_BASE_URL", ofVariable)]
    // A key by hand is for an address by hand, and for no other.
    const hasNoUrl = isByHand && handUrl.every((each) => each === null)
    const baseUrl = hasNoUrl ? null : settle(...handUrl, given(from, profile?.baseUrl))
    const isSame = baseUrl !== null && profile !== null && BaseUrl.isSame(baseUrl.value, profile.baseUrl)
    const kept = isSame && name !== null ? keptKey(variables, name.value, profile) : null
    const own =
      isSame && name !== null && !isByHand && problem === null ? { name: name.value, profile } : null
    return {
      choice: isByHand ? { ...chosen, name: null, profile: null } : chosen,
      unused: isByHand ? name : null,
      baseUrl,
      own,
      problem,
      apiKey: settle<KeySource.KeySource>(
        ...(isByHand || problem !== null ? [handKey, ...(handKey?.hides ?? [])] : []),
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
    : name === null
      ? usageError("There is no API key", howToGiveAKey)
      : usageError(
          `There is no API key: profile ${name.value} has none`,
          `Log in again with deedkit auth login --profile ${name.value}, or set both DEEDKIT_BASE_URL and DEEDKIT_API_KEY and name no profile.`,
        )
}

/** Whether reads look for another name of the cursor's parameter: not where somebody has named one. */
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
): Effect.Effect<ClientConfig.ClientOptions, StoreError | UsageError, Stdio.Stdio> =>
  Effect.gen(function* () {
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
      ...patience(flags, policy),
    }
  })
