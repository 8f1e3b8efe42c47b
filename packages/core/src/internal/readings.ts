/**
 * What follows a reading of the list that has reached its end. One whose pages join in the order of ids is complete, once a look at its end and its
 * head shows that the order can be trusted. Any other is compared with a further reading, and records that only one of them had are requested one
 * by one. `completeness.ts` judges what they show.
 */
import type { CompletenessReason, CompletenessState } from "../Page.ts"
import * as Completeness from "./completeness.ts"
import type { PageRequest, Read } from "./readState.ts"
import { isKnownTo, isRead, newReading } from "./readState.ts"
import { SeenIds } from "./seenIds.ts"

/** Judges the order of a reading that has ended. */
export const endReading = <A extends { readonly id: number }>(read: Read<A>): void => {
  const { cursor, options, reading } = read
  const { isEmpty, order, progress } = reading
  read.readings += 1
  read.firstOrder ??= order
  read.largest = Math.max(read.largest, reading.largest)
  read.isFilter &&= Completeness.isFilter(order)
  if (progress.pages === 1) return conclude(read, "proven", "one-page")
  if (!options.prove) return conclude(read, "unverified", "single-reading")
  if (cursor.current.state !== "verified") return conclude(read, "unverified", "cursor-unverified")
  if (!Completeness.isJoined(order)) return compareReadings(read)
  if (isEmpty) read.phase = "end"
  else checkHead(read)
}

/** Requests the head of a falling list again. Records that move in a rising one come at its end, which was read last. */
const checkHead = <A extends { readonly id: number }>(read: Read<A>): void => {
  if (Completeness.falls(read.reading.order)) read.phase = "head"
  else conclude(read, "proven", "linked-pages")
}

/** Whether the page before the last, or the head of the list, is as the order of ids demands. */
export const isOrderKept = <A extends { readonly id: number }>(
  read: Read<A>,
  ids: ReadonlyArray<number>,
): boolean => {
  const { named, order } = read.reading
  // Services end a list with an empty page also where the record is gone that the cursor names. So the page before has to end as it did.
  return read.phase === "end"
    ? named !== null && Completeness.endsWith(order, ids, named)
    : Completeness.isHeadKnown(order, ids, isKnownTo(read))
}

/** Goes on after a request that has shown whether the order can be trusted. */
export const checkOrder = <A extends { readonly id: number }>(
  read: Read<A>,
  ids: ReadonlyArray<number>,
  isAsBefore: boolean,
): void => {
  for (const id of ids) read.reading.own?.add(id)
  if (!isAsBefore) compareReadings(read)
  else if (read.phase === "end") checkHead(read)
  else conclude(read, "proven", "linked-pages")
}

/** Finds what only earlier readings had. */
const compareReadings = <A extends { readonly id: number }>(read: Read<A>): void => {
  const { figures, reading, removed } = read
  const { own } = reading
  read.phase = "list"
  if (own === null) return judge(read)
  const missing: Array<number> = []
  figures.seen.forEach((id) => {
    if (!own.has(id) && !removed.has(id)) missing.push(id)
  })
  read.differences += missing.length
  if (missing.length > 0) read.isStill = false
  if (missing.length > Completeness.mostDifferences) read.isExplained = false
  else read.missing = missing
  if (read.missing.length === 0) judge(read)
}

/** Takes the results of the requests for what is `missing`. */
export const settleMissing = <A extends { readonly id: number }>(
  read: Read<A>,
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
const judge = <A extends { readonly id: number }>(read: Read<A>): void => {
  const { isExplained, isFilter, isStill, largest, options, reading, readings } = read
  if (options.from !== null && options.known === null) return conclude(read, "unverified", "resumed")
  if (reading.own !== null) read.agreeing = isExplained ? read.agreeing + 1 : 0
  const result = Completeness.judgeReadings({
    count: readings,
    agreeing: read.agreeing,
    isStill,
    isFilter,
    isOtherwiseDivided: reading.limit !== null && reading.largest <= reading.limit,
  })
  if (result !== null) conclude(read, ...result)
  else beginAgain(read, Completeness.limitOf(readings, largest))
}

const beginAgain = <A extends { readonly id: number }>(read: Read<A>, limit: number | null): void => {
  read.phase = "list"
  read.isExplained = true
  read.isStill = true
  read.reading = newReading(limit, new SeenIds())
}

/** Handles a request that was refused or failed. Returns whether the read continues without it. */
export const skipFailed = <A extends { readonly id: number }>(
  read: Read<A>,
  request: PageRequest,
): boolean => {
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

const conclude = <A extends { readonly id: number }>(
  read: Read<A>,
  state: CompletenessState,
  reason: CompletenessReason,
): void => {
  read.phase = "done"
  read.result = [state, reason]
}
