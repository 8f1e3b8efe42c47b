/**
 * Answers of a service without personal data, for files that are committed. In the members of the specification (Spec: Resources), ids, kinds,
 * statuses, scopes, times and cursors that are numbers are kept, because tests depend on them. Every other text and every value of an undocumented
 * member is replaced: names of keys, labels of units, everything about a listing but its id, the data payload, the account, messages.
 *
 * The same text has the same pseudonym in one recording, so records that are equal or linked by a cursor remain so.
 */
import { isObject, parse, stringify } from "../model/Json.ts"
import type { Json } from "../model/Json.ts"
import { isTimestamp } from "../model/Timestamp.ts"

/** Replaces personal data in requests and answers. */
export interface Pseudonyms {
  /** A body of the service. A body that is not JSON keeps only whether it looks like HTML. */
  readonly body: (text: string) => string
  /** The query of a request: values that are not whole numbers are replaced. */
  readonly query: (query: URLSearchParams) => URLSearchParams
  /** Any other text, such as a request id. */
  readonly text: (text: string) => string
}

/** Members of records whose numbers are kept. */
const ids: ReadonlySet<string> = new Set(["id", "listing_id", "template_id", "unit_id"])
/** Members whose texts are kept if they have the form that the specification shows. */
const forms: { readonly [member: string]: (text: string) => boolean } = {
  kind: (text) => /^[a-z_-]{1,24}$/.test(text),
  status: (text) => /^[a-z_-]{1,24}$/.test(text),
  scopes: (text) => /^[a-z_]{1,24}:[a-z_]{1,24}$/.test(text),
  created_at: isTimestamp,
  updated_at: isTimestamp,
  last_used_at: isTimestamp,
  revoked_at: isTimestamp,
}
/** Members whose inner members are documented, too. */
const containers: ReadonlySet<string> = new Set(["items", "contract", "api_key", "listing"])
/** Names that are kept within undocumented members: those of errors. Other names may be data themselves, such as an address used as a name. */
const words: ReadonlySet<string> = new Set(
  "code detail error errors field message reason status title type".split(" "),
)
const isWord = (name: string): boolean => /^[a-zA-Z_]{1,40}$/.test(name)
const isWhole = (text: string): boolean => /^-?\d{1,40}$/.test(text)

/** Makes pseudonyms that count from 1. */
export const make = (): Pseudonyms => {
  const given = new Map<string, string>()
  const text = (real: string): string => {
    if (real === "") return ""
    const known = given.get(real)
    if (known !== undefined) return known
    // A character that could not be decoded is kept, because it decides whether a record is valid.
    const made = `text-${given.size + 1}${real.includes("\uFFFD") ? "\uFFFD" : ""}`
    given.set(real, made)
    return made
  }
  const cursor = (real: string): string => (isWhole(real) ? real : text(real))

  /** An undocumented value keeps its type and the length of its lists. */
  const unknown = (value: Json): Json => {
    if (typeof value === "string") return text(value)
    if (typeof value === "bigint") return 2n ** 53n + 1n
    if (typeof value === "number") return Number.isInteger(value) ? 0 : 0.5
    if (Array.isArray(value)) return value.map(unknown)
    if (!isObject(value)) return value === null ? null : false
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [words.has(name) ? name : text(name), unknown(inner)]),
    )
  }
  const member = (name: string, value: Json): Json => {
    if (Array.isArray(value)) return value.map((item: Json) => member(name, item))
    if (isObject(value)) return containers.has(name) ? record(value) : unknown(value)
    if (name === "ok") return typeof value === "boolean" ? value : unknown(value)
    if (name === "next_before_id") return typeof value === "string" ? cursor(value) : value
    if (typeof value === "string") return forms[name]?.(value) === true ? value : text(value)
    return ids.has(name) ? value : unknown(value)
  }
  /** An answer, or a record in it. The names of undocumented members are kept if they are words. */
  const record = (value: { readonly [member: string]: Json }): Json =>
    Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [isWord(name) ? name : text(name), member(name, inner)]),
    )

  return {
    text,
    body: (real) => {
      try {
        const value = parse(real)
        return stringify(isObject(value) ? record(value) : unknown(value))
      } catch {
        // Not JSON, or nested too deeply to be searched.
        return real.trimStart().startsWith("<") ? "<html></html>" : real === "" ? "" : "(text)"
      }
    },
    query: (real) => new URLSearchParams([...real].map(([name, value]) => [name, cursor(value)])),
  }
}
