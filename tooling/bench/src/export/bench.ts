/** The cost of exports: the writers compared with the practical limit and other libraries, their memory, and whole runs. */
import { install } from "../measure/Peers.ts"
import { browserTable } from "./browser/browser.ts"
import { runTable, twoSheetsTable } from "./exporting.ts"
import { heldTable, memoryTable } from "./memory.ts"
import type { Place } from "./files/Place.ts"
import { within } from "./files/Place.ts"
import { coresTable, csvTable, ndjsonTable, parquetTable, smallTable, xlsxTable } from "./writing.ts"

export interface BenchOptions {
  readonly rounds: number
  /** Numbers of rows for the tables about writing; empty for the defaults. */
  readonly rows: ReadonlyArray<number>
  /** Names of parts; empty for all. */
  readonly parts: ReadonlyArray<string>
}

type Part = (place: Place, options: BenchOptions) => AsyncGenerator<string>

const orUsual = (rows: ReadonlyArray<number>, ...usual: ReadonlyArray<number>): ReadonlyArray<number> =>
  rows.length === 0 ? usual : rows

const parts: { readonly [name: string]: Part } = {
  csv: async function* (place, { rounds, rows }) {
    for (const count of orUsual(rows, 200_000, 1_000_000)) yield await csvTable(place, rounds, count)
  },
  ndjson: async function* (place, { rounds, rows }) {
    for (const count of orUsual(rows, 200_000)) yield await ndjsonTable(place, rounds, count)
  },
  parquet: async function* (place, { rounds, rows }) {
    for (const count of orUsual(rows, 200_000)) yield await parquetTable(place, rounds, count)
  },
  xlsx: async function* (place, { rounds, rows }) {
    for (const count of orUsual(rows, 300_000)) yield await xlsxTable(place, rounds, count)
    yield await smallTable(place, rounds)
  },
  cores: async function* (place, { rounds, rows }) {
    for (const count of orUsual(rows, 300_000)) yield await coresTable(place, rounds, count)
  },
  memory: async function* (place) {
    yield await memoryTable(place)
    yield await heldTable(place)
  },
  run: async function* (place, { rounds }) {
    for (const size of [500, 100]) yield await runTable(place, rounds, size)
    yield await twoSheetsTable(place)
  },
  browser: async function* (place, { rows }) {
    for (const count of orUsual(rows, 100_000)) yield await browserTable(place, count)
  },
}

/** Prints the tables. */
export const bench = async (options: BenchOptions): Promise<void> => {
  const wanted = options.parts.length === 0 ? Object.keys(parts) : options.parts
  const chosen = wanted.map((name) => {
    const part = parts[name]
    if (part === undefined) {
      throw new Error(`There is no part "${name}"; there is: ${Object.keys(parts).join(", ")}.`)
    }
    return part
  })
  install()
  await within(async (place) => {
    for (const part of chosen) for await (const table of part(place, options)) console.log(table)
  })
}
