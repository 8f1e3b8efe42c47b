/** Every language says all that English says: the same messages with the same places, in its own words, and nothing left behind. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"

interface Message {
  readonly message: string
  readonly placeholders?: { readonly [name: string]: { readonly content: string } }
}
type Messages = { readonly [key: string]: Message }

const folder = join(import.meta.dirname, "..", "..", "public", "_locales")
const read = (locale: string): Messages =>
  JSON.parse(readFileSync(join(folder, locale, "messages.json"), "utf8")) as Messages

const english = read("en")
const others = readdirSync(folder).filter((locale) => locale !== "en")

/** Messages that are the same in every language: names and codes. */
const names = ["direction", "extensionName", "fieldSlug", "popupTitle", "toolbarNeed"]
/** Words that a language has in common with English. */
const shared: { readonly [locale: string]: ReadonlyArray<string> } = { pt_PT: ["welcomeSites"] }

/** What is no word of any language: addresses, scopes, patterns, keys and the like. */
const code =
  /https?:\/\/\w[\w./-]*\w|\/v1\/|\bread:\w+|[/?][\w/?]*=?:(?:slug|id)\b|Alt\+Shift\+D|RFC \d+|UTF-8|UTC|%s|Settings, Integrations|\bactive\b/g

/** Every occurrence, in an order that has nothing to do with the sentence. */
const found = (text: string, pattern: RegExp): ReadonlyArray<string> =>
  [...text.matchAll(pattern)].map(([match]) => match).toSorted()

const differing = (messages: Messages, of: (message: Message) => unknown): ReadonlyArray<string> =>
  Object.keys(english).filter((key) => {
    const message = messages[key]
    return message !== undefined && JSON.stringify(of(message)) !== JSON.stringify(of(english[key]!))
  })

it("speaks Greek and Portuguese beside English", () => {
  expect(others.toSorted()).toEqual(["el", "pt_PT"])
})

describe.each(others)("the messages in %s", (locale) => {
  const messages = read(locale)

  it("are those of English, none missing and none too many", () => {
    expect(Object.keys(messages).toSorted()).toEqual(Object.keys(english).toSorted())
  })

  it("have the same places, each filled with the same value", () => {
    expect(differing(messages, ({ placeholders }) => placeholders)).toEqual([])
    expect(differing(messages, ({ message }) => [...new Set(found(message, /\$\w+\$/g))])).toEqual([])
  })

  it("keep addresses, scopes, patterns and key names as they are typed", () => {
    expect(differing(messages, ({ message }) => found(message, code))).toEqual([])
  })

  it("are said in that language and not left in English", () => {
    const same = Object.keys(english).filter((key) => messages[key]?.message === english[key]!.message)
    expect(same.toSorted()).toEqual([...names, ...(shared[locale] ?? [])].toSorted())
  })

  it("are never empty, begin and end without a space, and end as the English ones do", () => {
    const wrong = Object.entries(messages).filter(
      ([, { message }]) => message === "" || message !== message.trim(),
    )
    expect(wrong).toEqual([])
    expect(differing(messages, ({ message }) => /[.…:]$/.exec(message)?.[0])).toEqual([])
  })

  it("name the language of their folder, which has no plural that the messages have not", () => {
    const language = messages["language"]?.message
    expect(language).toBe(locale.replace("_", "-"))
    const counts = [0, 1, 2, 3, 5, 11, 21, 100, 101, 2_500, 100_000]
    const forms = new Set(counts.map((count) => new Intl.PluralRules(language).select(count)))
    expect([...forms].toSorted()).toEqual(["one", "other"])
  })

  it("mix no letters of two scripts in a word", () => {
    const mixed = Object.entries(messages).filter(([, { message }]) =>
      /\p{Script=Greek}\p{Script=Latin}|\p{Script=Latin}\p{Script=Greek}/u.test(message),
    )
    expect(mixed).toEqual([])
  })
})
