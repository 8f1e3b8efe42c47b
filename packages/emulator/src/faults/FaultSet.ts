/**
 * Every fault that can be set, as data and as text; the faults that are set, their state, and which of them act on a request. Setting a fault
 * resets its count. Does not know what any fault does: a new one is an entry in the table of its category.
 *
 * The text form is shared by the command line, the control port and code: `name[:key=value[,key=value]]`, such as
 * `rate-limit:retryAfter=1,requests=3`. Keys of the condition and attributes are written side by side. A comma separates only if a key and `=`
 * follow it, so that values can hold commas.
 */
import type { Exchange } from "../Exchange.ts"
import * as Random from "../Random.ts"
import { fill, InvalidSetting, read, unknownName } from "../Setting.ts"
import type { Setting } from "../Setting.ts"
import { bodies } from "./bodies.ts"
import { cursors } from "./cursors.ts"
import { delivery } from "./delivery.ts"
import { conditions, readWhen, startWhen } from "./Fault.ts"
import type { FaultDefinition, Hooks, When } from "./Fault.ts"
import { records } from "./records.ts"
import { refusals } from "./refusals.ts"

const table = { ...delivery, ...refusals, ...bodies, ...records, ...cursors }
type Table = typeof table

/** A fault as data: `{ name: "rate-limit", retryAfter: 1, when: { requests: [3] } }`. */
export type Fault = {
  readonly [Name in keyof Table]: { readonly name: Name; readonly when?: When } & {
    readonly [
      Attribute in keyof Table[Name]["attributes"]
    ]?: Table[Name]["attributes"][Attribute] extends Setting<infer Value> ? Value : never
  }
}[keyof Table]

/** A fault that can be set. */
export interface FaultKind extends FaultDefinition {
  readonly name: Fault["name"]
}

/** Every fault that can be set, by category. */
export const kinds: ReadonlyArray<FaultKind> = Object.entries(table).map(
  ([name, { attributes, description, start }]) => ({
    name: name as Fault["name"],
    description,
    attributes,
    start,
  }),
)

/** A fault whose names and values are not checked yet. */
interface LooseFault {
  readonly name: string
  readonly when?: Readonly<Record<string, unknown>>
  readonly [attribute: string]: unknown
}

/** The kind of fault with this name. Throws `InvalidSetting` with a suggestion. */
const kindOf = (name: string): FaultKind => {
  const kind = kinds.find((one) => one.name === name)
  if (kind === undefined) throw new InvalidSetting(unknownName(name, Object.keys(table), "fault"))
  return kind
}

/** Reads the text form. Throws `InvalidSetting`; values are read when the fault is set. */
const fromText = (text: string): LooseFault => {
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
    else if (Object.hasOwn(conditions, key)) when[key] = value
    else {
      const known = [...Object.keys(attributes), ...Object.keys(conditions)]
      throw new InvalidSetting(unknownName(key, known, attributeOf(name)))
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

const attributeOf = (name: string): string => `attribute of the fault ${name}`

/** The faults of an emulator. Each is given as data or in the text form. Unknown names and values throw `InvalidSetting`. */
export interface FaultSet {
  readonly set: (faults: ReadonlyArray<Fault | string>) => void
  readonly add: (...faults: ReadonlyArray<Fault | string>) => void
  readonly clear: () => void
  readonly list: () => ReadonlyArray<Fault>
}

/** A fault that acts on this request. */
export interface Acting {
  readonly name: string
  readonly hooks: Hooks
}

/** A set of faults, and what the emulator needs from it. */
export interface FaultBoard {
  readonly faults: FaultSet
  readonly acting: (exchange: Exchange) => ReadonlyArray<Acting>
  /** The real cursor for one that a fault may have invented. */
  readonly cursor: (text: string) => string
}

interface Entry extends Acting {
  readonly fault: Fault
  readonly met: (exchange: Exchange) => boolean
}

/** An empty set; `seed` feeds probabilities and random choices. */
export const make = (seed: number): FaultBoard => {
  let entries: ReadonlyArray<Entry> = []

  const enter = (given: Fault | string, index: number): Entry => {
    const loose: unknown = typeof given === "string" ? fromText(given) : given
    if (!isLoose(loose))
      throw new InvalidSetting(`a fault is a text or an object with a name, not ${JSON.stringify(given)}`)
    const { name, when, ...attributes } = loose
    const kind = kindOf(name)
    const random = Random.make(seed + 31 * (index + 1))
    const condition = when === undefined ? undefined : { when: readWhen(when) }
    return {
      name,
      fault: { name, ...read(kind.attributes, attributes, attributeOf(name)), ...condition } as Fault,
      hooks: kind.start(fill(kind.attributes, attributes, attributeOf(name)), random),
      met: startWhen(condition?.when ?? {}, random),
    }
  }

  return {
    faults: {
      set: (faults) => {
        entries = faults.map(enter)
      },
      add: (...faults) => {
        entries = [...entries, ...faults.map((fault, index) => enter(fault, entries.length + index))]
      },
      clear: () => {
        entries = []
      },
      list: () => entries.map((entry) => entry.fault),
    },
    acting: (exchange) =>
      entries.length === 0
        ? entries
        : entries.filter(({ hooks, met }) => {
            const phase = hooks.phase?.(exchange) ?? "waiting"
            const isMet = met(exchange)
            return phase !== "over" && (isMet || phase === "running")
          }),
    cursor: (text) => entries.reduce((cursor, { hooks }) => hooks.cursor?.(cursor) ?? cursor, text),
  }
}

const isLoose = (value: unknown): value is LooseFault =>
  typeof value === "object" && value !== null && "name" in value && typeof value.name === "string"
