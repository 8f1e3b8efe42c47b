/**
 * What follows from the contracts of a report: units, months, and the cover. Memory grows with the number of units and months, not with the contracts.
 */
import type { Contract } from "@deedkit/core"
import { DerivedTable, LatestOfUnits, MonthCounts, months, StatusByCity, units } from "@deedkit/export"
import type { Cover } from "@deedkit/export"
import type { SoFar } from "./ReportCover.ts"
import * as ReportCover from "./ReportCover.ts"

export interface Report {
  /** Takes the contracts of each page. */
  readonly collect: (contracts: ReadonlyArray<Contract.Contract>) => void
  readonly derived: ReadonlyArray<DerivedTable.DerivedTable>
  readonly cover: (soFar: SoFar) => Cover.Cover
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
    derived: [
      DerivedTable.make(units, () => byUnit.pages()),
      DerivedTable.make(months, () => [byMonth.rows()]),
    ],
    cover: (soFar) => ReportCover.make(soFar, byCity, byUnit.size),
  }
}
