/**
 * Which listings an address may name, as references to look up: what the user's patterns find, and every segment of the path, because a
 * segment that is a known slug names its listing on whatever site. Numbers count only where a pattern finds them: pages of a list, days and
 * posts have numbers too, and a page could count through all ids. Reads text alone, thousands of links in milliseconds.
 */
import { isNumber, longestReference } from "../../messages/ListingMessage.ts"
import type { Reference } from "../../messages/ListingMessage.ts"
import * as Pattern from "../../messages/LinkPattern.ts"

/** References of a link's `href`, the likeliest first. */
export type Reader = (href: string) => ReadonlyArray<Reference>

const none: ReadonlyArray<Reference> = []
const extension = /\.(?:html?|php|aspx?)$/i

const inPath = (segments: ReadonlyArray<string>): Array<Reference> => {
  const candidates = segments.toReversed()
  const [last = ""] = candidates
  if (extension.test(last)) candidates.splice(1, 0, last.replace(extension, ""))
  return candidates.filter((text) => text.length <= longestReference && !isNumber(text))
}

/** A text before and after the first such mark. */
const halves = (text: string, mark: string): readonly [before: string, after: string] => {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)]
}

/** Cuts an address from its root on into path and query; a fragment counts where a site keeps its paths there. */
const cut = (address: string): readonly [path: string, query: string] => {
  const [before, fragment] = halves(address, "#")
  return halves(/^!?(\/[^]*)/.exec(fragment)?.[1] ?? before, "?")
}

/** An address from its root on; null when it leads to no page. */
const fromRoot = (href: string, base: string): string | null => {
  if (href.startsWith("/") && !href.startsWith("//")) return href
  if (href === "" || (href.startsWith("#") && !/^#!?\//.test(href))) return null
  const url = URL.canParse(href, base) ? new URL(href, base) : null
  return url === null || !/^https?:$/.test(url.protocol) ? null : url.pathname + url.search + url.hash
}

/** Reads links of a page at `base` with patterns that were read before. */
export const readerOf =
  (patterns: ReadonlyArray<Pattern.Pattern>, base: string): Reader =>
  (href) => {
    const address = fromRoot(href, base)
    if (address === null) return none
    const [path, query] = cut(address)
    const segments = Pattern.segmentsOf(path)
    const references = inPath(segments)
    for (const pattern of patterns) {
      const found = Pattern.find(pattern, segments, query)
      if (found !== null && found.length <= longestReference) references.unshift(found)
    }
    return references
  }

/** Reads links of a page at `base` with the user's patterns as they are typed; one that cannot be read finds nothing. */
export const reader = (patterns: ReadonlyArray<string>, base: string): Reader =>
  readerOf(Pattern.parseAll(patterns), base)
