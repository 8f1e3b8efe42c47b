/**
 * The definition of a fault: a name, a sentence, a table of attributes, and hooks that act on an exchange. A fault that
 * is set is data (`{ name, when, ...attributes }`); hooks are made from it and hold its state. Each file beside this
 * one holds one fault.
 */
import type { Answer } from "../../wire/Answer.ts"
import type { Assumptions } from "../../settings/Assumptions.ts"
import type { Content, Exchange } from "../../routes/Exchange.ts"
import type { Random } from "../../settings/Random.ts"
import { fill, read } from "../../settings/Setting.ts"
import type { Setting, Settings, Values } from "../../settings/Setting.ts"
import type { ApiKey } from "../../wire/Wire.ts"
import type { When } from "./When.ts"

/** The points at which a fault can act, in this order. All except `phase` and `cursor` act only when its condition is met. */
export interface Hooks {
  /** A running fault continues whatever its condition says; an ended one never acts again. */
  readonly phase?: (exchange: Exchange) => "waiting" | "running" | "over"
  /** Maps a cursor that this fault invented to the real one. */
  readonly cursor?: (text: string) => string
  /** Waits, or answers in place of the service. */
  readonly before?: (exchange: Exchange) => Answer | undefined | Promise<Answer | undefined>
  /** Changes the assumptions for this request. */
  readonly assume?: (exchange: Exchange) => Partial<Assumptions>
  /** Changes the presented key. */
  readonly key?: (key: ApiKey, exchange: Exchange) => ApiKey
  /** Changes the content of the answer. */
  readonly content?: (content: Content, exchange: Exchange) => Content
  /** Changes the text of the answer, or its delivery. */
  readonly answer?: (answer: Answer, exchange: Exchange) => Answer
}

/** A fault that can be set. */
export interface FaultKind<Name extends string = string, A extends Settings = Settings> {
  readonly name: Name
  readonly description: string
  readonly attributes: A
  /** Reads attributes from values or their text. Throws `InvalidSetting`. */
  readonly read: (attributes: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>
  /** Starts without state. Throws `InvalidSetting`. */
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
