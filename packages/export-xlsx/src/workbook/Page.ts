/**
 * How a sheet is printed: fitted to the width of one page, or of as few pages as stay readable, with headings on every page and a footer that says
 * what it is.
 */
import { Texts } from "@deedkit/export"
import * as TextXml from "../sheet/TextXml.ts"

export type Paper = "a4" | "letter"

const paperSizes = { a4: 9, letter: 1 } as const

/** Characters that a page of portrait A4 takes at full size; a wider table is printed in landscape. */
const mostPortrait = 100

/** Characters that a page of landscape A4 takes at about seven points. */
const mostLandscape = 250

/** Lines of a page, so that lists stay short on paper at about nine points. */
const linesOfPage = { landscape: 42, portrait: 62 } as const

/** A last page with less than this share of a page is left out; the other pages take its rows. */
const leastOfPage = 0.2

/** Above this number of pages, the program counts them itself. */
const mostPages = 1_000

/** Most characters of a text in a footer, which holds 255 characters including its codes. */
const mostCharacters = 100

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1).toWellFormed()}…` : text

/** A text of a footer or header: on one line, with `&` doubled, because it begins a code there. */
const printed = (text: string, most = mostCharacters): string =>
  cut(TextXml.clean(text).replaceAll(/\s+/g, " "), most).replaceAll("&", "&&")

/** The title of a list above it, and what its numbers add up to at the right. */
export const header = (title: string, totals: string): string =>
  `&L&B&14 ${printed(title, mostCharacters / 2)}${totals === "" ? "" : `&R&9 ${printed(totals, mostCharacters * 1.5)}`}`

/** Puts `left` and `note` at the left, and the number of the page at the right. A space separates a digit from the font size before it. */
export const footer = (left: string, note: string, language: Texts.Language): string =>
  `&L&8 ${printed(left)}${note === "" ? "" : ` · ${printed(note)}`}&R&8 ${Texts.say(language, "Page {0} of {1}", "&P", "&N")}`

export interface PageSpec {
  readonly paper: Paper
  /** Characters of all printed columns together. */
  readonly width: number
  /** Lines of all rows, headings included. */
  readonly lines: number
  readonly isOne?: boolean
}

/** As exceljs takes it, but that its type knows fewer sizes of paper. */
export const setup = ({ isOne = false, lines, paper, width }: PageSpec) => {
  const orientation = isOne || width <= mostPortrait ? "portrait" : "landscape"
  const pages = isOne ? 1 : Math.max(1, Math.ceil(lines / linesOfPage[orientation] - leastOfPage))
  return {
    paperSize: paperSizes[paper],
    orientation,
    fitToPage: true,
    fitToWidth: isOne ? 1 : Math.ceil(width / mostLandscape) || 1,
    fitToHeight: pages > mostPages ? 0 : pages,
    horizontalCentered: true,
    margins: { left: 0.4, right: 0.4, top: isOne ? 0.5 : 0.75, bottom: 0.6, header: 0.3, footer: 0.3 },
  }
}
