/**
 * Words for people, from the message files of `_locales`. Nothing that a page shows stands anywhere else. Plurals are messages with a
 * suffix for each category of the language (`contracts_one`, `contracts_other`).
 */
import { browser } from "wxt/browser"
import type { MessageName } from "../../BrowserNames.ts"

type Plural = MessageName extends infer Name ? (Name extends `${infer Base}_other` ? Base : never) : never

/** The language that the messages are in; not always the browser's, which may be one that there are no messages for. */
const language = (): string => browser.i18n.getMessage("language")

/** The language for numbers and dates: the browser's own region where it speaks the messages' language. */
export const region = (): string =>
  navigator.language.split("-")[0] === language() ? navigator.language : language()

export const text = (name: MessageName, ...values: ReadonlyArray<string>): string =>
  browser.i18n.getMessage(name, [...values])

/** Formats are made once: that takes a hundred times as long as using one, and a page may have hundreds of badges. */
let numbers: Intl.NumberFormat | undefined
let plurals: Intl.PluralRules | undefined

/** A number as the language writes it. Below a thousand a count is its digits in all of them, and most pages make no format. */
export const number = (value: number): string =>
  value >>> 0 === value && value < 1_000
    ? String(value)
    : (numbers ??= new Intl.NumberFormat(region())).format(value)

/** A message in the form that the count asks for; `$1` in it is the count. */
export const plural = (name: Plural, count: number, ...values: ReadonlyArray<string>): string => {
  const category = (plurals ??= new Intl.PluralRules(language())).select(count)
  const wanted = category === "one" ? (`${name}_one` as const) : (`${name}_other` as const)
  return text(wanted, number(count), ...values)
}

/** Tells the document which language it speaks and in which direction, and what it is called. */
export const introduce = (title: MessageName): void => {
  document.documentElement.lang = language()
  document.documentElement.dir = text("direction")
  document.title = text(title)
}
