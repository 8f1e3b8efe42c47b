/**
 * Values of records on their way to a reader: short, on one line, and kept from turning the text around them. The service promises no
 * length, no alphabet and no closed set of words for any of them (Spec: Contract, gaps).
 */

const characters = 60
/** Spaces and all that cannot be seen, but for the two joiners that some scripts are written with. */
const invisible = /(?:(?![\u200C\u200D])[\s\p{Cc}\p{Cf}\p{Cs}])+/gu

/** The first half of a character of two, where a cut went between them. */
const half = /[\uD800-\uDBFF]$/

/** A text without characters that control, cut to 60 characters. */
export const shown = (text: string): string => {
  const line = text
    .slice(0, 4 * characters)
    .replace(invisible, " ")
    .trim()
  return line.length > characters ? `${line.slice(0, characters - 1).replace(half, "")}…` : line
}

const plain = /^[ -~]*$/

/**
 * A value that keeps its direction to itself, between marks that it cannot hold itself. A value without foreign letters needs none, and is
 * laid out sooner.
 */
export const apart = (text: string): string => {
  const line = shown(text)
  return plain.test(line) ? line : `\u2068${line}\u2069`
}
