/** The compared ways to write a file, by their names in the tables. */
import * as Effect from "effect/Effect"
import type { TableWriter } from "@deedkit/export"
import type { Case } from "./files/Case.ts"

/** One of our writers. */
const ours =
  (load: () => Promise<TableWriter.TableWriter>): Case =>
  async () => {
    const writer = await load()
    const { write } = await import("./files/ours.ts")
    return (pages, put) => write(writer, pages, (bytes) => Effect.sync(() => put(bytes)))
  }

const xlsx = (level: 1 | 6): Case =>
  ours(async () => (await import("@deedkit/export-xlsx")).writer({ level }))

const handXlsx =
  (level: 1 | 6): Case =>
  async () => {
    const { handXlsx: write } = await import("./peers/handXlsx.ts")
    return (pages, put) => write(pages, put, level)
  }

export const csvNames = {
  hand: "hand-written RFC 4180 with the same guard",
  ours: "@deedkit/export-csv",
  papaparse: "papaparse, page by page, escapeFormulae",
  fastCsv: "fast-csv stream, no guard",
  pages: "the pages alone, nothing written",
} as const

export const xlsxNames = {
  hand: "hand-written over node:zlib, level 1",
  ours: "@deedkit/export-xlsx, level 1",
  exceljs: "exceljs stream writer, level 1",
  hand6: "hand-written over node:zlib, level 6",
  ours6: "@deedkit/export-xlsx, level 6",
} as const

export const ndjsonNames = {
  hand: "JSON.stringify a line, a write a page",
  ours: "@deedkit/export, NDJSON",
} as const

export const parquetNames = {
  duckdb: "DuckDB's own writer, from a table in memory",
  ours: "@deedkit/export-parquet",
} as const

export const cases: { readonly [name: string]: Case } = {
  [csvNames.hand]: async () => (await import("./peers/handCsv.ts")).handCsv,
  [csvNames.ours]: ours(async () => (await import("@deedkit/export-csv")).writer()),
  [csvNames.papaparse]: async () => (await import("./peers/peerCsv.ts")).papaparse(),
  [csvNames.fastCsv]: async () => (await import("./peers/peerCsv.ts")).fastCsv(),
  [csvNames.pages]: async () => (pages) => {
    for (const page of pages()) if (page.length === 0) throw new Error("a page is never empty")
  },
  [ndjsonNames.hand]: async () => (await import("./peers/handNdjson.ts")).handNdjson,
  [ndjsonNames.ours]: ours(async () => (await import("@deedkit/export/formats")).ndjson.writer()),
  [parquetNames.ours]: ours(async () => (await import("@deedkit/export-parquet")).writer()),
  [xlsxNames.hand]: handXlsx(1),
  [xlsxNames.ours]: xlsx(1),
  [xlsxNames.exceljs]: async () => (await import("./peers/peerXlsx.ts")).exceljs(1)(),
  [xlsxNames.hand6]: handXlsx(6),
  [xlsxNames.ours6]: xlsx(6),
}
