/**
 * The search with which linking a page begins: those words of the page's title and address that the listing has that they fit best. Nothing but
 * the index is asked.
 */
import { formOf } from "../../../index/Query.ts"
import type { ContractRow } from "../../../messages/PageMessage.ts"
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

/** The words to search for; empty if no listing has any of the page's words. Rejects when the background does not answer. */
export const suggest = async (background: Background, { title, url }: FrontPage): Promise<string> => {
  const words = [...new Set(wordsOf(`${title} ${decoded(url.pathname)}`))]
    .filter(({ length }) => length >= leastLength)
    .slice(0, mostWords)
  const answers = await Promise.all(
    words.map((word) => background.index.search({ text: word, counts: false, limit: mostRows })),
  )
  /** A word that few contracts have says more than one that many have. */
  const weights = new Map(words.map((word, at) => [word, 1 / Math.max(1, answers[at]?.total ?? 0)]))
  let best: ReadonlyArray<string> = []
  let bestWeight = 0
  for (const row of answers.flatMap(({ rows }) => rows)) {
    if (row.listingId === null) continue
    const own = textOf(row)
    const shared = words.filter((word) => own.has(word))
    const weight = shared.reduce((sum, word) => sum + weights.get(word)!, 0)
    if (weight > bestWeight) [best, bestWeight] = [shared, weight]
  }
  return best.join(" ")
}
