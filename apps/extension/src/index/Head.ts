/**
 * What one request for the first page of the list can show (Spec: Endpoints 6 does not name the order): contracts that are new, or new and
 * changed, since the page was last read; never that one is gone. It is trusted only if the last complete read saw the order on every
 * page, and only as long as each further first page fits what is known: in the same order, with every known contract that belongs there, down
 * to where nothing has changed since. In every other case, everything is read again. Pure.
 */
import type { Contract, ReadSummary } from "@deedkit/core"
import { Timestamp } from "@deedkit/core"
import type { HeadOrder } from "../messages/AppState.ts"

/** What is known about a first page, so that a later one can be compared with it. */
interface Mark {
  /** The highest id on it. */
  readonly topId: number
  /** When it was received, in epoch milliseconds: by the service's clock, null if that is not known; and by the browser's. */
  readonly serviceAt: number | null
  readonly at: number
}

/** The first page of a read, and how the order of the pages so far agrees with the creation times of contracts. */
export interface FirstPage extends Mark {
  /** Whether the contracts of each page were in the order of their creation, the latest first. */
  readonly isByCreation: boolean
  /** When the last contract of all pages was created, in epoch milliseconds; null if a page began with one that is newer. */
  readonly createdTo: number | null
}

export interface Head extends Mark {
  /** `new`: by falling ids, in the order of creation. `changes`: by falling updates. `all`: there is no other page, whatever the order. */
  readonly order: HeadOrder
  /** When a first page was last read after the complete read, ISO 8601 UTC; null for not yet. */
  readonly readAt: string | null
}

/** A first page. */
export interface HeadPage {
  readonly contracts: ReadonlyArray<Contract.Contract>
  /** Ids of contracts that were not as specified. */
  readonly invalidIds: ReadonlyArray<number>
  /** Whether the list has no further page. */
  readonly isWhole: boolean
  readonly serviceAt: number | null
  readonly at: number
}

/** By how much the clocks of a service may differ among themselves, in milliseconds: a page has to reach this much further back. */
const marginMillis = 10 * 60_000

/** By how much the two clocks may move apart between two reads, in milliseconds. A clock that was set differs by more. */
const apartMillis = 60_000

const createdAt = ({ created_at }: Contract.Contract): number => Timestamp.toEpochMillis(created_at)
const updatedAt = ({ updated_at }: Contract.Contract): number => Timestamp.toEpochMillis(updated_at)
const idOf = ({ id }: Contract.Contract): number => id

/** Whether the values never rise. */
const falls = (
  contracts: ReadonlyArray<Contract.Contract>,
  valueOf: (contract: Contract.Contract) => number,
) => contracts.every((contract, at) => at === 0 || valueOf(contract) <= valueOf(contracts[at - 1]!))

const topOf = (contracts: ReadonlyArray<Contract.Contract>): number => Math.max(0, ...contracts.map(idOf))

/** What is known about a read after a further page. */
export const withPage = (
  first: FirstPage | undefined,
  contracts: ReadonlyArray<Contract.Contract>,
  serviceAt: number | null,
  at: number,
): FirstPage => {
  const isByCreation = (first?.isByCreation ?? true) && falls(contracts, createdAt)
  const times = contracts.map(createdAt)
  const before = first === undefined ? Infinity : first.createdTo
  const createdTo = before === null || (times[0] ?? before) > before ? null : (times.at(-1) ?? before)
  return { ...(first ?? { topId: topOf(contracts), serviceAt, at }), isByCreation, createdTo }
}

/** What a complete read shows about first pages; undefined if its order would let one of them hide something. */
export const of = (first: FirstPage | undefined, summary: ReadSummary | undefined): Head | undefined => {
  if (first === undefined || summary === undefined || summary.completeness.state === "unverified") return
  const { createdTo, isByCreation, ...mark } = first
  if (summary.pages === 1 && summary.requests === 1) return { ...mark, order: "all", readAt: null }
  const isById = summary.idOrder === "descending"
  // As long as nobody has edited anything, both orders look the same: then only what holds in both is assumed.
  if (isByCreation && createdTo !== null && isById) return { ...mark, order: "new", readAt: null }
  const isByUpdate = summary.orderedBy === "updated-down" && !isByCreation && !isById
  return isByUpdate && mark.serviceAt !== null ? { ...mark, order: "changes", readAt: null } : undefined
}

/** The lowest place of the order that a page reaches: the first contract that is not on it is there, or lower. */
export const endOf = ({ order }: Head, { contracts, isWhole }: HeadPage): number => {
  const last = contracts.at(-1)
  if (isWhole || last === undefined) return -Infinity
  return order === "new" ? last.id : updatedAt(last)
}

/**
 * What is known after a further first page. Undefined if it may hide something: it is in another order, lacks a known contract that
 * belongs on it (`expected`), does not reach down to where nothing is new, or the clocks that show this cannot be trusted.
 */
export const after = (head: Head, page: HeadPage, expected: ReadonlyArray<number>): Head | undefined => {
  const { at, contracts, invalidIds, isWhole, serviceAt } = page
  const there = new Set([...contracts.map(idOf), ...invalidIds])
  const isInOrder =
    head.order === "new"
      ? falls(contracts, idOf) && falls(contracts, createdAt)
      : falls(contracts, updatedAt) && isTimeBelieved(head, page)
  const end = endOf(head, page)
  const reaches =
    isWhole || (head.order === "new" ? end <= head.topId : end < (head.serviceAt ?? 0) - marginMillis)
  if (contracts.length === 0 || !isInOrder || !reaches || !expected.every((id) => there.has(id))) return
  const topId = Math.max(head.topId, topOf(contracts))
  return { order: head.order, topId, serviceAt, at, readAt: new Date(at).toISOString() }
}

/** Whether the service gives its time, has not set its clock since, and names no update that is ahead of it. */
const isTimeBelieved = (head: Head, { at, contracts, serviceAt }: HeadPage): boolean =>
  serviceAt !== null &&
  head.serviceAt !== null &&
  Math.abs(serviceAt - head.serviceAt - (at - head.at)) <= apartMillis &&
  contracts.every((contract) => updatedAt(contract) <= serviceAt + 1_000)
