/**
 * What the specification leaves open about `next_before_id`, and how the client handles it: the name of its parameter, which the second page
 * must confirm, and lists that do not end.
 *
 * The specification shows neither the name of the query parameter that takes it nor its type (Spec: Endpoints 5), only that null
 * means the end (Spec: Endpoints 2). So the value is opaque and sent back unchanged; the parameter's name is an assumption that
 * the second page must confirm before any of its records is returned.
 */
import type { Json } from "../Json.ts"

/** `next_before_id` when there is a further page: an integer of any size, or a string. */
export type Cursor = number | bigint | string

/** The name that other services pair with `next_before_id`. An assumption until the second page confirms it. */
export const assumedParameter = "before_id"

/** The meaning of `next_before_id`: a further page, the documented end, an end by an undocumented value, or nothing usable. @internal */
export type Next =
  | { readonly _tag: "More"; readonly cursor: Cursor }
  | { readonly _tag: "End"; readonly sentinel: "null" | "0" | "-1" | '""' }
  | { readonly _tag: "Unusable" }

/** Of a cursor. Servers refuse URLs of more than about 8,000 characters. */
const mostCharacters = 4_096

/**
 * Reads `next_before_id`. `0`, `-1` and the empty string also mean the end: no record can lie before them. A missing member does not count as
 * null. A URL cannot hold half of a surrogate pair, nor a text of any length, so such a string is unusable.
 * @internal
 */
export const read = (value: Json | undefined): Next => {
  if (value === null || value === 0 || value === -1 || value === "")
    return { _tag: "End", sentinel: JSON.stringify(value) as "null" | "0" | "-1" | '""' }
  if (
    typeof value === "number"
      ? Number.isSafeInteger(value)
      : typeof value === "bigint" || typeof value === "string"
  ) {
    const cursor = value as Cursor
    const text = toText(cursor)
    if (text.length <= mostCharacters && text.isWellFormed()) return { _tag: "More", cursor }
  }
  return { _tag: "Unusable" }
}

/** The cursor as the value of a query parameter: its digits or its text, unchanged. @internal */
export const toText = (cursor: Cursor): string => String(cursor)

/** A cursor as plain JSON, so that nothing is rounded. */
export interface SavedCursor {
  readonly type: "integer" | "string"
  readonly text: string
}

export const save = (cursor: Cursor): SavedCursor => ({
  type: typeof cursor === "string" ? "string" : "integer",
  text: toText(cursor),
})
/** Restores a saved cursor: a `number` where that is exact, otherwise a `bigint`; or the text. */
export const restore = ({ text, type }: SavedCursor): Cursor => {
  if (type === "string") return text
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
}

export interface CursorEvidence {
  readonly kind: "same-records" | "same-cursor" | "no-records"
  /** One sentence with the figures, without personal data. */
  readonly text: string
}

/** Why a read was stopped, in one sentence with figures and without personal data. */
export interface StallEvidence {
  readonly kind: "cursor-repeated" | "empty-pages" | "no-new-records" | "too-many-pages"
  readonly text: string
}

/** Which part of a checkpoint differs from the read that should resume; `cursor`: the service refuses the cursor that it named before the pause. */
export interface CheckpointMismatch {
  readonly field: "origin" | "key" | "collection" | "version" | "cursor"
}

/** How far the cursor's parameter is known to work. */
export interface CursorVerification {
  readonly parameter: string
  /**
   * `single-page`: there was no second page. `verified`: the second page was another page. `unverified`: there was no second page yet, or it
   * was inconclusive, such as an empty last page.
   */
  readonly state: "unverified" | "verified" | "single-page"
  readonly evidence: string | null
}

/** The values by which the second page is verified: the ids of both pages in their order, the cursor sent and the one returned. @internal */
export interface SecondPage {
  readonly first: ReadonlyArray<number>
  readonly sent: Cursor
  readonly second: ReadonlyArray<number>
  readonly next: Cursor | null
}

export type Verdict =
  | { readonly _tag: "Obeyed"; readonly inclusive: boolean; readonly evidence: string }
  | { readonly _tag: "Ignored"; readonly evidence: CursorEvidence }
  /** An empty last page: the list may have ended, or the service may have ignored the cursor. */
  | { readonly _tag: "Inconclusive"; readonly evidence: string }
  /** Another page, or the first page of a list that has changed meanwhile: requesting the first page again decides. */
  | { readonly _tag: "Ambiguous"; readonly inclusive: boolean; readonly evidence: string }

const ignored = (kind: CursorEvidence["kind"], text: string): Verdict => ({
  _tag: "Ignored",
  evidence: { kind, text },
})

const goesDown = (ids: ReadonlyArray<number>): boolean =>
  ids.every((id, index) => index === 0 || id < ids[index - 1]!)

/** Whether the second page begins with the end of the first, in the same order: records that were inserted before them moved them. */
const isTail = (first: ReadonlyArray<number>, second: ReadonlyArray<number>, repeated: number): boolean => {
  const tail = first.slice(first.length - repeated)
  return tail.length === repeated && tail.every((id, index) => id === second[index])
}

/**
 * Verifies the second page. If it repeats only the boundary record, the cursor is inclusive, which is tolerated. Records that were all on the
 * first page, or the same cursor, mean that the cursor had no effect. A page without records shows nothing. A list may have any order
 * (Spec: Endpoints 6), so no order is evidence against the cursor: where the second page may be the first page of a changed list, the first page
 * is requested again.
 * @internal
 */
export const judgeSecondPage = ({ first, next, second, sent }: SecondPage): Verdict => {
  if (next !== null && toText(next) === toText(sent)) {
    return ignored("same-cursor", "the cursor that was sent came back as the next one")
  }
  if (second.length === 0 && next === null) {
    return { _tag: "Inconclusive", evidence: "the second page was empty and the last" }
  }
  const boundary = first.at(-1)
  const seen = new Set(first)
  const repeated = second.filter((id) => seen.has(id))
  const again = repeated.length
  const isNamed = repeated[0] === boundary || String(repeated[0]) === toText(sent)
  const inclusive = again === 1 && (isNamed || second.length === 1)
  if (again > 0 && !inclusive && (again === second.length || second[0] === first[0])) {
    return ignored("same-records", `${again} of its ${second.length} records had been on the first page`)
  }
  if (inclusive && second.length === 1 && next !== null) {
    return ignored("same-records", "its only record had been on the first page")
  }
  const fresh = second.filter((id) => !seen.has(id))
  const evidence = `${fresh.length} new ${fresh.length === 1 ? "record" : "records"} on the second page`
  const isAbove =
    again === 0 && goesDown(first) && boundary !== undefined && fresh.some((id) => id > boundary)
  const isPlain = inclusive || (isTail(first, second, again) && !isAbove)
  return { _tag: isPlain ? "Obeyed" : "Ambiguous", inclusive, evidence }
}

/**
 * Decides by the first page, requested again, whether the second page is that page of a changed list or another page. A resumed read may ask
 * for larger pages than before, so only as many records are compared as the first page had.
 * @internal
 */
export const judgeByFirstAgain = (
  { first, second }: Pick<SecondPage, "first" | "second">,
  firstAgain: ReadonlyArray<number>,
): Verdict => {
  const now = new Set(firstAgain.slice(0, first.length))
  const likeFirst = first.filter((id) => now.has(id)).length
  const likeSecond = second.filter((id) => now.has(id)).length
  if (likeFirst > likeSecond) {
    const evidence = `the first page, asked for again, held ${likeFirst} of its records, and ${likeSecond} of the second page`
    return { _tag: "Obeyed", inclusive: false, evidence }
  }
  // If the cursor had been ignored, this page would hold the records that the first page held both times.
  const here = new Set(second)
  const kept = firstAgain.filter((id) => first.includes(id) && !here.has(id)).length
  if (kept > 0) {
    const evidence = `the first page, asked for again, held ${kept} of its records that the second page had not`
    return { _tag: "Inconclusive", evidence }
  }
  if (likeSecond > likeFirst) {
    const text = `the first page, asked for again, held ${likeSecond} of its ${second.length} records`
    return ignored("same-records", text)
  }
  return { _tag: "Inconclusive", evidence: "the first page, asked for again, was like neither page" }
}

/** What is known of the parameter during a read. Plain data. */
export interface CursorCheck {
  readonly current: CursorVerification
  /** Ids of the page that the second one is compared with; null before it. */
  readonly first: ReadonlyArray<number> | null
  /** Whether the second page was accepted although nothing shows that the cursor had an effect. */
  readonly isAccepted: boolean
}

const unconfirmed = (parameter: string): CursorVerification => ({
  parameter,
  state: "unverified",
  evidence: null,
})

/** The check of a new read, or of one that is resumed: `before` and `recent` are those of its checkpoint. */
export const beginCheck = (
  parameter: string,
  before: CursorVerification | null,
  recent: ReadonlyArray<number>,
): CursorCheck => ({
  current: before?.parameter === parameter && before.state === "verified" ? before : unconfirmed(parameter),
  first: recent.length > 0 ? recent : null,
  isAccepted: false,
})

export const believe = (check: CursorCheck, evidence: string): CursorCheck => ({
  current: { ...check.current, state: "verified", evidence },
  first: null,
  isAccepted: false,
})

/** Accepts the second page, though nothing shows that the cursor had an effect. */
export const acceptUnverified = (check: CursorCheck, evidence: string): CursorCheck => ({
  ...check,
  current: { ...check.current, state: "unverified", evidence },
  isAccepted: true,
})

/** Continues with another parameter, which the next page must confirm like the first one. */
export const replaceParameter = (check: CursorCheck, parameter: string): CursorCheck => ({
  ...check,
  current: unconfirmed(parameter),
})

/** The check after a page, or why the page cannot be accepted, or not yet. */
export type Checked =
  | { readonly _tag: "Accepted"; readonly check: CursorCheck; readonly isInclusive: boolean }
  | { readonly _tag: "Ignored"; readonly evidence: CursorEvidence }
  /** An empty last page: a search for the name decides. */
  | { readonly _tag: "Inconclusive" }
  /** The first page, requested again, decides. */
  | { readonly _tag: "Ambiguous" }

/** Remembers the first page that has records, and verifies the next one against it. */
export const checkPage = (
  check: CursorCheck,
  ids: ReadonlyArray<number>,
  sent: Cursor | null,
  next: Cursor | null,
): Checked => {
  const { current, first, isAccepted } = check
  const accepted = (now: CursorCheck, isInclusive = false): Checked => ({
    _tag: "Accepted",
    check: now,
    isInclusive,
  })
  if (current.state !== "unverified" || isAccepted || (ids.length === 0 && next !== null)) {
    return accepted(check)
  }
  if (sent === null || (first === null && next !== null)) {
    const single = { ...current, state: "single-page", evidence: null } as const
    return accepted({ ...check, first: ids, current: next === null ? single : current })
  }
  const verdict = judgeSecondPage({ first: first ?? [], sent, second: ids, next })
  if (verdict._tag !== "Obeyed") return verdict
  return accepted(believe(check, verdict.evidence), verdict.inclusive)
}

// Lists that do not end. A service can name a new cursor each time and still repeat its pages, and a correct list can repeat many records when it
// changes: so a read is stopped only if repeated records outweigh new ones.

/** How far the pages of one reading have come. */
export interface Progress {
  readonly pages: number
  /** Records that came for the first time, and those that came again without being requested again. */
  readonly fresh: number
  readonly again: number
  /** Pages in a row that had records, but no new one; or no records at all. */
  readonly idle: number
  readonly empty: number
  /** How often the first record came again, unchanged. */
  readonly rounds: number
}

export const noProgress: Progress = { pages: 0, fresh: 0, again: 0, idle: 0, empty: 0, rounds: 0 }

/** A cursor as a text that differs for an integer and a string. */
export const nameOf = (cursor: Cursor): string =>
  `${typeof cursor === "string" ? "string" : "integer"} ${toText(cursor)}`

const mostEmptyPages = 3

/** Why the pages make no progress; null while they do. `isOnPurpose`: the page was requested to see records again. */
export const stallOf = (
  { again, empty, fresh, idle, pages, rounds }: Progress,
  next: Cursor | null,
  names: ReadonlySet<string>,
  isOnPurpose: boolean,
): StallEvidence | null => {
  const because = (kind: StallEvidence["kind"], text: string): StallEvidence => ({ kind, text })
  if (next !== null && empty > mostEmptyPages)
    return because("empty-pages", `${empty} pages in a row had no records and named a further page`)
  if (rounds > 1)
    return because("no-new-records", `the first record came again on page ${pages}, for the second time`)
  if (idle > 4 && idle > pages / 2)
    return because("no-new-records", `${idle} pages in a row had no new record and named a further page`)
  if (again > 2 * fresh) return because("no-new-records", `${again} records came again, and ${fresh} once`)
  if (next === null || isOnPurpose || !names.has(nameOf(next))) return null
  return because("cursor-repeated", `page ${pages} named a cursor that an earlier page had named`)
}
