/**
 * Learns patterns from all links of a page: which of them carry numbers or slugs of the user's listings, where, and what around them differs from
 * link to link. Nothing is added here: the user is asked first. Pure except for the index queries.
 */
import { longestReference } from "../../../messages/ListingMessage.ts"
import * as Reference from "../../../address/Reference.ts"
import * as Derive from "./Derive.ts"

/** Fewest listings with contracts that say that a page's links carry their numbers or slugs. */
const leastKnown = 3
/** Most patterns for one page, most with those for homes of other types, and most references that the index is asked for. */
const mostLearnt = 3
const mostOfTypes = 6
const mostAsked = 5_000

/** The known ones among some references. */
export type Known = (references: ReadonlyArray<string>) => Promise<ReadonlyArray<string>>

/** How many listings patterns find on the page, and how many of them have contracts. */
export interface Count {
  readonly found: number
  readonly known: number
}

/** The references of each listing that a reader finds among links. The first one tells listings apart; a slug that a pattern has cut short comes after it. */
const listingsIn = (links: ReadonlyArray<string>, read: Reference.Reader) =>
  new Map(
    links.flatMap((link) => {
      const references = read(link)
      return references.slice(0, 1).map((first) => [first, references] as const)
    }),
  )

const countOf = (listings: ReturnType<typeof listingsIn>, ours: ReadonlySet<string>): Count => ({
  found: listings.size,
  known: [...listings.values()].filter((references) => references.some((one) => ours.has(one))).length,
})

/** What one more pattern alone finds among the links of a page of `origin`, without those that the site excludes. */
export const find = async (
  pattern: string,
  links: ReadonlyArray<string>,
  origin: string,
  patterns: ReadonlyArray<string>,
  known: Known,
): Promise<Count> => {
  const exclusions = patterns.filter((other) => other.startsWith("!"))
  const read = Reference.reader([...exclusions, pattern, Reference.onlyPatterns], `${origin}/`)
  const found = listingsIn(links, read)
  return countOf(found, new Set(await known([...found.values()].flat())))
}

export interface Learnt {
  readonly patterns: ReadonlyArray<string>
  readonly count: (patterns: ReadonlyArray<string>) => Count
}

/** A number that is probably a year names no listing. */
const isYear = (number: string): boolean => /^(?:19|20)\d\d$/.test(number)

/** A code of letters and digits, such as `61d026c2`. */
const code = /^(?=.*\d)(?=.*[a-z])[a-z\d]{6,}$/

/** Numbers of three digits or more, segments of several words, and codes, in lower case. */
const candidatesOf = (link: string): ReadonlyArray<string> => {
  const [segments, query] = Reference.cut(link)
  const texts = [...segments, ...query.values()].map(Reference.plain)
  const numbers = texts.flatMap((text) => text.match(/\d{3,}/g) ?? []).filter((number) => !isYear(number))
  const slugs = texts.filter(
    (text) => code.test(text) || (/[-_]/.test(text) && /\D/.test(text.replaceAll(/[-_]/g, ""))),
  )
  return [...numbers, ...slugs].filter(({ length }) => length <= longestReference)
}

/**
 * Patterns that differ from those of a page only in the word before the number, which says of which type a home is: `/rent/house-:id` beside
 * `/rent/flat-:id`. Without them, a card that also has a link to a home of the first type would be taken for that home's.
 */
const otherTypes = (
  patterns: ReadonlyArray<string>,
  links: ReadonlyArray<string>,
  readerOf: (patterns: ReadonlyArray<string>) => Reference.Reader,
): ReadonlyArray<string> => {
  const read = readerOf(patterns)
  const missing = links.filter((link) => read(link).length === 0)
  const made = patterns.flatMap((pattern) => {
    const [, before, after] = /^(\/(?:.*\/)?)\p{L}+([-_.]:id.*)$/u.exec(pattern) ?? []
    if (before === undefined) return []
    const at = before.split("/").length - 2
    const only = readerOf([pattern])
    const shortest = Math.min(...links.flatMap(only).map(({ length }) => length))
    return missing.flatMap((link) => {
      const [type] = /^\p{L}+/u.exec(Reference.plain(Reference.cut(link)[0][at] ?? "")) ?? []
      const other = `${before}${type}${after}`
      return type !== undefined && readerOf([other])(link).some(({ length }) => length >= shortest)
        ? [other]
        : []
    })
  })
  return [...new Set(made)]
}

/** Patterns for the links of a page of `origin`, which begin at its root; null if too few of them carry anything known. `exclusions` are the site's own. */
export const learn = async (
  links: ReadonlyArray<string>,
  origin: string,
  exclusions: ReadonlyArray<string>,
  lookup: Derive.Lookup,
  known: Known,
): Promise<Learnt | null> => {
  const candidates = links.map(candidatesOf)
  const ours = new Set(await known([...new Set(candidates.flat())].slice(0, mostAsked)))
  const carrying = links.filter((_, at) => candidates[at]!.some((candidate) => ours.has(candidate)))
  // Photos and floor plans have addresses below their listing's.
  const hits = carrying.filter(
    (link) => !carrying.some((other) => other !== link && link.startsWith(`${other.replace(/\/$/, "")}/`)),
  )
  const reader = (patterns: ReadonlyArray<string>) =>
    Reference.reader([...exclusions, ...patterns, Reference.onlyPatterns], `${origin}/`)
  const count = (patterns: ReadonlyArray<string>): Count => countOf(listingsIn(links, reader(patterns)), ours)
  const patterns: Array<string> = []
  let left = hits
  while (left.length >= leastKnown && patterns.length < mostLearnt) {
    const examples = new Set([left[0]!, left[Math.floor(left.length / 2)]!, left.at(-1)!])
    const offered = await Promise.all(
      Array.from(examples, (example) => Derive.propose(example, origin + example, lookup, links, hits)),
    )
    const [best] = [...new Set(offered.flat().map(({ pattern }) => pattern))]
      .map((pattern) => [pattern, count([pattern])] as const)
      .toSorted(([, one], [, other]) => other.known - one.known || one.found - other.found)
    if (best === undefined || best[1].known < leastKnown) break
    patterns.push(best[0])
    // Further links of a listing that was found, such as one to its agent's form, need no pattern.
    const found = new Set(hits.flatMap(reader(patterns)))
    const missing = new Set([...ours].filter((reference) => !found.has(reference)))
    left = left.filter((link) => candidatesOf(link).some((candidate) => missing.has(candidate)))
  }
  if (patterns.length === 0) return null
  const others = otherTypes(patterns, links, reader)
    .map((pattern) => [pattern, count([pattern]).known] as const)
    .toSorted(([, one], [, other]) => other - one)
  return { patterns: [...patterns, ...others.map(([pattern]) => pattern)].slice(0, mostOfTypes), count }
}
