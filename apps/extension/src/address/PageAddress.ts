/**
 * Finds the listings that the address of a tab may show, as references to look up in the index. An address is read by the same rule as links
 * in the content script, so that popup, badges and panel never differ about a page. It is sent nowhere.
 */
import * as Pattern from "./LinkPattern.ts"
import type { Links } from "../messages/AppState.ts"
import { linkedAddress, readerOf } from "../page/links/Reference.ts"

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
