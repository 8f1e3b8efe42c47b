/**
 * Makes text safe for a terminal, measures it and styles it. Titles, labels and names are written by other people (Spec: Resources), and an escape sequence in
 * one of them could clear the screen, change its title or hide the text before it.
 */
import { styleText } from "node:util"
import { displayWidth } from "effect/cli/CliOutput"

/** Control characters of both kinds, line separators, and the characters that change the direction of the text around them. */
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** The characters from U+2400 are pictures of the control characters; a character without a picture becomes U+FFFD. */
const picture = (character: string): string => {
  const code = character.charCodeAt(0)
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : code === 0x7f ? "\u2421" : "\uFFFD"
}

/** Replaces each character that a terminal might act on with a visible one. Lone surrogates become U+FFFD. */
export const clean = (text: string): string => text.toWellFormed().replaceAll(unsafe, picture)

/** The same for multi-line text: tabs and line breaks are kept, but not a lone carriage return, which could overwrite the line. */
export const cleanLines = (text: string): string =>
  text.toWellFormed().replaceAll(unsafe, (character, at: number) => {
    const stays = character === "\n" || character === "\t" || (character === "\r" && text[at + 1] === "\n")
    return stays ? character : picture(character)
  })

/** JSON text that is safe to show on a terminal: unsafe characters, which occur only in strings, become `\u` escapes. */
export const cleanJson = (json: string): string =>
  json.replaceAll(unsafe, (character) =>
    character === "\n" ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  )

const plain = /^[\x20-\x7e]*$/

/** The width of a clean text in columns: two for wide characters and emoji, none for combining ones. */
export const width = (text: string): number => (plain.test(text) ? text.length : displayWidth(text))

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" })

/** Maximum number of code units per column. An emoji of several persons has fewer, but marks without a width can be stacked without end. */
const mostUnits = 16

/** The text truncated to this many columns, with `…` where something is missing. Never splits a character. */
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

export const pad = (text: string, columns: number, align: "left" | "right" = "left"): string => {
  const space = " ".repeat(Math.max(0, columns - width(text)))
  return align === "left" ? text + space : space + text
}

/**
 * Wraps the text between words into lines of at most this many columns. An indented line is meant for copying, such as a command, and is not broken;
 * neither is a word that is wider than the line.
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

export type StyleName = "bold" | "dim" | "red" | "yellow" | "green"

/** Styles a text that is already clean. */
export type Style = (name: StyleName, text: string) => string

declare const dressed: unique symbol

/** A line in which every part from elsewhere was cleaned before it was styled. Only such lines reach a terminal unchanged. */
export type DressedLine = string & { readonly [dressed]: true }

/** Marks lines as dressed, for callers that have cleaned them. */
export const dress = (lines: ReadonlyArray<string>): ReadonlyArray<DressedLine> =>
  lines as ReadonlyArray<DressedLine>

export const none: Style = (_, text) => text

/** Adds the usual escape sequences to each line separately, so that no colour carries over to the next line. */
export const ansi: Style = (name, text) =>
  text
    .split("\n")
    .map((line) => (line === "" ? line : styleText(name, line, { validateStream: false })))
    .join("\n")
