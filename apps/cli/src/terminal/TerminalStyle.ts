/** Colours and weights for a terminal, or none. `Terminal` decides which of the two applies. */
import { styleText } from "node:util"

export type StyleName = "bold" | "dim" | "red" | "yellow" | "green"

/** Dresses a text that is clean already. */
export type Style = (name: StyleName, text: string) => string

declare const dressed: unique symbol

/** A line of which every part that came from elsewhere was cleaned before it was dressed. Only such lines reach a terminal as they are. */
export type DressedLine = string & { readonly [dressed]: true }

/** For callers that clean what they dress. */
export const dress = (lines: ReadonlyArray<string>): ReadonlyArray<DressedLine> =>
  lines as ReadonlyArray<DressedLine>

/** Leaves texts as they are. */
export const none: Style = (_, text) => text

/** Writes the usual escape sequences, each line by itself, so that no line leaves its colour behind. */
export const ansi: Style = (name, text) =>
  text
    .split("\n")
    .map((line) => (line === "" ? line : styleText(name, line, { validateStream: false })))
    .join("\n")
