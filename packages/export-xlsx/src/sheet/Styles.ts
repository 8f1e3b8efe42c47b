/** How cells look: number formats, links, and the colours of known values. Dark text on light ground, readable in print as well. */
import type { Column } from "@deedkit/export"
import type { Style } from "../workbook/Workbook.ts"

export const numberFormats = {
  text: "@",
  integer: "0",
  timestamp: "yyyy-mm-dd hh:mm:ss",
} as const

export const linkStyle: Style = {
  font: { name: "Calibri", size: 11, family: 2, underline: true, color: { argb: "FF0B5CAD" } },
}

const tone = (text: string, ground: string): Style => ({
  font: { color: { argb: text } },
  fill: { type: "pattern", pattern: "solid", bgColor: { argb: ground } },
})

export const colours: { readonly [Tone in Column.Tone]: Style } = {
  good: tone("FF14532D", "FFDCF5E3"),
  attention: tone("FF713F12", "FFFDF1CC"),
  muted: tone("FF4B5563", "FFECEEF1"),
}
