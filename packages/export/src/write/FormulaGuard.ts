/**
 * Keeps texts from being evaluated when a spreadsheet opens them.
 *
 * The titles, labels and names of the service are written by other people (Spec: Resources), and a spreadsheet program runs a cell that looks like
 * a formula. One rule serves every format. It applies to texts only: a typed number, such as -5, is never changed. It does not know about formats
 * that have their own way to keep a text from being evaluated.
 */

/**
 * A character that begins a formula in a spreadsheet program or in one of its import paths, after any run of characters that a reader cannot see
 * and that some programs drop: white space, controls, zero-width and formatting characters, byte order marks.
 */
const formula =
  /^[\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@\t\r\n\0\uFF1D\uFF0B\uFF0D\uFF20\uFE66\uFE62\uFE63\uFE6B]/u

/** Ranges of letters and digits, as code units, with which most texts begin: none of them is invisible, and none begins a formula. */
export const harmlessStarts: ReadonlyArray<readonly [from: number, to: number]> = [
  [0x30, 0x39],
  [0x41, 0x5a],
  [0x61, 0x7a],
  [0xc0, 0x2af],
  [0x370, 0x3ff],
  [0x410, 0x44f],
  [0x5d0, 0x5ea],
  [0x620, 0x64a],
  [0x3041, 0x3096],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
]

const isHarmless = (text: string): boolean => {
  const first = text.charCodeAt(0)
  return harmlessStarts.some(([from, to]) => first >= from && first <= to)
}

/**
 * Whether a spreadsheet might evaluate the text: its first visible character is `=` `+` `-` `@`, one of their full-width or small forms, a tab, a
 * line break or NUL. Later line breaks make no difference.
 */
export const evaluates = (text: string): boolean => !isHarmless(text) && formula.test(text)

/** A text that looks like a guarded one is guarded too, so that every guard can be removed again. */
const isGuarded = (text: string): boolean => evaluates(text.startsWith("'") ? text.replace(/^'+/, "") : text)

/**
 * Puts one apostrophe before a text that a spreadsheet might evaluate, or that is such a text after apostrophes of its own; returns any other text
 * unchanged.
 */
export const guard = (text: string): string => (isGuarded(text) ? `'${text}` : text)

/** Restores any text that was given to `guard`. */
export const unguard = (text: string): string =>
  text.startsWith("'") && isGuarded(text.slice(1)) ? text.slice(1) : text
