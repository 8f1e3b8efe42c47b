/**
 * How cells look: one accent colour, number formats, links, and the colours of known values. Dark text on a light background, readable in print as
 * well.
 */
import type { Column } from "@deedkit/export"
import type { Style } from "./Exceljs.ts"

/** The font of cells that do not name one. */
const textFont = { name: "Calibri", size: 11, family: 2 } as const

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

const heading = (alignment: NonNullable<Style["alignment"]>): Style => ({
  font: { ...textFont, bold: true, color: { argb: "FFFFFFFF" } },
  fill: { type: "pattern", pattern: "solid", fgColor: { argb: palette.accent } },
  alignment: { vertical: "middle", wrapText: true, ...alignment },
})

/** The styles of rows' cells, by what they hold. */
export const cells = {
  text: { numFmt: "@" },
  wrapped: { alignment: { wrapText: true } },
  integer: { numFmt: "0", alignment: amount },
  decimal: { alignment: amount },
  id: { numFmt: "0", alignment: { horizontal: "left" } },
  count: { numFmt: "#,##0", alignment: amount },
  timestamp: { numFmt: "yyyy-mm-dd hh:mm:ss", alignment: { horizontal: "left" } },
  link: { font: { ...textFont, underline: true, color: { argb: "FF0B5CAD" } } },
} as const satisfies { readonly [name: string]: Style }

/** Headings of amounts are aligned right like the amounts, and clear of the arrow of the filter. */
export const headings = {
  text: heading({ horizontal: "left" }),
  amount: heading({ ...amount, indent: 2 }),
} as const

/** The same styles for rows of several lines. */
export const atTop = <Name extends string>(styles: {
  readonly [Each in Name]: Style
}): { readonly [Each in Name]: Style } =>
  Object.fromEntries(
    Object.entries<Style>(styles).map(([name, style]) => [
      name,
      { ...style, alignment: { ...style.alignment, vertical: "top" } },
    ]),
  ) as { readonly [Each in Name]: Style }

/** A thin line below a cell. It is a format of the whole sheet and not of each cell, where it would cost bytes. */
export const hairline: Style = {
  border: { bottom: { style: "thin", color: { argb: palette.hairline } } },
}

export const stripe: Style = {
  fill: { type: "pattern", pattern: "solid", bgColor: { argb: palette.stripe } },
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
