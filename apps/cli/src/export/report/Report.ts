/**
 * Derives the other parts of a report from its contracts: units, months, changes, and the cover. Memory grows with the number of units and months and
 * with the size of the earlier export, not with the number of contracts.
 */
import type { Contract } from "@deedkit/core"
import { DerivedTable, LatestOfUnits, MonthCounts, months, StatusByCity, units } from "@deedkit/export"
import type { Cover } from "@deedkit/export"
import type { ReportChanges } from "./ReportChanges.ts"
import type { SoFar } from "./ReportCover.ts"
import * as ReportCover from "./ReportCover.ts"

export interface Report {
  /** Receives the contracts of each page. */
  readonly collect: (contracts: ReadonlyArray<Contract.Contract>) => void
  /** Makes the tables and the cover. `changes` are the changes since an earlier export; null if there is none. Called before the first page. */
  readonly begin: (changes: ReportChanges | null) => {
    readonly derived: ReadonlyArray<DerivedTable.DerivedTable>
    readonly cover: (soFar: SoFar) => Cover.Cover
  }
}

export const make = (): Report => {
  const byUnit = new LatestOfUnits()
  const byMonth = new MonthCounts()
  const byCity = new StatusByCity()
  let changes: ReportChanges | null = null
  return {
    collect: (contracts) => {
      byUnit.add(contracts)
      byMonth.add(contracts)
      byCity.add(contracts)
      changes?.collect(contracts)
    },
    begin: (since) => {
      changes = since
      return {
        derived: [
          DerivedTable.make(units, () => byUnit.pages()),
          DerivedTable.make(months, () => [byMonth.rows()]),
          ...(since?.derived ?? []),
        ],
        cover: (soFar) => ReportCover.make(soFar, byCity, byUnit.size, since?.facts(soFar) ?? []),
      }
    },
  }
}
