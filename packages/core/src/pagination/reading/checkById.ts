/** Requests records by id that a page omitted, to find out whether they still exist. */
import * as Effect from "effect/Effect"
import { attemptedOf } from "../../error/ClientError.ts"
import * as ServiceRequest from "../../model/ServiceRequest.ts"
import type { Caller } from "../../call/Caller.ts"
import type { Model } from "../../answer/envelope.ts"
import { readRecord } from "../../answer/envelope.ts"
import type { Found } from "../proof/Proof.ts"

/** Never fails: a record whose request fails is `not-readable`. */
export const checkById = <A extends { readonly id: number }>(
  caller: Caller,
  collection: ServiceRequest.Collection,
  model: Model<A>,
  ids: ReadonlyArray<number>,
  counter: { readonly count: (calls: ReturnType<typeof attemptedOf>) => void },
): Effect.Effect<ReadonlyMap<number, Found<A>>> =>
  Effect.map(
    Effect.forEach(
      ids,
      (id) =>
        Effect.matchEffect(
          caller.call(
            ServiceRequest.retrieve(collection, id),
            readRecord(collection, model, id),
            "background",
          ),
          {
            onSuccess: (answer) => {
              counter.count(answer)
              return Effect.succeed<readonly [number, Found<A>]>([id, answer.value])
            },
            onFailure: (error) => {
              counter.count(attemptedOf(error))
              const found = error.reason._tag === "NotFound" ? "not-found" : "not-readable"
              return Effect.succeed<readonly [number, Found<A>]>([id, found])
            },
          },
        ),
      { concurrency: 4 },
    ),
    (found) => new Map(found),
  )
