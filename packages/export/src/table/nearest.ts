/**
 * The word that a reader most likely meant: the smallest number of single-character edits, where case, and a missing path before
 * the last dot, count nothing.
 */
import leven from "leven"

const lastName = (path: string): string => path.slice(path.lastIndexOf(".") + 1)

/** The nearest of the candidates, the first one among equals; null when none shares at least half of its characters with the word. */
export const nearest = (word: string, candidates: ReadonlyArray<string>): string | null => {
  const wanted = word.toLowerCase()
  let best: string | null = null
  let fewest = Math.max(1, Math.floor(word.length / 2)) + 1
  for (const candidate of candidates) {
    const known = candidate.toLowerCase()
    const distance = Math.min(leven(wanted, known), leven(wanted, lastName(known)))
    if (distance < fewest) {
      best = candidate
      fewest = distance
    }
  }
  return best
}
