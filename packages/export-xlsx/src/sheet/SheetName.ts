/** Names of sheets: at most 31 characters, none of those that references use, and each name once regardless of case. */

const mostCharacters = 31
const reserved = "history"

/** Returns a function that makes names that are allowed and were not given before. */
export const make = (): ((wanted: string) => string) => {
  const given = new Set<string>()
  const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed().trimEnd()
  return (wanted) => {
    const plain = wanted
      .toWellFormed()
      .replaceAll(/[*?:\\/[\]\p{Cc}\uFFFE\uFFFF]/gu, " ")
      .replaceAll(/^['\s]+|['\s]+$/g, "")
    const base = plain === "" ? "Sheet" : plain
    for (let number = 1; ; number += 1) {
      const end = number === 1 ? "" : ` ${number}`
      const name = cut(base, mostCharacters - end.length) + end
      const known = name.toLowerCase()
      if (known === reserved || given.has(known)) continue
      given.add(known)
      return name
    }
  }
}
