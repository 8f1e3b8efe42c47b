/**
 * Contracts by month: how many were created, and how many were last updated (Spec: Resources, Contract). The service gives no date on which a
 * contract began or ended, so a contract that has ended is counted in the month of its last update.
 */
import type { Contract } from "@deedkit/core"
import * as Instant from "../table/Instant.ts"
import type { Table } from "../table/Table.ts"

export interface Month {
  /** Such as `2026-03`; null for timestamps that are not instants. */
  readonly month: string | null
  readonly created: number
  readonly updated: number
  /** Of `updated`, those whose status is `ended`. */
  readonly ended: number
}

export const months: Table<Month> = {
  name: "months",
  title: "Months",
  hasTotals: true,
  columns: [
    {
      name: "month",
      label: "Month (UTC)",
      kind: "timestamp",
      shows: "month",
      get: ({ month }) => (month === null ? null : `${month}-01T00:00:00Z`),
    },
    { name: "created", label: "Contracts created", kind: "integer", role: "count", get: (it) => it.created },
    { name: "updated", label: "Last updated", kind: "integer", role: "count", get: (it) => it.updated },
    {
      name: "ended",
      label: "Last updated, now ended",
      kind: "integer",
      role: "count",
      get: (it) => it.ended,
    },
  ],
  onDemand: [],
}

/** `2026-03`; null for a timestamp that is not an instant. */
export const monthOf = (timestamp: string): string | null => {
  const millis = Instant.of(timestamp)
  return millis === null ? null : (Instant.clock(millis)?.slice(0, 7) ?? null)
}

type Counts = { created: number; updated: number; ended: number }

/** Counts contracts by month. It holds a few numbers per month, and no contract. */
export class MonthCounts {
  readonly #months = new Map<string | null, Counts>()

  add(contracts: ReadonlyArray<Contract.Contract>): void {
    for (const { created_at, status, updated_at } of contracts) {
      this.#of(created_at).created += 1
      const updated = this.#of(updated_at)
      updated.updated += 1
      if (status === "ended") updated.ended += 1
    }
  }

  #of(timestamp: string): Counts {
    const month = monthOf(timestamp)
    let counts = this.#months.get(month)
    if (counts === undefined) {
      counts = { created: 0, updated: 0, ended: 0 }
      this.#months.set(month, counts)
    }
    return counts
  }

  /** The latest month first; timestamps that are not instants last. */
  rows(): ReadonlyArray<Month> {
    return [...this.#months]
      .map(([month, { created, ended, updated }]): Month => ({ month, created, updated, ended }))
      .toSorted((one, other) => ((one.month ?? "") < (other.month ?? "") ? 1 : -1))
  }
}
