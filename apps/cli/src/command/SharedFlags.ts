/**
 * The flags that every command takes: where the service is, how patiently to ask, how much to say. The API key is not among them and never
 * will be, because arguments can be read by every user of a machine.
 */
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"

/** A switch that is off unless given. */
export const toggle = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false), Flag.withoutNegation)

/** A number that is undefined unless given. `shape` says in words what it takes. */
const number = (
  name: string,
  description: string,
  shape: string,
  accepts: (value: number) => boolean,
): Flag.Flag<number | undefined> =>
  Flag.Finite(name).pipe(
    Flag.filter(accepts, () => shape),
    Flag.withMetavar("N"),
    Flag.withDescription(description),
    Flag.optional,
    Flag.map(Option.getOrUndefined),
  )

/** A whole number from 1. */
export const wholeNumber = (name: string, description: string): Flag.Flag<number | undefined> =>
  number(name, description, "a whole number from 1", (value) => Number.isSafeInteger(value) && value > 0)

/** A text that is undefined unless given. */
export const text = (name: string, metavar: string, description: string): Flag.Flag<string | undefined> =>
  Flag.String(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    Flag.optional,
    Flag.map(Option.getOrUndefined),
  )

export const sharedFlags = {
  profile: text(
    "profile",
    "NAME",
    "The profile whose address and key are used (or DEEDKIT_PROFILE); default: the current one",
  ),
  baseUrl: text("base-url", "URL", "Where the API is, without /v1/ (or DEEDKIT_BASE_URL)"),
  apiKeyStdin: toggle(
    "api-key-stdin",
    "Read the API key of --base-url from standard input (or DEEDKIT_API_KEY, DEEDKIT_API_KEY_FILE)",
  ),
  cursorParam: text(
    "cursor-param",
    "NAME",
    "Query parameter that takes the cursor; default auto: before_id, verified, else looked for (or DEEDKIT_CURSOR_PARAM)",
  ),
  rate: number(
    "rate",
    "Requests a second at most, default 20; 0 keeps no pace",
    "a number from 0",
    (value) => value >= 0,
  ),
  timeout: number(
    "timeout",
    "Seconds for one attempt, to the last byte; default 30",
    "a number of seconds above 0 and up to 3600",
    (value) => value > 0 && value <= 3_600,
  ),
  attempts: wholeNumber("attempts", "Attempts of one request; default 4, for exports 6"),
  json: toggle("json", "Print one JSON document instead of text; an error is one on standard error"),
  verbose: toggle("verbose", "Log every attempt on standard error"),
  debugBundle: text(
    "debug-bundle",
    "FILE",
    "Write what was done and how it ended to a file that is safe to send to whoever helps",
  ),
  quiet: toggle("quiet", "Say nothing but errors"),
} as const

export type SharedFlags = Command.Command.Config.Infer<typeof sharedFlags>
