/**
 * For WXT: packs the message files as browsers read them, and leaves out what is there for people: names of places, and white space. A browser
 * that reads `$count$`, where `count` is `$1`, has `$1` in its place.
 */
import { readFile } from "node:fs/promises"
import type { ResolvedPublicFile } from "wxt"

interface Message {
  readonly message: string
  readonly placeholders?: { readonly [name: string]: { readonly content: string } }
}

/** A place by its name, and a digit behind it, which would become part of its number. */
const place = /\$(\w+)\$(\d?)/g

/** A message with its places by number. */
const plain = ({ message, placeholders = {} }: Message): Message => ({
  message: message.replace(place, (named, name: string, digit: string) => {
    const content = placeholders[name.toLowerCase()]?.content
    if (content === undefined || digit !== "") {
      throw new Error(`"${message}" has a place that cannot be a number: ${named}`)
    }
    return content
  }),
})

/** A message file without what people read it by. */
export const plainMessages = (text: string): string => {
  const messages = JSON.parse(text) as { readonly [key: string]: Message }
  const plainOnes = Object.entries(messages).map(([key, message]) => [key, plain(message)] as const)
  return JSON.stringify(Object.fromEntries(plainOnes))
}

/** Puts the packed files in the place of those that people write. */
export const packMessages = async (files: Array<ResolvedPublicFile>): Promise<void> => {
  for (const [at, file] of files.entries()) {
    if (!("absoluteSrc" in file) || !file.relativeDest.endsWith("messages.json")) continue
    const contents = plainMessages(await readFile(file.absoluteSrc, "utf8"))
    files[at] = { relativeDest: file.relativeDest, contents }
  }
}
