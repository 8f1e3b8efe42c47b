/** Numbers and plurals that are written without the browser's formats are the same as with them, in every language that there are messages for. */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, describe, expect, it, vi } from "vitest"

const messages = join(import.meta.dirname, "..", "..", "..", "public", "_locales")

/** The languages of the messages as the browser names them. */
const languages = readdirSync(messages).map((folder) => {
  const { language }: { readonly language: { readonly message: string } } = JSON.parse(
    readFileSync(join(messages, folder, "messages.json"), "utf8"),
  )
  return language.message
})

/** The language itself, and regions whose readers get it. */
const regionsOf = (language: string): ReadonlyArray<string> => [
  language,
  ...["AO", "AU", "BR", "CA", "CH", "CY", "GB", "GR", "IN", "MZ", "NG", "PK", "PT", "US", "ZA"].map(
    (country) => `${language.split("-")[0]}-${country}`,
  ),
]

const counts = [...Array.from({ length: 1_000 }, (_, at) => at), 1_000, 1_001, 999_999, 1_000_000, -1, 1.5]

/** The module as a page with such a browser loads it: it makes its formats once. */
const load = async (language: string, region: string) => {
  vi.resetModules()
  vi.stubGlobal("navigator", { language: region })
  vi.stubGlobal("chrome", {
    runtime: { id: "test" },
    i18n: {
      getMessage: (name: string, values: ReadonlyArray<string> = []) =>
        name === "language" ? language : [name, ...values].join(" "),
    },
  })
  return import("../../../src/ui/kit/Message.ts")
}

afterEach(() => vi.unstubAllGlobals())

describe.each(languages)("in %s", (language) => {
  it("has each number as the language writes it, in each of its regions", async () => {
    for (const region of regionsOf(language)) {
      const { number, region: own } = await load(language, region)
      const format = new Intl.NumberFormat(own())
      expect(counts.map(number)).toEqual(counts.map((count) => format.format(count)))
    }
  })

  it("has each plural in the form that the language asks for", async () => {
    const { number, plural } = await load(language, language)
    const rules = new Intl.PluralRules(language)
    const wanted = counts.map((count) => {
      const form = rules.select(count) === "one" ? "one" : "other"
      return `contracts_${form} ${number(count)}`
    })
    expect(counts.map((count) => plural("contracts", count))).toEqual(wanted)
  })
})
