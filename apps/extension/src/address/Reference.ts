/**
 * Finds the listings that an address may name, as references to look up: what the user's patterns find, and the end of the path, or a parameter
 * that is named like one of a listing. The index, which knows the slugs, decides where a slug ends. Numbers and pages below a listing's own count
 * only if a pattern finds them, other sites never. Reads only text, thousands of links in milliseconds. Addresses may be hostile: each is read in
 * time linear in its length.
 */
import { longestReference } from "../messages/ListingMessage.ts"
import type { Pattern, PatternPart, Reference } from "../messages/ListingMessage.ts"
import type { Links } from "../messages/AppState.ts"

/** Whether a text is a bare number, which names a listing only if a pattern finds it. */
export const isNumber = (text: string): boolean => /^\d+$/.test(text)

/** Most patterns of a site. */
export const mostPatterns = 50

/** The pattern that excludes every link that no other pattern finds. */
export const onlyPatterns = "!*"

/** Whether a pattern matches every link. */
const isForAll = ({ parameters, segments }: Pattern): boolean => segments.length + parameters.length === 0

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

/** The form in which texts of addresses are compared: a site can write a letter with an accent as one character or as two. */
export const plain = (text: string): string => text.normalize("NFC").toLowerCase()

/** Parses one part; null if a star or a placeholder is where it cannot be. */
const partOf = (text: string): PatternPart | null => {
  const [before = "", kind, after = "", ...more] = plain(text).split(/:(slug|id|contract|unit)(?![a-z])/)
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
 * Parses a pattern, such as `/homes/:slug`, `/*-:id.html` or `?ref=:contract`: it says where in an address a listing's slug or id, a contract's id or
 * a unit's label stands. Its path is the whole path of the address, and its parameters are among those of the address. With `!` before it, a pattern
 * excludes the links that it matches. Null unless it begins with `/` or `?` and has exactly one placeholder, or with `!` and has none. A text with invisible
 * characters is not a pattern.
 */
export const parsePattern = (text: string): Pattern | null => {
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

/** Whether a text can be read as a pattern. */
export const isPattern = (text: string): boolean => parsePattern(text) !== null

/** The patterns among some texts. */
export const parsePatterns = (texts: ReadonlyArray<string>): ReadonlyArray<Pattern> =>
  texts.map(parsePattern).filter((pattern) => pattern !== null)

/**
 * What a part finds in a text in lower case; empty if it names nothing, null if it does not match. Beside a slug, a star is as short as it
 * can be and has a digit in it, as ids have, so that no slug is cut; beside a number it is any text.
 */
const found = (
  { after, before, ends, isNumber: isOf, opens, prefix }: PatternPart,
  text: string,
): string | null => {
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
export const matchPattern = (
  { isOpen, parameters, segments }: Pattern,
  actual: ReadonlyArray<string>,
  query: URLSearchParams,
): string | null => {
  let reference = ""
  const fits = (part: PatternPart, text: string | null | undefined): boolean => {
    const inner = text ? found(part, plain(text)) : null
    reference ||= inner ?? ""
    return inner !== null
  }
  return (isOpen || actual.length === segments.length) &&
    segments.every((part, at) => fits(part, actual[at])) &&
    parameters.every(([name, part]) => fits(part, query.get(name)))
    ? reference
    : null
}

/** The file extension of a page, with or without a language before it: `.html`, `.en-gb.html`. */
export const ending = /(?:\.[a-z]{2}(?:-[a-z]{2,4})?)?\.(?:s?html?|php|aspx?|jsp|do)$/i

/** A last segment that names nothing: a language, or the page of a folder. */
const passed = /^(?:[a-z]{2}(?:[-_][a-z]{2})?|index)$/i

/** An id of a site beside a slug. Years, sizes and house numbers are shorter, and so are the numbers by which sites distinguish slugs. */
const siteId = /^[a-z]{0,4}\d{5,}$/

const wordsOf = (text: string): Array<string> =>
  plain(text)
    .split(/[-_\s.,~+]+/)
    .filter((word) => word !== "")

/** A slug in the one form in which slugs are compared: words in lower case, with hyphens. */
export const slugFormOf = (slug: string): string => wordsOf(slug).join("-")

/** Whether a slug, or every line of a text, is already in that form, as most are; false if that would take a closer look. */
export const isSlugForm = (slugs: string): boolean => !/[^a-z\d\n-]|--/.test(slugs)

/** Looks a form up: undefined if no slug has it, null if several have it. */
type Known<A> = (form: string) => A | null | undefined

/**
 * The one slug that the end of a path names, as one segment or two, however the site writes it: letter case, marks between words, file extensions,
 * and one id of the site before and after it. A slug is found whole or not at all. Null or undefined for none, and if several listings may be meant.
 */
export const findSlug = <A>(end: string, known: Known<A>): A | null | undefined => {
  const [one = "", two = ""] = end.split("/").map((segment) => segment.replace(ending, ""))
  let words = wordsOf(two === "" || passed.test(two) ? one : two)
  const form = words.join("-")
  // A number names a listing only if a pattern finds it.
  const whole = /\D/.test(form) ? known(form) : undefined
  if (whole !== undefined) return whole
  if (two !== "" && siteId.test(form)) words = [...wordsOf(one), form]
  // One word alone is too common to be recognised by an id beside it.
  const within = (from: number, to: number): A | null | undefined =>
    to - from > 1 ? known(words.slice(from, to).join("-")) : undefined
  const from = Number(siteId.test(words[0] ?? ""))
  const to = words.length - Number(siteId.test(words.at(-1) ?? ""))
  const [behind, ahead] = [within(from, words.length), within(0, to)]
  if (behind === undefined || ahead === undefined || behind === ahead)
    return behind ?? ahead ?? within(from, to)
  return null
}

/** References of a link's `href`, the likeliest first. */
export type Reader = (href: string) => ReadonlyArray<Reference>

const none: ReadonlyArray<Reference> = []

/** Longest address that is read, in characters. */
const longestAddress = 8_000

/** Parameters that name a listing, or the page that a link forwards to. */
const naming =
  /^(?:slug|listing|property|home|object|item|url|u|to|target|goto|link)[-_]?(?:slug|name|url)?$/i

/** Whether a reference counts only if a pattern finds it: a number, a contract or a unit. */
const isOfPattern = (text: string): boolean => /^(?:\d+$|:)/.test(text)

type Cut = readonly [segments: Array<string>, query: URLSearchParams]

/** Cuts an address into segments and query. A fragment counts instead if the site keeps its paths there: `/app#/homes/1`, not `/homes/1#/photos`. */
export const cut = (address: string): Cut => {
  const [before = "", fragment = ""] = address.split("#", 2)
  const read = (text: string): Cut => {
    const [path = "", query] = text.split("?", 2)
    return [segmentsOf(path), new URLSearchParams(query)]
  }
  const page = read(before)
  if (fragment === "") return page
  const [, bang, route = ""] = /^(!?)(\/.*)/s.exec(fragment) ?? []
  const inFragment = read(route)
  const isFrame = page[0].length < 2 || /^index\b/i.test(page[0].at(-1) ?? "")
  return bang || (isFrame && inFragment[0].length > 0) ? inFragment : page
}

/** How a reference begins that names the page at an address, which the user may have linked to a listing. */
const ofPage = ":page/"

export const isOfPage = (reference: Reference): boolean => reference.startsWith(ofPage)

/** Parameters that name a page's subject, wherever it is. */
const subject =
  /^(?:(?:listing|property|object|item|expose|home|house|unit|ad|offer|room|flat|apartment|immo)?[-_]?(?:id|ref|no|nr|number|code|slug)|listing|property|object|item|expose|home)$/i

/** A last segment that all pages of its kind have: `/property-details?key=…`. */
const general = /detail|view|show|search|page|listing|propert|object|item/i

/**
 * The page at an address, in the one form in which pages are linked to listings: its path, and those parameters that name what it shows. All
 * parameters count where nothing else tells one page from another. Null for a site's first page, and for an address that is too long.
 */
const pageAt = ([segments, query]: Cut): Reference | null => {
  const last = segments.at(-1) ?? ""
  const given = [...query]
    .filter(([, value]) => value !== "")
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  const named = given.filter(([name]) => subject.test(name))
  const isNamed = named.length > 0 || (/[-_\d]/.test(last) && !general.test(last))
  const counted = /\d{4}/.test(segments.slice(-2).join("/")) ? [] : isNamed ? named : given
  const path = segments.map((segment) => segment.replace(/[?#%\s\\/]/g, encodeURIComponent)).join("/")
  const page = `${ofPage}${path}${counted.length === 0 ? "" : `?${new URLSearchParams(counted)}`}`
  return page === ofPage || page.length > longestReference ? null : page
}

/** The address of the page that a reference names, as links of the user are kept; null for another reference. */
export const linkedAddress = (reference: Reference, origin: string): string | null =>
  isOfPage(reference) ? `${origin}/${reference.slice(ofPage.length)}` : null

/** The address under which a link of the page at `url` is kept; null if that page cannot be linked. */
export const linkableAddress = ({ hash, origin, pathname, protocol, search }: URL): string | null => {
  const page = pageAt(cut(pathname + search + hash))
  return page === null || !/^https?:$/.test(protocol) ? null : linkedAddress(page, origin)
}

/** The last segment of a path, together with the one before it if the last may be a language or an id of the site. */
const endOf = (segments: ReadonlyArray<string>): string => {
  const last = segments.at(-1) ?? ""
  const both = segments.slice(-2).join("/")
  return (last.length > 5 && /[-_]/.test(last)) || both.length > longestReference ? last : both
}

/** A word that a code begins with, and one that may follow: digits, letters without a vowel, part of a UUID, or up to four letters beside them. */
const code = /^[a-z]?\d{7,}$|^(?=.*\d)(?=.*[a-z])(?:[^aeiouy]{5,}|[\da-f]{8,})$/i
const ofCode = /^(?:[a-z]{0,4}\d+[a-z]{0,2}|[^aeiouy]+|[\da-f]{4,}|[a-z]{1,4})$/i

/** The segment of several words before a last one that is a code of the site: `sea-view/3323958001-203-2100`, `sea-view/5XjKHx`. */
const beforeCode = (segments: ReadonlyArray<string>): string => {
  const words = (segments.at(-1) ?? "").replace(ending, "").split(/[-_]/)
  const isCode = code.test(words[0]!) && words.every((word) => ofCode.test(word))
  const before = segments.at(-2) ?? ""
  return isCode && /[-_]/.test(before) ? before : ""
}

/**
 * Reads links of a page at `base` with parsed patterns. Only links to its own `origin` are read; default: that of the base. If the user has
 * linked pages of the site to listings, each address also names its page, before all else.
 */
export const readerOf = (
  patterns: ReadonlyArray<Pattern>,
  base: string,
  { origin }: { readonly origin: string } = new URL(base),
  hasLinks = false,
): Reader => {
  const isRooted = new URL(base).origin === origin
  const root = `${origin}/`

  /** An address without its origin; empty if it leads to no page of this origin. */
  const fromRoot = (href: string): string => {
    if (href.length > longestAddress) return ""
    // Most addresses need no parser.
    const rooted = href.startsWith(root) ? href.slice(origin.length) : isRooted ? href : ""
    if (/^\/(?![/\\])(?!.*(?:[\s\\]|\/\.|%2e))/i.test(rooted)) return rooted
    if (href === "" || /^#(?!!?\/)/.test(href) || !URL.canParse(href, base)) return ""
    const url = new URL(href, base)
    return url.origin === origin ? url.pathname + url.search + url.hash : ""
  }
  const inParameter = ([name, value]: readonly [string, string]): string =>
    naming.test(name) && /[-_\s/]/.test(value) ? endOf(cut(fromRoot(value))[0]) : ""

  return (href) => {
    const address = fromRoot(href)
    if (address === "") return none
    const [segments, query] = cut(address)
    const read = [endOf(segments), beforeCode(segments), ...Array.from(query, inParameter)].filter(
      (text) => !isOfPattern(text),
    )
    const slugs: Array<Reference> = []
    const others: Array<Reference> = []
    let isStrict = false
    for (const pattern of patterns) {
      const found = matchPattern(pattern, segments, query)
      if (found === null) continue
      if (found !== "") (isOfPattern(found) ? others : slugs).push(found)
      else if (isForAll(pattern)) isStrict = true
      else return none
    }
    // A slug that a pattern has cut short may be part of a longer one.
    const longer = read.filter((text) => slugs.some((slug) => plain(text).includes(slug)))
    const page = hasLinks ? pageAt([segments, query]) : null
    return [page ?? "", ...longer, ...slugs, ...(isStrict ? none : read), ...others].filter(
      ({ length }) => length > 0 && length <= longestReference,
    )
  }
}

/** Reads links of a page at `base` with the user's patterns as typed; one that cannot be parsed finds nothing. */
export const reader = (patterns: ReadonlyArray<string>, base: string): Reader =>
  readerOf(parsePatterns(patterns), base)

/** References of an address, the likeliest first; with the page itself if there are links. */
export const referencesOf = (
  address: string,
  patterns: ReadonlyArray<string>,
  hasLinks = false,
): ReadonlyArray<string> =>
  /^https?:/i.test(address) && URL.canParse(address)
    ? [...new Set(readerOf(parsePatterns(patterns), address, new URL(address), hasLinks)(address))]
    : []

/** The reference by which the index knows what a page of this origin has named; null for a page that is not linked to a listing. */
export const resolved = (reference: string, origin: string, links: Links): string | null => {
  const address = linkedAddress(reference, origin)
  if (address === null) return reference
  return Object.hasOwn(links, address) ? String(links[address]) : null
}
