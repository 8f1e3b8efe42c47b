/**
 * A plan for lookups of many records that requests one page of the list first. If all ids are on that page, this is the only request. The number
 * of requests never exceeds the number of ids by more than one.
 *
 * The specification names the same members for both forms (Spec: Resources, Contract). It does not say that they have no other members, nor that
 * they are equally fresh, so this plan is used only on request.
 */
import * as Effect from "effect/Effect"
import { readList } from "../answer/envelope.ts"
import * as ServiceRequest from "../model/ServiceRequest.ts"
import type { Get, Lookup, LookupSource, Plan } from "./Lookup.ts"
import { many } from "./Lookup.ts"

/** The fewest ids for which the list is requested: for fewer ids, a page could hold many records and few of the requested ones. */
const leastIds = 20
const pageSize = 100

/** The records that occur exactly once on a page of the list and are as specified; none if the list request fails, which is not retried. */
const onFirstPage = <A extends { readonly id: number }>({ caller, collection, model }: LookupSource<A>) => {
  const request = ServiceRequest.list(collection, { limit: pageSize })
  const { config } = caller
  const once = caller.having({ ...config, retry: { ...config.retry, attempts: 1 }, schedule: null })
  const page = once.call(request, readList(collection, model), "interactive")
  return Effect.matchEffect(page, {
    onFailure: () => Effect.succeed<ReadonlyArray<A>>([]),
    onSuccess: ({ value }) => {
      const times = new Map<number, number>()
      for (const { id } of value.valid) times.set(id, (times.get(id) ?? 0) + 1)
      return Effect.succeed(value.valid.filter(({ id }) => times.get(id) === 1))
    },
  })
}

/**
 * The option `plan` of `getMany`. Ids that the first page of the list holds once and as specified are answered from it, whether or not it is the
 * last page. All other ids are looked up, so that only the retrieve form decides that an id is unknown; if the list request fails, every id is
 * looked up. Fewer than 20 ids, and ids with `includeData`, which only the retrieve form supports, are looked up without the list.
 */
export const listFirst: Plan = <A extends { readonly id: number }>(
  ids: ReadonlyArray<number>,
  get: Get<A>,
  options: Parameters<Plan>[2],
  source: LookupSource<A>,
) =>
  new Set(ids).size < leastIds || options?.includeData === true
    ? many(ids, get, options)
    : Effect.flatMap(onFirstPage(source), (records) => {
        const found = new Map<number, Lookup<A>>()
        for (const record of records) found.set(record.id, { _tag: "Found", id: record.id, record })
        const left = ids.filter((id) => !found.has(id))
        return Effect.map(many(left, get, options), (lookups) => {
          for (const lookup of lookups) found.set(lookup.id, lookup)
          return ids.map((id) => found.get(id)!)
        })
      })
