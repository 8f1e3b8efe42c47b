/** One contract as the index stores it: the service's own record, complete, and the values that indexes and entries are made from. */
import type { Contract } from "@deedkit/core"
import { Timestamp } from "@deedkit/core"
import { answered } from "./Database.ts"
import type { Database } from "./Database.ts"
import { formOf, listingIdOf } from "./Query.ts"

export interface Row {
  readonly id: number
  readonly contract: Contract.Contract
  /** The listing's slug as it is written in addresses; absent when there is no listing, so that it is not indexed. */
  readonly slug?: string
  readonly listingId?: number
  readonly unit: string
  /** Epoch milliseconds. */
  readonly updatedAt: number
  /** Number of the write that wrote the row. It rises with every write, and so shows which rows a sync has not seen. */
  readonly seen: number
  /** When the service last reported the record, ISO 8601 UTC. */
  readonly seenAt: string
}

/** Contracts of a listing, and how many it has, which is more than these if it has very many. */
export interface Rows {
  readonly rows: ReadonlyArray<Row>
  readonly total: number
}

/** Slugs that can be between two slashes of an address, and are not too long for one; other slugs are kept, but not looked for. */
const slugForm = /^[^/\p{Cc}]{1,200}$/u

/** Levels of a record that every browser can write and read again: each browser has a greatest depth, and none documents it. */
const mostLevels = 500

const isWithin = (value: unknown, levels: number): boolean =>
  typeof value !== "object" ||
  value === null ||
  (levels > 0 && Object.values(value).every((member) => isWithin(member, levels - 1)))

/** Whether a contract can be stored; false if it nests so deeply that browsers cannot copy it. */
export const isStorable = (contract: Contract.Contract): boolean => isWithin(contract, mostLevels)

/** Makes the row of a contract. */
export const make = (contract: Contract.Contract, seen: number, seenAt: string): Row => {
  const { listing } = contract
  const listingId = listingIdOf(contract)
  const hasSlug = listing != null && slugForm.test(listing.slug)
  return {
    id: contract.id,
    contract,
    ...(hasSlug ? { slug: listing.slug } : {}),
    ...(listingId === null ? {} : { listingId }),
    unit: formOf(contract.unit_label),
    updatedAt: Timestamp.toEpochMillis(contract.updated_at),
    seen,
    seenAt,
  }
}

/** Rows by their ids, in that order; ids without a row are left out. */
export const read = async (
  database: Pick<Database, "reading">,
  ids: ReadonlyArray<number>,
): Promise<ReadonlyArray<Row>> => {
  if (ids.length === 0) return []
  const contracts = (await database.reading("contracts")).objectStore("contracts")
  const rows: ReadonlyArray<Row | undefined> = await Promise.all(ids.map((id) => answered(contracts.get(id))))
  return rows.filter((row) => row !== undefined)
}
