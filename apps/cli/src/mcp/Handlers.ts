/**
 * Implements the tools with a connected client: verified pagination as in every command, page by page, as plain data. The client holds the API key;
 * no tool takes or returns it.
 */
import { KeyAudit } from "@deedkit/core"
import type { ApiKey, ClientError, Contract, RejectedRecord, PropertyClient } from "@deedkit/core"
import { contractGroupings, contracts as table, Filter, Overview, TextForm } from "@deedkit/export"
import type { ExportError } from "@deedkit/export"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as UnmatchedValue from "../records/UnmatchedValue.ts"
import type { PlainJson } from "./Data.ts"
import { longestResult, notice, plain, plainText } from "./Data.ts"
import type { Part, Place } from "./Reading.ts"
import { Positions, read, start } from "./Reading.ts"
import type { ToolError } from "./Tools.ts"
import { pages, records as counts, toolError, toolkit, wrong } from "./Tools.ts"

/** A selection of contracts by conditions, words, or both. */
interface Search {
  readonly keeps: (contract: Contract.Contract) => boolean
  /** Identifies the search: equal searches have equal names. */
  readonly name: string
  /** The conditions with the columns' full names. */
  readonly where: ReadonlyArray<string>
  readonly words: ReadonlyArray<string>
}

/** The text of a contract that words are searched in, in the form of searches. */
const textOf = ({ id, kind, listing, status, unit_label }: Contract.Contract): string =>
  TextForm.search(
    [id, status, kind, unit_label, listing?.title, listing?.area, listing?.city, listing?.slug].join("\n"),
  )

/** Fails with `ColumnUnknown` or `FilterInvalid`. Without conditions and words, the search matches all contracts. */
export const makeSearch = (
  where: ReadonlyArray<string>,
  text: string,
): Result.Result<Search, ExportError.ExportError> => {
  const words = TextForm.search(text)
    .split(/\s+/)
    .filter((word) => word !== "")
  return Result.map(Filter.parse(table, where), ({ keeps, texts }) => ({
    keeps: (contract) => {
      if (!keeps(contract)) return false
      const all = words.length === 0 ? "" : textOf(contract)
      return words.every((word) => all.includes(word))
    },
    name: JSON.stringify([texts, words]),
    where: texts,
    words,
  }))
}

type Members = { readonly [member: string]: PlainJson }

const pageLimit = 100

const asToolError = <A>(
  effect: Effect.Effect<A, ClientError.ClientError | ExportError.ExportError>,
): Effect.Effect<A, ToolError> => Effect.mapError(effect, toolError)

const rejectedOf = (rejected: ReadonlyArray<RejectedRecord>) =>
  rejected.map(({ id, issues }) => ({
    id,
    problems: issues.map(({ expected, found, path }) => `${path} should be ${expected} and is ${found}`),
  }))

export const make = (client: PropertyClient.Service) => {
  /** Records as plain data without the API key. Fails if they are too large for one result. */
  const data = (records: ReadonlyArray<unknown>): Effect.Effect<ReadonlyArray<Members>, ToolError> => {
    const values = records.map(
      (record) => plain(record as Contract.Contract["unit_id"], client.redact) as Members,
    )
    return JSON.stringify(values).length <= longestResult
      ? Effect.succeed(values)
      : Effect.fail(
          wrong("ResultTooLarge", "The result is too large to read. Ask for fewer records at a time."),
        )
  }
  const contractPlaces = new Positions<{ readonly search: string; readonly place: Place<Contract.Contract> }>(
    "c",
  )
  const keyPlaces = new Positions<{ readonly search: string; readonly place: Place<ApiKey.ApiKey> }>("k")

  /** The start, or the place of a token. A token is valid only for the search that returned it. */
  const placeOf = <A>(
    places: Positions<{ readonly search: string; readonly place: Place<A> }>,
    search: string,
    cursor: string | undefined,
  ): Effect.Effect<Place<A>, ToolError> => {
    if (cursor === undefined) return Effect.succeed(start)
    const kept = places.find(cursor)
    if (kept === undefined) {
      return Effect.fail(
        wrong("CursorUnknown", "This cursor is unknown or has expired. Start again without a cursor."),
      )
    }
    return kept.search === search
      ? Effect.succeed(kept.place)
      : Effect.fail(
          wrong(
            "CursorOfAnotherSearch",
            "This cursor belongs to another search. Use the arguments of that search, or start again without a cursor.",
          ),
        )
  }
  const tokenOf = <A>(
    places: Positions<{ readonly search: string; readonly place: Place<A> }>,
    search: string,
    { next }: Part<A>,
  ): string | null => (next === null ? null : places.keep({ search, place: next }))

  const list = <A extends { readonly id: number }>(
    collection: PropertyClient.Records<A, PropertyClient.GetContractOptions>,
    places: Positions<{ readonly search: string; readonly place: Place<A> }>,
    { cursor, limit = counts.usual }: { readonly cursor?: string; readonly limit?: number },
  ) =>
    Effect.gen(function* () {
      const place = yield* placeOf(places, "list", cursor)
      const bounds = { records: limit, pages: pages.search, limit }
      const part = yield* asToolError(read(collection, () => true, place, bounds))
      return {
        notice,
        applied: { limit, cursor: cursor ?? null },
        records: yield* data(part.records),
        next: tokenOf(places, "list", part),
        rejected: rejectedOf(part.rejected),
      }
    })

  const readAll = <A extends { readonly id: number }>(
    records: PropertyClient.Records<A, PropertyClient.GetContractOptions>,
    maxPages: number,
  ) => asToolError(read(records, () => true, start, { records: Infinity, pages: maxPages, limit: pageLimit }))

  return toolkit.toLayer({
    contracts_list: (args) =>
      Effect.map(list(client.contracts, contractPlaces, args), ({ records, ...page }) => ({
        ...page,
        contracts: records,
      })),

    contracts_search: ({ cursor, limit = counts.usual, max_pages = pages.search, text = "", where = [] }) =>
      Effect.gen(function* () {
        const search = yield* asToolError(Effect.fromResult(makeSearch(where, text)))
        const place = yield* placeOf(contractPlaces, search.name, cursor)
        const bounds = { records: limit, pages: max_pages, limit: pageLimit }
        const watch = UnmatchedValue.watch(table, { keeps: search.keeps, texts: search.where })
        const part = yield* asToolError(read(client.contracts, watch.filter.keeps, place, bounds))
        const isWhole = cursor === undefined && part.next === null
        const none = isWhole ? "No contract" : "None of the contracts that this call has read"
        const { where: conditions, words } = search
        return {
          notice,
          applied: { where: conditions, text: words.join(" "), limit, max_pages, cursor: cursor ?? null },
          hints: watch
            .unmatched()
            .map((each) => plainText(UnmatchedValue.sentence(each, none, client.redact))),
          contracts: yield* data(part.records),
          next: tokenOf(contractPlaces, search.name, part),
          rejected: rejectedOf(part.rejected),
          pages_read: part.pagesRead,
          records_read: part.recordsRead,
          complete: part.next === null,
        }
      }),

    contracts_get: ({ ids, include_data = false }) =>
      Effect.gen(function* () {
        const lookups = yield* asToolError(client.contracts.getMany(ids, { includeData: include_data }))
        const found = lookups.flatMap((lookup) => (lookup._tag === "Found" ? [lookup.record] : []))
        const unknown = lookups.flatMap((lookup) => (lookup._tag === "Unknown" ? [lookup.id] : []))
        return {
          notice,
          applied: { ids, include_data },
          contracts: yield* data(found),
          unknown_ids: [...new Set(unknown)],
        }
      }),

    keys_list: (args) =>
      Effect.map(list(client.apiKeys, keyPlaces, args), ({ records, ...page }) => ({
        ...page,
        keys: records,
      })),

    keys_audit: ({
      max_age_days = KeyAudit.defaults.maxAgeDays,
      max_scopes = KeyAudit.defaults.maxScopes,
      unused_days = KeyAudit.defaults.unusedDays,
    }) =>
      Effect.gen(function* () {
        const part = yield* readAll(client.apiKeys, pages.most)
        const now = new Date(yield* Clock.currentTimeMillis)
        const findings = KeyAudit.audit(part.records, {
          now,
          unusedDays: unused_days,
          maxScopes: max_scopes,
          maxAgeDays: max_age_days,
        })
        return {
          notice,
          applied: { unused_days, max_scopes, max_age_days },
          judged_at: now.toISOString(),
          keys: part.records.length,
          complete: part.next === null,
          findings: yield* data(
            findings.map((finding) => Object.assign({}, finding, { says: KeyAudit.sentence(finding) })),
          ),
          rejected: rejectedOf(part.rejected),
        }
      }),

    summary: ({ max_pages = pages.summary }) =>
      Effect.gen(function* () {
        const part = yield* readAll(client.contracts, max_pages)
        const overview = new Overview.Overview(contractGroupings)
        overview.add(part.records)
        const by: Record<string, Array<{ readonly value: string | null; readonly records: number }>> = {}
        for (const { label, records, value } of overview.counts()) {
          const group = (by[label.toLowerCase()] ??= [])
          group.push({ value: value === null ? null : plainText(client.redact(value)), records })
        }
        return {
          notice,
          applied: { max_pages },
          contracts: part.records.length,
          complete: part.next === null,
          pages_read: part.pagesRead,
          by,
          rejected: rejectedOf(part.rejected),
        }
      }),
  })
}
