/** Requests records by id that a page omitted, to find out whether they still exist. */
import * as Effect from "effect/Effect"
import { attemptedOf } from "../../error/ClientError.ts"
import type { ClientError } from "../../error/ClientError.ts"
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
        Effect.match(
          caller.call(
            ServiceRequest.retrieve(collection, id),
            readRecord(collection, model, id),
            "background",
          ),
          {
            onSuccess: (answer): readonly [number, Found<A>] => {
              counter.count(answer)
              return [id, answer.value]
            },
            onFailure: (error: ClientError): readonly [number, Found<A>] => {
              counter.count(attemptedOf(error))
              return [id, error.reason._tag === "NotFound" ? "not-found" : "not-readable"]
            },
          },
        ),
      { concurrency: 4 },
    ),
    (found) => new Map(found),
  )
