/**
 * The cost of writing, compared with handwritten code as the practical limit and with common libraries: CSV, XLSX, and a small workbook with all
 * imports.
 */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { availableParallelism } from "node:os"
import { join } from "node:path"
import { pipeline } from "node:stream/promises"
import { measure, measureProgram } from "../measure/Child.ts"
import type { Measurement } from "../measure/Child.ts"
import type { Results } from "../measure/Rounds.ts"
import { rounds } from "../measure/Rounds.ts"
import { median, print } from "../measure/Table.ts"
import type { Row } from "../measure/Table.ts"
import { columnCount, compile } from "./peers/CProgram.ts"
import { csvNames, ndjsonNames, parquetNames, xlsxNames } from "./cases.ts"
import type { Place } from "./files/Place.ts"
import { dumpRows } from "./files/Place.ts"

const duckdb = join(import.meta.dirname, "peers", "duckdbParquet.ts")
const library = "libxlsxwriter (C), level 6"
const limits: { readonly [name: string]: Row["limits"] } = {
  [csvNames.ours]: { [csvNames.papaparse]: 0.48, [csvNames.fastCsv]: 0.45 },
  [ndjsonNames.ours]: { [ndjsonNames.hand]: 1.1 },
  [xlsxNames.ours]: { [xlsxNames.hand]: 0.95, [xlsxNames.exceljs]: 0.22 },
  [xlsxNames.ours6]: { [library]: 0.9 },
}

/** The limit for the ratio of our CSV writer to handwritten code: in long files, the warm-up of the engine hardly matters. */
const handLimit = (rows: number): number => (rows >= 1_000_000 ? 0.8 : 0.9)

const rowOf = (name: string, found: ReadonlyArray<Measurement>, limit: Row["limits"] = {}): Row => {
  const figures = found.map(({ cpuMillis }) => cpuMillis)
  const speed = Math.round((found[0]?.records ?? 0) / median(figures)).toLocaleString("en")
  const peak = Math.max(...found.map(({ peakRssMegabytes }) => peakRssMegabytes))
  const size = (found[0]?.bytes ?? 0) / 1_000_000
  const notes = [
    `${speed}k rows a CPU second`,
    ...(peak > 0 ? [`peak RSS ${peak.toFixed(0)} MB`] : []),
    ...(size > 0 ? [`${size.toFixed(1)} MB`] : []),
  ]
  return { name, figures, note: notes.join(", "), limits: limit }
}

const rowsOf = (results: Results, further: typeof limits = {}): ReadonlyArray<Row> =>
  [...results].map(([name, found]) => rowOf(name, found, further[name] ?? limits[name]))

const write = ({ program }: Place, name: string, rows: number, ...path: ReadonlyArray<string>) =>
  measure(program("write"), [name, String(rows), ...path])

const digest = async (path: string): Promise<string> => {
  const hash = createHash("sha256")
  await pipeline(createReadStream(path), hash)
  return hash.digest("hex")
}

/** Checks that both write the same bytes; otherwise the handwritten code would not be a valid limit. */
const sameBytes = async (place: Place): Promise<void> => {
  const files = [csvNames.hand, csvNames.ours].map((name, at) => ({ name, path: place.file(`${at}.csv`) }))
  const digests: Array<string> = []
  for (const { name, path } of files) {
    await write(place, name, 20_000, path)
    digests.push(await digest(path))
  }
  if (digests[0] !== digests[1]) throw new Error("By hand and ours are not the same bytes of CSV.")
}

export const csvTable = async (place: Place, count: number, rows: number): Promise<string> => {
  await sameBytes(place)
  const results = await rounds(Object.values(csvNames), count, (name) => write(place, name, rows))
  const title = `CSV, ${rows.toLocaleString("en")} contracts in pages of 500, ${count} rounds`
  const further = { [csvNames.ours]: { [csvNames.hand]: handLimit(rows), ...limits[csvNames.ours] } }
  return print(title, "CPU ms", rowsOf(results, further))
}

/** Both write the same bytes: the records have no lone surrogates. */
export const ndjsonTable = async (place: Place, count: number, rows: number): Promise<string> => {
  const results = await rounds(Object.values(ndjsonNames), count, (name) => write(place, name, rows))
  const title = `NDJSON, ${rows.toLocaleString("en")} contracts in pages of 500, ${count} rounds`
  return print(title, "CPU ms", rowsOf(results))
}

/** Without a limit: DuckDB is compiled, and its data is already columnar before the clock starts. */
export const parquetTable = async (place: Place, count: number, rows: number): Promise<string> => {
  const source = place.file("contracts.ndjson")
  const path = place.file("contracts.parquet")
  await write(place, ndjsonNames.ours, rows, source)
  const results = await rounds(Object.values(parquetNames), count, (name) =>
    name === parquetNames.duckdb ? measure(duckdb, [source, path]) : write(place, name, rows, path),
  )
  const title = `Parquet, Zstandard at level 3, ${rows.toLocaleString("en")} contracts, ${count} rounds`
  return print(title, "CPU ms", rowsOf(results))
}

export const xlsxTable = async (place: Place, count: number, rows: number): Promise<string> => {
  const { path, why } = compile(place.folder)
  const dump = place.file("rows")
  if (path !== null) dumpRows(rows, dump)
  const names = [...Object.values(xlsxNames), ...(path === null ? [] : [library])]
  const results = await rounds(names, count, (name) =>
    name === library
      ? measureProgram([path ?? "", dump, String(columnCount), place.file("c.xlsx")])
      : write(place, name, rows),
  )
  const measured = rowsOf(results)
  const missing: Row = { name: library, figures: [], note: why, limits: {} }
  const title = `XLSX, ${rows.toLocaleString("en")} contracts, ${count} rounds`
  return print(title, "CPU ms", path === null ? [...measured, missing] : measured)
}

/** Compression runs in parallel with the program if there is a second processor. */
export const coresTable = async ({ program }: Place, count: number, rows: number): Promise<string> => {
  const title = `XLSX at level 6 on two processors, ${rows.toLocaleString("en")} contracts, ${count} rounds`
  if (availableParallelism() < 2) return `### ${title}\n\nNot measured: there is one processor.\n`
  const one = "one processor"
  const all = "all processors"
  const results = await rounds([one, all], count, (name) =>
    measure(program("write"), [xlsxNames.ours6, String(rows)], name === one ? 0 : "all"),
  )
  const rowFor = (name: string, limit: Row["limits"]): Row => {
    const found = results.get(name) ?? []
    const cpu = median(found.map(({ cpuMillis }) => cpuMillis))
    const figures = found.map(({ wallMillis }) => wallMillis)
    return { name, figures, note: `CPU ${cpu.toFixed(0)} ms`, limits: limit }
  }
  return print(title, "wall ms", [rowFor(one, {}), rowFor(all, { [one]: 0.65 })])
}

/** A small workbook, from the start of Node on. */
export const smallTable = async (place: Place, count: number): Promise<string> => {
  const names = [xlsxNames.hand, xlsxNames.ours, xlsxNames.exceljs]
  const results = await rounds(names, count, (name) => write(place, name, 10_000))
  const rows = names.map((name): Row => ({
    name,
    figures: (results.get(name) ?? []).map(({ processMillis = 0 }) => processMillis),
    note: "",
    limits: {},
    atMost: name === xlsxNames.ours ? 400 : undefined,
  }))
  return print(`XLSX, 10,000 contracts, start of Node and imports included, ${count} rounds`, "CPU ms", rows)
}
