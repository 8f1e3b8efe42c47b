/** Names as Excel requires them, each once regardless of case: of sheets, of tables, and of a table's columns; and the letters of columns. */

/** Returns a function that gives each name once, with a number behind a repeated one. */
const unique =
  (most: number, separator = " ", given = new Set<string>()) =>
  (wanted: string): string => {
    for (let number = 1; ; number += 1) {
      const end = number === 1 ? "" : `${separator}${number}`
      const name =
        wanted
          .slice(0, most - end.length)
          .toWellFormed()
          .trimEnd() + end
      if (given.has(name.toLowerCase())) continue
      given.add(name.toLowerCase())
      return name
    }
  }

/** Makes names of sheets, without the characters that references use. `History` is reserved. */
export const make = (): ((wanted: string) => string) => {
  const most = 31
  const name = unique(most, " ", new Set(["history"]))
  return (wanted) => {
    const plain = wanted
      .toWellFormed()
      .replaceAll(/[*?:\\/[\]\p{Cc}\uFFFE\uFFFF]/gu, " ")
      .replace(/^['\s]+/, "")
      .slice(0, most)
      .replace(/['\s]+$/, "")
    return name(plain === "" ? "Sheet" : plain)
  }
}

/** Names that a formula takes for a cell, as in `Q1`, `R` and `R1C1`. */
const likeCell = /^(?:[a-z]{1,3}\d+|r\d*c?\d*|c\d*)$/i

/** Makes names of tables for formulas: `API_keys` for `API keys`. */
export const ofTables = (): ((title: string) => string) => {
  const name = unique(200, "_")
  return (title) => {
    const word = title
      .toWellFormed()
      .replaceAll(/[^\p{L}\p{N}_]+/gu, "_")
      .replaceAll(/^_+|_+$/g, "")
    return name(/^\p{L}/u.test(word) && !likeCell.test(word) ? word : `Table_${word}`)
  }
}

/** Headings of a table, in their order and not empty. */
export const uniqueHeadings = (headings: ReadonlyArray<string>): ReadonlyArray<string> => {
  const name = unique(255)
  return headings.map((wanted, at) => name(wanted.trim() === "" ? `Column ${at + 1}` : wanted.trim()))
}

/** `A`, `Z`, `AA`: the letters of a column, counted from 0. */
export const letters = (column: number): string => {
  let text = ""
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    text = String.fromCharCode(65 + (rest % 26)) + text
  }
  return text
}
