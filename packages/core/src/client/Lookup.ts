/**
 * Looking up many records by id: bounded, in the order asked, each id once. An unknown id is an answer, not an error.
 */
import * as Effect from "effect/Effect"
import type { ClientError } from "../error/ClientError.ts"

/** What came of one id. */
export type LookUp<A> =
  | { readonly _tag: "Found"; readonly id: number; readonly record: A }
  | { readonly _tag: "Unknown"; readonly id: number }

export interface LookUpOptions {
  /** Requests under way at once, behind the pace of the key. Default 4. */
  readonly concurrency?: number | undefined
}

/** Looks up each id with `get`. Fails with the first error that is not `NotFound`. */
export const many = <A>(
  ids: ReadonlyArray<number>,
  get: (id: number) => Effect.Effect<A, ClientError>,
  options: LookUpOptions = {},
): Effect.Effect<ReadonlyArray<LookUp<A>>, ClientError> =>
  Effect.map(
    Effect.forEach([...new Set(ids)], (id) => one(id, get), { concurrency: options.concurrency ?? 4 }),
    (lookUps) => {
      const byId = new Map(lookUps.map((lookUp) => [lookUp.id, lookUp]))
      return ids.map((id) => byId.get(id)!)
    },
  )

const one = <A>(
  id: number,
  get: (id: number) => Effect.Effect<A, ClientError>,
): Effect.Effect<LookUp<A>, ClientError> =>
  Effect.matchEffect(get(id), {
    onSuccess: (record): Effect.Effect<LookUp<A>> => Effect.succeed({ _tag: "Found", id, record }),
    onFailure: (error): Effect.Effect<LookUp<A>, ClientError> =>
      error.reason._tag === "NotFound" ? Effect.succeed({ _tag: "Unknown", id }) : Effect.fail(error),
  })
