/**
 * Finds the known name that is nearest to a mistyped one, for the suggestion in an error message. Used in messages
 * about unknown faults, attributes, assumptions and flags; does not know what the names mean.
 */

/** The end of a message: `; did you mean "latency"?`, or the list of known names when none is near. */
export const suggestion = (name: string, known: ReadonlyArray<string>): string => {
  const near = nearest(name, known)
  return near === undefined ? `; known: ${known.join(", ")}` : `; did you mean "${near}"?`
}

/** The known name with the fewest letters to change, or undefined when none is near. */
const nearest = (name: string, known: ReadonlyArray<string>): string | undefined => {
  let best: string | undefined
  let bestDistance = Math.max(2, Math.ceil(name.length / 2)) + 1
  for (const candidate of known) {
    const distance = lettersToChange(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

const lettersToChange = (left: string, right: string): number => {
  let row = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 0; i < left.length; i++) {
    const next = [i + 1]
    for (let j = 0; j < right.length; j++) {
      const kept = row[j] ?? 0
      const changed = Math.min(kept, row[j + 1] ?? 0, next[j] ?? 0) + 1
      next.push(left[i] === right[j] ? kept : changed)
    }
    row = next
  }
  return row[right.length] ?? 0
}
