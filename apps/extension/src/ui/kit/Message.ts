/**
 * Texts for people, from the message files of `_locales`, which hold every text that a page shows. Plurals are messages with a suffix for each
 * category of the language (`contracts_one`, `contracts_other`).
 */
import { browser } from "wxt/browser"
import type { MessageName } from "../../BrowserNames.ts"
import type { Account } from "../../messages/AppState.ts"

type Plural = MessageName extends infer Name ? (Name extends `${infer Base}_other` ? Base : never) : never

/** The language of the messages. It can differ from the browser's, for which there may be no messages. */
const language = (): string => browser.i18n.getMessage("language")

/** The locale for numbers and dates: the browser's own, including its region, if it has the language of the messages. */
export const region = (): string =>
  navigator.language.split("-")[0] === language() ? navigator.language : language()

export const text = (name: MessageName, ...values: ReadonlyArray<string>): string =>
  browser.i18n.getMessage(name, [...values])

/** A value of the service, such as `on_hold`, in the words that people see. */
export const worded = (value: string): string => value.replaceAll("_", " ")

/** Formats are created once: creating one takes a hundred times as long as using it, and a page can have hundreds of badges. */
let numbers: Intl.NumberFormat | undefined
let plurals: Intl.PluralRules | undefined

/** A number as the language writes it. Counts below a thousand are plain digits in every language, so most pages create no format. */
export const number = (value: number): string =>
  value >>> 0 === value && value < 1_000
    ? String(value)
    : (numbers ??= new Intl.NumberFormat(region())).format(value)

/** A message in the plural form for the count; `$1` in it is the count. */
export const plural = (name: Plural, count: number, ...values: ReadonlyArray<string>): string => {
  const category = (plurals ??= new Intl.PluralRules(language())).select(count)
  const wanted = category === "one" ? (`${name}_one` as const) : (`${name}_other` as const)
  return text(wanted, number(count), ...values)
}

/** Sets the language, direction and title of the document. */
export const introduce = (title: MessageName): void => {
  document.documentElement.lang = language()
  document.documentElement.dir = text("direction")
  document.title = text(title)
}

export const accountName = ({ baseUrl, name }: Account): string => {
  if (name !== "") return name
  return baseUrl !== null && URL.canParse(baseUrl) ? new URL(baseUrl).host : text("accountUnnamed")
}
