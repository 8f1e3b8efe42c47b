/**
 * Finds the listings that an address may name, as references to look up: what the user's patterns find, and the end of the path, or a parameter
 * that is named like one of a listing. The index, which knows the slugs, decides where a slug ends. Numbers and pages below a listing's own count
 * only if a pattern finds them, other sites never. Reads only text, thousands of links in milliseconds, each in time linear in its length.
 */
import { longestReference } from "../messages/ListingMessage.ts"
import type { Reference } from "../messages/ListingMessage.ts"
import * as Pattern from "./LinkPattern.ts"
import { ending } from "./SlugForm.ts"
import type { Links } from "../messages/AppState.ts"

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
    return [Pattern.segmentsOf(path), new URLSearchParams(query)]
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
  patterns: ReadonlyArray<Pattern.Pattern>,
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
      const found = Pattern.find(pattern, segments, query)
      if (found === null) continue
      if (found !== "") (isOfPattern(found) ? others : slugs).push(found)
      else if (Pattern.isForAll(pattern)) isStrict = true
      else return none
    }
    // A slug that a pattern has cut short may be part of a longer one.
    const longer = read.filter((text) => slugs.some((slug) => text.toLowerCase().includes(slug)))
    const page = hasLinks ? pageAt([segments, query]) : null
    return [page ?? "", ...longer, ...slugs, ...(isStrict ? none : read), ...others].filter(
      ({ length }) => length > 0 && length <= longestReference,
    )
  }
}

/** Reads links of a page at `base` with the user's patterns as typed; one that cannot be parsed finds nothing. */
export const reader = (patterns: ReadonlyArray<string>, base: string): Reader =>
  readerOf(Pattern.parseAll(patterns), base)

/** Whether a text can be read as a pattern. */
export const isPattern = (text: string): boolean => Pattern.parse(text) !== null

/** References of an address, the likeliest first; with the page itself if there are links. */
export const referencesOf = (
  address: string,
  patterns: ReadonlyArray<string>,
  hasLinks = false,
): ReadonlyArray<string> =>
  /^https?:/i.test(address) && URL.canParse(address)
    ? [...new Set(readerOf(Pattern.parseAll(patterns), address, new URL(address), hasLinks)(address))]
    : []

/** The reference by which the index knows what a page of this origin has named; null for a page that is not linked to a listing. */
export const resolved = (reference: string, origin: string, links: Links): string | null => {
  const address = linkedAddress(reference, origin)
  if (address === null) return reference
  return Object.hasOwn(links, address) ? String(links[address]) : null
}
