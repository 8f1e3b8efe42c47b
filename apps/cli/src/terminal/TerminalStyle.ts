/** Colours and weights for a terminal, or no styling. `Terminal` decides which of the two applies. */
import { styleText } from "node:util"

export type StyleName = "bold" | "dim" | "red" | "yellow" | "green"

/** Styles a text that is already clean. */
export type Style = (name: StyleName, text: string) => string

declare const dressed: unique symbol

/** A line in which every part from elsewhere was cleaned before it was styled. Only such lines reach a terminal unchanged. */
export type DressedLine = string & { readonly [dressed]: true }

/** Marks lines as dressed, for callers that have cleaned them. */
export const dress = (lines: ReadonlyArray<string>): ReadonlyArray<DressedLine> =>
  lines as ReadonlyArray<DressedLine>

/** Leaves texts unchanged. */
export const none: Style = (_, text) => text

/** Adds the usual escape sequences to each line separately, so that no colour carries over to the next line. */
export const ansi: Style = (name, text) =>
  text
    .split("\n")
    .map((line) => (line === "" ? line : styleText(name, line, { validateStream: false })))
    .join("\n")
