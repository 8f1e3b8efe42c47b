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

export interface Unit {
  /** Null where all units are of one account. */
  readonly account: string | null
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
  hasTotals: true,
  columns: [
    { name: "unit_label", label: "Unit", kind: "text", get: (it) => it.label },
    { name: "listing.title", label: "Listing", kind: "text", get: (it) => it.listing },
    { name: "listing.city", label: "City", kind: "text", get: (it) => it.city },
    { name: "listing.area", label: "Area", kind: "text", get: (it) => it.area },
    { name: "status", label: "Status", kind: "text", tones: statusTones, get: (it) => it.status },
    { name: "kind", label: "Kind", kind: "text", get: (it) => it.kind },
    {
      name: "occupancy",
      label: "Occupancy",
      kind: "text",
      isComputed: true,
      tones: { Occupied: "good", Vacant: "attention" },
      get: occupancyOf,
    },
    { name: "contract", label: "Latest contract", kind: "integer", role: "id", get: (it) => it.contract },
    { name: "created_at", label: "Created (UTC)", kind: "timestamp", get: (it) => it.createdAt },
    { name: "updated_at", label: "Updated (UTC)", kind: "timestamp", get: (it) => it.updatedAt },
    {
      name: "contracts",
      label: "Contracts so far",
      kind: "integer",
      role: "count",
      get: (it) => it.contracts,
    },
    { name: "unit_id", label: "Unit id", kind: "json", role: "id", get: (it) => it.unitId },
  ],
  printed: 11,
  onDemand: [],
}

/** A numeric unit id, and what else tells units apart. */
const keyIn = ({ listing_id, unit_id, unit_label }: Contract.Contract): string | number =>
  typeof unit_id === "number"
    ? unit_id
    : unit_id === null
      ? `-${listing_id} ${unit_label}`
      : `#${Json.stringify(unit_id)}`

/** Units of two accounts can have the same id. */
const keyOf = (contract: Contract.Contract, account: string | null): string | number =>
  account === null ? keyIn(contract) : JSON.stringify([account, keyIn(contract)])

/** A unit whose latest contract this is. */
const unitOf = (contract: Contract.Contract, contracts: number, account: string | null): Unit => ({
  account,
  unitId: contract.unit_id,
  label: contract.unit_label,
  listing: contract.listing?.title ?? null,
  city: contract.listing?.city ?? null,
  area: contract.listing?.area ?? null,
  status: contract.status,
  kind: contract.kind,
  contract: contract.id,
  createdAt: contract.created_at,
  updatedAt: contract.updated_at,
  contracts,
})

const instantOf = (timestamp: string): number => Instant.of(timestamp) ?? -Infinity

const isLater = (contract: Contract.Contract, unit: Unit): boolean => {
  const [created, latest] = [instantOf(contract.created_at), instantOf(unit.createdAt)]
  return created > latest || (created === latest && contract.id > unit.contract)
}

/** Sorts texts as people do, `A2` before `A10`, and null last. No two texts are equal. */
const compare = (one: string | null, other: string | null): number => {
  if (one === other) return 0
  if (one === null || other === null) return one === null ? 1 : -1
  return collator.compare(one, other) || (one < other ? -1 : 1)
}

const rowsOfPage = 1_000

/** Collects the latest contract of each unit: the one with the latest `created_at`, then the highest id. */
export class LatestOfUnits {
  readonly #units = new Map<string | number, Unit>()

  get size(): number {
    return this.#units.size
  }

  /** `account` tells the units of several accounts apart. */
  add(contracts: ReadonlyArray<Contract.Contract>, account: string | null = null): void {
    for (const contract of contracts) {
      const key = keyOf(contract, account)
      const unit = this.#units.get(key)
      const count = (unit?.contracts ?? 0) + 1
      const isLatest = unit === undefined || isLater(contract, unit)
      this.#units.set(key, isLatest ? unitOf(contract, count, account) : { ...unit, contracts: count })
    }
  }

  /** Units that are let or vacant, by the names of their cities. */
  occupancy(
    nameOf: (city: string | null) => string,
  ): ReadonlyMap<string, { readonly occupied: number; readonly vacant: number }> {
    const counts = new Map<string, { occupied: number; vacant: number }>()
    for (const unit of this.#units.values()) {
      const name = nameOf(unit.city)
      const count = counts.get(name) ?? { occupied: 0, vacant: 0 }
      const occupancy = occupancyOf(unit)
      if (occupancy === "Occupied") count.occupied += 1
      if (occupancy === "Vacant") count.vacant += 1
      counts.set(name, count)
    }
    return counts
  }

  /** The units by account, city, listing and label, in pages. */
  *pages(): Iterable<ReadonlyArray<Unit>> {
    const units = [...this.#units.values()].toSorted(
      (one, other) =>
        compare(one.account, other.account) ||
        compare(one.city, other.city) ||
        compare(one.listing, other.listing) ||
        compare(one.label, other.label),
    )
    for (let from = 0; from < units.length; from += rowsOfPage) yield units.slice(from, from + rowsOfPage)
  }
}
