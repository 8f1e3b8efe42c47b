/**
 * Which listings the address of a tab may show, as references to look up in the index. An address is read as the content script reads links.
 * It goes nowhere.
 */
import * as Pattern from "../listing/Pattern.ts"
import { reader } from "../listing/Reference.ts"
import { limits } from "../messages/ListingMessage.ts"

/** Whether a pattern has exactly one place for a listing's slug or id, in its path or its query. */
export const isPattern = (pattern: string): boolean => Pattern.parse(pattern) !== null

/** References of an address, the likeliest first. A path of one segment names a listing, however short its id is. */
export const referencesOf = (address: string, patterns: ReadonlyArray<string>): ReadonlyArray<string> => {
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return []
  const references = reader(patterns, address)(address)
  const [only, ...others] = Pattern.segmentsOf(new URL(address).pathname)
  const isNamed = only !== undefined && others.length === 0 && only.length <= limits.referenceLength
  return [...new Set(isNamed ? [...references, only] : references)]
}
