/** Whole exports from a server over loopback: the overhead of a run over a read and a writer, and an export that needs a second sheet. */
import { join } from "node:path"
import { measure, serve } from "../measure/Child.ts"
import type { Measurement } from "../measure/Child.ts"
import { rounds } from "../measure/Rounds.ts"
import { print } from "../measure/Table.ts"
import type { Row } from "../measure/Table.ts"
import type { Place } from "./files/Place.ts"
import { rowsOfSheets } from "./files/ZipFile.ts"

const server = join(import.meta.dirname, "..", "core", "server.ts")
const contracts = 200_000

/** Maximum overhead of a whole export over the read and writer alone: processor time per record, and memory. */
const mostMicros = 1.2
const mostMegabytes = 30

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

const noteOf = (found: ReadonlyArray<Measurement>): string =>
  `peak RSS ${Math.max(...found.map(({ peakRssMegabytes }) => peakRssMegabytes)).toFixed(0)} MB`

/** The medians of the differences between each round and the same round of another case. */
const moreOf = (found: ReadonlyArray<Measurement>, other: ReadonlyArray<Measurement>): string => {
  const more = (of: (measurement: Measurement) => number): number =>
    median(found.map((measurement, round) => of(measurement) - of(other[round]!)))
  const micros = (more(({ cpuMillis }) => cpuMillis) * 1_000) / contracts
  const megabytes = more(({ peakRssMegabytes }) => peakRssMegabytes)
  const verdict = (isMet: boolean): string => (isMet ? "met" : "MISSED")
  return [
    `${micros.toFixed(1)} us a record more, limit ${mostMicros}: ${verdict(micros <= mostMicros)}`,
    `${megabytes.toFixed(0)} MB more, limit ${mostMegabytes}: ${verdict(megabytes <= mostMegabytes)}`,
  ].join("; ")
}

export const runTable = async ({ file, program }: Place, count: number, size: number): Promise<string> => {
  const { stop, url } = await serve(server, [String(contracts), String(size), "0"])
  const alone = (format: string) => `${format}: read and writer alone`
  const whole = (format: string) => `${format}: whole export`
  const arguments_ = new Map(
    ["csv", "xlsx"].flatMap((format) => [
      [alone(format), ["alone", format]],
      [whole(format), ["run", format]],
    ]),
  )
  const results = await rounds([...arguments_.keys()], count, async (name) => {
    const [how = "", format = ""] = arguments_.get(name) ?? []
    const found = await measure(program("run"), [how, format, url, file(`${how}.${format}`)])
    if (found.records !== contracts) throw new Error(`${name} has ${found.records} of ${contracts} rows`)
    return found
  })
  stop()
  const rows = [...results].map(([name, found]): Row => {
    const format = name.slice(0, name.indexOf(":"))
    const limits = name === whole(format) ? { [alone(format)]: 1.15 } : {}
    const other = results.get(alone(format))
    const more = name === whole(format) && other !== undefined ? `; ${moreOf(found, other)}` : ""
    return { name, figures: found.map(({ cpuMillis }) => cpuMillis), note: noteOf(found) + more, limits }
  })
  const title = `Export of ${contracts.toLocaleString("en")} contracts over loopback, ${size} a page, ${count} rounds`
  return print(title, "CPU ms", rows)
}

/** An export with more rows than a sheet holds, verified by counting the rows of the file. */
export const twoSheetsTable = async ({ file, program }: Place): Promise<string> => {
  const records = 1_100_000
  const { stop, url } = await serve(server, [String(records), "500", "0"])
  const path = file("two.xlsx")
  const found = await measure(program("run"), ["run", "xlsx", url, path])
  stop()
  const sheets = await rowsOfSheets(path)
  const isWhole = sheets.length === 2 && sheets.reduce((sum, rows) => sum + rows - 1, 0) === records
  if (!isWhole) throw new Error(`The sheets have ${sheets.join(" and ")} rows, headings included.`)
  const counted = sheets.map((rows) => rows.toLocaleString("en")).join(" and ")
  return print(`Export of ${records.toLocaleString("en")} contracts to XLSX over loopback`, "CPU ms", [
    {
      name: "whole export",
      figures: [found.cpuMillis],
      note: `rows of its sheets, headings included: ${counted}; ${noteOf([found])}`,
      limits: {},
    },
  ])
}
