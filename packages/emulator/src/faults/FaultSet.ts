/**
 * The faults that are set, their state, and which of them act on a request.
 * Setting a fault resets its count. Does not know what any fault does.
 */
import type { Exchange } from "../routes/Exchange.ts"
import * as Random from "../settings/Random.ts"
import { InvalidSetting } from "../settings/Setting.ts"
import type { Hooks } from "./fault/Fault.ts"
import { fromText, kindOf } from "./FaultText.ts"
import type { LooseFault } from "./FaultText.ts"
import type { Fault } from "./index.ts"
import * as When from "./fault/When.ts"

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
    const condition = when === undefined ? undefined : { when: When.read(when) }
    return {
      name,
      fault: { name, ...kind.read(attributes), ...condition } as Fault,
      hooks: kind.start(attributes, random),
      met: When.start(condition?.when ?? {}, random),
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
