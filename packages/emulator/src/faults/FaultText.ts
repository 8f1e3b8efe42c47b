/**
 * The text form of a fault, shared by the command line, the control port and code: `name[:key=value[,key=value]]`, such
 * as `rate-limit:retryAfter=1,requests=3`. Keys of the condition and attributes are written side by side. A comma
 * separates only if a key and `=` follow it, so that values can hold commas.
 */
import { InvalidSetting, unknownName } from "../settings/Setting.ts"
import type { FaultKind } from "./fault/Fault.ts"
import { kinds } from "./index.ts"
import type { Fault } from "./index.ts"
import { settings } from "./fault/When.ts"

/** A fault whose names and values are not checked yet. */
export interface LooseFault {
  readonly name: string
  readonly when?: Readonly<Record<string, unknown>>
  readonly [attribute: string]: unknown
}

/** The kind of fault with this name. Throws `InvalidSetting` with a suggestion. */
export const kindOf = (name: string): FaultKind => {
  const known: ReadonlyArray<FaultKind> = kinds
  const kind = known.find((one) => one.name === name)
  if (kind === undefined) {
    throw new InvalidSetting(
      unknownName(
        name,
        known.map((one) => one.name),
        "fault",
      ),
    )
  }
  return kind
}

/** Reads the text form. Throws `InvalidSetting`; values are read when the fault is set. */
export const fromText = (text: string): LooseFault => {
  const colon = text.indexOf(":")
  const name = colon < 0 ? text : text.slice(0, colon)
  const { attributes } = kindOf(name)
  const when: Record<string, unknown> = {}
  const own: Record<string, unknown> = {}
  for (const pair of colon < 0 ? [] : text.slice(colon + 1).split(/,(?=[A-Za-z]+=)/)) {
    const equals = pair.indexOf("=")
    const key = equals < 0 ? pair : pair.slice(0, equals)
    const value = equals < 0 ? "true" : pair.slice(equals + 1)
    if (Object.hasOwn(attributes, key)) own[key] = value
    else if (Object.hasOwn(settings, key)) when[key] = value
    else {
      const known = [...Object.keys(attributes), ...Object.keys(settings)]
      throw new InvalidSetting(unknownName(key, known, `attribute of the fault ${name}`))
    }
  }
  return { ...own, name, ...(Object.keys(when).length === 0 ? {} : { when }) }
}

/** Writes the text form. */
export const toText = (fault: Fault | LooseFault): string => {
  const { name, when = {}, ...own } = fault
  const pairs = [...Object.entries(own), ...Object.entries(when)].map(
    ([key, value]) => `${key}=${Array.isArray(value) ? value.join("+") : String(value)}`,
  )
  return pairs.length === 0 ? name : `${name}:${pairs.join(",")}`
}
