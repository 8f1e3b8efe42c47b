/**
 * The word that a reader most likely meant: the smallest number of single-character edits, where case, and a missing path before
 * the last dot, count nothing.
 */

const edits = (left: string, right: string): number => {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const next = [i]
    for (let j = 1; j <= right.length; j++) {
      const change = row[j - 1]! + (left[i - 1] === right[j - 1] ? 0 : 1)
      next.push(Math.min(change, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[right.length]!
}

const lastName = (path: string): string => path.slice(path.lastIndexOf(".") + 1)

/** The nearest of the candidates, the first one among equals; null when none shares at least half of its characters with the word. */
export const nearest = (word: string, candidates: ReadonlyArray<string>): string | null => {
  const wanted = word.toLowerCase()
  let best: string | null = null
  let fewest = Math.max(1, Math.floor(word.length / 2)) + 1
  for (const candidate of candidates) {
    const known = candidate.toLowerCase()
    const distance = Math.min(edits(wanted, known), edits(wanted, lastName(known)))
    if (distance < fewest) {
      best = candidate
      fewest = distance
    }
  }
  return best
}
