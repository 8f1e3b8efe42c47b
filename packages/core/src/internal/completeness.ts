/**
 * Whether a list was read completely although it may have changed meanwhile (Spec: Endpoints 5 and 6 show neither the cursor's meaning nor the
 * order). By order: the ids fall or rise, and each page begins where the one before ended. Otherwise by another reading with pages of another
 * size. Pure; `docs/pagination.md` lists the assumptions.
 */
import type {
  CompletenessReason,
  CompletenessState,
  CursorMeaning,
  Direction,
  OrderedBy,
  OrderSeen,
} from "../Page.ts"
import type { Cursor } from "./cursor.ts"

const unseen: Direction = { isInOrder: true, isJoined: true, isRepeated: true, first: null, last: null }

export const nothingSeen: OrderSeen = {
  falling: unseen,
  rising: unseen,
  turned: unseen,
  page: [],
  cursors: 0,
  steps: 0,
  isPosition: true,
  isPageNumber: true,
  isNamed: true,
  isLastId: true,
  isBelow: true,
  isAbove: true,
  updatedDown: true,
  updatedUp: true,
}

export interface PageSeen {
  /** The ids of its records in their order, those not as specified included where they can be read. */
  readonly ids: ReadonlyArray<number>
  readonly size: number
  /** The times of updates of its valid records as texts that sort; empty ones are no evidence. */
  readonly updates: () => ReadonlyArray<string>
  readonly sent: Cursor | null
  readonly next: Cursor | null
  /** The limit that was sent; null for none. */
  readonly limit: number | null
  /** How many records before the position that the service named it was requested. */
  readonly back: number
}

const digits = /^(?:0|[1-9]\d{0,15})$/

/** The number that a cursor is or spells out; NaN for any other cursor. */
export const numberOf = (cursor: Cursor): number => {
  const value = typeof cursor === "number" ? cursor : digits.test(String(cursor)) ? Number(cursor) : NaN
  return value >= 0 && Number.isSafeInteger(value) ? value : NaN
}

/** Adds a page. `isKnown`: whether the reading had this record before. */
export const addPage = (seen: OrderSeen, page: PageSeen, isKnown: (id: number) => boolean): OrderSeen => {
  const { back, ids, limit, size } = page
  const sent = page.sent === null ? null : numberOf(page.sent)
  const turned = ids.toReversed()
  // The positions of a rising list only fall: what it repeats was not further from the end of the page before.
  const risen = back === 0 ? seen.page : seen.page.slice(-back)
  const add = (one: Direction, sign: 1 | -1, inOrder: ReadonlyArray<number>, before = seen.page): Direction =>
    addTo(one, sign, inOrder, sent, sent === null || before.includes(inOrder[0] ?? NaN), isKnown)
  const { isAbove, isBelow } = sent === null ? seen : besides(seen, ids, sent, isKnown)
  const times = updatesWith(seen, page.updates)
  const order = {
    ...seen,
    ...times,
    isAbove,
    isBelow,
    falling: add(seen.falling, 1, ids),
    rising: add(seen.rising, -1, ids, risen),
    turned: add(seen.turned, 1, turned),
    page: ids,
    steps: seen.steps + Math.max(0, ids.length - 1),
  }
  if (page.next === null) return order
  const next = numberOf(page.next)
  const distance = next - (sent ?? 0)
  return {
    ...order,
    cursors: seen.cursors + 1,
    // A service can take records out of a page after it has counted them; its positions then count these too.
    isPosition: seen.isPosition && (distance === size || distance === limit),
    isPageNumber: seen.isPageNumber && next === (sent ?? 1) + 1,
    isNamed: seen.isNamed && ids.includes(next),
    isLastId: seen.isLastId && ids.at(-1) === next,
  }
}

/** One direction with a further page; `sign` is -1 for the rising one, whose numbers are mirrored. */
const addTo = (
  seen: Direction,
  sign: 1 | -1,
  ids: ReadonlyArray<number>,
  sent: number | null,
  isStart: boolean,
  isKnown: (id: number) => boolean,
): Direction => {
  if (!seen.isInOrder) return seen
  const last = (seen.last ?? sign * Infinity) * sign
  let isInOrder = true
  for (let at = 0; at < ids.length && isInOrder; at++) {
    const id = ids[at]!
    const isFurther = at > 0 && id * sign > ids[at - 1]! * sign
    isInOrder = !isFurther && (id * sign <= last || isKnown(id))
  }
  const begins = (ids[0] ?? -sign * Infinity) * sign
  // A cursor between the two that is in neither page may name a record that the service left out.
  const at = (sent ?? NaN) * sign
  const isBound = begins <= at && at <= last && (at === begins || at === last)
  const end = Math.min(last, (ids.at(-1) ?? sign * Infinity) * sign)
  return {
    isInOrder,
    isJoined: seen.isJoined && (isStart || isBound),
    isRepeated: seen.isRepeated && isStart,
    first: seen.first ?? ids[0] ?? null,
    last: Number.isFinite(end) ? end * sign : null,
  }
}

/** Whether still all that comes behind a cursor lies on one side of it. A filter by id repeats the records of the page before that pass it. */
const besides = (
  { isAbove, isBelow, page }: OrderSeen,
  ids: ReadonlyArray<number>,
  sent: number,
  isKnown: (id: number) => boolean,
): { readonly isAbove: boolean; readonly isBelow: boolean } => {
  const isFresh = () => ids.length > 0 && !ids.some(isKnown)
  const leavesOut = (isBehind: (id: number) => boolean) => page.filter(isBehind).length > 1 && isFresh()
  return {
    isAbove: isAbove && !ids.some((id) => id < sent) && !leavesOut((id) => id > sent),
    isBelow: isBelow && !ids.some((id) => id > sent) && !leavesOut((id) => id < sent),
  }
}

const updatesWith = (
  { updatedDown, updatedUp }: OrderSeen,
  timesOf: () => ReadonlyArray<string>,
): { readonly updatedDown: boolean; readonly updatedUp: boolean } => {
  const updates = updatedDown || updatedUp ? timesOf() : []
  for (let at = 1; at < updates.length && (updatedDown || updatedUp); at++) {
    const [before, now] = [updates[at - 1]!, updates[at]!]
    updatedDown &&= before !== "" && now <= before
    updatedUp &&= before !== "" && now >= before
  }
  return { updatedDown, updatedUp }
}

/** The order after a page that is requested again from further back: what it has contradicted stays contradicted. */
export const withoutPage = (before: OrderSeen, after: OrderSeen): OrderSeen => ({
  ...before,
  falling: { ...before.falling, isInOrder: after.falling.isInOrder },
  rising: { ...before.rising, isInOrder: after.rising.isInOrder },
  turned: { ...before.turned, isInOrder: after.turned.isInOrder },
  isBelow: after.isBelow,
  isAbove: after.isAbove,
  updatedDown: after.updatedDown,
  updatedUp: after.updatedUp,
})

/** How many records before a position its page is requested; 0 where cursors are no positions. */
export const overlapOf = (seen: OrderSeen, size: number): number => {
  const { cursors, isNamed, isPosition } = seen
  // In a falling list, a smaller cursor that is also an id leads past the records before it.
  const isId = falls(seen) && isNamed
  return cursors > 0 && isPosition && !isId ? Math.min(5, Math.floor(size / 5)) : 0
}

export const falls = ({ falling, turned }: OrderSeen): boolean => falling.isInOrder || turned.isInOrder

/** Whether nothing contradicts an order by ids. */
export const isById = (seen: OrderSeen): boolean => falls(seen) || seen.rising.isInOrder

/** Whether the list is in the order of ids, and every page joins the one before. */
export const isJoined = ({ falling, isPageNumber, isPosition, rising, turned }: OrderSeen): boolean =>
  // A number that can be a position is no bound between two ids, unless the pages themselves show it.
  [falling, rising, turned].some(
    (one) => one.isInOrder && one.isJoined && (one.isRepeated || !(isPosition || isPageNumber)),
  )

/**
 * Whether the head of a falling list, requested again, holds only known records and new ones before them. Another record there has moved: then
 * the list only looked like one by id, because nothing had moved before.
 */
export const isHeadKnown = (
  { falling, turned }: OrderSeen,
  ids: ReadonlyArray<number>,
  isKnown: (id: number) => boolean,
): boolean => {
  const [{ first }, head] = falling.isInOrder ? [falling, ids] : [turned, ids.toReversed()]
  return (
    first !== null &&
    head.every((id, at) => (at === 0 || id <= head[at - 1]!) && (id > first || isKnown(id))) &&
    head.some((id) => id <= first)
  )
}

/** Whether a page still ends with the record that its cursor named. */
export const endsWith = (
  { falling, rising }: OrderSeen,
  ids: ReadonlyArray<number>,
  cursor: Cursor,
): boolean => String(falling.isInOrder || rising.isInOrder ? ids.at(-1) : ids[0]) === String(cursor)

/** Whether the service seems to filter by id and to sort by something else: then it leaves records out of every reading. */
export const isFilter = (seen: OrderSeen): boolean =>
  !isById(seen) && seen.isNamed && (seen.isBelow || seen.isAbove)

export const meaningOf = (seen: OrderSeen): CursorMeaning => {
  const { cursors, isLastId, isPageNumber, isPosition } = seen
  if (cursors === 0) return "none"
  if (isPosition && isLastId) return falls(seen) ? "last-id" : "position-or-id"
  if (isPosition) return "position"
  if (isLastId) return "last-id"
  return isPageNumber ? "page-number" : "opaque"
}

/** The fewest steps from record to record that show an order; fewer can be in order by chance. */
const fewestSteps = 20

export const orderOf = (seen: OrderSeen): OrderedBy => {
  const { steps, updatedDown, updatedUp } = seen
  if (steps < fewestSteps) return "unknown"
  // If no record has been edited yet, both orders fit: the one that updates can change is reported.
  if (updatedDown) return "updated-down"
  if (updatedUp) return "updated-up"
  return isById(seen) ? "id" : "unknown"
}

/** Page sizes of the readings, as shares of the largest page: their boundaries lie elsewhere. */
const shares = [1, 0.71, 0.83, 0.59]

/** The most differences between two readings that are requested one by one. With more, the list changes too much. */
export const mostDifferences = 500

/** The page size of a further reading. With pages of one record, an inclusive cursor would name the same record again and again. */
export const limitOf = (readings: number, largest: number): number =>
  Math.max(Math.min(2, largest), Math.round(largest * shares[readings]!))

/** The readings of a list, after one has ended. */
export interface Readings {
  readonly count: number
  /** Whether the last one had smaller pages than those before; a service can ignore the limit. */
  readonly isOtherwiseDivided: boolean
  /** Readings in a row that differed from those before only by records that were created or removed. */
  readonly agreeing: number
  /** Whether no record was removed or changed between the last one and those before. */
  readonly isStill: boolean
  readonly isFilter: boolean
}

/** Whether the readings agree; null where another one is needed. */
export const judgeReadings = ({
  agreeing,
  count,
  isFilter,
  isOtherwiseDivided,
  isStill,
}: Readings): readonly [CompletenessState, CompletenessReason] | null => {
  // A position skips a record only when another one was removed or moved. Then two readings may have missed the same record.
  const isEnough = isOtherwiseDivided ? agreeing > 0 && (isStill || count > 2) : agreeing > 1
  if (isEnough && !isFilter) return ["confirmed", "second-reading"]
  return count < shares.length ? null : ["unverified", isFilter ? "contradiction" : "moving"]
}
