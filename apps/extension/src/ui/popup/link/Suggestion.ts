/**
 * Which of the user's listings a page or a card shows, by the words that both have. Nothing but the index is asked.
 */
import { formOf } from "../../../index/Query.ts"
import type { ContractRow } from "../../../index/PageIndex.ts"
import type { Background } from "../../state/Background.ts"
import type { FrontPage } from "../../state/Tab.ts"

/** Most words that are looked up, and most contracts that are looked at for each of them. */
const mostWords = 20
const mostRows = 50

/** Words of two letters, such as "in" and "de", are in too many titles. */
const leastLength = 3

const wordsOf = (text: string): ReadonlyArray<string> => formOf(text).split(/[^\p{L}\p{N}]+/u)

const decoded = (path: string): string => {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

const textOf = ({ city, slug, title }: ContractRow): ReadonlySet<string> =>
  new Set(wordsOf([title, city, slug].join(" ")))

type Search = (word: string) => ReturnType<Background["index"]["search"]>

const searchOf = (background: Background): Search => {
  const answers = new Map<string, ReturnType<Search>>()
  return (word) => {
    const answer =
      answers.get(word) ?? background.index.search({ text: word, counts: false, limit: mostRows })
    answers.set(word, answer)
    return answer
  }
}

/** The contract whose listing has the words of a text that say most, and those words. */
const bestOf = async (
  search: Search,
  text: string,
): Promise<{ readonly row: ContractRow; readonly shared: ReadonlyArray<string> } | null> => {
  const words = [...new Set(wordsOf(text))].filter(({ length }) => length >= leastLength).slice(0, mostWords)
  const answers = await Promise.all(words.map(search))
  /** A word that few contracts have says more than one that many have. */
  const weights = new Map(words.map((word, at) => [word, 1 / Math.max(1, answers[at]?.total ?? 0)]))
  let best: { readonly row: ContractRow; readonly shared: ReadonlyArray<string> } | null = null
  let bestWeight = 0
  for (const row of answers.flatMap(({ rows }) => rows)) {
    if (row.listingId === null) continue
    const own = textOf(row)
    const shared = words.filter((word) => own.has(word))
    const weight = shared.reduce((sum, word) => sum + weights.get(word)!, 0)
    if (weight > bestWeight) [best, bestWeight] = [{ row, shared }, weight]
  }
  return best
}

/** The words to search for; empty if no listing has any of the page's words. Rejects when the index cannot be read. */
export const suggest = async (background: Background, { title, url }: FrontPage): Promise<string> =>
  (await bestOf(searchOf(background), `${title} ${decoded(url.pathname)}`))?.shared.join(" ") ?? ""

/** A card of a page: where its link leads, what it is called, and all of its words. */
interface Card {
  readonly url: URL
  readonly title: string
  readonly words: string
}

/** A card, and the listing that it fits. */
export interface Pair extends Card {
  readonly listing: { readonly id: number; readonly title: string | null; readonly city: string | null }
}

/** Fewest words of a listing's title that a card has to have, which must also be most of them. */
const leastShared = 2

/** The cards that fit a listing, each listing once: with the link that has a number, as those to listings have, else with the first. */
export const pairs = async (
  background: Background,
  cards: ReadonlyArray<Card>,
): Promise<ReadonlyArray<Pair>> => {
  const search = searchOf(background)
  const found = new Map<number, Pair>()
  for (const card of cards) {
    const best = await bestOf(search, `${card.title} ${card.words}`)
    const { city, listingId: id, title } = best?.row ?? { city: null, listingId: null, title: null }
    if (best === null || id === null) continue
    const own = new Set(wordsOf(title ?? "").filter(({ length }) => length >= leastLength))
    const shared = best.shared.filter((word) => own.has(word)).length
    if (shared < leastShared || 2 * shared <= own.size) continue
    const before = found.get(id)
    const isNumbered = ({ url: { pathname } }: Card): boolean => /\d{3}/.test(pathname)
    if (before === undefined || (isNumbered(card) && !isNumbered(before)))
      found.set(id, { ...card, listing: { id, title, city } })
  }
  return [...found.values()]
}
