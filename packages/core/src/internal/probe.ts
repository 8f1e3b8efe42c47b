/**
 * The search for the query parameter that takes the cursor (Spec: Endpoints 5 does not show its name).
 *
 * A name is accepted only when a page requested with it holds another record and names another cursor, or the end. At most seven names,
 * with a small request of one record each, through the rate limiter of the key. Where the service returns all records at once, and a name leads
 * to an empty page, that name is tried with the cursor of the first record. Probing only reads.
 */
import * as Effect from "effect/Effect"
import type { Identified, Model } from "./answer.ts"
import { idOf, parsePage } from "./answer.ts"
import type { Caller } from "./call.ts"
import type { ClientError, Reason, ReasonOf } from "../ClientError.ts"
import { attemptedOf, isTransient } from "../ClientError.ts"
import * as ServiceRequest from "./serviceRequest.ts"
import type { Cursor } from "./cursor.ts"
import { assumedParameter, toText } from "./cursor.ts"

/** Names that services use for such a cursor, the most likely first. */
export const candidates: ReadonlyArray<string> = [
  assumedParameter,
  "before",
  "cursor",
  "next_before_id",
  "starting_after",
  "after",
  "page_token",
]

/** The result of probing: a verified name, too few records to tell, or no name that works. `requests` counts the small requests. */
export type CursorFinding =
  | {
      readonly _tag: "Verified"
      readonly parameter: string
      readonly evidence: string
      readonly requests: number
    }
  | { readonly _tag: "CannotTell"; readonly why: string; readonly requests: number }
  | {
      readonly _tag: "NoneWorks"
      readonly tried: ReadonlyArray<string>
      readonly requests: number
      /** Records of the first page, for which a limit of 1 was sent. */
      readonly records: number
    }

interface Look {
  /** The ids of its records; null for one that cannot be read. */
  readonly ids: ReadonlyArray<number | null>
  readonly next: Cursor | null
}

/** Whether a page differs from the page that has this first record and cursor. */
const isAnother = ({ ids, next }: Look, first: number, cursor: Cursor): boolean => {
  const [id = null] = ids
  return id !== null && id !== first && (next === null || toText(next) !== toText(cursor))
}

interface Attempted {
  readonly attempts: number
  readonly waitedMillis: number
}

/** Tries the candidates except `exclude`. Calls `count` with the attempts of every call. Fails when the first page cannot be read, or a later request fails other than by a refusal. @internal */
export const cursorParameter = Effect.fnUntraced(function* <A extends Identified>(
  caller: Caller,
  collection: ServiceRequest.Collection,
  model: Model<A>,
  exclude: ReadonlyArray<string> = [],
  count: (calls: Attempted) => void = () => {},
): Effect.fn.Return<CursorFinding, ClientError> {
  let limit: number | undefined = 1
  /** Requests a page of one record, or without a limit once that was refused; returns the result of `onRefusal` if the request was refused. */
  const look = (
    onRefusal: (error: ClientError) => Effect.Effect<Look, ClientError>,
    cursor?: readonly [parameter: string, value: string],
  ): Effect.Effect<Look, ClientError> =>
    Effect.matchEffect(
      caller.call(
        ServiceRequest.list(collection, { limit, cursor }),
        parsePage(collection, model),
        "interactive",
      ),
      {
        onFailure: (error) => {
          count(attemptedOf(error))
          return isRefusal(error.reason) ? onRefusal(error) : Effect.fail(error)
        },
        onSuccess: (answer) => {
          count(answer)
          const { items, next } = answer.value
          return Effect.succeed({ ids: items.map(idOf), next: next._tag === "More" ? next.cursor : null })
        },
      },
    )
  const first = yield* look(() => {
    limit = undefined
    return look(Effect.fail)
  })
  const [firstId = null] = first.ids
  if (first.next === null || firstId === null) {
    return { _tag: "CannotTell", why: "there are fewer than two records", requests: 1 } as const
  }
  const tried = candidates.filter((name) => !exclude.includes(name)).slice(0, 7)
  const cursor = first.next
  /** Whether the page has all records and its cursor is the id of the last one: the id of the first one then leads to the other records. */
  const isWhole = first.ids.length > 1 && String(first.ids.at(-1)) === toText(cursor)
  let requests = 1
  const turn = (parameter: string, sent: Cursor): Effect.Effect<Look, ClientError> => {
    requests += 1
    return look(() => Effect.succeed({ ids: [], next: cursor }), [parameter, toText(sent)])
  }
  for (const parameter of tried) {
    let second = yield* turn(parameter, cursor)
    if (isWhole && second.ids.length === 0 && second.next === null) {
      second = yield* turn(parameter, firstId)
    }
    if (!isAnother(second, firstId, cursor)) continue
    const evidence = `with ?${parameter}= another record and ${second.next === null ? "the end" : "another cursor"} came back`
    return { _tag: "Verified", parameter, evidence, requests } as const
  }
  return { _tag: "NoneWorks", tried, requests, records: first.ids.length } as const
})

/**
 * Whether an answer refuses what was asked: a status of client errors that has no meaning of its own and is not transient, or `ok` that is not true.
 * The specification names no status for it (Spec: Errors 2, 3). During probing it rules out one name; any other error ends the probing.
 */
export const isRefusal = (reason: Reason): reason is ReasonOf<"Rejected" | "NotOk"> =>
  reason._tag === "NotOk" || (reason._tag === "Rejected" && !isTransient(reason))
