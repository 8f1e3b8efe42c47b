/** The word that somebody most likely meant, for a flag, a command or a choice that does not exist. */

const edits = (left: string, right: string): number => {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 0; i < left.length; i++) {
    const above = row
    row = [i + 1]
    for (let j = 0; j < right.length; j++) {
      const change = above[j]! + (left[i] === right[j] ? 0 : 1)
      row.push(Math.min(change, above[j + 1]! + 1, row[j]! + 1))
    }
  }
  return row.at(-1)!
}

/** The nearest candidate, the first among equals; null when every one would change more than a third of the word. */
export const nearest = (word: string, candidates: ReadonlyArray<string>): string | null => {
  const wanted = word.toLowerCase()
  let best: string | null = null
  let fewest = Math.max(2, Math.floor(wanted.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = edits(wanted, candidate.toLowerCase())
    const begins = wanted.length >= 3 && candidate.startsWith(wanted)
    const cost = begins ? Math.min(distance, 1) : distance
    if (cost < fewest && cost < candidate.length) {
      best = candidate
      fewest = cost
    }
  }
  return best
}
