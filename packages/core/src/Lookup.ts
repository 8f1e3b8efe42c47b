/**
 * Lookup of many records by id: one request for each distinct id, a few at a time, results in the order of the ids. An unknown id is a
 * result, not an error.
 */
import * as Effect from "effect/Effect"
import type { ClientError } from "./ClientError.ts"

/** The result for one id: its record, or `Unknown` when the service answers 404 or 410. */
export type Lookup<A> =
  | { readonly _tag: "Found"; readonly id: number; readonly record: A }
  | { readonly _tag: "Unknown"; readonly id: number }

/** Requests one record by its id. */
type Get<A> = (id: number) => Effect.Effect<A, ClientError>

/** The options of `getMany`. */
export interface LookupOptions {
  /** Requests in progress at once; the rate limiter of the key applies too. Default 4. */
  readonly concurrency?: number | undefined
}

/** Looks up each id with `get`. Fails with the first error that is not `NotFound`. @internal */
export const many = <A>(
  ids: ReadonlyArray<number>,
  get: Get<A>,
  options: LookupOptions = {},
): Effect.Effect<ReadonlyArray<Lookup<A>>, ClientError> =>
  Effect.map(
    Effect.forEach([...new Set(ids)], (id) => one(id, get), { concurrency: options.concurrency ?? 4 }),
    (lookups) => {
      const byId = new Map(lookups.map((lookup) => [lookup.id, lookup]))
      return ids.map((id) => byId.get(id)!)
    },
  )

const one = <A>(id: number, get: Get<A>): Effect.Effect<Lookup<A>, ClientError> =>
  Effect.matchEffect(get(id), {
    onSuccess: (record): Effect.Effect<Lookup<A>> => Effect.succeed({ _tag: "Found", id, record }),
    onFailure: (error): Effect.Effect<Lookup<A>, ClientError> =>
      error.reason._tag === "NotFound" ? Effect.succeed({ _tag: "Unknown", id }) : Effect.fail(error),
  })
