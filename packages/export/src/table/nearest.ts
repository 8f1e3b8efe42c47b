/**
 * The word that a reader most likely meant, for suggestions in errors: the smallest number of single-character edits. Case and a missing path
 * before the last dot are ignored, and the beginning of a word stands for the word.
 */
import leven from "leven"

const lastName = (path: string): string => path.slice(path.lastIndexOf(".") + 1)

const editsOf = (word: string, candidate: string): number => {
  const edits = Math.min(leven(word, candidate), leven(word, lastName(candidate)))
  return word.length >= 3 && candidate.startsWith(word) ? Math.min(edits, 1) : edits
}

/** The nearest of the candidates, the first one of equally near ones; null when every one would change more than a third of the word. */
export const nearest = (word: string, candidates: ReadonlyArray<string>): string | null => {
  const wanted = word.toLowerCase()
  let best: string | null = null
  let fewest = Math.max(2, Math.floor(wanted.length / 3)) + 1
  for (const candidate of candidates) {
    const edits = editsOf(wanted, candidate.toLowerCase())
    if (edits < fewest && edits < candidate.length) {
      best = candidate
      fewest = edits
    }
  }
  return best
}
