/** A snapshot of a mirror as the pages of a read, with the payloads that the mirror holds. */
import { Json, unreadSummary } from "@deedkit/core"
import type { Page, PropertyClient, ReadSummary, RejectedRecord } from "@deedkit/core"
import type { Kept, RunRow, Snapshot } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { Failure } from "../../failure/Failure.ts"
import * as MirrorCatalogue from "../../failure/MirrorCatalogue.ts"

/** Records per page if the command does not specify it. */
const defaultPageSize = 100

/** The summary of a mirror's read. Counts that the mirror does not keep are 0. */
export const summaryOf = (row: RunRow): ReadSummary => {
  const unread = unreadSummary(row.collection, row.startedAt)
  return {
    ...unread,
    endedAt: row.endedAt,
    pages: row.pages,
    records: row.records,
    rejected: row.rejected,
    requests: row.requests,
    cursor: {
      parameter: row.cursorParameter ?? unread.cursor.parameter,
      state: (row.cursorState ?? "unverified") as ReadSummary["cursor"]["state"],
      evidence: row.cursorEvidence,
    },
    complete: true,
    completeness: {
      state: (row.completeness ?? "unverified") as ReadSummary["completeness"]["state"],
      reason: (row.reason ?? "unfinished") as ReadSummary["completeness"]["reason"],
      readings: row.readings,
      differences: 0,
    },
  }
}

/** How a record of a list is checked. */
export interface Model<A> {
  readonly is: (value: unknown) => value is A
  readonly issues: (value: unknown) => RejectedRecord["issues"]
}

const parsed = (text: string): Json.Json => {
  try {
    return Json.parse(text)
  } catch {
    return text
  }
}

type Read<A> =
  | { readonly _tag: "Valid"; readonly record: A }
  | { readonly _tag: "Rejected"; readonly record: RejectedRecord }

const changed = {
  path: "",
  expected: "the text that was stored in the mirror",
  found: "another one: the row was changed",
}

/** The record with its payload. The list's own members come first and are not overwritten. */
const whole = <A extends object>(record: A, payload: object): A =>
  Object.fromEntries([
    ...Object.entries(record),
    ...Object.entries(payload).filter(([name]) => !Object.hasOwn(record, name)),
  ]) as A

/** The record with its payload, or its problems if rows of the mirror were changed. */
const recordOf = <A extends object>(
  { is, issues }: Model<A>,
  { body, data, id, isIntact }: Kept,
): Read<A> => {
  const raw = parsed(body)
  if (!isIntact) return { _tag: "Rejected", record: { id, issues: [changed], raw } }
  if (!is(raw)) return { _tag: "Rejected", record: { id, issues: issues(raw), raw } }
  const payload = data === null ? null : parsed(data)
  return { _tag: "Valid", record: Json.isObject(payload) ? whole(raw, payload) : raw }
}

/** The pages of a snapshot. */
export const pagesOf =
  <A extends { readonly id: number }>(snapshot: Snapshot, model: Model<A>, whole: ReadSummary) =>
  ({ limit = defaultPageSize }: PropertyClient.ListOptions = {}): Stream.Stream<Page<A>, Failure> =>
    Stream.paginate(null as number | null, (after) =>
      Effect.map(
        // One extra record shows whether there are more.
        Effect.mapError(snapshot.page(after, limit + 1), MirrorCatalogue.failureOf),
        (found) => {
          const kept = found.slice(0, limit)
          const next = found.length > limit ? (kept.at(-1)?.id ?? null) : null
          const all = kept.map((each) => recordOf(model, each))
          const summary = { ...whole, complete: next === null }
          const page: Page<A> = {
            records: all.flatMap((each) => (each._tag === "Valid" ? [each.record] : [])),
            superseded: [],
            rejected: all.flatMap((each) => (each._tag === "Rejected" ? [each.record] : [])),
            next,
            requestId: null,
            checkpoint: {
              version: 2,
              origin: URL.canParse(snapshot.baseUrl) ? new URL(snapshot.baseUrl).origin : snapshot.baseUrl,
              keyFingerprint: "",
              collection: whole.collection,
              next: null,
              recent: [],
              proof: null,
              summary,
            },
            summary,
          }
          return [[page], next === null ? Option.none() : Option.some<number | null>(next)] as const
        },
      ),
    )
