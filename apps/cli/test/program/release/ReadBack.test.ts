/**
 * One export of 100,000 contracts in all six formats, each read by two programs that had no part in writing it. All must see what the emulator
 * serves, value by value, but for the texts that the manifest counts.
 */
import { execFile, spawnSync } from "node:child_process"
import { open, readFile } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"
import { zstdDecompressSync } from "node:zlib"
import { Json } from "@deedkit/core"
import type { Contract } from "@deedkit/emulator"
import { DuckDBInstance } from "@duckdb/node-api"
import { parquetReadObjects } from "hyparquet"
import Papa from "papaparse"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Bench } from "../../harness/Cli.ts"
import { bench } from "../../harness/Cli.ts"

const execute = promisify(execFile)
const contracts = 100_000
const required = process.env["DEEDKIT_REQUIRE_LIBREOFFICE"] === "1"
const runs = (command: string, args: ReadonlyArray<string>): boolean =>
  spawnSync(command, args, { stdio: "ignore" }).status === 0
/** Debian's package serves Debian's Python, which may not be the first on the path. */
const python = ["python3", "/usr/bin/python3"].find((command) => runs(command, ["-c", "import openpyxl"]))
const has = (program: string, isThere: boolean): boolean => {
  if (!isThere) console.warn(`SKIPPED: ${program} is not installed, so it reads no export back.`)
  return required || isThere
}
const withPython = has("Python with openpyxl", python !== undefined)
const withLibreOffice = has("LibreOffice", runs("soffice", ["--version"]))
const withJq = has("jq", runs("jq", ["--version"]))

const formats = ["csv", "tsv", "xlsx", "json", "ndjson", "parquet"]
const columns =
  "id status kind unit_label listing.title listing.city listing.area created_at updated_at unit_id listing_id listing.slug template_id listing.id extra".split(
    " ",
  )

/** The hostile values of the newest contracts, in one of eight others too: long texts cut, so that files stay small. */
const spread = ({ emulator: { store } }: Bench): void => {
  const all = store.contracts
  const hostile = all.slice(0, 60)
  const short = (text: string): string => text.slice(0, 600)
  for (const [at, { id, listing, updated_at }] of all.entries()) {
    if (at < hostile.length || at % 8 !== 0) continue
    const from = hostile[(at / 8) % hostile.length]!
    const texts =
      from.listing == null || listing == null
        ? {}
        : { title: short(from.listing.title), area: short(from.listing.area) }
    store.update(id, {
      updated_at,
      unit_id: from.unit_id,
      unit_label: short(from.unit_label),
      kind: short(from.kind),
      ...(listing == null ? {} : { listing: { ...listing, ...texts } }),
    })
  }
}

/** A record as the wire has it, with U+FFFD for each half of a surrogate pair. */
const whole = (value: Json.Json): Json.Json =>
  typeof value === "string"
    ? value.toWellFormed()
    : Array.isArray(value)
      ? value.map(whole)
      : Json.isObject(value)
        ? Object.fromEntries(
            Object.entries(value).map(([name, inner]) => [name.toWellFormed(), whole(inner)]),
          )
        : value

const wireOf = (contract: Contract): Json.Json => whole(Json.parse(Json.stringify(contract)))

/** A cell as every format of columns has it: nothing, or the text of a value. */
const cellOf = (value: Json.Json | undefined): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : Json.stringify(value)

/** What a reader gives for a cell, as text. */
const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  return typeof value === "string"
    ? value
    : typeof value === "object"
      ? JSON.stringify(value)
      : `${value as number}`
}

/** What text formats leave out, and what workbooks do. */
const withoutNul = (text: string): string => text.replaceAll("\0", "")
const forXml = (text: string): string =>
  text.replaceAll(/[\p{Cc}\uFFFE\uFFFF]/gu, (character) =>
    /[\t\n\r\x7F-\x9F]/.test(character) ? character : "",
  )

/** A row made from the wire here, not by the tables that wrote the files. */
const rowOf = (wire: { readonly [member: string]: Json.Json }): ReadonlyArray<string> => {
  const { internal_reference, listing } = wire
  return columns.map((column) => {
    if (column === "extra") return Json.stringify({ internal_reference: internal_reference ?? null })
    const [outer = "", inner] = column.split(".")
    return cellOf(inner === undefined ? wire[outer] : Json.isObject(listing) ? listing[inner] : null)
  })
}

const longText = /^\[\d+ characters: see line \d+ of contracts\.\w+\.texts\.ndjson\]$/
const isTime = (column: number): boolean => columns[column]!.endsWith("_at")

/** Counts the cells that differ, and keeps the first with its place. */
const compared = () => {
  const found = { rows: 0, cells: 0, first: null as unknown }
  const take = (isSame: boolean, more: () => object): void => {
    if (isSame) return
    found.cells += 1
    found.first ??= { row: found.rows, ...more() }
  }
  return { found, take }
}

describe("an export of 100,000 contracts with every hostile value", () => {
  let trial: Bench
  let wires: ReadonlyArray<Json.Json>
  let rows: ReadonlyArray<ReadonlyArray<string>>
  const file = (format: string): string => join(trial.folder, `contracts.${format}`)
  const none = { rows: contracts, cells: 0, first: null }

  beforeAll(async () => {
    trial = await bench({ contracts, hurting: true, assumptions: { unknownMember: true } })
    spread(trial)
    wires = trial.emulator.store.contracts.map(wireOf)
    rows = wires.map((wire) => rowOf(wire as never))
    const args = "export contracts --headers api --formula-guard off --rate 0 --page-size 1000 --quiet"
    const outs = formats.flatMap((format) => ["--out", `contracts.${format}`])
    const { code, stderr } = await trial.run([...args.split(" "), ...outs])
    if (code !== 0) throw new Error(`the export ended with ${code}: ${stderr}`)
  }, 240_000)
  afterAll(() => trial[Symbol.asyncDispose]())

  /** Compares cells under headings with the rows; `held` is a text as the format can hold it. */
  const differences = async (
    found: AsyncIterable<ReadonlyArray<unknown>> | Iterable<ReadonlyArray<unknown>>,
    held: (text: string) => string,
    same: (wanted: string, got: string, column: number) => boolean = (wanted, got) => wanted === got,
  ) => {
    const { found: result, take } = compared()
    for await (const cells of found) {
      const wanted = rows[result.rows] ?? []
      for (const [column, text] of wanted.entries()) {
        const [want, got] = [held(text), textOf(cells[column])]
        const isLong = text.length > 32_767 && longText.test(got)
        take(isLong || same(want, got, column), () => ({ column: columns[column], want, got }))
      }
      result.rows += 1
    }
    return result
  }

  /** The lines of a file that another program wrote, as JSON. */
  async function* linesOf(name: string): AsyncGenerator<Json.Json> {
    // Node's readline would also break lines at U+2028.
    for (const line of (await trial.file(name)).trimEnd().split("\n")) yield Json.parse(line)
  }

  /** Runs Python with a file, and gives the lines that it prints. */
  async function* byPython(program: string, format: string): AsyncGenerator<Json.Json> {
    const name = `${format}.python`
    const script = `import csv, json, sys\nout = open(sys.argv[2], "w", encoding="utf-8", newline="\\n")\ndef put(row): out.write(json.dumps(row, separators=(",", ":")) + "\\n")\n${program}\nout.close()`
    await execute(python ?? "python3", ["-c", script, file(format), join(trial.folder, name)])
    yield* linesOf(name)
  }

  const cellsOf = async function* (lines: AsyncIterable<Json.Json>): AsyncGenerator<ReadonlyArray<unknown>> {
    for await (const line of lines) yield line as ReadonlyArray<unknown>
  }

  describe.each([
    ["csv", ","],
    ["tsv", "\t"],
  ])("as %s", (format, delimiter) => {
    it.runIf(withPython)(
      "is read by Python's csv",
      async () => {
        const program = `csv.field_size_limit(10000000)\nreader = csv.reader(open(sys.argv[1], encoding="utf-8", newline=""), delimiter=${JSON.stringify(delimiter)})\nnext(reader)\nfor row in reader: put(row)`
        expect(await differences(cellsOf(byPython(program, format)), withoutNul)).toEqual(none)
      },
      60_000,
    )

    it("is read by papaparse", async () => {
      const text = await readFile(file(format), "utf8")
      const { data } = Papa.parse<ReadonlyArray<string>>(text, {
        delimiter,
        newline: "\r\n",
        skipEmptyLines: true,
      })
      expect(data[0]).toEqual(columns)
      expect(await differences(data.slice(1), withoutNul)).toEqual(none)
    }, 60_000)
  })

  const mostExact = 999_999_999_999_999
  /** Of cells that are numbers or booleans in a workbook. */
  const sameNumber = (want: string, got: string): boolean =>
    want === got || (want !== "" && Math.abs(Number(want)) <= mostExact && Number(want) === Number(got))
  const sameTime = (want: string, got: string): boolean =>
    Math.abs(Date.parse(want) - Date.parse(`${got.replace(" ", "T").replace("Z", "")}Z`)) < 1_000

  it.runIf(withPython)(
    "as a workbook is read by openpyxl",
    async () => {
      const program = `import datetime, openpyxl
plain = lambda value: value.isoformat() if isinstance(value, datetime.datetime) else value
rows = openpyxl.load_workbook(sys.argv[1], read_only=True)["Contracts"].iter_rows(values_only=True)
next(rows)
for row in rows: put([plain(value) for value in row])`
      const found = await differences(cellsOf(byPython(program, "xlsx")), forXml, (want, got, column) =>
        isTime(column) ? sameTime(want, got) : sameNumber(want, got),
      )
      expect(found).toEqual(none)
    },
    120_000,
  )

  it.runIf(withLibreOffice)(
    "as a workbook is read by LibreOffice, and no cell is evaluated",
    async () => {
      const filter = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,false"
      const profile = `-env:UserInstallation=file://${join(trial.folder, "profile")}`
      const folder = join(trial.folder, "read-back")
      const args = [profile, "--headless", "--convert-to", filter, "--outdir", folder, file("xlsx")]
      await execute("soffice", args, { timeout: 240_000 })
      const text = await readFile(join(folder, "contracts.csv"), "utf8")
      const { data } = Papa.parse<ReadonlyArray<string>>(text, { skipEmptyLines: true })
      // It shows booleans in capitals, and a carriage return as a line break.
      const shown = (value: string): string => value.replaceAll(/\r\n?/g, "\n")
      const found = await differences(data.slice(1), forXml, (want, got, column) =>
        isTime(column)
          ? sameTime(want, got)
          : sameNumber(want, got) || shown(want) === shown(got) || want.toUpperCase() === got,
      )
      expect(found).toEqual(none)
    },
    240_000,
  )

  /** Compares records; programs that have floating numbers only give the nearest one. */
  const differingRecords = async (found: AsyncIterable<Json.Json>, isExact: boolean) => {
    const { found: result, take } = compared()
    const text = (value: Json.Json): string =>
      isExact ? Json.stringify(value) : JSON.stringify(JSON.parse(Json.stringify(value)))
    for await (const record of found) {
      const [want, got] = [text(wires[result.rows] ?? null), text(record)]
      take(want === got, () => ({ want, got }))
      result.rows += 1
    }
    return result
  }

  it.runIf(withPython).each([
    ["json", "for record in json.load(open(sys.argv[1], encoding='utf-8')): put(record)"],
    ["ndjson", "for line in open(sys.argv[1], encoding='utf-8', newline='\\n'): put(json.loads(line))"],
  ])(
    "as %s is read by Python",
    async (format, program) => {
      expect(await differingRecords(byPython(program, format), true)).toEqual(none)
    },
    60_000,
  )

  it.runIf(withJq).each([
    ["json", ".[]"],
    ["ndjson", "."],
  ])(
    "as %s is read by jq",
    async (format, filter) => {
      const out = await open(join(trial.folder, `${format}.jq`), "w")
      const { status } = spawnSync("jq", ["-c", filter, file(format)], {
        stdio: ["ignore", out.fd, "inherit"],
      })
      await out.close()
      expect(status).toBe(0)
      expect(await differingRecords(linesOf(`${format}.jq`), false)).toEqual(none)
    },
    60_000,
  )

  /** JSON columns hold JSON texts. */
  const sameJson = (want: string, got: string, column: number): boolean => {
    if (isTime(column)) return Date.parse(want) === Number(got)
    if (columns[column] !== "unit_id") return want === got
    return got === "" ? want === "" : want === cellOf(Json.parse(got))
  }

  it("as Parquet is read by DuckDB", async () => {
    const parts = columns.map((column) =>
      isTime(columns.indexOf(column)) ? `epoch_ms(${column})` : `'=' || ${column}::varchar`,
    )
    const connection = await (await DuckDBInstance.create(":memory:")).connect()
    const result = await connection.runAndReadAll(`select ${parts.join(", ")} from '${file("parquet")}'`)
    // The binding drops a byte order mark at the start of a text, so each starts with another character.
    const cells = result
      .getRowsJson()
      .map((row) => row.map((cell, at) => (isTime(at) || cell === null ? cell : textOf(cell).slice(1))))
    expect(await differences(cells, (text) => text, sameJson)).toEqual(none)
    connection.closeSync()
  }, 60_000)

  it("as Parquet is read by hyparquet", async () => {
    const { buffer, byteLength, byteOffset } = await readFile(file("parquet"))
    const decoder = new TextDecoder("utf-8", { ignoreBOM: true })
    const records = await parquetReadObjects({
      file: buffer.slice(byteOffset, byteOffset + byteLength),
      compressors: { ZSTD: (bytes) => new Uint8Array(zstdDecompressSync(bytes)) },
      parsers: {
        jsonFromBytes: (bytes: Uint8Array) => decoder.decode(bytes),
        stringFromBytes: (bytes: Uint8Array) => decoder.decode(bytes),
        timestampFromMicroseconds: (micros: bigint) => micros / 1_000n,
      },
    })
    const cells = records.map((record) =>
      columns.map((column) => {
        const [outer = "", inner] = column.split(".")
        return inner === undefined
          ? record[outer]
          : (record[outer] as Record<string, unknown> | null)?.[inner]
      }),
    )
    expect(await differences(cells, (text) => text, sameJson)).toEqual(none)
  }, 60_000)

  it("is counted by the manifest where a text could not be kept", async () => {
    const { textsChanged, verdict } = JSON.parse(await trial.file("contracts.csv.manifest.json")) as {
      readonly verdict: string
      readonly textsChanged: { readonly [format: string]: { readonly [column: string]: number } }
    }
    const asGiven = trial.emulator.store.contracts.flatMap((contract) =>
      rowOf(Json.parse(Json.stringify(contract)) as never),
    )
    const changedBy = (held: (text: string) => string): number =>
      asGiven.filter((text) => held(text) !== text).length
    const wellFormed = changedBy((text) => text.toWellFormed())
    const text = changedBy((each) => withoutNul(each.toWellFormed()))
    const sum = (cells: object): number => Object.values(cells).reduce((total, count) => total + count, 0)
    expect(verdict).toBe("complete")
    expect(Object.entries(textsChanged).map(([format, cells]) => [format, sum(cells)])).toEqual([
      ["csv", text],
      ["tsv", text],
      ["xlsx", changedBy((each) => forXml(each.toWellFormed()))],
      ["json", wellFormed],
      ["ndjson", wellFormed],
      ["parquet", wellFormed],
    ])
    expect(wellFormed).toBeGreaterThan(100)
  })
})
