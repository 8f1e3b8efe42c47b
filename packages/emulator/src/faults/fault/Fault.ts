/**
 * What a fault is: a name, a sentence, a table of attributes, and hooks that act on an exchange.
 * A fault that is set is data (`{ name, when, ...attributes }`); hooks are made from it and keep what they must remember.
 * Each file beside this one holds one fault.
 */
import type { Answer } from "../../wire/Answer.ts"
import type { Assumptions } from "../../settings/Assumptions.ts"
import type { Content, Exchange } from "../../routes/Exchange.ts"
import type { Random } from "../../settings/Random.ts"
import { fill, read } from "../../settings/Setting.ts"
import type { Setting, Settings, Values } from "../../settings/Setting.ts"
import type { ApiKey } from "../../wire/Wire.ts"
import type { When } from "./When.ts"

/** Where a fault may act, in the order in which it is asked. All but `phase` and `cursor` only when its condition is met. */
export interface Hooks {
  /** A fault that runs goes on whatever its condition says; one that is over never acts again. */
  readonly phase?: (exchange: Exchange) => "waiting" | "running" | "over"
  /** Turns a cursor that this fault invented back into the real one. */
  readonly cursor?: (text: string) => string
  /** Waits, or answers in place of the service. */
  readonly before?: (exchange: Exchange) => Answer | undefined | Promise<Answer | undefined>
  /** Lets the service behave under other assumptions. */
  readonly assume?: (exchange: Exchange) => Partial<Assumptions>
  /** Lets the presented key look different. */
  readonly key?: (key: ApiKey, exchange: Exchange) => ApiKey
  /** Changes what is said. */
  readonly content?: (content: Content, exchange: Exchange) => Content
  /** Changes how it is said, or how it travels. */
  readonly answer?: (answer: Answer, exchange: Exchange) => Answer
}

/** A fault that can be set. */
export interface FaultKind<Name extends string = string, A extends Settings = Settings> {
  readonly name: Name
  readonly description: string
  readonly attributes: A
  /** Reads attributes from values or their text. Throws `InvalidSetting`. */
  readonly read: (attributes: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  /** Begins with a clean memory. Throws `InvalidSetting`. */
  readonly start: (attributes: Readonly<Record<string, unknown>>, random: Random) => Hooks
}

/** The data that sets a fault of this kind. */
export type FaultOf<K> =
  K extends FaultKind<infer Name, infer A>
    ? { readonly name: Name; readonly when?: When } & {
        readonly [Attribute in keyof A]?: A[Attribute] extends Setting<infer Value> ? Value : never
      }
    : never

/** Defines a kind of fault. */
export const define = <const Name extends string, A extends Settings>(kind: {
  readonly name: Name
  readonly description: string
  readonly attributes: A
  readonly start: (attributes: Values<A>, random: Random) => Hooks
}): FaultKind<Name, A> => {
  const noun = `attribute of the fault ${kind.name}`
  return {
    ...kind,
    read: (attributes) => read(kind.attributes, attributes, noun),
    start: (attributes, random) => kind.start(fill(kind.attributes, attributes, noun), random),
  }
}
