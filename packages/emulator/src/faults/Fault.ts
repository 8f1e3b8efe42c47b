/**
 * What a fault is: a sentence, attributes, and hooks that act on an exchange, and the condition for when they act. A fault that is set is
 * data (`{ name, when, ...attributes }`); hooks are made from it and hold its state.
 */
import type { Answer } from "../Answer.ts"
import type { Assumptions } from "../Assumptions.ts"
import type { Content, Exchange } from "../Exchange.ts"
import type { Random } from "../Random.ts"
import { choice, fill, integer, number, positions, read as readSettings, text } from "../Setting.ts"
import type { Settings, Values } from "../Setting.ts"
import type { ApiKey } from "../Wire.ts"

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

/** An entry of a table of faults. */
export interface FaultDefinition<A extends Settings = Settings> {
  /** One sentence for help texts. */
  readonly description: string
  readonly attributes: A
  /** Starts without state, from a value for every attribute. */
  readonly start: (attributes: Readonly<Record<string, unknown>>, random: Random) => Hooks
}

/** Defines a fault; the key of its entry is its name. */
export const define = <A extends Settings>(fault: {
  readonly description: string
  readonly attributes: A
  readonly start: (attributes: Values<A>, random: Random) => Hooks
}): FaultDefinition<A> => ({
  ...fault,
  start: (attributes, random) => fault.start(attributes as Values<A>, random),
})

/** The condition of a fault: all given members must match; an empty condition acts on every request. */
export interface When {
  /** Positions in the count, from 1. Counting starts when the fault is set, and covers the requests that match `path`, `form` and `page`. */
  readonly requests?: ReadonlyArray<number>
  /** Every nth request of the count: 3 acts on the 3rd, 6th, ... */
  readonly every?: number
  /** Chance between 0 and 1, drawn from the emulator's seed. */
  readonly probability?: number
  /** A part of the path. */
  readonly path?: string
  readonly form?: "any" | "list" | "retrieve" | "single"
  /** Page of a read, from 1. */
  readonly page?: number
  /** The most times that the fault acts. */
  readonly times?: number
}

/** The same members as settings, for the text form of a fault; zero and empty mean that a member is not given. */
export const conditions = {
  requests: positions([], "positions in the count of requests, from 1"),
  every: integer(0, "every so many requests"),
  probability: number(1, "chance between 0 and 1", 0, 1),
  path: text("", "a part of the path"),
  form: choice(["any", "list", "retrieve", "single"], "any", "form of the endpoint"),
  page: integer(0, "page of a read, from 1"),
  times: integer(0, "acts at most so many times"),
} as const

/** Reads a condition from values or their text. Throws `InvalidSetting`. */
export const readWhen = (when: Readonly<Record<string, unknown>>): When =>
  readSettings(conditions, when, "condition of a fault")

/** A function that says whether a request meets the condition, and counts those that match `path`, `form` and `page`. */
export const startWhen = (when: When, random: Random): ((exchange: Exchange) => boolean) => {
  const { requests, every, probability, path, form, page, times } = fill(
    conditions,
    { ...when },
    "condition of a fault",
  )
  let count = 0
  let hits = 0
  return (exchange) => {
    if (path !== "" && !exchange.url.pathname.includes(path)) return false
    if (form !== "any" && exchange.form !== form) return false
    if (page !== 0 && exchange.page !== page) return false
    count += 1
    const met =
      (requests.length === 0 || requests.includes(count)) &&
      (every === 0 || count % every === 0) &&
      (times === 0 || hits < times) &&
      (probability === 1 || random() < probability)
    if (met) hits += 1
    return met
  }
}
