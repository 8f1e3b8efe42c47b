/**
 * Reads an address with a site's patterns: what each pattern finds in it, and the parts that are looked up without any. Uses the same rules as for
 * the links of a page. Pure; the address is not sent anywhere.
 */
import * as Pattern from "../../../address/LinkPattern.ts"
import * as Reference from "../../../page/links/Reference.ts"
import * as Grants from "../../state/Grants.ts"

export type Trial =
  | { readonly _tag: "NotAnAddress" }
  | { readonly _tag: "OtherSite" }
  | {
      readonly _tag: "Read"
      readonly url: URL
      /** Each pattern with the reference that it finds: empty where it excludes the address, null where it does not fit. */
      readonly found: ReadonlyArray<{ readonly pattern: string; readonly reference: string | null }>
      /** All references that are looked up, the likeliest first. */
      readonly references: ReadonlyArray<string>
    }

/** Reads an address of a site; a text that starts with a slash is a path of the site. */
export const read = (typed: string, origin: string, patterns: ReadonlyArray<string>): Trial => {
  const trimmed = typed.trim()
  const address = Grants.readAddress(trimmed.startsWith("/") ? origin + trimmed : trimmed)
  if (address._tag === "NotAnAddress") return { _tag: "NotAnAddress" }
  if (address._tag !== "Valid" || address.url.origin !== origin) return { _tag: "OtherSite" }
  const { url } = address
  const href = url.pathname + url.search + url.hash
  const [segments, query] = Reference.cut(href)
  const found = patterns
    .filter((pattern) => pattern !== Pattern.onlyPatterns)
    .map((pattern) => {
      const parsed = Pattern.parse(pattern)
      return { pattern, reference: parsed === null ? null : Pattern.find(parsed, segments, query) }
    })
  return { _tag: "Read", url, found, references: [...new Set(Reference.reader(patterns, origin)(href))] }
}
