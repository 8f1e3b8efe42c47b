/**
 * The cases of `export.ts`, each in a process of its own: ways to write the same contracts, and whole exports. What a case needs is imported, and the
 * contracts are in memory, before the clock starts; no case loads what another one needs. Arguments: `write` NAME ROWS FILE, `duckdb` SOURCE FILE,
 * `dump` ROWS FILE, `slow` FORMAT ROWS FILE, or `alone` or `run` FORMAT URL FILE.
 */
import { once } from "node:events"
import { statSync } from "node:fs"
import { createRequire } from "node:module"
import { PassThrough, Writable } from "node:stream"
import { setImmediate } from "node:timers/promises"
import type { Contract } from "@deedkit/core"
import type { Cell, TableWriter } from "@deedkit/export"
import { fileAt, peer, start } from "./measure.ts"
import { prepare } from "./records.ts"
import type { Pages, Put } from "./records.ts"

/** Writes a whole file. */
type Write = (pages: Pages, put: Put) => Promise<void> | void

/** One of our writers. */
const ours = (load: () => Promise<TableWriter.TableWriter>) => async (): Promise<Write> => {
  const writer = await load()
  const { writeAll } = await import("./exportOurs.ts")
  return (pages, put) => writeAll(writer, pages, put)
}

const xlsxWriter = async (level: 1 | 6) => (await import("@deedkit/export-xlsx")).writer({ level })

/** Writes a text for each page, without a stream: the practical limit. */
const pageByPage = (
  pages: Pages,
  put: Put,
  line: (contract: Contract.Contract) => string,
  head = "",
): void => {
  let room = Buffer.alloc(0)
  let pending = head
  for (const page of pages()) {
    let lines = pending
    pending = ""
    for (const contract of page) lines += line(contract)
    if (room.byteLength < lines.length * 3) room = Buffer.allocUnsafe(lines.length * 4)
    put(room.subarray(0, room.write(lines)))
  }
}

/** Lone surrogates and big integers are not handled. */
const handNdjson = (): Write => (pages, put) =>
  pageByPage(pages, put, (contract) => `${JSON.stringify(contract)}\n`)

const headings = [
  ["Contract", "Status", "Kind", "Unit", "Listing", "City", "Area", "Created (UTC)", "Updated (UTC)"],
  ["Unit id", "Listing id", "Listing slug", "Template id", "Id in listing", "Other members (JSON)"],
].flat()

/**
 * For exactly these columns, of which the last is empty, with RFC 4180 quoting and the formula guard. The bytes are those of `@deedkit/export-csv`, which
 * the bench checks.
 */
const handCsv = async (): Promise<Write> => {
  const { FormulaGuard } = await import("@deedkit/export")
  /** Texts that begin with a letter or digit and hold nothing that needs quotes are written as they are. */
  const special =
    /[",\r\n\0\uFEFF]|^[^0-9A-Za-z\u00C0-\u02AF\u0370-\u03FF\u0620-\u064A\u3041-\u3096\u4E00-\u9FFF\uAC00-\uD7A3]| $/
  const needsQuotes = /[",\r\n\uFEFF]|^ | $/
  const careful = (text: string): string => {
    const guarded = FormulaGuard.guard(text.includes("\0") ? text.replaceAll("\0", "") : text)
    return needsQuotes.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded
  }
  const cell = (text: string): string => (special.test(text) ? careful(text) : text)
  const any = (value: Contract.Contract["unit_id"]): string => {
    if (value === null) return ""
    if (typeof value === "number") return String(value)
    return cell(typeof value === "string" ? value : JSON.stringify(value))
  }
  const line = (contract: Contract.Contract): string => {
    const { id, kind, listing, status, template_id, unit_label } = contract
    const first = `${id},${cell(status)},${cell(kind)},${cell(unit_label)},`
    const dates = `${cell(contract.created_at)},${cell(contract.updated_at)},${any(contract.unit_id)},${contract.listing_id ?? ""},`
    return listing == null
      ? `${first},,,${dates},${template_id},,\r\n`
      : `${first}${cell(listing.title)},${cell(listing.city)},${cell(listing.area)},${dates}${cell(listing.slug)},${template_id},${listing.id},\r\n`
  }
  return (pages, put) => pageByPage(pages, put, line, `${headings.join(",")}\r\n`)
}

const cells = (contract: Contract.Contract): ReadonlyArray<unknown> => {
  const { id, kind, listing, status, template_id, unit_label } = contract
  const place = [listing?.title, listing?.city, listing?.area]
  const dates = [contract.created_at, contract.updated_at, contract.unit_id, contract.listing_id]
  return [id, status, kind, unit_label, ...place, ...dates, listing?.slug, template_id, listing?.id, null]
}

/** Used as documented, like the libraries below. Neither guards formulas as well. */
const papaparse = async (): Promise<Write> => {
  const { default: papa } = await import("papaparse")
  const options = { newline: "\r\n", escapeFormulae: true }
  return (pages, put) => {
    let first: Array<ReadonlyArray<unknown>> = [headings]
    for (const page of pages()) {
      put(Buffer.from(`${papa.unparse([...first, ...page.map(cells)], options)}\r\n`))
      first = []
    }
  }
}

const fastCsv = async (): Promise<Write> => {
  type Format = (options: object) => NodeJS.ReadWriteStream
  const { format } = await peer<{ readonly format: Format }>("@fast-csv/format")
  return async (pages, put) => {
    const stream = format({ headers: headings, rowDelimiter: "\r\n", includeEndRowDelimiter: true })
    const sink = new Writable({
      write: (chunk: Buffer, _, done) => {
        put(chunk)
        done()
      },
    })
    stream.pipe(sink)
    for (const page of pages())
      for (const contract of page)
        if (!stream.write(cells(contract) as unknown as Uint8Array)) await once(stream, "drain")
    stream.end()
    await once(sink, "finish")
  }
}

/**
 * exceljs's stream writer as its documentation and most answers show it: columns with widths and styles, one row per record, committed at once. The event
 * loop runs between pages, as it does when pages are fetched.
 */
const exceljs = (): Write => {
  // As it is installed: the bundle leaves out what only this needs.
  const excel: typeof import("exceljs") = createRequire(import.meta.url)("exceljs")
  const widths = [12, 12, 12, 20, 40, 20, 20, 20, 20, 12, 12, 24, 12, 12]
  const columns = widths.map((width, at) => ({
    header: headings[at] ?? "",
    width,
    style: at === 7 || at === 8 ? { numFmt: "yyyy-mm-dd hh:mm:ss" } : {},
  }))
  return async (pages, put) => {
    const stream = new PassThrough().on("data", put)
    const workbook = new excel.stream.xlsx.WorkbookWriter({
      stream,
      useStyles: true,
      useSharedStrings: false,
      zip: { zlib: { level: 1 } },
    })
    const sheet = workbook.addWorksheet("Contracts", { views: [{ state: "frozen", ySplit: 1 }] })
    sheet.columns = columns
    const head = sheet.getRow(1)
    head.font = { bold: true, color: { argb: "FFFFFFFF" } }
    head.fill = { type: "pattern", pattern: "solid", fgColor: { argb: "FF1F4E5F" } }
    head.commit()
    for (const page of pages()) {
      for (const contract of page) {
        const row = cells(contract).slice(0, columns.length)
        row[7] = new Date(contract.created_at)
        row[8] = new Date(contract.updated_at)
        sheet.addRow(row).commit()
      }
      await setImmediate()
    }
    sheet.autoFilter = { from: "A1", to: "N1" }
    sheet.commit()
    await workbook.commit()
  }
}

const handXlsx = (level: 1 | 6) => async () => (await import("./handXlsx.ts")).handXlsx(level)

/** Every way to write, by its name in the tables. */
const cases: { readonly [name: string]: () => Write | Promise<Write> } = {
  "hand-written RFC 4180 with the same guard": handCsv,
  "@deedkit/export-csv": ours(async () => (await import("@deedkit/export-csv")).writer()),
  "papaparse, page by page, escapeFormulae": papaparse,
  "fast-csv stream, no guard": fastCsv,
  "the pages alone, nothing written": () => (pages) => {
    for (const page of pages()) if (page.length === 0) throw new Error("a page is never empty")
  },
  "JSON.stringify a line, a write a page": handNdjson,
  "@deedkit/export, NDJSON": ours(async () => (await import("@deedkit/export/formats")).ndjson.writer()),
  "@deedkit/export-parquet": ours(async () => (await import("@deedkit/export-parquet")).writer()),
  "hand-written over node:zlib, level 1": handXlsx(1),
  "@deedkit/export-xlsx, level 1": ours(() => xlsxWriter(1)),
  "exceljs stream writer, level 1": exceljs,
  "hand-written over node:zlib, level 6": handXlsx(6),
  "@deedkit/export-xlsx, level 6": ours(() => xlsxWriter(6)),
}

const write = async (name: string, rows: number, path: string): Promise<void> => {
  const before = process.cpuUsage()
  const pages = prepare(rows)
  const { system, user } = process.cpuUsage(before)
  const { close, put } = fileAt(path)
  let bytes = 0
  const run = await cases[name]!()
  const print = start((system + user) / 1_000)
  await run(pages, (chunk) => {
    put(chunk)
    bytes += chunk.byteLength
  })
  print({ records: rows, bytes })
  close()
}

/** The same Parquet file by DuckDB, on one thread. The table is in memory before the clock starts. */
const duckdb = async (source: string, path: string): Promise<void> => {
  const { DuckDBInstance } = await import("@duckdb/node-api")
  const connection = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect()
  await connection.run(`create table contracts as from read_json('${source}')`)
  const counted = await connection.runAndReadAll("select count(*)::integer from contracts")
  const print = start()
  await connection.run(
    `copy contracts to '${path}' (format parquet, compression zstd, compression_level 3, row_group_size 20480)`,
  )
  print({ records: Number(counted.getRowsJson()[0]?.[0]), bytes: statSync(path).size })
}

/** The rows in the form that `libxlsxwriter.c` reads: the number of columns, then one cell per line, with its kind as the first character. */
const dump = async (rows: number, path: string): Promise<void> => {
  const { Cell: Cells, contracts } = await import("@deedkit/export")
  const { columns } = contracts
  const cell = (kind: Cell.CellKind, value: Cell.CellValue): string => {
    const scalar = Cells.scalar(value)
    if (scalar === null) return "-"
    if (typeof scalar === "number") return `n${scalar}`
    return `${kind === "timestamp" ? "d" : "s"}${String(scalar).replaceAll("\n", "\x1f")}`
  }
  const { close, put } = fileAt(path)
  const print = start()
  put(Buffer.from(`${columns.length}\n${columns.map(({ label }) => `h${label}\n`).join("")}`))
  for (const page of prepare(rows)())
    for (const contract of page)
      put(Buffer.from(columns.map(({ get, kind }) => `${cell(kind, get(contract))}\n`).join("")))
  close()
  print({ records: rows })
}

const [kind = "", one = "", two = "", path = ""] = process.argv.slice(2)
if (kind === "write") await write(one, Number(two), path)
else if (kind === "duckdb") await duckdb(one, two)
else if (kind === "dump") await dump(Number(one), two)
else if (kind === "slow") await (await import("./exportOurs.ts")).slow(one, Number(two), path)
else await (await import("./exportRun.ts")).exportTo(kind, one, two, path)
