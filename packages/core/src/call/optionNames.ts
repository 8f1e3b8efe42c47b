/**
 * The names of all options, and the error for a name that is not among them. An option that is ignored changes a result without a word, so a
 * mistyped one is refused. Types and names are compared by the tests. Knows no values: whoever reads an option checks its value.
 */
import type { ClientError } from "../error/ClientError.ts"
import { configInvalid } from "../error/ClientError.ts"

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
  get: call,
  getContract: ["includeData", ...call],
  getMany: ["concurrency", ...call],
  getManyContracts: ["concurrency", "includeData", ...call],
} as const

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
  const problem = near === null ? `the options are ${known.join(", ")}` : `the nearest one is "${prefix}${near}"`
  return configInvalid(`option "${prefix}${name.slice(0, longestName)}"`, `is unknown; ${problem}`)
}

const longestName = 40

/** The name with the fewest edits, at most a third of the letters; null where there is none. A part of a name is one edit away from it. */
const nearest = (wanted: string, known: ReadonlyArray<string>): string | null => {
  const word = wanted.slice(0, longestName).toLowerCase()
  let best: string | null = null
  let fewest = Math.max(1, Math.floor(word.length / 3)) + 1
  for (const name of known) {
    const candidate = name.toLowerCase()
    const isPart = word.length > 2 && (candidate.includes(word) || word.includes(candidate))
    const edits = isPart ? 1 : editsOf(word, candidate)
    if (edits < fewest) {
      best = name
      fewest = edits
    }
  }
  return best
}

/** Letters to add, remove or change. */
const editsOf = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (const letter of from) {
    const next = [row[0]! + 1]
    for (const [at, other] of [...to].entries()) {
      next.push(letter === other ? row[at]! : 1 + Math.min(row[at]!, row[at + 1]!, next[at]!))
    }
    row = next
  }
  return row[to.length]!
}
