/** A service in some order, changed at random between reads, and those who believe its first pages: what they claim to have, and lack. */
import type { Contract, ReadSummary } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"
import * as Head from "../../src/index/Head.ts"

/** A complete read of several pages, whose orders are not known. */
export const summary: ReadSummary = Fixtures.readSummary({
  pages: 0,
  cursor: { parameter: "before_id", state: "verified", evidence: null },
  cursorMeaning: "last-id",
  completeness: { state: "proven", reason: "linked-pages", readings: 1, differences: 0 },
})

/** How the service orders its list, and what is wrong with it. */
export const kinds = [
  "by id",
  "by creation, nothing edited yet",
  "by update",
  "by update, then by id",
  "by update, then oldest first",
  "by id, then by update",
  "by update, with its clock set back and ahead",
  "by update, with contracts from the future",
  "by update, imported with old times and the ids of others",
  "by id, of two that hand out ids",
  "oldest first",
  "unordered",
] as const
export type Kind = (typeof kinds)[number]

/** Whether first pages of this service can be believed at all. */
export const areBelieved = (kind: Kind): boolean =>
  !["oldest first", "unordered", "by id, of two that hand out ids"].includes(kind)

const pageSize = 20
const minute = 60_000
const start = Date.parse("2026-03-01T14:00:00Z")
const iso = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`

const random = (seed: number) => {
  let state = seed * 2_654_435_761
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) | 0
    return ((state ^ (state >>> 13)) >>> 0) % below
  }
}

type Order = (one: Contract.Contract, other: Contract.Contract) => number
const idDown: Order = (one, other) => other.id - one.id
const updatedDown: Order = (one, other) => other.updated_at.localeCompare(one.updated_at) || other.id - one.id
const hashOf = ({ id }: Contract.Contract): number => Math.imul(id, 2_654_435_761) >>> 0
const orders: { readonly [name: string]: Order } = {
  "by id": idDown,
  "by creation": (one, other) => other.created_at.localeCompare(one.created_at) || other.id - one.id,
  "by update": updatedDown,
  "oldest first": (one, other) => one.id - other.id,
  unordered: (one, other) => hashOf(one) - hashOf(other),
}

/** The list as it was read completely, in one moment, with what core says of its order. */
const readAll = (list: ReadonlyArray<Contract.Contract>, serviceAt: number, at: number) => {
  let first: Head.FirstPage | undefined
  let isUpdatedDown = true
  for (let from = 0; from < list.length; from += pageSize) {
    const page = list.slice(from, from + pageSize)
    first = Head.withPage(first, page, serviceAt, at)
    isUpdatedDown &&= page.every((one, i) => i === 0 || one.updated_at <= page[i - 1]!.updated_at)
  }
  const falls = list.every(({ id }, i) => i === 0 || id < list[i - 1]!.id)
  return Head.of(first, {
    ...summary,
    pages: Math.ceil(list.length / pageSize),
    requests: Math.ceil(list.length / pageSize),
    idOrder: falls ? "descending" : "mixed",
    orderedBy: isUpdatedDown ? "updated-down" : falls ? "id" : "unknown",
  })
}

/** Plays one life: a complete read, then reads of the first page until one is not believed. */
export const play = (kind: Kind, seed: number) => {
  const next = random(seed)
  const contracts = new Map<number, Contract.Contract>()
  let at = start
  let skew = next(3) * 7 * minute
  let lastId = 1_000
  const [before = "", then = before] = kind.split(", then ")
  const orderAt = (read: number): Order => orders[(read > 2 ? then : before).split(",")[0]!.trim()] ?? idDown
  const isEdited = !kind.includes("nothing edited")

  const insert = (created: number, updated: number): void => {
    const isOfTwo = kind.includes("two that hand out") && next(2) === 0
    const isImported = kind.includes("imported") && next(4) === 0
    const id = isOfTwo ? 100_000 + (lastId += 1) : isImported ? 900 - contracts.size : (lastId += 1)
    // The import itself is an update, as the service stamps it.
    const createdAt = isImported ? created - 40_000 * minute : created
    contracts.set(id, Fixtures.contract({ id, created_at: iso(createdAt), updated_at: iso(updated) }))
  }
  const count = 60 + next(200)
  for (let made = 0; made < count; made++) {
    const created = start - (count - made) * 200 * minute
    insert(
      created,
      isEdited && next(3) > 0 ? created + next((start - created) / minute - 30) * minute : created,
    )
  }
  const change = (serviceAt: number): void => {
    const ids = [...contracts.keys()]
    const id = ids[next(ids.length)]!
    const what = next(10)
    if (what < 4 || !isEdited) insert(serviceAt, serviceAt)
    else if (what < 9) {
      const ahead = kind.includes("future") && next(6) === 0 ? 400 * minute : 0
      contracts.set(id, { ...contracts.get(id)!, updated_at: iso(serviceAt + ahead), unit_label: `${at}` })
    } else if (next(3) === 0) contracts.delete(id)
  }

  const list = (read: number) => [...contracts.values()].toSorted(orderAt(read))
  const known = new Map(contracts)
  let head = readAll(list(0), at + skew, at)
  const found = { believed: 0, given: 0, hidden: [] as Array<number> }
  for (let read = 1; read <= 6 && head !== undefined && head.order !== "all"; read++) {
    const until = at + 15 * minute
    const changes = next(4) === 0 ? 30 + next(40) : next(8)
    for (let done = 0; done < changes; done++) change(at + skew + Math.floor((15 * minute * done) / changes))
    at = until
    if (kind.includes("set back") && next(2) === 0) skew += (next(2) === 0 ? -1 : 1) * 20 * minute
    const contractsOfPage = list(read).slice(0, pageSize)
    const page = {
      contracts: contractsOfPage,
      invalidIds: [],
      isWhole: contracts.size <= pageSize,
      serviceAt: at + skew,
      at,
    }
    const end = Head.endOf(head, page)
    const { order } = head
    const place = (one: Contract.Contract): number => (order === "new" ? one.id : Date.parse(one.updated_at))
    const expected = [...known.values()].filter((one) => place(one) > end).map(({ id }) => id)
    head = Head.after(head, page, expected)
    for (const one of contractsOfPage) known.set(one.id, one)
    found.given += 1
    if (head === undefined) break
    found.believed += 1
    for (const one of contracts.values()) {
      const mine = known.get(one.id)
      const isHidden = order === "new" ? mine === undefined : mine?.updated_at !== one.updated_at
      if (isHidden) found.hidden.push(one.id)
    }
    if (found.hidden.length > 0) break
  }
  return found
}
