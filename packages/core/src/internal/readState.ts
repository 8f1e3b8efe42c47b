/**
 * A read in progress: what it knows, the next request, what an answer adds to it, and the page to return.
 *
 * With `prove`, requests follow the end of the list that only show whether it is complete. One whose pages join in the order of ids is, once a look
 * at its end and its head shows that the order can be trusted. Any other is compared with a further reading, and records that only one of them had
 * are requested one by one. `completeness.ts` judges what they show.
 */
import type { Emit } from "../ClientEvent.ts"
import type { Identified, Model, RawPage } from "./answer.ts"
import type { Collection } from "./serviceRequest.ts"
import type {
  Checkpoint,
  CompletenessReason,
  CompletenessState,
  OrderSeen,
  Page,
  ReadSummary,
  RejectedRecord,
} from "../Page.ts"
import * as Completeness from "./completeness.ts"
import type { CursorCheck, Cursor, Progress } from "./cursor.ts"
import * as Cursors from "./cursor.ts"
import { Figures, ReadTime, millisOf } from "./figures.ts"
import { SeenIds, SeenRecords } from "./seenRecords.ts"
import type { Answer } from "./call.ts"
import { idOf } from "./answer.ts"
import type { Reason } from "../ClientError.ts"
import { sortKeyOf } from "../Timestamp.ts"

export interface ReadOptions {
  readonly collection: Collection
  readonly cursorParam: string
  readonly limit: number | null
  readonly onRejected: "fail" | "collect"
  /** `Infinity` for no limit. */
  readonly maxPages: number
  readonly origin: string
  readonly keyFingerprint: string
  /** ISO 8601 UTC. */
  readonly startedAt: string
  readonly from: Checkpoint | null
  /** The ids of all records that were returned or rejected before `from`; null where only the last ones are known. */
  readonly known: Iterable<number> | null
  readonly prove: boolean
  readonly emit: Emit
}

export interface PageRequest {
  /** The cursor to send; null for the first page. */
  readonly cursor: Cursor | null
  readonly limit: number | null
  /** How many records before the service's own cursor the page starts; 0 for a cursor that the service named. */
  readonly back: number
  /** Whether records come again on purpose. */
  readonly isRepeat: boolean
}

/** One reading of the list, from its first page to its end. */
interface Reading {
  readonly order: OrderSeen
  readonly progress: Progress
  readonly names: Set<string>
  /** Ids of this reading; null in the first one, whose ids are those returned. */
  readonly own: SeenIds | null
  readonly limit: number | null
  readonly largest: number
  /** The first valid record, by id and version; null before it. */
  readonly first: { readonly id: number; readonly version: string } | null
  /** The cursor that leads to the next page, and the one that led to the page before; null for the first page. */
  readonly named: Cursor | null
  readonly before: Cursor | null
  /** How far before the cursor the next page is requested. */
  readonly back: number
  /** Whether the next page was requested before, with another cursor. */
  readonly isRepeat: boolean
  /** Whether the end was reached, and whether the last page had no records. */
  readonly isEnded: boolean
  readonly isEmpty: boolean
}

/** What the read does next: a page of the list, or a request that shows whether the order can be trusted, or nothing. */
type Phase = "list" | "end" | "head" | "done"

export interface ReadState<A extends Identified> {
  readonly options: ReadOptions
  readonly model: Model<A>
  readonly seen: SeenRecords<A>
  readonly figures: Figures<A>
  readonly time: ReadTime
  /** The limit to send; null after the server has rejected it. */
  limit: number | null
  cursor: CursorCheck
  phase: Phase
  reading: Reading
  readings: number
  /** Whether the service takes cursors that it did not name. */
  overlaps: boolean
  largest: number
  /** A time by the service's clock: every record created before it has to be in every reading. Null where this is not known of any record. */
  createdBefore: string | null
  /** Whether this reading differs from those before only by records that were created or removed, and whether none was removed or changed. */
  isExplained: boolean
  isStill: boolean
  /** Readings in a row whose differences were explained. */
  agreeing: number
  isFilter: boolean
  /** Whether nothing in any reading contradicts an order by ids. */
  isById: boolean
  differences: number
  /** Ids that only an earlier reading had, to be requested one by one. */
  missing: ReadonlyArray<number>
  readonly removed: Set<number>
  /** What the first reading has shown, once it has ended. */
  firstOrder: OrderSeen | null
  /** The ids of the first page and of the last two, for a checkpoint. */
  head: ReadonlyArray<number>
  lastPages: ReadonlyArray<ReadonlyArray<number>>
  result: readonly [CompletenessState, CompletenessReason] | null
}

/** A reading of which nothing was read yet. `own`: the ids that it will have read; null for the first. */
const newReading = (limit: number | null, own: SeenIds | null): Reading => ({
  order: Completeness.nothingSeen,
  progress: Cursors.noProgress,
  names: new Set(),
  own,
  limit,
  largest: 0,
  first: null,
  named: null,
  before: null,
  back: 0,
  isRepeat: false,
  isEnded: false,
  isEmpty: false,
})

/** Begins a read, or resumes it. Sends nothing. */
export const begin = <A extends Identified>(options: ReadOptions, model: Model<A>): ReadState<A> => {
  const { collection, cursorParam, emit, from, known, limit, prove, startedAt } = options
  const before = from?.summary ?? null
  const proof = prove ? (from?.proof ?? null) : null
  const recent = from?.recent ?? []
  const head = proof?.head ?? []
  const read: ReadState<A> = {
    options,
    model,
    seen: new SeenRecords(before?.endedAt ?? startedAt, [...head, ...recent]),
    figures: new Figures(collection.name, limit, startedAt, before, emit),
    time: new ReadTime(startedAt, from),
    limit: before?.anomalies["limit-rejected"] === undefined ? limit : null,
    cursor: Cursors.beginCheck(cursorParam, before?.cursor ?? null, recent),
    phase: "list",
    reading: newReading(limit, null),
    readings: 0,
    overlaps: prove && (from === null || proof?.overlaps === true),
    largest: 0,
    createdBefore: null,
    isExplained: true,
    isStill: true,
    agreeing: 0,
    isFilter: true,
    isById: true,
    differences: 0,
    missing: [],
    removed: new Set(),
    firstOrder: null,
    head,
    lastPages: recent.length > 0 ? [recent] : [],
    result: null,
  }
  for (const id of known ?? []) read.seen.ids.add(id)
  if (from === null || from.next === null) return read
  const named = Cursors.restore(from.next)
  const unknown = { ...Completeness.nothingSeen.falling, isJoined: false }
  const order = proof?.order ?? {
    ...Completeness.nothingSeen,
    falling: unknown,
    rising: unknown,
    turned: unknown,
  }
  read.reading = {
    ...read.reading,
    order,
    progress: { ...Cursors.noProgress, pages: 1, fresh: from.summary.records },
    names: new Set([Cursors.nameOf(named)]),
    named,
    before: proof?.before == null ? null : Cursors.restore(proof.before),
  }
  read.reading = { ...read.reading, back: backOf(read, order, order.page.length) }
  // The checkpoint holds ids of records that were not as specified, too.
  const { rejected, records } = from.summary
  read.time.pause(startedAt, records, known === null && records + rejected > new Set(recent).size)
  return read
}

export const nextRequest = <A extends Identified>({
  limit,
  options,
  phase,
  reading,
}: ReadState<A>): PageRequest | null => {
  if (phase === "done") return null
  // No limit is sent to a service that refused one.
  const sends = limit === options.limit ? reading.limit : null
  if (phase === "end") return { cursor: reading.before, limit: sends, back: 0, isRepeat: true }
  if (phase === "head") return { cursor: null, limit: sends, back: 0, isRepeat: true }
  const { back, isRepeat, named, own } = reading
  const cursor = named === null || back === 0 ? named : shifted(named, back)
  return { cursor, limit: sends, back, isRepeat: isRepeat || back > 0 || own !== null }
}

/** A position some records further back, as a cursor of the same type. */
const shifted = (named: Cursor, back: number): Cursor => {
  const position = Completeness.numberOf(named) - back
  return typeof named === "string" ? String(position) : position
}

/** How far before its cursor the next page is requested. */
const backOf = <A extends Identified>(
  { cursor, overlaps }: ReadState<A>,
  order: OrderSeen,
  size: number,
): number => (overlaps && cursor.current.state === "verified" ? Completeness.overlapOf(order, size) : 0)

/** Whether the list itself was read to its end, so that only requests for its completeness are left. */
export const isRead = ({ readings }: { readonly readings: number }): boolean => readings > 0

/** Whether this reading had a record before. */
const isKnownTo = <A extends Identified>({ reading: { own }, seen }: ReadState<A>) =>
  own === null ? seen.has : (id: number): boolean => own.has(id)

export const summaryOf = <A extends Identified>(read: ReadState<A>): ReadSummary => {
  const { cursor, differences, figures, readings, result, time } = read
  const order = read.firstOrder ?? read.reading.order
  const [state, reason] = result ?? (["unverified", "unfinished"] as const)
  return {
    ...figures.summary(),
    endedAt: time.endedAt,
    resumed: time.resumed,
    cursor: cursor.current,
    cursorMeaning: Completeness.meaningOf(order),
    orderedBy: Completeness.orderOf(order),
    complete: isRead(read),
    completeness: { state, reason, readings, differences },
  }
}

/** Continues with another parameter, which the next page must confirm like the first one. */
export const useCursorParam = <A extends Identified>(
  read: ReadState<A>,
  parameter: string,
  evidence: string,
): void => {
  read.figures.note("cursor-param-found", evidence)
  read.cursor = Cursors.replaceParameter(read.cursor, parameter)
}

/** Continues without a limit, because the server refused it. */
export const dropLimit = <A extends Identified>(read: ReadState<A>, because: string): void => {
  read.figures.note("limit-rejected", `a limit of ${read.limit} was refused${because}`)
  read.limit = null
}

// What an answer adds to a read: its cursor had an effect, new records are separated from those that came before, the read moves on by a page.

/** An accepted page, or why it is not accepted, or not yet. */
export type Step<A> =
  | Taken<A>
  | { readonly _tag: "Stopped"; readonly reason: Reason }
  /** The page does not show whether the cursor had an effect: a search for its name decides, or the first page, requested again. */
  | { readonly _tag: "Inconclusive" | "Ambiguous" }

export const takeAnswer = <A extends Identified>(
  read: ReadState<A>,
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
  const taken: PageTaken<A> = { ids, valid, rejected, size, next, isConfirmation }
  // Both look at what was known before this page.
  const order = orderWith(read, request, taken)
  const isAsBefore = read.phase !== "list" && isOrderKept(read, ids)
  // A head that is as before only adds records that were created meanwhile: the read does not go on with them.
  const value = isAsBefore
    ? { ...answer.value, valid: valid.filter(({ id }) => isKnownTo(read)(id)), rejected: [] }
    : answer.value
  const separated = read.seen.separate(value)
  const { records, repeated, superseded } = separated
  const stall = read.phase === "list" ? takePage(read, request, taken, order, repeated) : null
  if (stall !== null) return { _tag: "Stopped", reason: { _tag: "PaginationStalled", evidence: stall } }
  figures.add(value, separated, !isFirst || request.isRepeat)
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
  if (read.phase !== "list") checkOrder(read, ids, isAsBefore)
  else if (read.reading.isEnded) endReading(read)
  const reported = read.seen.reject(value.rejected, !isFirst || request.isRepeat)
  figures.addRejected(value.rejected.length, reported.length)
  return {
    _tag: "Taken",
    emitted: { records, superseded, rejected: reported, requestId: answer.requestId },
    ids,
  }
}

export const ignored = <A extends Identified>(
  { cursor }: ReadState<A>,
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
const orderWith = <A extends Identified>(
  read: ReadState<A>,
  { back, cursor, limit }: PageRequest,
  { ids, next, size, valid }: PageTaken<A>,
): OrderSeen => {
  const { model, options, phase, reading } = read
  if (!options.prove || phase !== "list") return reading.order
  const updates = () => valid.map((record) => model.updatedAt(record))
  return Completeness.addPage(
    reading.order,
    { ids, size, updates, sent: cursor, next, limit, back },
    isKnownTo(read),
  )
}

/** Adds a page of the list to the reading. Returns the evidence if the pages do not end. */
const takePage = <A extends Identified>(
  read: ReadState<A>,
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
const startClock = <A extends Identified>(
  read: ReadState<A>,
  { answeredAt, serviceDate, tookMillis }: Answer<RawPage<A>>,
): void => {
  const serviceMillis = millisOf(serviceDate)
  if (read.figures.totals.pages === 0) read.seen.startAt(serviceMillis, tookMillis)
  if (serviceMillis === null || read.createdBefore !== null) return
  read.createdBefore = sortKeyOf(serviceMillis + 1_000)
  read.figures.setClock(serviceMillis - Date.parse(answeredAt))
}

/** The ids of a page's records in their order; rejected ones included if their id can be read. */
export const idsOf = <A extends Identified>({ items }: RawPage<A>): ReadonlyArray<number> =>
  items.map(idOf).filter((id) => id !== null)

// What follows a reading of the list that has reached its end.

/** Judges the order of a reading that has ended. */
const endReading = <A extends Identified>(read: ReadState<A>): void => {
  const { cursor, options, reading } = read
  const { isEmpty, order, progress } = reading
  read.readings += 1
  read.firstOrder ??= order
  read.largest = Math.max(read.largest, reading.largest)
  read.isFilter &&= Completeness.isFilter(order)
  // A later reading can be one page because the service lists nothing for a while: what it lacks is requested by id.
  if (progress.pages === 1)
    return reading.own === null ? conclude(read, "proven", "one-page") : compareReadings(read)
  if (!options.prove) return conclude(read, "unverified", "single-reading")
  if (cursor.current.state !== "verified") return conclude(read, "unverified", "cursor-unverified")
  // A list that an earlier reading has shown in another order can look like one by id for a while.
  read.isById &&= Completeness.isById(order)
  if (!read.isById || !Completeness.isJoined(order)) return compareReadings(read)
  if (isEmpty) read.phase = "end"
  else checkHead(read)
}

/** Requests the head of a falling list again. Records that move in a rising one come at its end, which was read last. */
const checkHead = <A extends Identified>(read: ReadState<A>): void => {
  if (Completeness.falls(read.reading.order)) read.phase = "head"
  else conclude(read, "proven", "linked-pages")
}

/** Whether the page before the last, or the head of the list, is as the order of ids demands. */
const isOrderKept = <A extends Identified>(read: ReadState<A>, ids: ReadonlyArray<number>): boolean => {
  const { named, order } = read.reading
  // Services end a list with an empty page also where the record is gone that the cursor names. So the page before has to end as it did.
  return read.phase === "end"
    ? named !== null && Completeness.endsWith(order, ids, named)
    : Completeness.isHeadKnown(order, ids, isKnownTo(read))
}

/** Goes on after a request that has shown whether the order can be trusted. */
const checkOrder = <A extends Identified>(
  read: ReadState<A>,
  ids: ReadonlyArray<number>,
  isAsBefore: boolean,
): void => {
  for (const id of ids) read.reading.own?.add(id)
  if (!isAsBefore) compareReadings(read)
  else if (read.phase === "end") checkHead(read)
  else conclude(read, "proven", "linked-pages")
}

/** Finds what only earlier readings had. */
const compareReadings = <A extends Identified>(read: ReadState<A>): void => {
  const { reading, removed, seen } = read
  const { order, own } = reading
  // An empty page at the end can be the answer to a cursor whose record is gone: then every reading can have ended too early.
  if (read.phase === "end" && order.isNamed) read.isExplained = false
  read.phase = "list"
  if (own === null) return judge(read)
  const missing: Array<number> = []
  seen.ids.forEach((id) => {
    if (!own.has(id) && !removed.has(id)) missing.push(id)
  })
  read.differences += missing.length
  if (missing.length > 0) read.isStill = false
  if (missing.length > Completeness.mostDifferences) read.isExplained = false
  else read.missing = missing
  if (read.missing.length === 0) judge(read)
}

/** Takes the results of the requests for what is `missing`. */
export const settleMissing = <A extends Identified>(
  read: ReadState<A>,
  found: ReadonlyMap<number, "found" | "not-found" | "not-readable">,
): void => {
  read.missing = []
  for (const [id, result] of found) {
    if (result === "not-found") read.removed.add(id)
    else read.isExplained = false
  }
  if ([...found.values()].includes("not-readable")) conclude(read, "unverified", "reading-failed")
  else judge(read)
}

/** Judges the readings so far, and begins another one if they do not agree. */
const judge = <A extends Identified>(read: ReadState<A>): void => {
  const { isExplained, isFilter, isStill, largest, options, reading, readings } = read
  if (options.from !== null && options.known === null) return conclude(read, "unverified", "resumed")
  if (reading.own !== null) read.agreeing = isExplained ? read.agreeing + 1 : 0
  const result = Completeness.judgeReadings({
    count: readings,
    agreeing: read.agreeing,
    isStill,
    isFilter,
    // Pages of one or two records have no smaller size, and a reading that was refused with another size has the first one's.
    isOtherwiseDivided: reading.limit !== null && reading.largest <= reading.limit && reading.limit < largest,
  })
  if (result !== null) conclude(read, ...result)
  else beginAgain(read, Completeness.limitOf(readings, largest))
}

const beginAgain = <A extends Identified>(read: ReadState<A>, limit: number | null): void => {
  read.phase = "list"
  read.isExplained = true
  read.isStill = true
  read.reading = newReading(limit, new SeenIds())
}

/** Handles a request that was refused or failed. Returns whether the read continues without it. */
export const skipFailed = <A extends Identified>(read: ReadState<A>, request: PageRequest): boolean => {
  if (request.back > 0) {
    read.overlaps = false
    read.reading = { ...read.reading, back: 0, isRepeat: true }
    return true
  }
  if (!isRead(read)) return false
  const { limit } = read.options
  // Without a look at its order, the list can still be read again.
  if (read.phase !== "list") compareReadings(read)
  else if (request.cursor === null && request.limit !== null && request.limit !== limit)
    beginAgain(read, limit)
  else conclude(read, "unverified", "reading-failed")
  return true
}

const conclude = <A extends Identified>(
  read: ReadState<A>,
  state: CompletenessState,
  reason: CompletenessReason,
): void => {
  read.phase = "done"
  read.result = [state, reason]
}

/** A page that was accepted: `pageOf` makes the page to return of it, once nothing is `missing` any more. */
export interface Taken<A> {
  readonly _tag: "Taken"
  readonly emitted: Pick<Page<A>, "records" | "superseded" | "rejected" | "requestId">
  readonly ids: ReadonlyArray<number>
}

export const pageOf = <A extends Identified>(
  read: ReadState<A>,
  { emitted, ids }: Pick<Taken<A>, "emitted" | "ids">,
): Page<A> => {
  const { collection, keyFingerprint, origin, prove } = read.options
  const summary = summaryOf(read)
  const { before, named, order } = read.reading
  const next = isRead(read) ? null : named
  const proof = {
    order,
    head: read.head,
    before: before === null ? null : Cursors.save(before),
    overlaps: read.overlaps,
  }
  const checkpoint: Checkpoint = {
    version: 1,
    origin,
    keyFingerprint,
    collection: collection.name,
    next: next === null ? null : Cursors.save(next),
    recent: prove && next !== null ? [...new Set(read.lastPages.flat())] : ids,
    proof: prove && next !== null ? proof : null,
    summary,
  }
  return { ...emitted, next, checkpoint, summary }
}

/** A page without records, with the final summary: a failed request has ended the read. */
export const lastPage = <A extends Identified>(read: ReadState<A>, requestId: string | null): Page<A> =>
  pageOf(read, { emitted: { records: [], superseded: [], rejected: [], requestId }, ids: [] })
