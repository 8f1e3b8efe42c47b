/**
 * Sums of amounts in the data payloads of contracts, by currency and month. The specification does not say what a payload holds (Spec: Contract gaps),
 * so only a member that has both a number `amount` and a text `currency` is summed, and amounts of two currencies never are.
 */
import { Contract, Json } from "@deedkit/core"
import type { Table } from "../table/Table.ts"
import { monthOf } from "./Months.ts"

interface Sums {
  /** Contracts with such an amount. */
  readonly contracts: number
  readonly total: number
  /** Of `total`, the share of contracts whose status is `active`. */
  readonly active: number
}

export interface AmountTotal extends Sums {
  /** The path of the member, such as `data.rent`. */
  readonly member: string
  readonly currency: string
}

export interface Amount extends AmountTotal {
  /** Of the creation of the contracts, such as `2026-03`; null for timestamps that are not instants. */
  readonly month: string | null
}

export const amounts: Table<Amount> = {
  name: "amounts",
  title: "Amounts",
  columns: [
    { name: "member", label: "What", kind: "text", get: ({ member }) => member },
    { name: "currency", label: "Currency", kind: "text", get: ({ currency }) => currency },
    {
      name: "month",
      label: "Month (UTC)",
      kind: "timestamp",
      shows: "month",
      get: ({ month }) => (month === null ? null : `${month}-01T00:00:00Z`),
    },
    { name: "contracts", label: "Contracts", kind: "integer", role: "count", get: (row) => row.contracts },
    { name: "total", label: "Total", kind: "decimal", role: "amount", get: ({ total }) => total },
    {
      name: "active",
      label: "Of active contracts",
      kind: "decimal",
      role: "amount",
      get: ({ active }) => active,
    },
  ],
  onDemand: [],
}

/** Sums are kept in millionths, so that cents add up exactly. */
const millionths = (amount: number | bigint): bigint =>
  typeof amount === "bigint" ? amount * 1_000_000n : BigInt(Math.round(amount * 1_000_000))

/** Larger numbers are no amounts of money. The sums of smaller ones are finite. */
const mostAmount = 1e100

/** Levels of a payload that are looked through. */
const mostLevels = 8

interface Found {
  readonly member: string
  readonly currency: string
  readonly amount: bigint
}

const amountsIn = (value: Json.Json, member: string, levels: number, found: Array<Found>): void => {
  if (!Json.isObject(value)) return
  const { amount, currency } = value
  const isNumber = typeof amount === "bigint" || typeof amount === "number"
  if (isNumber && Math.abs(Number(amount)) <= mostAmount && typeof currency === "string" && currency !== "")
    found.push({ member, currency, amount: millionths(amount) })
  if (levels === 0) return
  for (const [name, inner] of Object.entries(value))
    amountsIn(inner, member === "" ? name : `${member}.${name}`, levels - 1, found)
}

interface Counted {
  readonly member: string
  readonly currency: string
  readonly month: string | null
  readonly contracts: number
  readonly total: bigint
  readonly active: bigint
}

const addTo = (sums: Map<string, Counted>, counted: Counted): void => {
  const { active, contracts, currency, member, month, total } = counted
  const key = JSON.stringify([member, currency, month])
  const before = sums.get(key) ?? { contracts: 0, total: 0n, active: 0n }
  sums.set(key, {
    ...counted,
    contracts: before.contracts + contracts,
    total: before.total + total,
    active: before.active + active,
  })
}

const order = (one: string, other: string): number => (one === other ? 0 : one < other ? -1 : 1)

const amountsOf = (sums: ReadonlyMap<string, Counted>): ReadonlyArray<Amount> =>
  [...sums.values()]
    .map(({ active, contracts, currency, member, month, total }): Amount => ({
      member,
      currency,
      month,
      contracts,
      total: Number(total) / 1_000_000,
      active: Number(active) / 1_000_000,
    }))
    .toSorted(
      (one, other) =>
        order(one.member, other.member) ||
        order(one.currency, other.currency) ||
        order(other.month ?? "", one.month ?? ""),
    )

/** Adds amounts up. It holds a few numbers for each member, currency and month, and no contract. */
export class AmountTotals {
  readonly #byMonth = new Map<string, Counted>()

  add(contracts: ReadonlyArray<Contract.Contract>): void {
    for (const contract of contracts) {
      const found: Array<Found> = []
      amountsIn(Contract.extra(contract), "", mostLevels, found)
      const month = monthOf(contract.created_at)
      for (const { amount, ...of } of found) {
        const active = contract.status === "active" ? amount : 0n
        addTo(this.#byMonth, { ...of, month, contracts: 1, total: amount, active })
      }
    }
  }

  /** By member and currency; of each the latest month first. */
  rows(): ReadonlyArray<Amount> {
    return amountsOf(this.#byMonth)
  }

  /** The sums of all months, by member and currency. */
  totals(): ReadonlyArray<AmountTotal> {
    const all = new Map<string, Counted>()
    for (const counted of this.#byMonth.values()) addTo(all, { ...counted, month: null })
    return amountsOf(all).map(({ active, contracts, currency, member, total }) => ({
      member,
      currency,
      contracts,
      total,
      active,
    }))
  }
}
