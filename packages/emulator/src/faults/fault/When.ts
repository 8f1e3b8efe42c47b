/**
 * The condition of a fault: which requests it acts on. Counting starts when the fault is set, and covers the requests
 * that match `path`, `form` and `page`.
 */
import type { Exchange } from "../../routes/Exchange.ts"
import type { Random } from "../../settings/Random.ts"
import {
  choice,
  fill,
  integer,
  number,
  positions,
  read as readSettings,
  text,
} from "../../settings/Setting.ts"

/** All given members must match; an empty condition acts on every request. */
export interface When {
  /** Positions in the count, from 1. */
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
export const settings = {
  requests: positions([], "positions in the count of requests, from 1"),
  every: integer(0, "every so many requests"),
  probability: number(1, "chance between 0 and 1", 0, 1),
  path: text("", "a part of the path"),
  form: choice(["any", "list", "retrieve", "single"], "any", "form of the endpoint"),
  page: integer(0, "page of a read, from 1"),
  times: integer(0, "acts at most so many times"),
} as const

/** Reads a condition from values or their text. Throws `InvalidSetting`. */
export const read = (when: Readonly<Record<string, unknown>>): When =>
  readSettings(settings, when, "condition of a fault")

/**
 * Checks a condition; throws `InvalidSetting`. Returns a function that says whether a request meets it, and counts those
 * that match `path`, `form` and `page`.
 */
export const start = (when: When, random: Random): ((exchange: Exchange) => boolean) => {
  const { requests, every, probability, path, form, page, times } = fill(
    settings,
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
