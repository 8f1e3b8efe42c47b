/**
 * Removes the key from text of the server, which may echo it, whole or in part, in any header, body or member. All text of the server that is
 * shown, logged or thrown is redacted here first, before it is cut. Answers are read without the whole key: records and payloads are stored,
 * exported and handed on.
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
export const make = (key: string): Redact =>
  key.length < partLength ? withoutWhole(formsOf(key)) : withoutParts(formsOf(key))

const formsOf = (key: string): ReadonlyArray<string> => [
  ...new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]),
]

/** Whether a JSON text writes an ASCII character by its number, as some services do with `+` and `&`. */
const hasEscapedAscii = (text: string): boolean => text.includes("\\u00") && /\\u00[2-7]/i.test(text)

/**
 * Removes the whole key from the strings and member names of a JSON text, however they are escaped. Everything else keeps its bytes: numbers,
 * parts of the key, which can be data, and the cursor of the envelope, which is sent back as it came. A key of less than 8 characters is left, because words and dates would match it.
 */
export const makeForAnswers = (key: string): Redact => {
  if (key.length < partLength) return (text) => text
  const withoutKey = withoutWhole(formsOf(key))
  // What no service escapes is in every text that holds the key, and a search for it is fast.
  const plain = key.split(/[^\w.~-]+/).reduce((longest, run) => (run.length > longest.length ? run : longest))
  return (text) => {
    if (!text.includes(plain) && !hasEscapedAscii(text)) return text
    let clean = ""
    let [kept, end, level, before] = [0, 0, 0, ""]
    for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', end)) {
      for (; end < at; end++) level += levelsOf(text.charCodeAt(end))
      end = endOfString(text, at)
      const written = text.slice(at, end)
      const string = stringOf(written)
      const redacted = withoutKey(string)
      const isCursor = level === 1 && before === "next_before_id"
      before = string
      if (redacted === string || isCursor) continue
      clean += text.slice(kept, at) + JSON.stringify(redacted)
      kept = end
    }
    return clean + text.slice(kept)
  }
}

const [quote, openArray, backslash, closeArray, openObject, closeObject] = [34, 91, 92, 93, 123, 125]

const levelsOf = (code: number): number =>
  code === openObject || code === openArray ? 1 : code === closeObject || code === closeArray ? -1 : 0

/** Where the string of a JSON text ends that begins at a place. */
const endOfString = (text: string, from: number): number => {
  let at = from + 1
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) return at + 1
    if (code === backslash) at += 1
  }
  return text.length
}

/** A string of a JSON text; as it is written, if the text is not JSON. */
const stringOf = (written: string): string => {
  if (!written.includes("\\")) return written.slice(1, -1)
  try {
    return JSON.parse(written) as string
  } catch {
    return written
  }
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
