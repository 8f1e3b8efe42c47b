/**
 * A read in progress: what it knows, the next request, and the page to return. `takeAnswer.ts` checks and adds the answers; with `prove`,
 * `readings.ts` says which requests follow that only show whether the list is complete.
 */
import type { Emit } from "../ClientEvent.ts"
import type { Model } from "./envelope.ts"
import type { Collection } from "./serviceRequest.ts"
import type {
  Checkpoint,
  CompletenessReason,
  CompletenessState,
  OrderSeen,
  Page,
  ReadSummary,
} from "../Page.ts"
import * as Completeness from "./completeness.ts"
import type { CursorCheck, Cursor, Progress } from "./cursor.ts"
import * as Cursors from "./cursor.ts"
import { ReadTime, Stats } from "./figures.ts"
import { SeenIds } from "./seenIds.ts"

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
  /** The ids of all records that were returned before `from`; null where only the last ones are known. */
  readonly known: Iterable<number> | null
  readonly prove: boolean
  readonly emit: Emit
}

/** A request for a page. */
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
export interface Reading {
  readonly order: OrderSeen
  readonly progress: Progress
  /** Names of the cursors so far. */
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

/** A read in progress. */
export interface Read<A extends { readonly id: number }> {
  readonly options: ReadOptions
  readonly model: Model<A>
  readonly figures: Stats<A>
  readonly time: ReadTime
  /** The limit to send; null after the server has rejected it. */
  limit: number | null
  /** What is known of the cursor's parameter. */
  cursor: CursorCheck
  phase: Phase
  reading: Reading
  /** Readings that have ended. */
  readings: number
  /** Whether the service takes cursors that it did not name. */
  overlaps: boolean
  /** The largest page of all readings. */
  largest: number
  /** A time by the service's clock: every record created before it has to be in every reading. Null where this is not known of any record. */
  createdBefore: string | null
  /** Whether this reading differs from those before only by records that were created or removed, and whether none was removed or changed. */
  isExplained: boolean
  isStill: boolean
  /** Readings in a row whose differences were explained. */
  agreeing: number
  isFilter: boolean
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
export const newReading = (limit: number | null, own: SeenIds | null): Reading => ({
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
export const begin = <A extends { readonly id: number }>(options: ReadOptions, model: Model<A>): Read<A> => {
  const { collection, cursorParam, emit, from, known, limit, prove, startedAt } = options
  const before = from?.summary ?? null
  const proof = prove ? (from?.proof ?? null) : null
  const recent = from?.recent ?? []
  const head = proof?.head ?? []
  const read: Read<A> = {
    options,
    model,
    figures: new Stats(collection.name, limit, startedAt, before, [...head, ...recent], emit),
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
    differences: 0,
    missing: [],
    removed: new Set(),
    firstOrder: null,
    head,
    lastPages: recent.length > 0 ? [recent] : [],
    result: null,
  }
  for (const id of known ?? []) read.figures.seen.add(id)
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
  pause(read, startedAt, known === null && records + rejected > new Set(recent).size)
  return read
}

/** The next request; null at the end. */
export const nextRequest = <A extends { readonly id: number }>({
  limit,
  options,
  phase,
  reading,
}: Read<A>): PageRequest | null => {
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
export const backOf = <A extends { readonly id: number }>(
  { cursor, overlaps }: Read<A>,
  order: OrderSeen,
  size: number,
): number => (overlaps && cursor.current.state === "verified" ? Completeness.overlapOf(order, size) : 0)

/** Whether the list itself was read to its end, so that only requests for its completeness are left. */
export const isRead = ({ readings }: { readonly readings: number }): boolean => readings > 0

/** Whether this reading had a record before. */
export const isKnownTo = <A extends { readonly id: number }>({ figures, reading: { own } }: Read<A>) =>
  own === null ? figures.hasSeen : (id: number): boolean => own.has(id)

/** The summary of the read so far. */
export const summaryOf = <A extends { readonly id: number }>(read: Read<A>): ReadSummary => {
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

/** Resumes the read after a pause. `mayRepeat`: not all ids that were returned are still known. */
const pause = <A extends { readonly id: number }>(
  { figures, time }: Read<A>,
  resumedAt: string,
  mayRepeat: boolean,
): void => time.pause(resumedAt, figures.totals.records, mayRepeat)

/** Continues with another parameter, which the next page must confirm like the first one. */
export const useCursorParam = <A extends { readonly id: number }>(
  read: Read<A>,
  parameter: string,
  evidence: string,
): void => {
  read.figures.note("cursor-param-found", evidence)
  read.cursor = Cursors.replaceParameter(read.cursor, parameter)
}

/** Continues without a limit, because the server refused it. */
export const dropLimit = <A extends { readonly id: number }>(read: Read<A>, because: string): void => {
  read.figures.note("limit-rejected", `a limit of ${read.limit} was refused${because}`)
  read.limit = null
}

/** A page that was accepted: `pageOf` makes the page to return of it, once nothing is `missing` any more. */
export interface Taken<A> {
  readonly _tag: "Taken"
  readonly emitted: Pick<Page<A>, "records" | "superseded" | "rejected" | "requestId">
  readonly ids: ReadonlyArray<number>
}

/** Makes the page to return. */
export const pageOf = <A extends { readonly id: number }>(
  read: Read<A>,
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
export const lastPage = <A extends { readonly id: number }>(
  read: Read<A>,
  requestId: string | null,
): Page<A> => pageOf(read, { emitted: { records: [], superseded: [], rejected: [], requestId }, ids: [] })
