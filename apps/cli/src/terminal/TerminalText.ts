/**
 * Text that is safe and measured for a terminal. Titles, labels and names are written by other people (Spec: Resources), and an escape
 * sequence in one of them could clear the screen, change its title or hide what stands before it.
 */
import { displayWidth } from "effect/cli/CliOutput"

/** Controls of both kinds, line separators, and the characters that turn the direction of the text around them. */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** U+2400 and after are pictures of the control characters; what has no picture becomes U+FFFD. */
const picture = (character: string): string => {
  const code = character.charCodeAt(0)
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : "\uFFFD"
}

/** The text with each character that a terminal might act upon replaced by one that it shows. Lone surrogates become U+FFFD. */
export const clean = (text: string): string => text.toWellFormed().replaceAll(unsafe, picture)

/** The same for text of many lines: tabs and line breaks stay, but a lone carriage return could write over what stands there. */
export const cleanLines = (text: string): string =>
  text.toWellFormed().replaceAll(unsafe, (character, at: number) => {
    const stays = character === "\n" || character === "\t" || (character === "\r" && text[at + 1] === "\n")
    return stays ? character : picture(character)
  })

/** JSON text that a terminal shows and does nothing else with: unsafe characters, which stand in strings only, as `\u` escapes. */
export const cleanJson = (json: string): string =>
  json.replaceAll(unsafe, (character) =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )

const plain = /^[\x20-\x7e]*$/

/** Columns that a clean text takes: two for wide characters and emoji, none for combining ones. */
export const width = (text: string): number => (plain.test(text) ? text.length : displayWidth(text))

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** Code units of a column at most: an emoji of several persons has fewer, and marks without a width can be stacked without end. */
const mostUnits = 16

/** The text cut to so many columns, with `…` where something is missing. Never cuts a character in two. */
export const truncate = (text: string, columns: number): string => {
  const longest = columns * mostUnits
  if (text.length <= longest && width(text) <= columns) return text
  if (columns < 1) return ""
  let kept = ""
  let used = 0
  for (const { segment } of graphemes.segment(text)) {
    const wide = width(segment)
    if (used + wide > columns - 1 || kept.length + segment.length > longest) break
    kept += segment
    used += wide
  }
  return `${kept}…`
}

/** The text filled up with spaces to so many columns. */
export const pad = (text: string, columns: number, align: "left" | "right" = "left"): string => {
  const space = " ".repeat(Math.max(0, columns - width(text)))
  return align === "left" ? text + space : space + text
}

/**
 * The text in lines of so many columns, broken between words. A line that is indented is for copying, a command perhaps, and stays whole;
 * so does a word that is wider than the line.
 */
export const wrap = (text: string, columns: number): ReadonlyArray<string> => {
  if (text.startsWith("  ") || width(text) <= columns) return [text]
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`
    if (line === "" || width(longer) <= columns) line = longer
    else {
      lines.push(line)
      line = word
    }
  }
  return [...lines, line]
}
