/**
 * Turns a text into one that every file format can hold.
 *
 * A JSON string can hold a lone surrogate, which no UTF-8 file can hold, and NUL, at which readers of CSV cut the text, or which they drop; some
 * were seen to evaluate a formula after it. Everything else stays unchanged. A writer reports how many cells it had to change.
 */

/** The text with each lone surrogate replaced by U+FFFD and each NUL removed; the same string if there is nothing to change. */
export const clean = (text: string): string => {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes("\0") ? whole.replaceAll("\0", "") : whole
}
