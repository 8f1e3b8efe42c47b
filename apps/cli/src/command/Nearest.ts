/** The nearest name for an unknown flag, command, profile or value. */
import leven from "leven"

/** The nearest candidate, the first among equals; null when every one would change more than a third of the word. */
export const nearest = (word: string, candidates: ReadonlyArray<string>): string | null => {
  const wanted = word.toLowerCase()
  let best: string | null = null
  let fewest = Math.max(2, Math.floor(wanted.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = leven(wanted, candidate.toLowerCase())
    const begins = wanted.length >= 3 && candidate.startsWith(wanted)
    const cost = begins ? Math.min(distance, 1) : distance
    if (cost < fewest && cost < candidate.length) {
      best = candidate
      fewest = cost
    }
  }
  return best
}
