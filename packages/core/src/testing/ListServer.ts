/**
 * A small server of contracts in process, for explorations: it answers what the specification leaves open in the way that its traits say, and
 * fails on request. It is deterministic, and waits on a virtual clock. The emulator of the project is the larger one.
 */
import type { Contract } from "../model/Contract.ts"
import { stringify } from "../model/Json.ts"
import type { Send } from "../transport/Transport.ts"
import { contract, listing } from "./Fixtures.ts"
import type { ScriptedAnswer, ScriptedRequest } from "./Scripted.ts"
import { scripted } from "./Scripted.ts"
import * as VirtualClock from "./VirtualClock.ts"

/** A fault that occurs `times` times, from the request with this number on, which counts from 1. */
export interface ServerFault {
  readonly kind:
    | "rate-limit"
    | "server-error"
    | "drop"
    | "cut"
    | "html"
    | "slow"
    | "revoked"
    | "bad-record"
    | "same-page"
  readonly request: number
  /** Default 1. `revoked`, `bad-record` and `same-page` do not end. */
  readonly times?: number
}

/** The traits of a server. */
export interface ServerTraits {
  /** How many contracts. Default 25. */
  readonly contracts: number
  /** Contracts per page when no limit is sent, and the most per page. Default 10. */
  readonly pageSize: number
  /** A larger limit is cut, which is the default, or refused with 400. */
  readonly largerLimit: "cut" | "refuse"
  /** The order of the list. Default `descending`. */
  readonly order: "descending" | "ascending" | "mixed"
  /** The form of `next_before_id`: the last id (default), the first id of the next page, a position, or a text. */
  readonly cursor: "last-id" | "next-id" | "position" | "text"
  /** Whether integers in cursors and units are beyond 2^53. Default false. */
  readonly longIntegers: boolean
  /** The value of `next_before_id` at the end of the list. Default null. */
  readonly end: null | 0 | -1 | ""
  /** Whether the last page is an empty one. Default false. */
  readonly emptyLastPage: boolean
  /** The `listing` of a contract without one. Default null. */
  readonly noListing: "null" | "absent"
  /** Digits of a second's fraction in timestamps. Default 0. */
  readonly timestampDigits: 0 | 3 | 6
  /** Whether contracts have a member that is not documented. Default false. */
  readonly newMember: boolean
  readonly faults: ReadonlyArray<ServerFault>
}

/** A server, and the data with which the result of a tool is compared. */
export interface ListServer {
  readonly baseUrl: string
  readonly apiKey: string
  readonly send: Send
  /** Provide it as Effect's `Clock`, or as the `clock` of `createClient`: waits then take no time. */
  readonly clock: VirtualClock.VirtualClock
  /** Every contract, in the order of the list. */
  readonly contracts: ReadonlyArray<Contract>
  /** Whether a read can reach its end: no fault is permanent. */
  readonly isSound: boolean
  /** The requests that were sent. */
  readonly requests: ReadonlyArray<ScriptedRequest>
}

const lasting: ReadonlySet<ServerFault["kind"]> = new Set(["revoked", "bad-record", "same-page"])
const startMillis = Date.parse("2026-03-01T14:00:00Z")
const beyond = 2n ** 60n

const stored = ({
  contracts = 25,
  longIntegers,
  newMember,
  noListing,
  order,
  timestampDigits = 0,
}: Partial<ServerTraits>): ReadonlyArray<Contract> => {
  const zeros = timestampDigits === 0 ? "" : `.${"0".repeat(timestampDigits)}`
  const made = Array.from({ length: contracts }, (_, at): Contract => {
    const id = contracts - at
    const { listing: none, ...rest } = contract({
      id,
      unit_label: `${id}A`,
      unit_id: longIntegers === true ? beyond + BigInt(id) : null,
    })
    const created_at = `2026-01-01T00:${String(id % 60).padStart(2, "0")}:00${zeros}Z`
    const known = { ...rest, created_at, updated_at: created_at }
    const extra = newMember === true ? { rooms: id % 5 } : {}
    if (id % 3 === 0) return { ...known, ...extra, listing_id: id, listing: listing({ id }) }
    return noListing === "absent" ? { ...known, ...extra } : { ...known, ...extra, listing: none ?? null }
  })
  if (order === "ascending") return made.toReversed()
  return order === "mixed" ? made.toSorted((a, b) => ((a.id * 7) % 11) - ((b.id * 7) % 11)) : made
}

/** Makes a server. */
export const make = (traits: Partial<ServerTraits> = {}): ListServer => {
  const {
    cursor = "last-id",
    emptyLastPage = false,
    end = null,
    faults = [],
    largerLimit = "cut",
    longIntegers,
    pageSize = 10,
  } = traits
  const contracts = stored(traits)
  const clock = VirtualClock.virtualClock(startMillis)

  const cursorAt = (at: number): unknown => {
    if (cursor === "text") return `at-${at}`
    const named = cursor === "position" ? at : (contracts[cursor === "next-id" ? at : at - 1]?.id ?? 0)
    return longIntegers === true ? beyond + BigInt(named) : named
  }
  /** Position of a cursor; -1 for one that was never given. */
  const positions = new Map(
    Array.from({ length: contracts.length + 1 }, (_, at) => [String(cursorAt(at)), at]),
  )
  const start = (given: string | null): number => (given === null ? 0 : (positions.get(given) ?? -1))

  const list = (query: URLSearchParams, isSame: boolean, isBad: boolean): ScriptedAnswer => {
    const limit = Number(query.get("limit") ?? pageSize)
    if (limit > pageSize && largerLimit === "refuse")
      return { status: 400, body: { ok: false, error: "limit" } }
    const from = isSame ? 0 : start(query.get("before_id"))
    if (from < 0) return { status: 400, body: { ok: false, error: "cursor" } }
    const to = Math.min(from + Math.min(limit, pageSize), contracts.length)
    const items: ReadonlyArray<object> = contracts.slice(from, to)
    const isLast = to === contracts.length && (!emptyLastPage || from === to || cursor === "next-id")
    const [first, ...others] = items
    return {
      body: {
        ok: true,
        items: isBad && first !== undefined ? [{ ...first, status: null }, ...others] : items,
        next_before_id: isLast ? end : cursorAt(to),
      },
    }
  }
  const answer = async (
    request: ScriptedRequest,
    fault: ServerFault["kind"] | null,
  ): Promise<ScriptedAnswer> => {
    const { pathname, searchParams: query } = new URL(request.target, "http://localhost")
    if (fault === "rate-limit") return { status: 429, headers: { "retry-after": "3" } }
    if (fault === "server-error") return { status: 503, body: "unavailable" }
    if (fault === "html")
      return { status: 502, headers: { "content-type": "text/html" }, body: "<html></html>" }
    if (fault === "drop") return { fault: "connect" }
    if (fault === "revoked") return { status: 401, body: { ok: false, error: "revoked" } }
    if (fault === "slow") await clock.plain.sleep(5_000)
    if (pathname !== "/v1/contracts/") return { status: 404, body: { ok: false } }
    const id = query.get("id")
    const found = contracts.find((one) => String(one.id) === id)
    if (id !== null)
      return found === undefined
        ? { status: 404, body: { ok: false } }
        : { body: { ok: true, contract: found } }
    const page = list(query, fault === "same-page", fault === "bad-record")
    return fault === "cut" ? { ...page, body: stringify(page.body).slice(0, -1) } : page
  }
  const requests: Array<ScriptedRequest> = []
  const send: Send = async (request, cancellation) => {
    const { pathname, search } = new URL(request.url)
    const asked = { target: pathname + search, accept: request.headers["accept"] ?? null }
    const count = requests.push(asked)
    const fault = faults.find(
      ({ kind, request: first, times = 1 }) => count >= first && (lasting.has(kind) || count < first + times),
    )
    return scripted([await answer(asked, fault?.kind ?? null)]).send(request, cancellation)
  }
  const isSound = !faults.some(({ kind }) => lasting.has(kind))
  return {
    baseUrl: "https://api.example.test",
    apiKey: "test-key",
    send,
    clock,
    contracts,
    isSound,
    requests,
  }
}
