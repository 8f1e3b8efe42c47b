/**
 * Decodes the bytes of a body to its text, without a silent guess: JSON is UTF-8. A body that is not UTF-8 is decoded with the charset that it
 * declares, or marked as not decodable.
 */

/** A text, and whether all bytes of the body could be decoded. */
export interface Decoded {
  readonly text: string
  /** False when bytes could not be decoded; U+FFFD stands in their place. */
  readonly wellEncoded: boolean
}

/** In a text, replaces bytes that could not be decoded. */
export const replacementCharacter = "\ufffd"

/** Null when the bytes are not text in this charset, or the charset is unknown. */
const read = (bytes: Uint8Array, charset: string, fatal: boolean): string | null => {
  try {
    return new TextDecoder(charset, { fatal }).decode(bytes)
  } catch {
    return null
  }
}

const declared = (contentType: string | null): string | null =>
  /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? "")?.[1] ?? null

/** The text of a body, without a byte order mark. */
export const decode = (bytes: Uint8Array, contentType: string | null): Decoded => {
  const text = read(bytes, "utf-8", true)
  return text === null ? decodeOther(bytes, contentType) : { text, wellEncoded: true }
}

/** The text of a body that is not UTF-8: in the charset that it declares, otherwise with U+FFFD for bytes that cannot be decoded. */
export const decodeOther = (bytes: Uint8Array, contentType: string | null): Decoded => {
  const charset = declared(contentType) ?? "utf-8"
  const text = read(bytes, charset, true)
  return text === null
    ? { text: read(bytes, charset, false) ?? read(bytes, "utf-8", false) ?? "", wellEncoded: false }
    : { text, wellEncoded: true }
}
