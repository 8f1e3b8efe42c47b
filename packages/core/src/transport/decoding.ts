/**
 * From the bytes of a body to its text, without a silent guess: JSON is UTF-8 wherever two programs meet, and a body that is not is read
 * in the charset that it declares, or known not to be what was meant.
 */

/** A text, and whether every character of it stood in the body. */
export interface Decoded {
  readonly text: string
  /** False when bytes could not be read in the body's charset; U+FFFD stands in their place. */
  readonly wellEncoded: boolean
}

/** What stands in a text where bytes could not be read. */
export const replacementCharacter = "\ufffd"

/** Null when the bytes are not text in this charset, or nobody knows it. */
const read = (bytes: Uint8Array, charset: string, fatal: boolean): string | null => {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes)
  } catch {
    return null
  }
}

const declared = (contentType: string | null): string | null =>
  /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? "")?.[1] ?? null

/** The text of a body. A byte order mark is no part of it. */
export const decode = (bytes: Uint8Array, contentType: string | null): Decoded => {
  const text = read(bytes, "utf-8", true)
  return text === null ? decodeOther(bytes, contentType) : { text, wellEncoded: true }
}

/** The text of a body that is known not to be UTF-8: in the charset that it declares, and else with U+FFFD where nothing can be read. */
export const decodeOther = (bytes: Uint8Array, contentType: string | null): Decoded => {
  const charset = declared(contentType) ?? "utf-8"
  const text = read(bytes, charset, true)
  return text === null
    ? { text: read(bytes, charset, false) ?? read(bytes, "utf-8", false) ?? "", wellEncoded: false }
    : { text, wellEncoded: true }
}
