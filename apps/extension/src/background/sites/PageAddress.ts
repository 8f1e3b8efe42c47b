/**
 * Finds the listings that the address of a tab may show, as references to look up in the index. An address is read by the same rule as links
 * in the content script, so that popup, badges and panel never differ about a page. It is sent nowhere.
 */
import * as Pattern from "../../address/LinkPattern.ts"
import { reader } from "../../page/links/Reference.ts"

/** Whether a text can be read as a pattern. */
export const isPattern = (text: string): boolean => Pattern.parse(text) !== null

/** References of an address, the likeliest first. */
export const referencesOf = (address: string, patterns: ReadonlyArray<string>): ReadonlyArray<string> =>
  /^https?:/i.test(address) && URL.canParse(address) ? [...new Set(reader(patterns, address)(address))] : []
