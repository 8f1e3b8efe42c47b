/**
 * Texts as the XML of a cell. Characters that XML cannot hold are removed and counted, and sequences that a spreadsheet would decode (`_x0041_`)
 * are escaped.
 */

import { TextBytes } from "@deedkit/export"

const controls = [...Array(0x20).keys(), ...Array.from({ length: 0x21 }, (_, at) => 0x7f + at)]
  .map((unit) => String.fromCharCode(unit))
  .join("")
const spaces =
  " \u00A0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u3000\uFEFF"

/** The characters of a text that is its own XML. */
export const kinds = TextBytes.kindsOf(`&<>_\uFFFE\uFFFF${controls}`, spaces)

/** Anything but plain text: markup, controls, surrogates, U+FFFE and U+FFFF, encoded characters, space at an end. */
const special = /[&<>\p{Cc}\p{Cs}\uFFFE\uFFFF]|_[xX][\dA-Fa-f]{4}_|^\s|\s$/u
const suspicious = /[\p{Cc}\uFFFE\uFFFF]/gu
/** The controls that XML can hold are these three and those beyond U+007E. */
const isAllowed = (character: string): boolean =>
  (character > "~" && character < "\uFFFE") || character === "\t" || character === "\n" || character === "\r"
const encoded = /_(?=x[0-9a-f]{4}_)/gi
const markup = /[&<>\r]/g
const inAttributes = /[&<>"\t\n\r]/g
const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\t": "&#9;",
  "\n": "&#10;",
  // XML readers would turn an unescaped one into a line feed.
  "\r": "&#13;",
}

/** Removes the characters that XML cannot hold. */
export const clean = (text: string): string =>
  text.toWellFormed().replaceAll(suspicious, (character) => (isAllowed(character) ? character : ""))

/** The content of a cell with this text. `onChanged` is called for a text that could not be written unchanged. */
export const inline = (text: string, onChanged: () => void): string => {
  if (!special.test(text)) return `<is><t>${text}</t></is>`
  const whole = clean(text)
  if (whole !== text) onChanged()
  const escaped = whole
    .replaceAll(encoded, "_x005F_")
    .replaceAll(markup, (character) => entities[character] ?? character)
  return `<is><t xml:space="preserve">${escaped}</t></is>`
}

/** The text as the content of an element or the value of an attribute. */
export const plain = (text: string): string =>
  clean(text).replaceAll(inAttributes, (character) => entities[character] ?? character)

/** The text as spreadsheets decode it once more, where exceljs escapes it as XML. */
export const decodedLater = (text: string): string => clean(text).replaceAll(encoded, "_x005F_")

/** The same for the name of a column of a table, which is one line. */
export const columnName = (text: string): string =>
  decodedLater(text).replaceAll(/[\t\n\r]/g, (character) => `_x000${character.charCodeAt(0).toString(16)}_`)
