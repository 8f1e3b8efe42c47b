/** Colours and weights for a terminal, and nothing at all where there is none. What may be coloured is decided in `Terminal`. */
import { styleText } from "node:util"

export type StyleName = "bold" | "dim" | "red" | "yellow" | "green"

/** Dresses a text that is clean already. */
export type Style = (name: StyleName, text: string) => string

/** Leaves texts as they are. */
export const none: Style = (_, text) => text

/** Writes the usual escape sequences, each line by itself, so that no line leaves its colour behind. */
export const ansi: Style = (name, text) =>
  text
    .split("\n")
    .map((line) => (line === "" ? line : styleText(name, line, { validateStream: false })))
    .join("\n")
