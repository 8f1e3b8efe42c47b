/** Columns as spreadsheets name them. */

/** `A`, `Z`, `AA`: the letters of a column, counted from 0. */
export const letters = (column: number): string => {
  let text = ""
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1) {
    text = String.fromCharCode(65 + (rest % 26)) + text
  }
  return text
}
