/**
 * `deedkit export report`: contracts and API keys as other exports have them, and what follows from them: units, months, findings, a cover. Memory
 * grows with the number of units and months, not with the contracts.
 */
import type { Contract } from "@deedkit/core"
import { DerivedTable, LatestOfUnits, MonthCounts, months, StatusByCity, units } from "@deedkit/export"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { contractsTable } from "../ExportOptions.ts"
import type { Choices } from "../ExportRequest.ts"
import { perform } from "../ExportRequest.ts"
import { contractsJob, keysJob } from "../ExportTables.ts"
import type { ContractChoices } from "../formats/ExportFlags.ts"
import { ofFile } from "../formats/FormatName.ts"
import type { Work } from "../../command/Subcommand.ts"
import { usageError } from "../../failure/Failure.ts"
import { Environment } from "../../terminal/Environment.ts"
import * as KeyFindings from "./KeyFindings.ts"
import * as ReportCover from "./ReportCover.ts"

type ReportChoices = Omit<
  Choices,
  "flavour" | "format" | "formulaGuard" | "headers" | "summary" | "timeZone"
> &
  ContractChoices

export const report: Work<ReportChoices> = Effect.fn(function* (given) {
  const other = given.out.find((target) => target !== "-" && ofFile(target) !== "xlsx")
  if (other !== undefined) {
    return yield* usageError(
      `A report is a workbook, and ${other} is not the name of one`,
      "Name a file that ends in .xlsx: --out report.xlsx.",
    )
  }
  const choices: Choices = {
    ...given,
    flavour: "rfc4180",
    format: ["xlsx"],
    formulaGuard: "on",
    headers: "labels",
    summary: false,
    timeZone: undefined,
  }
  const { madeAt } = yield* Environment
  const now = madeAt === undefined ? yield* Clock.currentTimeMillis : Date.parse(madeAt)
  const byUnit = new LatestOfUnits()
  const byMonth = new MonthCounts()
  const byCity = new StatusByCity()
  const collect = (contracts: ReadonlyArray<Contract.Contract>): void => {
    byUnit.add(contracts)
    byMonth.add(contracts)
    byCity.add(contracts)
  }
  const all = { keeps: () => true, texts: [] }
  const table = yield* contractsTable(given.link)
  const keys = KeyFindings.tableAt(now)
  yield* perform({
    choices,
    tables: [
      {
        selection: { table, filter: all },
        job: (session, pageSize) => contractsJob(session, { table, pageSize, collect }),
      },
      {
        selection: { table: keys, filter: all },
        job: (session, pageSize) => keysJob(session, { table: keys, pageSize }),
      },
    ],
    derived: [
      DerivedTable.make(units, () => byUnit.pages()),
      DerivedTable.make(months, () => [byMonth.rows()]),
    ],
    cover: (soFar) => ReportCover.make(soFar, byCity, byUnit.size),
  })
})
