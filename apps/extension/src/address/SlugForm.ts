/**
 * Finds slugs in the end of an address, however a site writes it: letter case, marks between words, file extensions, and one id of the site
 * before and after the slug. A slug is found whole or not at all, and not if two listings could be meant. Pure.
 */

/** The file extension of a page, with or without a language before it: `.html`, `.en-gb.html`. */
export const ending = /(?:\.[a-z]{2}(?:-[a-z]{2,4})?)?\.(?:s?html?|php|aspx?|jsp|do)$/i

/** A last segment that names nothing: a language, or the page of a folder. */
const passed = /^(?:[a-z]{2}(?:[-_][a-z]{2})?|index)$/i

/** An id of a site beside a slug. Years, sizes and house numbers are shorter, and so are the numbers by which sites distinguish slugs. */
const id = /^[a-z]{0,4}\d{5,}$/

const wordsOf = (text: string): Array<string> =>
  text
    .toLowerCase()
    .split(/[-_\s.,~+]+/)
    .filter((word) => word !== "")

/** A slug in the one form in which slugs are compared: words in lower case, with hyphens. */
export const formOf = (slug: string): string => wordsOf(slug).join("-")

/** Whether a slug, or every line of a text, is already in that form, as most are; false if that would take a closer look. */
export const isForm = (slugs: string): boolean => !/[^a-z\d\n-]|--/.test(slugs)

/** Looks a form up: undefined if no slug has it, null if several have it. */
type Known<A> = (form: string) => A | null | undefined

/** The one slug that the end of a path names, as one segment or two; null or undefined for none. */
export const find = <A>(end: string, known: Known<A>): A | null | undefined => {
  const [one = "", two = ""] = end.split("/").map((segment) => segment.replace(ending, ""))
  let words = wordsOf(two === "" || passed.test(two) ? one : two)
  const form = words.join("-")
  // A number names a listing only if a pattern finds it.
  const whole = /\D/.test(form) ? known(form) : undefined
  if (whole !== undefined) return whole
  if (two !== "" && id.test(form)) words = [...wordsOf(one), form]
  // One word alone is too common to be recognised by an id beside it.
  const within = (from: number, to: number): A | null | undefined =>
    to - from > 1 ? known(words.slice(from, to).join("-")) : undefined
  const from = Number(id.test(words[0] ?? ""))
  const to = words.length - Number(id.test(words.at(-1) ?? ""))
  const [behind, ahead] = [within(from, words.length), within(0, to)]
  if (behind === undefined || ahead === undefined || behind === ahead)
    return behind ?? ahead ?? within(from, to)
  return null
}
