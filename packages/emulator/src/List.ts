/**
 * A page of the ordered records, the cursor that names the next one, and the record that a cursor names. Serves Endpoints 2; everything about the
 * cursor except null at the end is an assumption (Endpoints 5, 6; Limits 2).
 */
import type { Assumptions } from "./Assumptions.ts"
import { newestFirst } from "./Collection.ts"
import type { Collection, Orderable } from "./Collection.ts"
import type { Content, Refusal } from "./Exchange.ts"
import { RawNumber } from "./Wire.ts"
import type { Json, JsonObject } from "./Wire.ts"

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

/** A parameter that cannot be read. */
export const malformed = (assumptions: Assumptions, parameter: string): Refusal => ({
  status: assumptions.malformedStatus,
  code: "malformed_parameter",
  message: `The parameter ${parameter} cannot be read.`,
})

const limitOf = (query: URLSearchParams, assumptions: Assumptions): number | Refusal => {
  const text = assumptions.limitSupported ? query.get("limit") : null
  if (text === null) return assumptions.defaultLimit
  const limit = wholeNumber(text)
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
  const id = decodeCursor(text, assumptions.cursorKind)
  if (assumptions.cursorKind === "position" && id !== undefined) return id
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
  if (assumptions.cursorKind === "position") return end
  const named = assumptions.cursorBoundary === "next" ? (following ?? last) : last
  return encodeCursor(named.id, assumptions.cursorKind)
}

type CursorKind = Assumptions["cursorKind"]

/** 2^53 + 1: the first whole number that a double cannot hold. Steps of two make every cursor such a number. */
const beyondDouble = 9_007_199_254_740_993n

/** The cursor that leads to the records after this one; of the kind `position`, to those after that many. */
export const encodeCursor = (id: number, kind: CursorKind): Json => {
  switch (kind) {
    case "integer":
    case "position":
      return id
    case "digits":
      return String(id)
    case "string":
      return `p+/${btoa(`record ${id}`)}&`
    case "bigint":
      return new RawNumber(String(beyondDouble + 2n * BigInt(id)))
    case "object":
      return { id }
  }
}

/** The id, or the position, in a query parameter's text, or undefined when it is not a cursor of this kind, such as a rounded one. */
export const decodeCursor = (text: string, kind: CursorKind): number | undefined => {
  switch (kind) {
    case "integer":
    case "position":
    case "digits":
      return wholeNumber(text)
    case "string": {
      const inside = /^p\+\/([A-Za-z0-9+/=]+)&$/.exec(text)?.[1]
      return inside === undefined ? undefined : wholeNumber(decodeBase64(inside)?.replace(/^record /, ""))
    }
    case "bigint": {
      const distance = /^\d{16,20}$/.test(text) ? BigInt(text) - beyondDouble : -1n
      return distance >= 0n && distance % 2n === 0n ? Number(distance / 2n) : undefined
    }
    case "object":
      return wholeNumber(/^\{"id":(\d+)\}$/.exec(text)?.[1])
  }
}

/** A positive whole number that a double can hold, written in plain digits. */
export const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) && Number(text) > 0 ? Number(text) : undefined

const decodeBase64 = (text: string): string | undefined => {
  try {
    return atob(text)
  } catch {
    return undefined
  }
}
