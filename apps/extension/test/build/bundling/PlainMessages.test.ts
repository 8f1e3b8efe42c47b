/** Message files are packed for browsers, and say what people wrote. */
import { readdir, readFile } from "node:fs/promises"
import { join } from "node:path"
import { expect, it } from "vitest"
import { plainMessages } from "../../../bundling/PlainMessages.ts"

interface Message {
  readonly message: string
  readonly placeholders?: { readonly [name: string]: { readonly content: string } }
}
type Messages = { readonly [key: string]: Message }

const folder = join(import.meta.dirname, "..", "..", "..", "public", "_locales")

/** A message as a browser shows it with values in its places. */
const shown = ({ message, placeholders = {} }: Message): string => {
  const named = Object.entries(placeholders).map(([name, { content }]) => [`$${name}$`, content] as const)
  const numbered = named.reduce((text, [name, content]) => {
    const parts = text.split(new RegExp(name.replaceAll("$", "\\$"), "i"))
    return parts.join(content)
  }, message)
  return numbered.replace(/\$([1-9])/g, (_, place: string) => `<value ${place}>`)
}

it.each(await readdir(folder))("says every message of %s as it is written", async (locale) => {
  const text = await readFile(join(folder, locale, "messages.json"), "utf8")
  const written = JSON.parse(text) as Messages
  const packed = JSON.parse(plainMessages(text)) as Messages
  expect(Object.keys(packed)).toEqual(Object.keys(written).toSorted())
  for (const [key, message] of Object.entries(packed)) {
    expect(Object.keys(message)).toEqual(["message"])
    expect(shown(message)).toBe(shown(written[key]!))
  }
})

it("puts numbers in the place of names, in any letter case, and leaves other signs of money", () => {
  const one = {
    message: "$COUNT$ of $total$, at $ 5 or 5$",
    placeholders: { count: { content: "$1" }, total: { content: "$2" } },
  }
  expect(JSON.parse(plainMessages(JSON.stringify({ one })))).toEqual({
    one: { message: "$1 of $2, at $ 5 or 5$" },
  })
})

it.each([
  ["that nothing fills", "$count$"],
  ["before a digit, which would be part of its number", "$one$0"],
  ["before another place, which would be its end", "$one$$two$"],
  ["that was written as a number", "$one$ and $3"],
])("stops the build at a place %s", (_what, message) => {
  const placeholders = { one: { content: "$1" }, two: { content: "$2" } }
  expect(() => plainMessages(JSON.stringify({ some: { message, placeholders } }))).toThrow(message)
})
