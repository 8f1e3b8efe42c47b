/**
 * How cells look: one accent colour, number formats, links, and the colours of known values. Dark text on a light background, readable in print as
 * well.
 */
import type { Column, Texts } from "@deedkit/export"
import type { Style as WholeStyle } from "exceljs"

export type Style = Partial<WholeStyle>

/** The font of cells that do not name one. */
const textFont = { name: "Calibri", size: 11, family: 2 }

/** Colours as ARGB. */
export const palette = {
  accent: "FF1F4E5F",
  ink: "FF1F2937",
  grey: "FF6B7280",
  hairline: "FFD9E1E4",
  stripe: "FFF3F6F7",
} as const

/** Amounts are aligned right, with a small gap to the text in the next column. */
const amount = { horizontal: "right", indent: 1 } as const

const heading = (alignment: Style["alignment"]): Style => ({
  font: { ...textFont, bold: true, color: { argb: "FFFFFFFF" } },
  fill: { type: "pattern", pattern: "solid", fgColor: { argb: palette.accent } },
  alignment: { vertical: "middle", wrapText: true, ...alignment },
})

/** The styles of rows' cells, by what they hold. */
const cells = {
  text: { numFmt: "@" },
  wrapped: { alignment: { wrapText: true } },
  integer: { numFmt: "0", alignment: amount },
  decimal: { alignment: amount },
  id: { numFmt: "0", alignment: { horizontal: "left" } },
  count: { numFmt: "#,##0", alignment: amount },
  amount: { numFmt: "#,##0.00", alignment: amount },
  timestamp: { alignment: { horizontal: "left" } },
  day: { alignment: { horizontal: "left" } },
  month: { alignment: { horizontal: "left" } },
  link: { font: { ...textFont, underline: true, color: { argb: "FF0B5CAD" } } },
} as const satisfies { readonly [name: string]: Style }

/** The styles of headings. Those of amounts are aligned right like the amounts, and clear of the arrow of the filter. */
const headings = {
  heading: heading({ horizontal: "left" }),
  amountHeading: heading({ ...amount, indent: 2 }),
} as const

/** The numbers of the styles that rows use, by name: those of `cells` and `headings`, and 0 for a text without a style. */
export type StyleNumbers = {
  readonly [Name in "plain" | keyof typeof cells | keyof typeof headings]: number
}

/** How days are written where English is not the language: by themselves they look as in English. */
const dates = {
  en: { timestamp: "yyyy-mm-dd hh:mm:ss", day: "yyyy-mm-dd", month: "mmm yyyy" },
  el: { timestamp: "dd/mm/yyyy hh:mm:ss", day: "dd/mm/yyyy", month: "[$-408]mmm yyyy" },
  pt: { timestamp: "dd/mm/yyyy hh:mm:ss", day: "dd/mm/yyyy", month: "[$-816]mmm yyyy" },
} as const satisfies { readonly [Language in Texts.Language]: object }

const usual = { ...headings, ...cells }
const top = Object.fromEntries(
  Object.entries<Style>({ plain: {}, ...cells }).map(([name, style]) => [
    name,
    { ...style, alignment: { ...style.alignment, vertical: "top" } } satisfies Style,
  ]),
)

export const ofRows = (language: Texts.Language): ReadonlyArray<Style> => {
  const formats: { readonly [name: string]: string } = dates[language]
  const inLanguage = ([name, style]: readonly [name: string, style: Style]): Style =>
    formats[name] === undefined ? style : { ...style, numFmt: formats[name] }
  return [...Object.entries<Style>(usual), ...Object.entries(top)].map(inLanguage)
}

/** The numbers by name, given those of `ofRows` in their order: for rows of one line, and for rows of several lines, whose cells are aligned to the top. */
export const numbered = (
  numbers: ReadonlyArray<number>,
): { readonly [Form in "usual" | "atTop"]: StyleNumbers } => {
  const named = (names: ReadonlyArray<string>, from: number) =>
    Object.fromEntries(names.map((name, at) => [name, numbers[from + at] ?? 0]))
  const plain = { plain: 0, ...named(Object.keys(usual), 0) } as StyleNumbers
  return { usual: plain, atTop: { ...plain, ...named(Object.keys(top), Object.keys(usual).length) } }
}

/** A thin line below a cell. It is a format of the whole sheet and not of each cell, where it would cost bytes. */
export const hairline: Style = {
  border: { bottom: { style: "thin", color: { argb: palette.hairline } } },
}

/** Text and background colours of values with a meaning. */
export const tones: { readonly [Tone in Column.Tone]: { readonly text: string; readonly ground: string } } = {
  good: { text: "FF14532D", ground: "FFDCF5E3" },
  attention: { text: "FF713F12", ground: "FFFDF1CC" },
  muted: { text: "FF4B5563", ground: "FFECEEF1" },
}

/** The style of a cell whose value has a tone. Spreadsheets show only one of two overlapping formats, so this one includes the line. */
export const toneStyle = (tone: Column.Tone): Style => ({
  font: { color: { argb: tones[tone].text } },
  fill: { type: "pattern", pattern: "solid", bgColor: { argb: tones[tone].ground } },
  ...hairline,
})
