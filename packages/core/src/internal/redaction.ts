/**
 * Takes the key out of texts that came from elsewhere: a server may echo what it was sent, in any header, body or member. Nothing that
 * is shown, logged or thrown is made of such a text without passing here, before it is cut.
 */

/** A text without the key. */
export type Redact = (text: string) => string

const replacement = "[API key]"

/** Knows the key as it is, as URLs write it and as JSON writes it. */
export const make = (key: string): Redact => {
  const forms = [...new Set([key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)])]
  return (text) => {
    let clean = text
    for (const form of forms) if (clean.includes(form)) clean = clean.replaceAll(form, replacement)
    return clean
  }
}
