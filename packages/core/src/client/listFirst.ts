/**
 * A plan for lookups of many records: one page of the list first. In an account that fits on a page it is the only request, and never is there
 * more than one request more than there are ids.
 *
 * The specification names the same members for both forms (Spec: Resources, Contract). It does not say that they hold no others, nor that they
 * are equally fresh, so that nothing uses this plan unless it is asked for.
 */
import * as Effect from "effect/Effect"
import { readList } from "../answer/envelope.ts"
import * as ServiceRequest from "../model/ServiceRequest.ts"
import type { Get, Lookup, LookupSource, Plan } from "./Lookup.ts"
import { many } from "./Lookup.ts"

/** Fewer ids are looked up by id: a page could hold many records for few of them. */
const leastIds = 20
const pageSize = 100

/** The records that a page of the list holds once and as specified; none where the list fails, which is not tried again. */
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
 * The option `plan` of `getMany`. What the first page of the list holds is answered from it, whether or not it is the last one. All other ids
 * are looked up, so that unknown ids are known from the retrieve form alone; so is every id where the list fails. Fewer than 20 ids, and those
 * with `includeData`, which only the retrieve form knows, are looked up without the list.
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
