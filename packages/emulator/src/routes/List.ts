/**
 * Selects a page of the ordered records and names the next one. Serves Endpoints 2; everything about the cursor except
 * null at the end is an assumption (Endpoints 5, 6; Limits 2).
 */
import type { Assumptions } from "../settings/Assumptions.ts"
import { newestFirst } from "../store/Collection.ts"
import type { Collection, Orderable } from "../store/Collection.ts"
import * as Cursor from "./Cursor.ts"
import type { Content } from "./Exchange.ts"
import type { Json, JsonObject } from "../wire/Wire.ts"
import type { Refusal } from "./Access.ts"

/** A page, or why there is none. */
export const list = <R extends Orderable & JsonObject>(
  table: Collection<R>,
  query: URLSearchParams,
  assumptions: Assumptions,
  page: number | undefined,
  realCursor: (text: string) => string,
): Content | Refusal => {
  const limit = limitOf(query, assumptions)
  if (typeof limit !== "number") return limit
  const start = startOf(table, query, assumptions, realCursor)
  if (typeof start !== "number") return start
  const records = table.records()
  const items = records.slice(start, start + limit)
  return {
    kind: "page",
    items: newestFirst(assumptions) ? items.toReversed() : items,
    next: nextOf(records, start + items.length, items, limit, assumptions),
    start,
    nextPage: (page ?? 1) + 1,
  }
}

/**
 * The page to which a cursor leads that no answer has named: the page at whose start, or nearest to whose start, the cursor begins. Undefined
 * for a cursor that cannot be read.
 */
export const nearestPage = <R extends Orderable>(
  table: Collection<R>,
  query: URLSearchParams,
  assumptions: Assumptions,
): number | undefined => {
  const limit = limitOf(query, assumptions)
  const start = startOf(table, query, { ...assumptions, malformedCursor: "reject" }, (text) => text)
  return typeof limit === "number" && typeof start === "number" ? Math.round(start / limit) + 1 : undefined
}

const malformed = (assumptions: Assumptions, parameter: string): Refusal => ({
  status: assumptions.malformedStatus,
  code: "malformed_parameter",
  message: `The parameter ${parameter} cannot be read.`,
})

const limitOf = (query: URLSearchParams, assumptions: Assumptions): number | Refusal => {
  const text = assumptions.limitSupported ? query.get("limit") : null
  if (text === null) return assumptions.defaultLimit
  const limit = Cursor.wholeNumber(text)
  if (limit === undefined) return malformed(assumptions, "limit")
  if (limit <= assumptions.maximumLimit || assumptions.aboveMaximum === "allow") return limit
  return assumptions.aboveMaximum === "clamp" ? assumptions.maximumLimit : malformed(assumptions, "limit")
}

const startOf = <R extends Orderable>(
  table: Collection<R>,
  query: URLSearchParams,
  assumptions: Assumptions,
  realCursor: (text: string) => string,
): number | Refusal => {
  const given = query.get(assumptions.cursorParameter)
  const text = given === null ? "" : realCursor(given)
  if (given === null || (text === "" && given !== "")) return 0
  const id = Cursor.decode(text, assumptions.cursorKind)
  const place = id === undefined ? undefined : table.place(id)
  if (place === undefined) {
    return assumptions.malformedCursor === "ignore" ? 0 : malformed(assumptions, assumptions.cursorParameter)
  }
  return assumptions.cursorBoundary === "exclusive" && table.records()[place]?.id === id ? place + 1 : place
}

const nextOf = (
  records: ReadonlyArray<Orderable>,
  end: number,
  items: ReadonlyArray<Orderable>,
  limit: number,
  assumptions: Assumptions,
): Json | undefined => {
  const last = items.at(-1)
  const following = records[end]
  const hasNext = following !== undefined || (assumptions.trailingEmptyPage && items.length === limit)
  if (last === undefined || !hasNext) {
    return assumptions.endSentinel === "missing" ? undefined : assumptions.endSentinel
  }
  const named = assumptions.cursorBoundary === "next" ? (following ?? last) : last
  return Cursor.encode(named.id, assumptions.cursorKind)
}
