/**
 * Removes the key from text of the server, which may echo it, whole or in part, in any header, body or member. All text of the server that is
 * shown, logged or thrown is redacted here first, before it is cut.
 */

/** A text without the key. */
export type Redact = (text: string) => string

const replacement = "[API key]"

/** The shortest part of a key that is removed; shorter runs match by chance. */
const partLength = 8

/**
 * Recognizes the key verbatim, percent-encoded and JSON-escaped. Removes every run of 8 or more of its characters; a shorter key only as a
 * whole. The time grows only with the length of the text.
 */
export const make = (key: string): Redact => {
  const forms = [...new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)])]
  return key.length < partLength ? withoutWhole(forms) : withoutParts(forms)
}

const withoutWhole =
  (forms: ReadonlyArray<string>): Redact =>
  (text) => {
    let clean = text
    for (const form of forms) if (clean.includes(form)) clean = clean.replaceAll(form, replacement)
    return clean
  }

const withoutParts = (forms: ReadonlyArray<string>): Redact => {
  const parts = new Set<string>()
  for (const form of forms) {
    for (let at = 0; at + partLength <= form.length; at++) parts.add(form.slice(at, at + partLength))
  }
  const used = new Set(forms.join(""))
  return (text) => {
    let clean = ""
    let kept = 0
    for (let at = 0; at + partLength <= text.length; at++) {
      if (!used.has(text[at + partLength - 1]!)) at += partLength - 1
      else if (parts.has(text.slice(at, at + partLength))) {
        let end = at + partLength
        while (parts.has(text.slice(end - partLength + 1, end + 1))) end += 1
        clean += text.slice(kept, at) + replacement
        kept = end
        at = end - 1
      }
    }
    return clean + text.slice(kept)
  }
}
