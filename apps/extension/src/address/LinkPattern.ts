/**
 * The user's own link patterns: where in an address a listing's slug or id, a contract's id or a unit's label stands, such as `/homes/:slug`,
 * `/*-:id.html` or `?ref=:contract`. A pattern's path is the whole path of the address, and its parameters are among those of the address. With
 * `!` before it, a pattern excludes the links that it matches. Addresses may be hostile: finding takes time linear in their length.
 */
/** Whether a text is a bare number, which names a listing only if a pattern finds it. */
export const isNumber = (text: string): boolean => /^\d+$/.test(text)

/** A segment, or the value of a parameter, in lower case: the text around its placeholder. */
interface Part {
  /** How a reference from this part begins; null if the part names nothing: `before` is then the whole text, or a star. */
  readonly prefix: "" | ":contract/" | ":unit/" | null
  /** Whether the placeholder is for a number. */
  readonly isNumber: boolean
  readonly before: string
  readonly after: string
  /** Whether there is a star before `before`, and one after `after`. */
  readonly opens: boolean
  readonly ends: boolean
}

export interface Pattern {
  readonly isExclusion: boolean
  /** Whether further segments may follow. */
  readonly isOpen: boolean
  readonly segments: ReadonlyArray<Part>
  readonly parameters: ReadonlyArray<readonly [name: string, part: Part]>
}

/** Most patterns of a site. */
export const mostPatterns = 50

/** The pattern that excludes every link that no other pattern finds. */
export const onlyPatterns = "!*"

/** Whether a pattern matches every link. */
export const isForAll = ({ parameters, segments }: Pattern): boolean =>
  segments.length + parameters.length === 0

/** A text without its percent-encoding; unchanged if that cannot be read. */
const decoded = (text: string): string => {
  if (!text.includes("%")) return text
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The segments of a path, decoded, without parameters of their own. */
export const segmentsOf = (path: string): Array<string> =>
  path
    .replace(/;[^/]*/g, "")
    .split("/")
    .filter((segment) => segment !== "")
    .map(decoded)

/** Parses one part; null if a star or a placeholder is where it cannot be. */
const partOf = (text: string): Part | null => {
  const [before = "", kind, after = "", ...more] = text
    .toLowerCase()
    .split(/:(slug|id|contract|unit)(?![a-z])/)
  const opens = before.startsWith("*") && kind !== undefined
  const ends = after.endsWith("*")
  const part = { before: before.slice(Number(opens)), after: ends ? after.slice(0, -1) : after, opens, ends }
  // Nothing would show where the star ends and the placeholder begins.
  const isVague = (opens && part.before === "") || (ends && part.after === "")
  const rest = part.before + part.after
  if (isVague || more.length > 0 || /:[a-z]/.test(rest) || (rest.includes("*") && text !== "*")) return null
  const prefix =
    kind === undefined ? null : kind === "contract" || kind === "unit" ? (`:${kind}/` as const) : ""
  return { ...part, prefix, isNumber: kind === "id" || kind === "contract" }
}

/**
 * Parses a pattern; null unless it begins with `/` or `?` and has exactly one placeholder, or with `!` and has none. A text with invisible
 * characters is not a pattern.
 */
export const parse = (text: string): Pattern | null => {
  const isExclusion = text.startsWith("!")
  const [path = "", query = ""] = text.slice(Number(isExclusion)).split("?", 2)
  const names = path === "*" && isExclusion ? [] : segmentsOf(path)
  const isOpen = names.length === 0 || names.at(-1) === "**"
  const segments = (names.at(-1) === "**" ? names.slice(0, -1) : names).map(partOf)
  const parameters = [...new URLSearchParams(query)].map(([name, value]) => [name, partOf(value)] as const)
  const parts = [...segments, ...parameters.map(([, part]) => part)]
  const places = parts.filter((part) => part?.prefix != null).length
  const isRight = places === Number(!isExclusion) && !parts.includes(null)
  const isForm = text === onlyPatterns || (/^!?[/?]\S+$/.test(text) && !/\p{C}/u.test(text))
  return isForm && isRight ? ({ isExclusion, isOpen, segments, parameters } as Pattern) : null
}

/** The patterns among some texts. */
export const parseAll = (texts: ReadonlyArray<string>): ReadonlyArray<Pattern> =>
  texts.map(parse).filter((pattern) => pattern !== null)

/**
 * What a part finds in a text in lower case; empty if it names nothing, null if it does not match. Beside a slug, a star is as short as it
 * can be and has a digit in it, as ids have, so that no slug is cut; beside a number it is any text.
 */
const found = ({ after, before, ends, isNumber: isOf, opens, prefix }: Part, text: string): string | null => {
  if (prefix === null) return before === "*" || before === text ? "" : null
  const to = !ends
    ? text.length - after.length
    : isOf && !opens
      ? text.indexOf(after, before.length)
      : text.lastIndexOf(after)
  const at = !opens ? 0 : isOf ? text.lastIndexOf(before, to - before.length) : text.indexOf(before)
  const inner = text.slice(at + before.length, to)
  const star = isOf ? /./ : /\d/
  return text.startsWith(before, at) &&
    text.startsWith(after, to) &&
    (!opens || star.test(text.slice(0, at))) &&
    (!ends || star.test(text.slice(to + after.length))) &&
    (prefix === ":unit/" ? inner !== "" : isOf === isNumber(inner) && inner !== "")
    ? prefix + inner
    : null
}

/**
 * The reference that a pattern finds in an address: `:contract/7` for a contract, `:unit/a-12` for a unit, else a slug or a number. Empty for an
 * exclusion, null if the pattern does not match. The reference is in lower case.
 */
export const find = (
  { isOpen, parameters, segments }: Pattern,
  actual: ReadonlyArray<string>,
  query: URLSearchParams,
): string | null => {
  let reference = ""
  const fits = (part: Part, text: string | null | undefined): boolean => {
    const inner = text ? found(part, text.toLowerCase()) : null
    reference ||= inner ?? ""
    return inner !== null
  }
  return (isOpen || actual.length === segments.length) &&
    segments.every((part, at) => fits(part, actual[at])) &&
    parameters.every(([name, part]) => fits(part, query.get(name)))
    ? reference
    : null
}
