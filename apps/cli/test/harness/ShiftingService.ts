/**
 * A service whose contracts change between two requests, and that knows which of them were there all the time. Under cursors that are
 * positions, a contract that is removed before the reader hides another one from it.
 */
import type { Server } from "./Servers.ts"
import { answering, contract } from "./Servers.ts"

/** What `next_before_id` is: a place in the list, the same as a text that says nothing, or the last id of the page. */
export type CursorKind = "position" | "opaque position" | "last id"

export interface ShiftingOptions {
  readonly cursor: CursorKind
  readonly contracts: number
  /** Changes the list before this request for a page is answered; the first one is 1. */
  readonly change: (list: ShiftingList, request: number) => void
  /** From this request for a page on it fails, until it recovers. Default: it does not fail. */
  readonly failFrom?: number
}

type Listed = ReturnType<typeof contract>

/** To the second, as the `Date` of an answer. */
const moment = (): string => `${new Date().toISOString().slice(0, 19)}Z`

/** The list, by id, latest first. */
export class ShiftingList {
  #listed: ReadonlyArray<Listed>
  #gone: ReadonlySet<number> = new Set()
  #lastId: number
  readonly #first: ReadonlyArray<number>

  constructor(contracts: number) {
    // Ids with gaps: 1 to n would be positions as well.
    this.#first = Array.from({ length: contracts }, (_, at) => 3 * (contracts - at) + 1_000)
    this.#listed = this.#first.map((id) => contract(id))
    this.#lastId = this.#first[0] ?? 1_000
  }

  get contracts(): ReadonlyArray<Listed> {
    return this.#listed
  }

  /** Ids of those that were there at first and still are. */
  get throughout(): ReadonlyArray<number> {
    return this.#first.filter((id) => !this.#gone.has(id))
  }

  /** Removes contracts, the first of which stands at this place. */
  remove(at: number, count = 1): void {
    const ids = new Set(this.#listed.slice(at, at + count).map(({ id }) => id))
    this.#gone = new Set([...this.#gone, ...ids])
    this.#listed = this.#listed.filter(({ id }) => !ids.has(id))
  }

  insert(): void {
    this.#lastId += 3
    const now = moment()
    this.#listed = [contract(this.#lastId, { created_at: now, updated_at: now }), ...this.#listed]
  }

  update(at: number): void {
    const edit = (each: Listed): Listed => ({
      ...each,
      updated_at: moment(),
      unit_label: `${each.unit_label}'`,
    })
    this.#listed = this.#listed.map((each, place) => (place === at ? edit(each) : each))
  }
}

export interface ShiftingService extends Server {
  readonly list: ShiftingList
  readonly recover: () => void
}

export const shiftingService = async (options: ShiftingOptions): Promise<ShiftingService> => {
  const { change, contracts, cursor } = options
  let failFrom = options.failFrom ?? Infinity
  const list = new ShiftingList(contracts)
  const places = new Map<string, number>()
  let requests = 0

  const next = (end: number): number | string | null => {
    const last = list.contracts[end - 1]
    if (end >= list.contracts.length || last === undefined) return null
    if (cursor === "last id") return last.id
    if (cursor === "position") return end
    const text = `c${(places.size + 7) * 7_919}`
    places.set(text, end)
    return text
  }
  const placeOf = (sent: string | null): number => {
    if (sent === null) return 0
    if (cursor === "opaque position") return places.get(sent) ?? 0
    if (cursor === "position") return Number(sent)
    const at = list.contracts.findIndex(({ id }) => id < Number(sent))
    return at < 0 ? list.contracts.length : at
  }

  const server = await answering((url) => {
    if (!url.pathname.endsWith("/contracts/")) return '{"ok":true}'
    const id = url.searchParams.get("id")
    if (id !== null) {
      const one = list.contracts.find((each) => String(each.id) === id)
      return one === undefined ? null : JSON.stringify({ ok: true, contract: one })
    }
    requests += 1
    if (requests >= failFrom) return '{"ok":false}'
    change(list, requests)
    const at = placeOf(url.searchParams.get("before_id"))
    const end = at + Number(url.searchParams.get("limit") ?? 50)
    const items = list.contracts.slice(at, end)
    return JSON.stringify({ ok: true, items, next_before_id: next(at + items.length) })
  })
  const recover = (): void => {
    failFrom = Infinity
  }
  return Object.assign(server, { list, recover })
}
