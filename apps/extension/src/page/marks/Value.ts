/**
 * Values of records as they are displayed: short, on one line, and unable to change the direction of the text around them. The service
 * promises no length, no alphabet and no closed set of words for any of them (Spec: Contract, gaps).
 */

const characters = 60
/** Spaces and invisible characters, except the two joiners that some scripts are written with. */
const invisible = /(?:(?![\u200C\u200D])[\s\p{Cc}\p{Cf}\p{Cs}])+/gu

/** The first half of a surrogate pair that was cut in two. */
const half = /[\uD800-\uDBFF]$/

/** A text without control characters, cut to 60 characters. */
export const shown = (text: string): string => {
  const line = text
    .slice(0, 4 * characters)
    .replace(invisible, " ")
    .trim()
  return line.length > characters ? `${line.slice(0, characters - 1).replace(half, "")}…` : line
}

const plain = /^[ -~]*$/

/**
 * A value with its direction isolated, between characters that it cannot contain itself. A value of plain ASCII needs none, and is laid
 * out sooner.
 */
export const apart = (text: string): string => {
  const line = shown(text)
  return plain.test(line) ? line : `\u2068${line}\u2069`
}

/** What stands on one picture of several, such as `1/10`. */
const counter = /^\d+\s*\/\s*\d+$/

/** The first of some texts that names a listing, as it is shown; empty if none does. */
export const nameIn = (texts: ReadonlyArray<string>): string =>
  texts.map(shown).find((text) => text !== "" && !counter.test(text)) ?? ""
