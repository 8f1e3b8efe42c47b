/**
 * Which records are removed. Absence from a list does not show it: a list may move while it is read, or hide a record. So each record that a
 * complete read did not have is requested by id, and only `NotFound` removes it.
 */
import type { ClientError } from "@deedkit/core"
import * as Effect from "effect/Effect"

/** What the requests by id have shown. */
export interface Removals {
  /** The service answers 404 or 410. */
  readonly removed: ReadonlyArray<number>
  /** Found, or answered with something that is not as specified: still there. */
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

/** Whether an answer is about the record itself, which is there then. Any other failure is about the key or the service, and shows nothing. */
export const isAboutRecord = ({ _tag }: ClientError.Reason): boolean => aboutRecord.has(_tag)

/** Requests each id. Fails with the first error that is not about a record. */
export const confirm = (
  ids: ReadonlyArray<number>,
  get: (id: number) => Effect.Effect<unknown, ClientError.ClientError>,
): Effect.Effect<Removals, ClientError.ClientError> =>
  Effect.map(
    Effect.forEach(
      ids,
      (id) =>
        Effect.matchEffect(get(id), {
          onSuccess: () => Effect.succeed(false),
          onFailure: (error) =>
            error.reason._tag === "NotFound"
              ? Effect.succeed(true)
              : isAboutRecord(error.reason)
                ? Effect.succeed(false)
                : Effect.fail(error),
        }),
      { concurrency },
    ),
    (isGone) => {
      const removed = ids.filter((_, at) => isGone[at])
      return { removed, unlisted: ids.length - removed.length }
    },
  )
