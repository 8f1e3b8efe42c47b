/**
 * Decides which records are removed. Absence from a list does not show it: a list can move while it is read, or hide a record. So each record that
 * a complete read did not have is requested by id. Only `NotFound` removes it, after a request for a record that the list has shown, if it
 * has shown any: a service that does not find that one either, or something in front of it that answers every such request with 404, removes
 * nothing.
 */
import type { ClientError } from "@deedkit/core"
import * as Effect from "effect/Effect"

/** The result of the requests by id. */
export interface Removals {
  /** Records for which the service answers 404 or 410. */
  readonly removed: ReadonlyArray<number>
  /** Number of records that are kept: found, refused, or answered with something that is not as specified, or the service finds no record by id. */
  readonly unlisted: number
}

/** Requests under way at once. The rate limiter of the key applies too. */
const concurrency = 4

const aboutRecord: ReadonlySet<ClientError.ReasonTag> = new Set([
  "RecordInvalid",
  "IdentityMismatch",
  "ShapeMismatch",
  "NotOk",
  "BodyTooLarge",
])

/**
 * Whether an error is about the record itself, which then exists. Any other failure is about the key or the service, and shows nothing about the
 * record.
 */
export const isAboutRecord = ({ _tag }: ClientError.Reason): boolean => aboutRecord.has(_tag)

/** Whether the service refuses to return a record by its id. The key may read the list, so the key need not be the cause. */
export const isRefusal = ({ _tag }: ClientError.Reason): boolean =>
  _tag === "Forbidden" || _tag === "Rejected"

/** What the removals of a finished read would do to a list. */
export interface Loss {
  /** Records that the mirror had of the list before the read. */
  readonly known: number
  /** Records that the read found. */
  readonly seen: number
  /** Records to remove. */
  readonly removed: number
  /** Those of them that were touched later than every record that stays: a service that shows an older copy lacks its newest records. */
  readonly newer: number
  /** Removals that were held before, and accepted. */
  readonly accepted: number
}

/** A service that was restored from a backup, or a key of an empty tenant, looks like an account that has removed these records. */
const most = { records: 20, share: 0.1, newer: 1 }

/** Whether removals are so many that they are held until they are accepted. */
export const isHeld = ({ accepted, known, newer, removed, seen }: Loss): boolean => {
  const unexpected = removed - accepted
  if (unexpected <= 0) return false
  const isMass = unexpected > most.records && unexpected > known * most.share
  return seen === 0 || removed >= known || isMass || newer - accepted > most.newer
}

/**
 * Requests each id and, if one is not found, also `listed`, a record that the list has shown; null if it showed none. Fails with the first error
 * that is neither about a record nor a refusal.
 */
export const confirm = Effect.fnUntraced(function* (
  ids: ReadonlyArray<number>,
  listed: number | null,
  get: (id: number) => Effect.Effect<unknown, ClientError.ClientError>,
): Effect.fn.Return<Removals, ClientError.ClientError> {
  const isMissing = (id: number): Effect.Effect<boolean, ClientError.ClientError> =>
    Effect.matchEffect(get(id), {
      onSuccess: () => Effect.succeed(false),
      onFailure: (error) =>
        error.reason._tag === "NotFound"
          ? Effect.succeed(true)
          : isAboutRecord(error.reason) || isRefusal(error.reason)
            ? Effect.succeed(false)
            : Effect.fail(error),
    })
  const missing = yield* Effect.forEach(ids, isMissing, { concurrency })
  const gone = ids.filter((_, at) => missing[at])
  const removed = gone.length > 0 && listed !== null && (yield* isMissing(listed)) ? [] : gone
  return { removed, unlisted: ids.length - removed.length }
})
