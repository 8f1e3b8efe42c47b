/**
 * The user's own link patterns: where in an address the listing's slug or id stands, such as `/homes/:slug` or `?listing=:id`. A pattern's
 * path is the beginning of the address's path, and its parameters are among the address's.
 */

/** What stands at one place of a pattern: a fixed text, or the listing. */
type Part = { readonly text: string } | "slug" | "id"

export interface Pattern {
  readonly segments: ReadonlyArray<Part>
  readonly parameters: ReadonlyArray<readonly [name: string, part: Part]>
}

const partOf = (text: string): Part => (text === ":slug" ? "slug" : text === ":id" ? "id" : { text })

/** A text without its percent-encoding; as it is when that cannot be read. */
const decoded = (text: string): string => {
  if (!text.includes("%")) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The segments of a path, decoded. */
export const segmentsOf = (path: string): Array<string> =>
  path
    .split("/")
    .filter((segment) => segment !== "")
    .map(decoded)

/** Reads a pattern; null unless it begins with `/` or `?` and has exactly one place for a listing. */
export const parse = (text: string): Pattern | null => {
  if (!/^[/?]\S+$/.test(text)) return null
  const [path = "", query = ""] = text.split("?", 2)
  const segments = segmentsOf(path).map(partOf)
  const parameters = [...new URLSearchParams(query)].map(([name, value]) => [name, partOf(value)] as const)
  const parts = [...segments, ...parameters.map(([, part]) => part)]
  return parts.filter((part) => typeof part === "string").length === 1 ? { segments, parameters } : null
}

/** The patterns among some texts. */
export const parseAll = (texts: ReadonlyArray<string>): ReadonlyArray<Pattern> =>
  texts.map(parse).filter((pattern) => pattern !== null)

/** The slug or id that a pattern finds in an address; null where it does not fit. */
export const find = (pattern: Pattern, segments: ReadonlyArray<string>, query: string): string | null => {
  let found: string | null = null
  const fits = (part: Part, actual: string | null | undefined): boolean => {
    if (actual == null || actual === "") return false
    if (typeof part === "object") return part.text === actual
    if (part === "id" && !/^\d+$/.test(actual)) return false
    found = actual
    return true
  }
  if (!pattern.segments.every((part, at) => fits(part, segments[at]))) return null
  if (pattern.parameters.length === 0) return found
  const parameters = new URLSearchParams(query)
  return pattern.parameters.every(([name, part]) => fits(part, parameters.get(name))) ? found : null
}
