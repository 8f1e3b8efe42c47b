/**
 * One row for each unit, with its latest contract (Spec: Resources, Contract). A unit is identified by `unit_id` or, if that is null, by the
 * listing and the label together: the specification names no other way.
 */
import { Json } from "@deedkit/core"
import type { Contract } from "@deedkit/core"
import * as Instant from "../table/Instant.ts"
import type { Table } from "../table/Table.ts"
import { statusTones } from "./Contracts.ts"

const collator = new Intl.Collator("en", { numeric: true })

class Texts {
  readonly #numbers = new Map<string, number>()
  /** Number 0 is null. */
  readonly #texts: Array<string | null> = [null]

  add(text: string | null): number {
    if (text === null) return 0
    let number = this.#numbers.get(text)
    if (number === undefined) {
      number = this.#texts.length
      this.#numbers.set(text, number)
      this.#texts.push(text)
    }
    return number
  }

  get(number: number): string | null {
    return this.#texts[number] ?? null
  }

  /** The rank of each number among all texts in sorted order, where `A2` is before `A10`; null is last. */
  ranks(): Uint32Array {
    const order = Uint32Array.from(this.#texts.keys()).toSorted((one, other) => {
      const [left, right] = [this.#texts[one] ?? null, this.#texts[other] ?? null]
      if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1
      return collator.compare(left, right) || one - other
    })
    const ranks = new Uint32Array(order.length)
    order.forEach((number, rank) => (ranks[number] = rank))
    return ranks
  }
}

export interface Unit {
  readonly unitId: Json.Json
  readonly label: string
  readonly listing: string | null
  readonly city: string | null
  readonly area: string | null
  /** Of the latest contract, like `contract`, `kind` and the timestamps. */
  readonly status: string
  readonly kind: string
  readonly contract: number
  readonly createdAt: string
  readonly updatedAt: string
  /** Contracts of the unit. */
  readonly contracts: number
}

/** What the latest contract says of a unit that is let; null for sales, and for other states. */
const occupancyOf = ({ kind, status }: Unit): "Occupied" | "Vacant" | null => {
  if (kind !== "rent") return null
  return status === "active" ? "Occupied" : status === "ended" ? "Vacant" : null
}

export const units: Table<Unit> = {
  name: "units",
  title: "Units",
  columns: [
    { name: "unit_label", label: "Unit", kind: "text", get: ({ label }) => label },
    { name: "listing.title", label: "Listing", kind: "text", get: ({ listing }) => listing },
    { name: "listing.city", label: "City", kind: "text", get: ({ city }) => city },
    { name: "listing.area", label: "Area", kind: "text", get: ({ area }) => area },
    {
      name: "status",
      label: "Status",
      kind: "text",
      tones: statusTones,
      get: ({ status }) => status,
    },
    { name: "kind", label: "Kind", kind: "text", get: ({ kind }) => kind },
    {
      name: "occupancy",
      label: "Occupancy",
      kind: "text",
      isComputed: true,
      tones: { Occupied: "good", Vacant: "attention" },
      get: occupancyOf,
    },
    {
      name: "contract",
      label: "Latest contract",
      kind: "integer",
      role: "id",
      get: ({ contract }) => contract,
    },
    { name: "created_at", label: "Created (UTC)", kind: "timestamp", get: ({ createdAt }) => createdAt },
    { name: "updated_at", label: "Updated (UTC)", kind: "timestamp", get: ({ updatedAt }) => updatedAt },
    {
      name: "contracts",
      label: "Contracts so far",
      kind: "integer",
      role: "count",
      get: ({ contracts }) => contracts,
    },
    { name: "unit_id", label: "Unit id", kind: "json", role: "id", get: ({ unitId }) => unitId },
  ],
  printed: 11,
  onDemand: [],
}

/** Numbers of the latest contract: its id, and the instants at which it was created and updated. */
const numbersOfUnit = 3
/** City, listing, label, area, status, kind, and the two timestamps where they cannot be restored from their instants. */
const textsOfUnit = 8
const rowsOfPage = 1_000

/** The usual text of an instant, which most timestamps have: a number takes a fifth of the memory of a text. */
const usual = (millis: number): string | null =>
  Number.isFinite(millis)
    ? (Instant.clock(millis)
        ?.replace(/\.000$/, "")
        .concat("Z") ?? null)
    : null

const instantOf = (timestamp: string): number => Instant.of(timestamp) ?? -Infinity

const oddText = (timestamp: string, millis: number): string | null =>
  usual(millis) === timestamp ? null : timestamp

/** Grows an array of numbers to hold at least `length` of them. */
const grown = <A extends Float64Array | Uint32Array>(array: A, length: number): A => {
  if (array.length >= length) return array
  const larger = (
    array instanceof Float64Array ? new Float64Array(length * 2) : new Uint32Array(length * 2)
  ) as A
  larger.set(array)
  return larger
}

/**
 * Collects the latest contract of each unit. For each unit it holds a key and some numbers; texts that several units share are held once. The
 * latest contract has the latest `created_at`, then the highest id.
 */
export class LatestOfUnits {
  readonly #at = new Map<string | number, number>()
  readonly #texts = new Texts()
  #numbers = new Float64Array(1_024 * numbersOfUnit)
  #indexes = new Uint32Array(1_024 * (textsOfUnit + 1))

  get size(): number {
    return this.#at.size
  }

  add(contracts: ReadonlyArray<Contract.Contract>): void {
    for (const contract of contracts) {
      const key = keyOf(contract)
      const at = this.#at.get(key) ?? this.#begin(key)
      this.#indexes[at * (textsOfUnit + 1) + textsOfUnit]! += 1
      const created = instantOf(contract.created_at)
      const [latest, id] = [this.#numbers[at * numbersOfUnit + 1]!, this.#numbers[at * numbersOfUnit]!]
      if (created > latest || (created === latest && contract.id > id) || Number.isNaN(latest)) {
        this.#keep(at, contract, created)
      }
    }
  }

  #begin(key: string | number): number {
    const at = this.#at.size
    this.#at.set(key, at)
    this.#numbers = grown(this.#numbers, (at + 1) * numbersOfUnit)
    this.#indexes = grown(this.#indexes, (at + 1) * (textsOfUnit + 1))
    this.#numbers[at * numbersOfUnit + 1] = Number.NaN
    return at
  }

  #keep(at: number, contract: Contract.Contract, created: number): void {
    const { created_at, id, kind, listing, status, unit_label, updated_at } = contract
    const updated = instantOf(updated_at)
    this.#numbers.set([id, created, updated], at * numbersOfUnit)
    const texts = [
      listing?.city ?? null,
      listing?.title ?? null,
      unit_label,
      listing?.area ?? null,
      status,
      kind,
      oddText(created_at, created),
      oddText(updated_at, updated),
    ]
    const start = at * (textsOfUnit + 1)
    texts.forEach((text, member) => {
      this.#indexes[start + member] = this.#texts.add(text)
    })
  }

  /** The units by city, listing and label, in pages. */
  *pages(): Iterable<ReadonlyArray<Unit>> {
    const ranks = this.#texts.ranks()
    const start = (at: number): number => at * (textsOfUnit + 1)
    const rank = (at: number, member: number): number => ranks[this.#indexes[start(at) + member]!]!
    const order = Uint32Array.from({ length: this.#at.size }, (_, at) => at).toSorted(
      (one, other) =>
        rank(one, 0) - rank(other, 0) ||
        rank(one, 1) - rank(other, 1) ||
        rank(one, 2) - rank(other, 2) ||
        one - other,
    )
    const keys = [...this.#at.keys()]
    for (let from = 0; from < order.length; from += rowsOfPage) {
      yield Array.from(order.subarray(from, from + rowsOfPage), (at): Unit => {
        const text = (member: number): string | null => this.#texts.get(this.#indexes[start(at) + member]!)
        return {
          unitId: idOf(keys[at]!),
          city: text(0),
          listing: text(1),
          label: text(2) ?? "",
          area: text(3),
          status: text(4) ?? "",
          kind: text(5) ?? "",
          createdAt: text(6) ?? usual(this.#numbers[at * numbersOfUnit + 1]!) ?? "",
          updatedAt: text(7) ?? usual(this.#numbers[at * numbersOfUnit + 2]!) ?? "",
          contract: this.#numbers[at * numbersOfUnit]!,
          contracts: this.#indexes[start(at) + textsOfUnit]!,
        }
      })
    }
  }
}

/** A numeric unit id is its own key; the first character of a text key says what the key is made of. */
const keyOf = ({ listing_id, unit_id, unit_label }: Contract.Contract): string | number =>
  typeof unit_id === "number"
    ? unit_id
    : unit_id === null
      ? `-${listing_id} ${unit_label}`
      : `#${Json.stringify(unit_id)}`

const idOf = (key: string | number): Json.Json =>
  typeof key === "number" ? key : key.startsWith("#") ? Json.parse(key.slice(1)) : null
