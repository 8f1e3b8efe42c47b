/** Headings as Excel's tables require them: texts that are not empty, and that differ regardless of case. */

const mostCharacters = 255

/** The headings in their order; a repeated one gets a number. */
export const unique = (headings: ReadonlyArray<string>): ReadonlyArray<string> => {
  const given = new Set<string>()
  return headings.map((wanted, at) => {
    const base = wanted.trim() === "" ? `Column ${at + 1}` : wanted.trim()
    for (let number = 1; ; number += 1) {
      const end = number === 1 ? "" : ` ${number}`
      const name = base.slice(0, mostCharacters - end.length).toWellFormed() + end
      if (given.has(name.toLowerCase())) continue
      given.add(name.toLowerCase())
      return name
    }
  })
}
