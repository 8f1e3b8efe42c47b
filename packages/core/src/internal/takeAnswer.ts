/**
 * Takes an answer into a read: checks that its cursor had an effect, separates new records from those that came before, and moves the read on by a
 * page.
 */
import type { Answer } from "./call.ts"
import * as Completeness from "./completeness.ts"
import type { Cursor, Progress } from "./cursor.ts"
import * as Cursors from "./cursor.ts"
import { idOf } from "./envelope.ts"
import type { RawPage } from "./envelope.ts"
import { millisOf } from "./figures.ts"
import type { OrderSeen, RejectedRecord } from "../Page.ts"
import type { Reason } from "../Reason.ts"
import type { PageRequest, Read, Reading, Taken } from "./readState.ts"
import { backOf, isKnownTo, isRead } from "./readState.ts"
import * as Readings from "./readings.ts"
import { sortKeyOf } from "../Timestamp.ts"

/** An accepted page, or why it is not accepted, or not yet. */
export type Step<A> =
  | Taken<A>
  | { readonly _tag: "Stopped"; readonly reason: Reason }
  /** The page does not show whether the cursor had an effect: a search for its name decides, or the first page, requested again. */
  | { readonly _tag: "Inconclusive" | "Ambiguous" }

/** Takes the answer to a request. */
export const takeAnswer = <A extends { readonly id: number }>(
  read: Read<A>,
  request: PageRequest,
  answer: Answer<RawPage<A>>,
): Step<A> => {
  const { figures, model, options } = read
  const { next: named, rejected, valid } = answer.value
  const [bad] = rejected
  if (bad !== undefined && options.onRejected === "fail") {
    return { _tag: "Stopped", reason: { _tag: "RecordInvalid", id: bad.id, issues: bad.issues } }
  }
  const ids = idsOf(answer.value)
  const size = valid.length + rejected.length
  const next = named._tag === "More" ? named.cursor : null
  const checked = Cursors.checkPage(read.cursor, ids, request.cursor, next)
  if (checked._tag === "Ignored") return { _tag: "Stopped", reason: ignored(read, checked.evidence) }
  if (checked._tag !== "Accepted") return { _tag: checked._tag }
  const isConfirmation = checked.check.current.state !== read.cursor.current.state
  read.cursor = checked.check
  if (checked.isInclusive) {
    figures.note("inclusive-cursor", "the record that the cursor names came again on the next page")
  }
  read.time.endedAt = answer.answeredAt
  startClock(read, answer)
  if (size === 0 && next !== null) {
    figures.note("empty-page", "a page without records named a further page")
  }
  const isFirst = !isRead(read)
  const totals = { ...figures.totals }
  const seen: PageTaken<A> = { ids, valid, rejected, size, next, isConfirmation }
  // Both look at what was known before this page.
  const order = orderWith(read, request, seen)
  const isAsBefore = read.phase !== "list" && Readings.isOrderKept(read, ids)
  // A head that is as before only adds records that were created meanwhile: the read does not go on with them.
  const value = isAsBefore
    ? { ...answer.value, valid: valid.filter(({ id }) => isKnownTo(read)(id)), rejected: [] }
    : answer.value
  const { records, repeated, superseded } = figures.separate(value, !isFirst || request.isRepeat)
  const stall = read.phase === "list" ? takePage(read, request, seen, order, repeated) : null
  if (stall !== null) {
    Object.assign(figures.totals, totals)
    return { _tag: "Stopped", reason: { _tag: "PaginationStalled", evidence: stall } }
  }
  read.time.take(answer, superseded.length === 0 ? records : [...records, ...superseded], model)
  figures.totals.pages += 1
  if (named._tag === "End" && named.sentinel !== "null") {
    figures.note("end-sentinel", `next_before_id was ${named.sentinel} where null is documented`)
  }
  if (isFirst) figures.observeSize(size, read.limit, next !== null)
  if (!isFirst) {
    const { createdBefore } = read
    read.differences += records.length
    if (superseded.length > 0) read.isStill = false
    if (records.some((record) => createdBefore === null || model.createdAt(record) < createdBefore)) {
      read.isExplained = false
    }
  }
  if (read.phase !== "list") Readings.checkOrder(read, ids, isAsBefore)
  else if (read.reading.isEnded) Readings.endReading(read)
  const emitted = { records, superseded, rejected: figures.reject(value), requestId: answer.requestId }
  return { _tag: "Taken", emitted, ids }
}

/** The reason for a parameter without effect. */
export const ignored = <A extends { readonly id: number }>(
  { cursor }: Read<A>,
  evidence: Cursors.CursorEvidence,
): Reason => ({ _tag: "CursorIgnored", cursorParam: cursor.current.parameter, evidence })

interface PageTaken<A> {
  readonly ids: ReadonlyArray<number>
  readonly valid: ReadonlyArray<A>
  readonly rejected: ReadonlyArray<RejectedRecord>
  readonly size: number
  readonly next: Cursor | null
  /** Whether this page has shown that the cursor has an effect. */
  readonly isConfirmation: boolean
}

/** What the reading has shown with a further page. */
const orderWith = <A extends { readonly id: number }>(
  read: Read<A>,
  { cursor, limit }: PageRequest,
  { ids, next, size, valid }: PageTaken<A>,
): OrderSeen => {
  const { model, options, phase, reading } = read
  if (!options.prove || phase !== "list") return reading.order
  const updates = () => valid.map((record) => model.updatedAt(record))
  return Completeness.addPage(
    reading.order,
    { ids, size, updates, sent: cursor, next, limit },
    isKnownTo(read),
  )
}

/** Adds a page of the list to the reading. Returns the evidence if the pages do not end. */
const takePage = <A extends { readonly id: number }>(
  read: Read<A>,
  request: PageRequest,
  { ids, isConfirmation, next, rejected, size, valid }: PageTaken<A>,
  order: OrderSeen,
  repeated: ReadonlyArray<A>,
): Cursors.StallEvidence | null => {
  const { figures, model, options, reading } = read
  const { names, own } = reading
  const known = own === null ? repeated : valid.filter(({ id }) => own.has(id))
  // Records that are not as specified are progress, too, where they can be told apart.
  const isKnown = isKnownTo(read)
  const isNew = known.length < valid.length || rejected.some(({ id }) => id !== null && !isKnown(id))
  for (const id of ids) own?.add(id)
  const isOnPurpose = request.back > 0 || reading.isRepeat
  const isFirstRecord = (record: A): boolean =>
    record.id === reading.first?.id && model.version(record) === reading.first.version
  const before = reading.progress
  const progress: Progress = {
    pages: before.pages + 1,
    fresh: before.fresh + valid.length - known.length,
    again: before.again + (isOnPurpose ? 0 : known.length),
    idle: isNew ? 0 : before.idle + Math.sign(size),
    empty: size === 0 ? before.empty + 1 : 0,
    rounds: before.rounds + (!isOnPurpose && request.cursor !== null && known.some(isFirstRecord) ? 1 : 0),
  }
  const stall = Cursors.stallOf(progress, next, names, isOnPurpose)
  if (stall !== null) return stall
  if (next !== null && figures.totals.pages + 1 >= options.maxPages) {
    return { kind: "too-many-pages", text: `there are more than ${options.maxPages} pages` }
  }
  if (next !== null) names.add(Cursors.nameOf(next))
  const [record] = valid
  const first =
    reading.first ?? (record === undefined ? null : { id: record.id, version: model.version(record) })
  const largest = Math.max(reading.largest, size)
  const taken = { ...reading, progress, largest, first }
  if (!isRead(read)) {
    read.lastPages = options.prove ? [...read.lastPages.slice(-1), ids] : [ids]
    if (read.head.length === 0 && options.from === null) read.head = ids
  }
  const back = isConfirmation && request.cursor !== null ? backOf(read, order, reading.largest) : 0
  if (back > 0) {
    // This page has confirmed the cursor. Now it can be requested from further back, so that it repeats the end of the first one.
    read.reading = { ...taken, order: Completeness.withoutPage(reading.order, order), back }
    return null
  }
  if (request.back > 0 && isFutile(reading, ids, !isNew, next)) {
    read.overlaps = false
    read.reading = { ...taken, back: 0, isRepeat: true }
    return null
  }
  read.reading = {
    ...taken,
    order,
    named: next ?? reading.named,
    before: next === null ? reading.before : reading.named,
    back: next === null ? 0 : backOf(read, order, size),
    isRepeat: false,
    isEnded: next === null,
    isEmpty: size === 0,
  }
  return null
}

/** Whether a page that was requested from further back leads nowhere: the service takes no cursors but its own. */
const isFutile = (
  { named, order }: Reading,
  ids: ReadonlyArray<number>,
  isAllKnown: boolean,
  next: Cursor | null,
): boolean =>
  isAllKnown &&
  (next === null
    ? !order.page.includes(ids[0] ?? NaN)
    : named !== null && Cursors.nameOf(next) === Cursors.nameOf(named))

/** Sets the start by the service's clock: times have a resolution of one second. */
const startClock = <A extends { readonly id: number }>(
  read: Read<A>,
  { serviceDate, tookMillis }: Answer<RawPage<A>>,
): void => {
  const serviceMillis = millisOf(serviceDate)
  if (read.figures.totals.pages === 0) read.figures.startAt(serviceMillis, tookMillis)
  if (serviceMillis !== null) read.createdBefore ??= sortKeyOf(serviceMillis + 1_000)
}

/** The ids of a page's records in their order; rejected ones included if their id can be read. */
export const idsOf = <A extends { readonly id: number }>({ items }: RawPage<A>): ReadonlyArray<number> =>
  items.map(idOf).filter((id) => id !== null)
