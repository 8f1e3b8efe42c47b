/**
 * The name of a new thing in each spelling that code needs. The name is given in lower case with hyphens, and must be valid as a file name on every
 * system and as an identifier in every module.
 */
import { Script } from "node:vm"
import { Refused } from "./Refused.ts"

export interface Name {
  /** `rent-index`, as it was given. */
  readonly kebab: string
  /** `rentIndex` */
  readonly camel: string
  /** `RentIndex` */
  readonly pascal: string
  /** `rent_index` */
  readonly snake: string
  /** `rent index` */
  readonly words: string
}

const longest = 40
const form = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/
/** Names that Windows reserves for devices, with any extension. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

const isReserved = (identifier: string): boolean => {
  try {
    void new Script(`"use strict"; async () => { const ${identifier} = 0 }`)
    return false
  } catch {
    return true
  }
}

/** The nearest valid name; empty if there is none. */
const nearest = (text: string): string =>
  text
    .replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "-")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^[-0-9]+|-+$/g, "")

const spelled = (kebab: string): Name => {
  const camel = kebab.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())
  return {
    kebab,
    camel,
    pascal: `${camel[0]!.toUpperCase()}${camel.slice(1)}`,
    snake: kebab.replaceAll("-", "_"),
    words: kebab.replaceAll("-", " "),
  }
}

/** Reads a name. Throws `Refused`. */
export const read = (text: string): Name => {
  const shown = JSON.stringify(text.length > longest ? `${text.slice(0, longest)}...` : text)
  if (text.length > longest) throw new Refused(`${shown} is too long. Use at most ${longest} characters.`)
  if (!form.test(text)) {
    const near = /^[\w -]+$/.test(text) ? nearest(text) : ""
    const such = form.test(near) ? near : "rent-index"
    throw new Refused(
      `${shown} is not a valid name. Begin with a letter, and use lower-case letters, digits and single hyphens, such as ${such}.`,
    )
  }
  if (devices.test(text))
    throw new Refused(`${shown} cannot be the name of a file on Windows. Choose another name.`)
  const name = spelled(text)
  // JavaScript treats an object with a member `then` as a promise.
  if (isReserved(name.camel) || name.camel in globalThis || name.camel === "then") {
    throw new Refused(
      `${shown} cannot be an identifier: ${name.camel} has a meaning in JavaScript. Choose another name.`,
    )
  }
  return name
}

/** Whether two names differ only in capitals and hyphens. */
export const isSame = (one: string, other: string): boolean => plain(one) === plain(other)

const plain = (name: string): string => name.replaceAll(/[^a-z0-9]/gi, "").toLowerCase()
