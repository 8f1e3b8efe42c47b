/**
 * Finds flags, variables and profiles that do not name one account. Pure.
 *
 * An account is given by a profile, or by an address and a key from flags and variables. Mixing the two could send a key to an address that it was
 * not meant for, or read one account under the name of another, so it is rejected.
 */
import * as BaseUrl from "../store/BaseUrl.ts"
import type { Variables } from "../terminal/Environment.ts"
import { capitalized, listed } from "../terminal/Figures.ts"
import * as KeyStore from "../store/KeyStore.ts"
import type { Profile } from "../store/Profile.ts"
import type { Setting } from "./Setting.ts"
import type { SharedFlags } from "../command/SharedFlags.ts"
import type { Failure } from "../failure/Failure.ts"
import { usageError } from "../failure/Failure.ts"

/** The flags and variables that name an account. */
export interface Given {
  readonly flags: Pick<SharedFlags, "apiKeyStdin" | "baseUrl">
  readonly variables: Pick<Variables, "apiKey" | "apiKeyFile" | "baseUrl">
}

/** A profile and where its name was given. */
export interface Chosen {
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
export const withNamed = ({ flags, variables }: Given, { name, profile }: Chosen): Failure | null => {
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

const empty = (source: string, what: string): Failure =>
  usageError(`${source} is set and empty`, `Set it to ${what}, or unset it.`)

/** Why a key from flags and variables cannot be used; null if it can. `current` is the profile that the key would replace. */
export const withGivenKey = (
  { flags, variables }: Given,
  keySource: string,
  current: Chosen | null,
): Failure | null => {
  const { apiKey, apiKeyFile, baseUrl } = variables
  if (!flags.apiKeyStdin) {
    if (apiKey !== undefined && KeyStore.isEmpty(apiKey)) return empty("DEEDKIT_API_KEY", "an API key")
    if (apiKeyFile === "") return empty("DEEDKIT_API_KEY_FILE", "the path of a file with an API key")
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
    return empty("DEEDKIT_BASE_URL", "the address of the API")
  if (flags.baseUrl !== undefined || baseUrl !== undefined || current === null) return null
  return usageError(
    `${keySource} gives an API key without an address`,
    `Set DEEDKIT_BASE_URL or pass --base-url. To use the current profile ${current.name.value} (${current.profile.baseUrl}) instead, ${without([keySource])}.`,
  )
}

/** Rejects an empty address, which would otherwise count as not set. */
export const withoutGivenKey = ({ flags, variables }: Given): Failure | null =>
  flags.baseUrl === undefined && variables.baseUrl === ""
    ? empty("DEEDKIT_BASE_URL", "the address of the API")
    : null
