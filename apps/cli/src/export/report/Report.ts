/**
 * Derives the other parts of a report from its contracts: units, months, and the cover. Memory grows with the number of units, months and changes, not
 * with the number of contracts.
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
  /** Makes the tables and the cover. `changes` is null if none are asked for. Called before the first page. */
  readonly begin: (changes: ReportChanges | null) => {
    readonly derived: ReadonlyArray<DerivedTable.DerivedTable>
    readonly cover: (soFar: SoFar) => Cover.Cover
  }
}

export const make = (): Report => {
  const byUnit = new LatestOfUnits()
  const byMonth = new MonthCounts()
  const byCity = new StatusByCity()
  return {
    collect: (contracts) => {
      byUnit.add(contracts)
      byMonth.add(contracts)
      byCity.add(contracts)
    },
    begin: (changes) => ({
      derived: [
        DerivedTable.make(units, () => byUnit.pages()),
        DerivedTable.make(months, () => [byMonth.rows()]),
        ...(changes === null ? [] : [changes.derived]),
      ],
      cover: (soFar) => ReportCover.make(soFar, byCity, byUnit.size, changes?.facts ?? []),
    }),
  }
}
