/**
 * How a sheet is printed: fitted to the width of one page, or of as few pages as stay readable, with headings on every page and a footer that says
 * what it is.
 */
import * as TextXml from "../sheet/TextXml.ts"

export type Paper = "a4" | "letter"

const paperSizes = { a4: 9, letter: 1 } as const

/** Characters that a page of portrait A4 takes at full size; a wider table is printed in landscape. */
const mostPortrait = 100

/** Lines of a page, so that lists stay short on paper at about nine points. */
const linesOfPage = { landscape: 42, portrait: 62 } as const

/** A last page with less than this share of a page is left out; the other pages take its rows. */
const leastOfPage = 0.2

/** Above this number of pages, the program counts them itself. */
const mostPages = 1_000

/** Most characters of a text in a footer, which holds 255 characters including its codes. */
const mostCharacters = 100

const cut = (text: string): string =>
  text.length > mostCharacters ? `${text.slice(0, mostCharacters - 1).toWellFormed()}…` : text

/** A text of a footer: on one line, with `&` doubled, because it begins a code there. */
const printed = (text: string): string =>
  cut(TextXml.clean(text).replaceAll(/\s+/g, " ")).replaceAll("&", "&&")

/** Puts `left` and `note` at the left, and the number of the page at the right. A space separates a digit from the font size before it. */
export const footer = (left: string, note: string): string =>
  `&L&8 ${printed(left)}${note === "" ? "" : ` · ${printed(note)}`}&R&8 Page &P of &N`

export interface PageSpec {
  readonly paper: Paper
  /** Characters of all printed columns together. */
  readonly width: number
  /** Lines of all rows, headings included. */
  readonly lines: number
  readonly footer: string
  /** Everything on one page. */
  readonly isOne?: boolean
}

/** Number of pages that the columns of a table need side by side: a page of landscape A4 takes 250 characters at about seven points. */
const across = (width: number): number => Math.ceil(width / 250) || 1

/** The elements from `printOptions` to `headerFooter`. */
export const xml = ({ footer: text, isOne = false, lines, paper, width }: PageSpec): string => {
  const orientation = isOne || width <= mostPortrait ? "portrait" : "landscape"
  const pages = isOne ? 1 : Math.max(1, Math.ceil(lines / linesOfPage[orientation] - leastOfPage))
  return `<printOptions horizontalCentered="1"/><pageMargins left="0.4" right="0.4" top="0.5" bottom="0.6" header="0.3" footer="0.3"/><pageSetup paperSize="${paperSizes[paper]}" fitToWidth="${isOne ? 1 : across(width)}" fitToHeight="${pages > mostPages ? 0 : pages}" orientation="${orientation}"/><headerFooter><oddFooter>${TextXml.plain(text)}</oddFooter></headerFooter>`
}
