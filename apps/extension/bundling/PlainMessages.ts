/**
 * For WXT: packs the message files as browsers read them, and leaves out what is there for people: names of placeholders, and white space. A
 * browser reads `$count$`, where `count` is `$1`, as `$1`.
 */
import { readFile } from "node:fs/promises"
import type { ResolvedPublicFile } from "wxt"

interface Message {
  readonly message: string
  readonly placeholders?: { readonly [name: string]: { readonly content: string } }
}

/** A placeholder by its name, and by its number. */
const named = /\$([\w@]+)\$/g
const byNumber = /\$[1-9](?!\d)/g

const count = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length

/** A message with its placeholders by number. */
const plain = ({ message, placeholders = {} }: Message): Message => {
  const numbered = message.replace(
    named,
    (_, name: string) => placeholders[name.toLowerCase()]?.content ?? "",
  )
  // Browsers read `$1$2` as a placeholder that is called `1`, and `$10` as the tenth.
  if (count(numbered, byNumber) !== count(message, named) || count(numbered, named) > 0) {
    throw new Error(
      `"${message}" has places that cannot be numbers: fill each one, and put a space behind it.`,
    )
  }
  return { message: numbered }
}

/** A message file without the parts for people, sorted by key, because names that begin alike pack better. */
export const plainMessages = (text: string): string => {
  const messages = JSON.parse(text) as { readonly [key: string]: Message }
  const plainOnes = Object.entries(messages)
    .map(([key, message]) => [key, plain(message)] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify(Object.fromEntries(plainOnes))
}

/** Replaces the message files that people write by the packed ones. */
export const packMessages = async (files: Array<ResolvedPublicFile>): Promise<void> => {
  for (const [at, file] of files.entries()) {
    if (!("absoluteSrc" in file) || !file.relativeDest.endsWith("messages.json")) continue
    const contents = plainMessages(await readFile(file.absoluteSrc, "utf8"))
    files[at] = { relativeDest: file.relativeDest, contents }
  }
}
