/**
 * The emulator: takes requests, applies the faults that are set, lets the service answer, writes the journal. Serves
 * the whole specification in process; the node entry serves it on a port. Independent of any client: it has its own
 * reading of the specification.
 */
import { bytesSent, connectionLost, toResponse, withHeaders } from "./Answer.ts"
import type { Answer } from "./Answer.ts"
import * as Assumptions from "./Assumptions.ts"
import * as Clock from "./Clock.ts"
import { bearer, formOf, route } from "./Exchange.ts"
import type { Content, Endpoint, Exchange } from "./Exchange.ts"
import * as FaultSet from "./faults/FaultSet.ts"
import * as Journal from "./Journal.ts"
import { nearestPage } from "./List.ts"
import { hex, make as makeRandom } from "./Random.ts"
import { serve } from "./Service.ts"
import * as Store from "./Store.ts"
import { encode } from "./Wire.ts"

/** The options of an emulator. Each has a default; equal options give equal bytes. */
export interface EmulatorOptions {
  /** Number of contracts; default 250. */
  readonly contracts?: number
  /** Number of API keys, at least the five that `secrets` names; default 12. */
  readonly keys?: number
  /** Seed of all made-up data and random choices; default 1. */
  readonly seed?: number
  /** The behaviour where the specification leaves something open. Defaults: `Assumptions.table`. */
  readonly assumptions?: Partial<Assumptions.Assumptions>
  /** Faults that are set from the start, as data or as text. */
  readonly faults?: ReadonlyArray<FaultSet.Fault | string>
  /** Texts that break careless parsers and spreadsheets, in the newest contracts; default false. */
  readonly hurting?: boolean
  /** Default: the machine's clock. Every wait and every timestamp uses it. */
  readonly clock?: Clock.Clock
  /** Epoch milliseconds from which the fixtures' dates are counted back; default 2025-06-30T12:00:00Z. */
  readonly baseTime?: number
}

/** An answer with its bytes, for hosts that write it to a socket. */
export interface Prepared {
  readonly answer: Answer
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A local stand-in for the service. */
export interface Emulator {
  /** Answers in process, under any origin and path prefix; never follows redirects. Rejects for a dropped connection. */
  readonly fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>
  /** The answer before its delivery; `fetch` and the node entry are built on it. */
  readonly answer: (request: Request) => Promise<Prepared>
  /** Secret of the key with all scopes. */
  readonly apiKey: string
  readonly secrets: Store.Secrets
  readonly store: Store.Store
  readonly journal: Journal.Journal
  readonly faults: FaultSet.FaultSet
  readonly assumptions: Assumptions.Assumptions
  readonly clock: Clock.Clock
}

/** Makes an emulator. Throws `InvalidSetting` for unknown assumptions and faults. */
export const make = (options: EmulatorOptions = {}): Emulator => {
  const { contracts = 250, keys = 12, seed = 1, hurting = false, clock = Clock.real } = options
  const assumptions = Assumptions.make(options.assumptions)
  const baseTime = options.baseTime ?? Date.UTC(2025, 5, 30, 12)
  const { store, tables, secrets, isSecret } = Store.make(
    { contracts, keys, seed, baseTime, hurting, assumptions },
    clock,
  )
  const { journal, open } = Journal.make(isSecret)
  const board = FaultSet.make(seed)
  board.faults.set(options.faults ?? [])
  const idPrefix = hex(makeRandom(seed), 4)
  const pages = new Map<string, number>()
  let count = 0

  const pageOf = (endpoint: Endpoint | undefined, cursor: string, query: URLSearchParams) => {
    const nearest =
      endpoint === "contracts"
        ? nearestPage(tables.contracts, query, assumptions)
        : nearestPage(tables.apiKeys, query, assumptions)
    return pages.get(`${endpoint} ${cursor}`) ?? nearest
  }

  const begin = (request: Request): Exchange => {
    count += 1
    const url = new URL(request.url)
    const { endpoint } = route(url.pathname)
    const form = formOf(endpoint, url.searchParams)
    const cursor = url.searchParams.get(assumptions.cursorParameter)
    return {
      number: count,
      requestId: `req_${idPrefix}_${String(count).padStart(6, "0")}`,
      method: request.method,
      url,
      secret: bearer(request.headers.get("authorization")),
      endpoint,
      form,
      page: form !== "list" ? undefined : cursor === null ? 1 : pageOf(endpoint, cursor, url.searchParams),
      assumptions,
      store,
      tables,
      clock,
      wait: (ms) => Clock.wait(clock, ms, request.signal),
      stall: () => Clock.stall(request.signal),
    }
  }

  const remember = (content: Content, { endpoint }: Exchange): Content => {
    if (content.kind === "page" && content.next !== undefined && content.next !== null) {
      const text = encode(content.next)
      pages.set(`${endpoint} ${typeof content.next === "string" ? content.next : text}`, content.nextPage)
    }
    return content
  }

  const respond = async (exchange: Exchange, acting: ReadonlyArray<FaultSet.Acting>) => {
    for (const { hooks } of acting) {
      const answer = await hooks.before?.(exchange)
      if (answer !== undefined) return { answer, authorized: false }
    }
    const assumed: Assumptions.Assumptions = Object.assign(
      { ...exchange.assumptions },
      ...acting.map(({ hooks }) => hooks.assume?.(exchange)),
    )
    const changed = { ...exchange, assumptions: assumed }
    return serve(changed, {
      key: (key) => acting.reduce((seen, { hooks }) => hooks.key?.(seen, changed) ?? seen, key),
      content: (content) =>
        remember(
          acting.reduce((said, { hooks }) => hooks.content?.(said, changed) ?? said, content),
          changed,
        ),
      realCursor: board.cursor,
    })
  }

  const answer = async (request: Request): Promise<Prepared> => {
    const exchange = begin(request)
    const at = new Date(clock.now()).toISOString()
    const entry = open(request, { n: exchange.number, at, requestId: exchange.requestId })
    const acting = board.acting(exchange)
    const fault = acting.length === 0 ? null : acting.map(({ name }) => name).join("+")
    try {
      const { answer: said, authorized } = await respond(exchange, acting)
      const told = acting.reduce((way, { hooks }) => hooks.answer?.(way, exchange) ?? way, said)
      const bytes = new TextEncoder().encode(told.body)
      const status = told.delivery.drop === true ? 0 : told.status
      entry.settle({ status, fault, authorized, bodyBytes: bytesSent(bytes.length, told.delivery) })
      return { answer: withHeaders(told, standing(exchange)), bytes }
    } catch (error) {
      entry.settle({ status: 0, fault, authorized: false, bodyBytes: 0 })
      throw error
    }
  }

  return {
    fetch: async (input, init) => {
      const request = new Request(input, init)
      request.signal.throwIfAborted()
      const prepared = await answer(request)
      if (request.redirect === "error" && "location" in prepared.answer.headers)
        throw connectionLost("fetch failed")
      return toResponse(prepared.answer, prepared.bytes, clock, request.signal)
    },
    answer,
    apiKey: secrets.full,
    secrets,
    store,
    journal,
    faults: board.faults,
    assumptions,
    clock,
  }
}

/** Headers that every answer has, errors included. */
const standing = ({ assumptions, clock, number, requestId }: Exchange): Readonly<Record<string, string>> => {
  const left = String(assumptions.rateLimit - 1 - ((number - 1) % assumptions.rateLimit))
  const prefix = { none: undefined, ratelimit: "ratelimit", "x-ratelimit": "x-ratelimit" }[
    assumptions.rateLimitHeaders
  ]
  return {
    date: new Date(clock.now()).toUTCString(),
    ...(assumptions.requestIdHeader === null ? {} : { [assumptions.requestIdHeader]: requestId }),
    ...(prefix === undefined
      ? {}
      : {
          [`${prefix}-limit`]: String(assumptions.rateLimit),
          [`${prefix}-remaining`]: left,
          [`${prefix}-reset`]: "60",
        }),
  }
}
