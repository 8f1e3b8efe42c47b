/**
 * A list that a test may change between two requests, behind a cursor whose meaning the test chooses. It does what it is told and nothing at
 * random; `simulation/ChangingList` does the rest.
 */
import type { ScriptedAnswer, ScriptedRequest } from "../src/testing.ts"
import { scripted } from "../src/testing.ts"

export interface ListedRecord {
  readonly id: number
  readonly created_at: string
  readonly updated_at: string
  /** For a record that is not as specified. */
  readonly kind?: null
}

/** The moment of all requests, by the service's clock, unless said. */
export const now = "2026-03-01T14:00:00Z"

export const record = (id: number, updatedAt = "2026-01-01T09:30:00Z"): ListedRecord => ({
  id,
  created_at: "2025-06-01T00:00:00Z",
  updated_at: updatedAt,
})

/** Records with ids from `count` down to 1. */
export const records = (count: number): Array<ListedRecord> =>
  Array.from({ length: count }, (_, at) => record(count - at))

const contract = (given: object): object => ({
  listing_id: null,
  kind: "rent",
  status: "active",
  unit_id: null,
  unit_label: "2A",
  template_id: 1,
  listing: null,
  ...given,
})

interface Asked {
  readonly cursor: string | null
  readonly limit: number | null
  readonly id: number | null
}

export interface PagedListOptions {
  readonly cursor: "position" | "last id" | "opaque position"
  /** Default 10. */
  readonly size?: number
  /** Sees each request before it is answered, and answers in the list's place if it gives something. */
  readonly before?: (asked: Asked, count: number, list: Array<ListedRecord>) => ScriptedAnswer | void
  /** The `Date` of the answers; null for none. Default `now`. */
  readonly date?: string | null
}

export interface PagedList {
  readonly list: Array<ListedRecord>
  readonly send: ReturnType<typeof scripted>["send"]
  readonly asked: ReadonlyArray<Asked>
}

/** A page as the service writes it. */
export const pageOf = (items: ReadonlyArray<object>, next: unknown): ScriptedAnswer => ({
  body: { ok: true, items: items.map(contract), next_before_id: next },
})

export const pagedList = (
  list: Array<ListedRecord>,
  { before, cursor: kind, date = now, size = 10 }: PagedListOptions,
): PagedList => {
  const asked: Array<Asked> = []
  const numberOrNull = (text: string | null): number | null => (text === null ? null : Number(text))
  const start = (cursor: string | null): number => {
    if (cursor === null) return 0
    if (kind === "position") return Number(cursor)
    if (kind === "opaque position") return Number(cursor.slice(1))
    const named = Number(cursor)
    const at = list.findIndex(({ id }) => id < named)
    return at < 0 ? list.length : at
  }
  const answer = ({ target }: ScriptedRequest, count: number): ScriptedAnswer => {
    const query = new URL(target, "http://localhost").searchParams
    const request = {
      cursor: query.get("before_id"),
      limit: numberOrNull(query.get("limit")),
      id: numberOrNull(query.get("id")),
    }
    asked.push(request)
    const instead = before?.(request, count, list)
    if (instead !== undefined) return instead
    if (request.id !== null) {
      const found = list.find(({ id }) => id === request.id)
      return found === undefined ? { status: 404 } : { body: { ok: true, contract: contract(found) } }
    }
    const from = start(request.cursor)
    const to = from + Math.min(request.limit ?? size, size)
    const items = list.slice(from, to)
    const more = to < list.length
    const next = kind === "position" ? to : kind === "opaque position" ? `p${to}` : items.at(-1)?.id
    return pageOf(items, more ? next : null)
  }
  const withDate = (given: ScriptedAnswer): ScriptedAnswer => ({
    ...given,
    headers: { ...(date === null ? {} : { date: new Date(date).toUTCString() }), ...given.headers },
  })
  const { send } = scripted((request, count) => withDate(answer(request, count)))
  return { list, send, asked }
}
