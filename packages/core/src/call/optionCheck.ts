/**
 * Options that cannot work, before anything is sent: names that are not known, because an option that is ignored changes a result without a
 * word, and values out of range. Address, key and cursor parameter are checked where they are read. The tests compare names and types.
 */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import type { ClientError } from "../error/ClientError.ts"
import { configInvalid } from "../error/ClientError.ts"
import type { CallOptions, ClientOptions } from "./ClientOptions.ts"
import { limitsOf } from "./limiter/RateLimits.ts"
import { isSchedule } from "./RetryOption.ts"

const call = ["timeLimits", "retry", "priority"] as const
const list = [
  "limit",
  "onRejected",
  "from",
  "record",
  "recording",
  "cursorParam",
  "readAhead",
  "maxPages",
  "prove",
  "cursorVerified",
  ...call,
] as const

/** The names of the options of the client and of each operation, and of the options that are objects. */
export const names = {
  client: [
    "baseUrl",
    "apiKey",
    "cursorParam",
    "cursorVerified",
    "retry",
    "timeLimits",
    "rate",
    "maxBodyBytes",
    "userAgent",
  ],
  hooks: ["onRequest", "onResponse"],
  timeLimits: ["connect", "attempt", "idle", "deadline"],
  retry: [
    "attempts",
    "baseMillis",
    "capMillis",
    "leastMillis",
    "rateLimitBaseMillis",
    "rateLimitCapMillis",
    "longestWaitMillis",
  ],
  call,
  list,
  collect: [...list, "max"],
  get: ["includeData", ...call],
  getMany: ["includeData", "concurrency", "plan", ...call],
} as const

/** An operation, as far as its options are concerned. */
export type Operation = Exclude<keyof typeof names, "client" | "hooks" | "timeLimits" | "retry">

/** `ConfigInvalid` for the first option that has none of these names, nor one of `more`; null when there is none. Names what is nearest. */
export const unknownOption = (
  of: keyof typeof names,
  given: object | undefined,
  more: ReadonlyArray<string> = [],
): ClientError | null => {
  if (given === undefined) return null
  const prefix = of === "timeLimits" || of === "retry" ? `${of}.` : ""
  if (typeof given !== "object" || given === null)
    return configInvalid(prefix === "" ? "options" : of, "must be an object")
  const known: ReadonlyArray<string> = [...names[of], ...more]
  const name = Object.keys(given).find((each) => !known.includes(each))
  if (name === undefined) return null
  const near = nearest(name, known)
  const problem =
    near === null ? `the options are ${known.join(", ")}` : `the nearest one is "${prefix}${near}"`
  return configInvalid(isWord.test(name) ? `option "${prefix}${name}"` : "option", `is unknown; ${problem}`)
}

/** What is wrong with the options of a client; null for nothing. `more` names options that the entry reads itself. */
export const problemOfClient = (options: ClientOptions, more?: ReadonlyArray<string>): ClientError | null => {
  const problem = unknownOption("client", options, more) ?? problemOfCall(options)
  if (problem !== null) return problem
  const { maxBodyBytes = 1, rate = 0, userAgent = "-" } = options
  const { burst, ceiling, start } = limitsOf(rate ?? -1)
  if (![start, burst, ceiling].every(isFrom0) || start * ceiling === 0 || burst < 1)
    return configInvalid("rate", "must be a number of requests a second, or 0 for no limit")
  if (!isFrom0(maxBodyBytes) || maxBodyBytes === 0)
    return configInvalid("maxBodyBytes", "must be a positive number of bytes")
  return typeof userAgent === "string" && /^[!-~]+(?: [!-~]+)*$/.test(userAgent)
    ? null
    : configInvalid("userAgent", "must be printable ASCII, with one space between two words")
}

/** What is wrong with the values of a call's options; null for nothing. */
export const problemOfCall = ({ priority, retry, timeLimits }: CallOptions): ClientError | null => {
  const problem = unknownOption("timeLimits", timeLimits) ?? problemOfRetry(retry)
  if (problem !== null) return problem
  for (const [name, limit] of Object.entries(timeLimits ?? {})) {
    if (limit === undefined || isPositive(limit) || (limit === null && name === "deadline")) continue
    const orNone = name === "deadline" ? ", or null" : ""
    return configInvalid(`timeLimits.${name}`, `must be a duration of more than 0${orNone}`)
  }
  return priority === undefined || priority === "interactive" || priority === "background"
    ? null
    : configInvalid("priority", 'must be "interactive" or "background"')
}

const problemOfRetry = (retry: CallOptions["retry"]): ClientError | null => {
  if (retry === "interactive" || retry === "patient" || isSchedule(retry)) return null
  if (typeof retry === "string")
    return configInvalid("retry", 'must be "interactive", "patient", parts of a policy, or a schedule')
  const problem = unknownOption("retry", retry)
  if (problem !== null) return problem
  for (const [name, value] of Object.entries(retry ?? {})) {
    if (value !== undefined && !isFrom0(value))
      return configInvalid(`retry.${name}`, "must be a number from 0")
  }
  const { attempts = 1 } = retry ?? {}
  return Number.isInteger(attempts) && attempts >= 1
    ? null
    : configInvalid("retry.attempts", "must be a whole number from 1")
}

/** Options come from programs without types, too: a text would be appended where a number is added. */
const isFrom0 = (value: unknown): boolean => typeof value === "number" && value >= 0

const isPositive = (limit: Duration.Input | null): boolean => {
  if (limit === null) return false
  const duration = Duration.fromInput(limit)
  return Option.isSome(duration) && Duration.toMillis(duration.value) > 0
}

/** Other names are not repeated: a key that stands in the place of a name has digits, or is longer. */
const isWord = /^[A-Za-z_]{1,24}$/

/** The pairs of letters that a word begins and is made of. */
const pairsOf = (word: string): ReadonlySet<string> => {
  const letters = `^${word.toLowerCase()}`
  return new Set(Array.from(letters, (_, at) => letters.slice(at, at + 2)))
}

/** The name that shares most pairs of letters, a quarter at least; null where none does. */
const nearest = (wanted: string, known: ReadonlyArray<string>): string | null => {
  const pairs = pairsOf(wanted.slice(0, 40))
  let best: string | null = null
  let most = 0.25
  for (const name of known) {
    const own = pairsOf(name)
    const all = new Set([...own, ...pairs]).size
    const shared = (own.size + pairs.size - all) / all
    if (shared >= most) {
      best = name
      most = shared
    }
  }
  return best
}
