/** Names of sheets and headings as Excel requires them: each once, regardless of case. */

/** Of the name of a sheet. */
const mostCharacters = 31
const reserved = "history"

/** Returns a function that makes names of sheets that are allowed, without the characters that references use, and were not given before. */
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

/** Headings of a table, in their order and not empty, of at most 255 characters; a repeated one gets a number. */
export const uniqueHeadings = (headings: ReadonlyArray<string>): ReadonlyArray<string> => {
  const given = new Set<string>()
  return headings.map((wanted, at) => {
    const base = wanted.trim() === "" ? `Column ${at + 1}` : wanted.trim()
    for (let number = 1; ; number += 1) {
      const end = number === 1 ? "" : ` ${number}`
      const name = base.slice(0, 255 - end.length).toWellFormed() + end
      if (given.has(name.toLowerCase())) continue
      given.add(name.toLowerCase())
      return name
    }
  })
}
