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

/**
 * Requests each id and, if one is not found, also `listed`, a record that the list has shown; null if it showed none. Fails with the first error
 * that is neither about a record nor a refusal.
 */
export const confirm = (
  ids: ReadonlyArray<number>,
  listed: number | null,
  get: (id: number) => Effect.Effect<unknown, ClientError.ClientError>,
): Effect.Effect<Removals, ClientError.ClientError> =>
  Effect.gen(function* () {
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
