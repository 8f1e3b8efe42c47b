/**
 * The command `deedkit` itself, without its subcommands, which import it, and the flags of every command: account, limits and output. The API key is not a flag, because other users of the machine can read arguments.
 */
import { Texts } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import { Environment } from "../terminal/Environment.ts"

/** Undefined unless given. */
export const optional = <A>(flag: Flag.Flag<A>): Flag.Flag<A | undefined> =>
  flag.pipe(Flag.optional, Flag.map(Option.getOrUndefined))

/** A switch that is off unless given. */
export const toggle = (name: string, description: string): Flag.Flag<boolean> =>
  Flag.Boolean(name).pipe(Flag.withDescription(description), Flag.withDefault(false), Flag.withoutNegation)

/** A text of this shape that is undefined unless given. */
export const checked = (
  name: string,
  metavar: string,
  shape: string,
  accepts: (value: string) => boolean,
  description: string,
): Flag.Flag<string | undefined> =>
  Flag.String(name).pipe(
    Flag.filter(accepts, () => shape),
    Flag.withMetavar(metavar),
    Flag.withDescription(description),
    optional,
  )

/** The argument of commands that work on a mirror. */
export const mirrorArgument = Argument.String("MIRROR").pipe(
  Argument.withDescription("Mirror that a sync has written: its file, or its address in PostgreSQL"),
)

/** Examples of a command, a line each, with a comment behind it or in the line before. */
export const examples = (lines: string) => {
  const found: Array<Command.Command.Example> = []
  let description: string | undefined
  for (const line of lines.split("\n").map((each) => each.trim())) {
    const [, command = "", comment] = /^(?!# )(.+?)(?:  # (.*))?$/.exec(line) ?? []
    if (command !== "") found.push({ command, description: comment ?? description })
    description = line.startsWith("# ") ? line.slice(2) : undefined
  }
  return Command.withExamples(found)
}

/** Flag of commands that select records. */
export const failOnEmpty = toggle("fail-on-empty", "Exit with code 12 when no record is found")

/** A number that is undefined unless given. `shape` describes the accepted values. */
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
    optional,
  )

/** A positive whole number that is undefined unless given. */
export const wholeNumber = (name: string, description: string): Flag.Flag<number | undefined> =>
  number(name, description, "a whole number from 1", (value) => Number.isSafeInteger(value) && value > 0)

/** A text that is undefined unless given. */
export const text = (name: string, metavar: string, description: string): Flag.Flag<string | undefined> =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), optional)

/** One of several words that is undefined unless given. */
export const choice = <const Words extends ReadonlyArray<string>>(
  name: string,
  metavar: string,
  words: Words,
  description: string,
): Flag.Flag<Words[number] | undefined> =>
  Flag.Literals(name, words).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), optional)

/** A text that can be given several times. */
export const texts = (name: string, metavar: string, description: string): Flag.Flag<ReadonlyArray<string>> =>
  Flag.String(name).pipe(Flag.withMetavar(metavar), Flag.withDescription(description), Flag.atLeast(0))

/** Conditions on the records of lists and exports. */
export const conditions = (description: string): Flag.Flag<ReadonlyArray<string>> =>
  texts("where", "TEST", description)

/** Flag of lists and exports; `cost` is what the order takes. */
export const sortBy = (cost: string): Flag.Flag<string | undefined> =>
  text("sort", "A,-B", `Sort by these columns; a minus before a name means descending. ${cost}`)

/** Flag of commands that make files for people. */
export const lang = choice(
  "lang",
  "LANGUAGE",
  Texts.languages,
  "Language of what people read in the file: en, el or pt; default: that of this machine",
)

/** The chosen language, else that of this machine, else English. */
export const languageOf = (
  chosen: Texts.Language | undefined,
): Effect.Effect<Texts.Language, never, Environment> =>
  Effect.map(
    Environment,
    ({ locale }) => chosen ?? Texts.ofLocale(locale ?? new Intl.DateTimeFormat().resolvedOptions().locale),
  )

const sharedFlags = {
  profile: text(
    "profile",
    "NAME",
    "Profile whose address and key are used (or DEEDKIT_PROFILE); default: the current one",
  ),
  baseUrl: text("base-url", "URL", "Base URL of the API, without /v1/ (or DEEDKIT_BASE_URL)"),
  apiKeyStdin: toggle(
    "api-key-stdin",
    "Read the API key for --base-url from standard input (or DEEDKIT_API_KEY, DEEDKIT_API_KEY_FILE)",
  ),
  cursorParam: text(
    "cursor-param",
    "NAME",
    "Query parameter of the cursor; default auto: before_id, or another name if that has no effect (or DEEDKIT_CURSOR_PARAM)",
  ),
  rate: number(
    "rate",
    "Most requests per second; default 20, 0 for no limit. A 429 pauses all of them anyway",
    "a number from 0",
    (value) => value >= 0,
  ),
  timeout: number(
    "timeout",
    "Seconds for one attempt, to the last byte; default 30",
    "a number of seconds above 0 and up to 3600",
    (value) => value > 0 && value <= 3_600,
  ),
  attempts: wholeNumber("attempts", "Attempts of each request; default 4, or 6 where everything is read"),
  json: toggle("json", "Print one JSON document instead of text; errors are JSON on standard error"),
  verbose: toggle("verbose", "Log every attempt on standard error"),
  debugBundle: text(
    "debug-bundle",
    "FILE",
    "Write a log of the command to FILE, a new file that is safe to send to support",
  ),
  quiet: toggle("quiet", "Print errors only"),
  log: text(
    "log",
    "FILE",
    "Append what the command does to FILE, one line of JSON per event, with its time; never a key",
  ),
  ping: text(
    "ping",
    "URL",
    "Tell a monitor whether the command succeeded: the URL that Healthchecks.io, Uptime Kuma or Cronitor gives you",
  ),
} as const

export type SharedFlags = Command.Command.Config.Infer<typeof sharedFlags>

export const root = Command.make("deedkit").pipe(
  Command.withSharedFlags(sharedFlags),
  Command.withDescription(
    `Contracts and API keys of your property management service, in spreadsheets and scripts. Read-only.

  Exit codes: 0 done, 1 bug, 2 usage, 3 not found, 4 key not accepted, 5 scope missing,
  6 rate limited, 7 network, 8 answer not as specified, 9 not complete, 10 local file or keychain,
  11 pagination, 12 findings, changes or nothing found. Signals: 129 hangup, 130 Ctrl-C, 131 quit, 143 terminate.`,
  ),
)
