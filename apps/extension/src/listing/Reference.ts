/**
 * Which listings an address may name, as references to look up: what the user's patterns find, and every segment of the path, because a
 * segment that is a known slug names its listing on whatever site. Reads text alone, and thousands of links in a blink.
 */
import { limits } from "../messages/ListingMessage.ts"
import type { Reference } from "../messages/ListingMessage.ts"
import * as Pattern from "./Pattern.ts"

/** References of a link's `href`, the likeliest first. */
export type Reader = (href: string) => ReadonlyArray<Reference>

const none: ReadonlyArray<Reference> = []
const extension = /\.(?:html?|php|aspx?)$/i

/**
 * A number is taken for a listing's id only at the end of a path, and below three digits only where it is the whole path: pages of a list,
 * days and months are numbers too. Patterns find ids anywhere.
 */
const mayBeId = (segments: ReadonlyArray<string>, at: number): boolean =>
  at === segments.length - 1 && (at === 0 || segments[at]!.length >= 3)

const isDigits = /^\d+$/

const inPath = (segments: ReadonlyArray<string>): Array<Reference> => {
  const references: Array<Reference> = []
  for (let at = segments.length - 1; at >= 0; at--) {
    const segment = segments[at]!
    if (segment.length > limits.referenceLength) continue
    if (isDigits.test(segment) && !mayBeId(segments, at)) continue
    references.push(segment)
    if (at === segments.length - 1 && extension.test(segment)) references.push(segment.replace(extension, ""))
  }
  return references
}

/** Cuts an address from its root on into path and query; a fragment counts where a site keeps its paths there. */
const cut = (address: string): readonly [path: string, query: string] => {
  const hash = address.indexOf("#")
  const fragment = hash < 0 ? "" : address.slice(hash + 1)
  const whole = /^!?\//.test(fragment)
    ? fragment.replace(/^!/, "")
    : hash < 0
      ? address
      : address.slice(0, hash)
  const mark = whole.indexOf("?")
  return mark < 0 ? [whole, ""] : [whole.slice(0, mark), whole.slice(mark + 1)]
}

/** An address from its root on; null when it leads to no page. */
const fromRoot = (href: string, base: string): string | null => {
  if (href.startsWith("/") && !href.startsWith("//")) return href
  if (href === "" || (href.startsWith("#") && !/^#!?\//.test(href))) return null
  const url = URL.canParse(href, base) ? new URL(href, base) : null
  return url === null || !/^https?:$/.test(url.protocol) ? null : url.pathname + url.search + url.hash
}

/** Reads links of a page at `base` with the user's patterns; a pattern that cannot be read finds nothing. */
export const reader = (patterns: ReadonlyArray<string>, base: string): Reader => {
  const own = patterns.map(Pattern.parse).filter((pattern) => pattern !== null)
  return (href) => {
    const address = fromRoot(href, base)
    if (address === null) return none
    const [path, query] = cut(address)
    const segments = Pattern.segmentsOf(path)
    const references = inPath(segments)
    for (const pattern of own) {
      const found = Pattern.find(pattern, segments, query)
      if (found !== null && found.length <= limits.referenceLength) references.unshift(found)
    }
    return references
  }
}
