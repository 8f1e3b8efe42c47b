/**
 * Makes a text one that every file format can hold.
 *
 * A JSON string may hold half of a surrogate pair, which no UTF-8 file can, and NUL, which readers of CSV cut or drop and behind which
 * they have been seen to evaluate a formula. Everything else stays as it came. A writer says how many cells it had to change.
 */

/** The text with each lone surrogate replaced by U+FFFD and each NUL left out; the same string when there is nothing to change. */
export const clean = (text: string): string => {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes("\0") ? whole.replaceAll("\0", "") : whole
}
