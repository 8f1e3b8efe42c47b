/**
 * The stage about single records: whether those of the pages are as specified, whether the retrieve form gives the requested one
 * (Spec: Endpoints 1), and the answer to an id that does not exist, which is not shown (Spec: Errors 3).
 */
import * as Effect from "effect/Effect"
import type { Stage } from "./Checkup.ts"
import type { Finding } from "./Finding.ts"
import { listOf, sizeOf } from "./lists.ts"

/** Within 31 bits, because a server may refuse a longer id only because of its length. */
const unlikelyId = 2_000_000_011

/** Judges the records of the stage `lists`, and asks for the first of them and for one that should not exist. */
export const records: Stage = (session) =>
  Effect.gen(function* () {
    const { pages } = session
    const list = listOf(session)
    if (list === null) return []
    const errorOf = (id: number) =>
      Effect.match(list.get(id), { onFailure: (error) => error, onSuccess: () => null })
    const rejected = pages.flatMap((page) => page.rejected)
    const conformity: Finding = {
      _tag: "Conformity",
      records: pages.reduce((sum, page) => sum + sizeOf(page), 0),
      rejected: rejected.length,
      issue: rejected.flatMap(({ issues }) => issues)[0] ?? null,
      error: null,
    }
    const id = pages[0]?.records[0]?.id
    const byId: ReadonlyArray<Finding> = id === undefined ? [] : [{ _tag: "ById", error: yield* errorOf(id) }]
    return [conformity, ...byId, { _tag: "UnknownId", error: yield* errorOf(unlikelyId) }]
  })
