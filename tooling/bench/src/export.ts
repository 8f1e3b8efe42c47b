/**
 * The cost of exports: the writers compared with the practical limit and with other libraries, their memory, and whole runs compared with their read
 * and writer alone.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { build } from "rolldown"
import { count, installPeers, measure, measureProgram, median, peakOf } from "./measure.ts"
import { print, rounds, serve, tablesOf, verdict } from "./measure.ts"
import type { Measurement, Options, Results, Row } from "./measure.ts"

const csv = {
  hand: "hand-written RFC 4180 with the same guard",
  ours: "@deedkit/export-csv",
  papaparse: "papaparse, page by page, escapeFormulae",
  fastCsv: "fast-csv stream, no guard",
  pages: "the pages alone, nothing written",
}
const ndjson = { hand: "JSON.stringify a line, a write a page", ours: "@deedkit/export, NDJSON" }
const parquet = { duckdb: "DuckDB's own writer, from a table in memory", ours: "@deedkit/export-parquet" }
const xlsx = {
  hand: "hand-written over node:zlib, level 1",
  ours: "@deedkit/export-xlsx, level 1",
  exceljs: "exceljs stream writer, level 1",
  hand6: "hand-written over node:zlib, level 6",
  ours6: "@deedkit/export-xlsx, level 6",
}
const library = "libxlsxwriter (C), level 6"

const limits: { readonly [name: string]: Row["limits"] } = {
  [csv.ours]: { [csv.papaparse]: 0.48, [csv.fastCsv]: 0.45 },
  [ndjson.ours]: { [ndjson.hand]: 1.1 },
  [xlsx.ours]: { [xlsx.hand]: 0.95, [xlsx.exceljs]: 0.22 },
  [xlsx.ours6]: { [library]: 0.9 },
}

/** The temporary folder of a bench, for its files, and the bundle of `exportCases.ts`. */
interface Place {
  readonly program: string
  readonly file: (name: string) => string
}

/**
 * Bundles the cases as the command line program is bundled, so that the measured code is the code that people run, and edits of sources during a bench
 * do not change it. The bundle is in a folder that is never committed, inside the package, so that it finds what is not bundled.
 */
async function* within(work: (place: Place) => AsyncGenerator<string>): AsyncGenerator<string> {
  const cache = join(import.meta.dirname, "..", "node_modules", ".cache")
  await mkdir(cache, { recursive: true })
  const bundle = await mkdtemp(join(cache, "bundle-"))
  const folder = await mkdtemp(join(tmpdir(), "deedkit-bench-"))
  try {
    await build({
      input: join(import.meta.dirname, "exportCases.ts"),
      platform: "node",
      external: ["@duckdb/node-api", "papaparse"],
      resolve: {
        conditionNames: ["@deedkit/source", "node", "import", "default"],
        alias: { archiver: false, "fast-csv": false, unzipper: false },
      },
      logLevel: "warn",
      output: { dir: bundle, format: "esm", minify: true, chunkFileNames: "part-[name].js" },
    })
    yield* work({ program: join(bundle, "exportCases.js"), file: (name) => join(folder, name) })
  } finally {
    for (const path of [bundle, folder]) await rm(path, { recursive: true, force: true })
  }
}

const write = ({ program }: Place, name: string, rows: number, path = "/dev/null") =>
  measure(program, "write", name, String(rows), path)

const rowsOf = (results: Results, further: typeof limits = {}): ReadonlyArray<Row> =>
  Array.from(results, ([name, found]) => {
    const figures = found.map(({ cpuMillis }) => cpuMillis)
    const [{ bytes = 0, peakRssMegabytes, records } = { peakRssMegabytes: 0, records: 0 }] = found
    const notes = [
      `${count(Math.round(records / median(figures)))}k rows a CPU second`,
      ...(peakRssMegabytes > 0 ? [peakOf(found)] : []),
      ...(bytes > 0 ? [`${(bytes / 1_000_000).toFixed(1)} MB`] : []),
    ]
    return { name, figures, note: notes.join(", "), limits: further[name] ?? limits[name] }
  })

/** Checks that both write the same bytes; otherwise the handwritten code would not be a valid limit. */
const sameBytes = async (place: Place): Promise<void> => {
  const digests = new Set<string>()
  for (const name of [csv.hand, csv.ours]) {
    await write(place, name, 20_000, place.file("same.csv"))
    digests.add(
      createHash("sha256")
        .update(await readFile(place.file("same.csv")))
        .digest("hex"),
    )
  }
  if (digests.size !== 1) throw new Error("By hand and ours are not the same bytes of CSV.")
}

const csvTable = async (place: Place, times: number, rows: number) => {
  await sameBytes(place)
  const results = await rounds(Object.values(csv), times, (name) => write(place, name, rows))
  // In long files, the warm-up of the engine hardly matters.
  const hand = rows >= 1_000_000 ? 0.8 : 0.9
  const table = rowsOf(results, { [csv.ours]: { [csv.hand]: hand, ...limits[csv.ours] } })
  return print(`CSV, ${count(rows)} contracts in pages of 500, ${times} rounds`, "CPU ms", table)
}

/** Both write the same bytes: the records have no lone surrogates. */
const ndjsonTable = async (place: Place, times: number, rows: number) => {
  const results = await rounds(Object.values(ndjson), times, (name) => write(place, name, rows))
  return print(`NDJSON, ${count(rows)} contracts in pages of 500, ${times} rounds`, "CPU ms", rowsOf(results))
}

/** Without a limit: DuckDB is compiled, and its data is already columnar before the clock starts. */
const parquetTable = async (place: Place, times: number, rows: number) => {
  const source = place.file("contracts.ndjson")
  const target = place.file("contracts.parquet")
  await write(place, ndjson.ours, rows, source)
  const results = await rounds(Object.values(parquet), times, (name) =>
    name === parquet.duckdb
      ? measure(place.program, "duckdb", source, target)
      : write(place, name, rows, target),
  )
  const title = `Parquet, Zstandard at level 3, ${count(rows)} contracts, ${times} rounds`
  return print(title, "CPU ms", rowsOf(results))
}

/** Compiles the program of libxlsxwriter, the fastest writer of workbooks in C. Debian: `apt install gcc libxlsxwriter-dev`. */
const compile = (path: string): string => {
  const source = join(import.meta.dirname, "libxlsxwriter.c")
  const { error, status, stderr } = spawnSync("gcc", ["-O2", "-o", path, source, "-lxlsxwriter"], {
    encoding: "utf8",
  })
  if (error !== undefined) return "not measured: there is no gcc"
  if (status === 0) return ""
  const isMissing = /xlsxwriter\.h|-lxlsxwriter/.test(stderr)
  return isMissing ? "not measured: there is no libxlsxwriter-dev" : stderr.slice(0, 200)
}

const xlsxTable = async (place: Place, times: number, rows: number) => {
  const program = place.file("libxlsxwriter")
  const dump = place.file("rows")
  const why = compile(program)
  if (why === "") await measure(place.program, "dump", String(rows), dump)
  const names = [...Object.values(xlsx), ...(why === "" ? [library] : [])]
  const results = await rounds(names, times, (name) =>
    name === library ? measureProgram([program, dump, place.file("c.xlsx")]) : write(place, name, rows),
  )
  const missing: Row = { name: library, figures: [], note: why }
  const table = why === "" ? rowsOf(results) : [...rowsOf(results), missing]
  return print(`XLSX, ${count(rows)} contracts, ${times} rounds`, "CPU ms", table)
}

/** A small workbook, from the start of Node on. */
const smallTable = async (place: Place, times: number) => {
  const names = [xlsx.hand, xlsx.ours, xlsx.exceljs]
  const results = await rounds(names, times, (name) => write(place, name, 10_000))
  const rows = Array.from(results, ([name, found]) => ({
    name,
    figures: found.map(({ processMillis = 0 }) => processMillis),
    atMost: name === xlsx.ours ? 400 : undefined,
  }))
  return print(`XLSX, 10,000 contracts, start of Node and imports included, ${times} rounds`, "CPU ms", rows)
}

const memoryTable = async (place: Place) => {
  const rows: Array<Row> = []
  for (const name of [csv.ours, xlsx.ours]) {
    const few = (await write(place, name, 100_000)).peakRssMegabytes
    const many = (await write(place, name, 1_000_000)).peakRssMegabytes
    const more = many - few
    const note = `${more.toFixed(0)} MB more than for 100,000, limit 120: ${verdict(more <= 120)}`
    rows.push({ name: `${name}, 100,000 contracts`, figures: [few] })
    rows.push({ name: `${name}, 1,000,000 contracts`, figures: [many], note, atMost: 350 })
  }
  return print("Peak memory of writing", "peak RSS MB", rows)
}

const heldTable = async ({ file, program }: Place) => {
  const rows: Array<Row> = []
  for (const [format, name] of [
    ["csv", csv.ours],
    ["xlsx", xlsx.ours],
  ] as const) {
    const found = await measure(program, "slow", format, "200000", file(`slow.${format}`))
    rows.push({ name, figures: [(found.bytes ?? 0) / 1_048_576], note: peakOf([found]), atMost: 2 })
  }
  return print("Held back at most, while a sink takes 1 MB a second for 2 s", "MiB before packing", rows)
}

const contracts = 200_000

/** What a whole run costs more than its read and writer alone: the medians of the differences between each round and the same round of the other. */
const moreOf = (found: ReadonlyArray<Measurement>, alone: ReadonlyArray<Measurement>): string => {
  const more = (of: (measurement: Measurement) => number): number =>
    median(found.map((measurement, round) => of(measurement) - of(alone[round]!)))
  const micros = (more(({ cpuMillis }) => cpuMillis) * 1_000) / contracts
  const megabytes = more(({ peakRssMegabytes }) => peakRssMegabytes)
  return [
    `${micros.toFixed(1)} us a record more, limit 1.2: ${verdict(micros <= 1.2)}`,
    `${megabytes.toFixed(0)} MB more, limit 30: ${verdict(megabytes <= 30)}`,
  ].join("; ")
}

const runTable = async ({ file, program }: Place, times: number, size: number) => {
  await using server = await serve(contracts, 0, size, 0)
  const alone = (format: string) => `${format}: read and writer alone`
  const whole = (format: string) => `${format}: whole export`
  const formats = ["csv", "xlsx"]
  const results = await rounds(
    formats.flatMap((format) => [alone(format), whole(format)]),
    times,
    async (name) => {
      const format = name.slice(0, name.indexOf(":"))
      const how = name === alone(format) ? "alone" : "run"
      const found = await measure(program, how, format, server.url, file(`${how}.${format}`))
      if (found.records !== contracts) throw new Error(`${name} has ${found.records} of ${contracts} rows`)
      return found
    },
  )
  const rows = formats.flatMap((format): ReadonlyArray<Row> => {
    const [before, found] = [results.get(alone(format))!, results.get(whole(format))!]
    const cpu = (measured: ReadonlyArray<Measurement>) => measured.map(({ cpuMillis }) => cpuMillis)
    return [
      { name: alone(format), figures: cpu(before), note: peakOf(before) },
      {
        name: whole(format),
        figures: cpu(found),
        note: `${peakOf(found)}; ${moreOf(found, before)}`,
        limits: { [alone(format)]: 1.15 },
      },
    ]
  })
  const title = `Export of ${count(contracts)} contracts over loopback, ${size} a page, ${times} rounds`
  return print(title, "CPU ms", rows)
}

export const bench = (options: Options): AsyncGenerator<string> => {
  const { rounds: times } = options
  const sizes = (...usual: ReadonlyArray<number>) => (options.rows.length === 0 ? usual : options.rows)
  installPeers()
  return within((place) =>
    tablesOf(
      {
        async *csv() {
          for (const rows of sizes(200_000, 1_000_000)) yield await csvTable(place, times, rows)
        },
        async *ndjson() {
          for (const rows of sizes(200_000)) yield await ndjsonTable(place, times, rows)
        },
        async *parquet() {
          for (const rows of sizes(200_000)) yield await parquetTable(place, times, rows)
        },
        async *xlsx() {
          for (const rows of sizes(300_000)) yield await xlsxTable(place, times, rows)
          yield await smallTable(place, times)
        },
        async *memory() {
          yield await memoryTable(place)
          yield await heldTable(place)
        },
        async *run() {
          for (const size of [500, 100]) yield await runTable(place, times, size)
        },
      },
      options,
    ),
  )
}
