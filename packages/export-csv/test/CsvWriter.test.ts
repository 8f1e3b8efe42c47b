import type { Contract } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"
import { Cell, Column, contracts, FormulaGuard, Table, TableWriter, TimeZone } from "@deedkit/export"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import Papa from "papaparse"
import type { CsvOptions } from "../src/CsvWriter.ts"
import { writer } from "../src/CsvWriter.ts"
import type { FlavourName } from "../src/Format.ts"
import { flavours } from "../src/Format.ts"
import { nastyText } from "./nasty.ts"

type Row = ReadonlyArray<Cell.CellValue>

/** A table of as many columns as there are headings. */
const tableOf = (headings: ReadonlyArray<string>): Table.Table<Row> => ({
  name: "rows",
  title: "Rows",
  columns: headings.map((label, index): Column.Column<Row> => ({
    name: `c${index}`,
    label,
    kind: "json",
    get: (row) => row[index] ?? null,
  })),
  onDemand: [],
})

const chunksOf = (
  headings: ReadonlyArray<string>,
  pages: ReadonlyArray<ReadonlyArray<Row>>,
  options?: CsvOptions,
  writeOptions?: Parameters<typeof TableWriter.bytes>[3],
) =>
  Stream.runCollect(
    TableWriter.bytes(writer(options), tableOf(headings), Stream.fromIterable(pages), writeOptions),
  )

const text = (chunks: ReadonlyArray<Uint8Array>) => {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode()
}

const written = (...parameters: Parameters<typeof chunksOf>) => Effect.map(chunksOf(...parameters), text)

describe("the bytes", () => {
  it.effect("are lines that end in CRLF, headings first", () =>
    Effect.gen(function* () {
      const csv = yield* written(["Id", "City"], [[[1, "Chania"]], [[2, null]]])
      expect(csv).toBe("Id,City\r\n1,Chania\r\n2,\r\n")
    }),
  )

  it.effect("hold the headings even when there is no record or no page", () =>
    Effect.gen(function* () {
      for (const pages of [[], [[]]]) expect(yield* written(["Id", "City"], pages)).toBe("Id,City\r\n")
    }),
  )

  it.effect("never begin with the letters ID, by which Excel takes a file for SYLK", () =>
    Effect.gen(function* () {
      const first = (headings: ReadonlyArray<string>, options?: CsvOptions) =>
        Effect.map(written(headings, [], options), (csv) => csv.split("\r\n")[0])
      expect(yield* first(["ID", "City"])).toBe('"ID",City')
      expect(yield* first(["IDENTITY"], { flavour: "tsv" })).toBe('"IDENTITY"')
      expect(yield* first(["ID,1"])).toBe('"ID,1"')
      expect(yield* first(["City", "ID"])).toBe("City,ID")
    }),
  )

  it.effect("are one chunk a page, and none for an empty page", () =>
    Effect.gen(function* () {
      const chunks = yield* chunksOf(["Id"], [[[1], [2]], [], [[3]]])
      expect(chunks.map((chunk) => text([chunk]))).toEqual(["Id\r\n1\r\n2\r\n", "3\r\n"])
    }),
  )

  it.effect("are none when the first page fails", () =>
    Effect.gen(function* () {
      const chunks: Array<Uint8Array> = []
      const bytes = TableWriter.bytes(writer(), tableOf(["Id"]), Stream.fail("offline" as const))
      const error = yield* Effect.flip(
        Stream.runForEach(bytes, (chunk) => Effect.sync(() => chunks.push(chunk))),
      )
      expect([error, chunks]).toEqual(["offline", []])
    }),
  )

  it.effect("are the same whole file each time the stream is run", () =>
    Effect.gen(function* () {
      const bytes = TableWriter.bytes(writer({ flavour: "excel" }), tableOf(["Id"]), Stream.make([[1]]))
      expect(text(yield* Stream.runCollect(bytes))).toBe("\uFEFFId\r\n1\r\n")
      expect(text(yield* Stream.runCollect(bytes))).toBe("\uFEFFId\r\n1\r\n")
    }),
  )

  it.effect("have the service's names as headings when they are asked for", () =>
    Effect.gen(function* () {
      const bytes = TableWriter.bytes(writer(), contracts, Stream.empty, { headings: "api" })
      expect(text(yield* Stream.runCollect(bytes))).toBe(
        "id,status,kind,unit_label,listing.title,listing.city,listing.area,created_at,updated_at,unit_id,listing_id," +
          "listing.slug,template_id,listing.id,extra\r\n",
      )
    }),
  )

  it.effect("keep a record of one empty cell apart from an empty line", () =>
    Effect.gen(function* () {
      expect(yield* written(["City"], [[[null], [""], ["Chania"]]])).toBe('City\r\n""\r\n""\r\nChania\r\n')
    }),
  )
})

describe("a flavour", () => {
  const rows = [[["2A, back; left\tdoor", 5]]]

  it.each<readonly [FlavourName | undefined, string]>([
    [undefined, 'Unit,Floor\r\n"2A, back; left\tdoor",5\r\n'],
    ["rfc4180", 'Unit,Floor\r\n"2A, back; left\tdoor",5\r\n'],
    ["excel", '\uFEFFUnit,Floor\r\n"2A, back; left\tdoor",5\r\n'],
    ["excel-eu", '\uFEFFUnit;Floor\r\n"2A, back; left\tdoor";5\r\n'],
    ["libreoffice", '\uFEFFUnit,Floor\r\n"2A, back; left\tdoor",5\r\n'],
    ["tsv", 'Unit\tFloor\r\n"2A, back; left\tdoor"\t5\r\n'],
  ])("%s separates and marks the file its way", async (flavour, expected) => {
    expect(await Effect.runPromise(written(["Unit", "Floor"], rows, { flavour }))).toBe(expected)
  })

  it.each<readonly [FlavourName, string]>([
    ["rfc4180", "0.333,1.5e-7,12,1.5"],
    ["excel", "0.333,1.5e-7,12,1.5"],
    ["excel-eu", "0,333;1,5e-7;12;1.5"],
    ["libreoffice", "0.333,1.5e-7,12,1.5"],
    ["tsv", "0.333\t1.5e-7\t12\t1.5"],
  ])("%s writes fractions with its decimal mark, and texts unchanged", async (flavour, line) => {
    const csv = await Effect.runPromise(
      written(["A", "B", "C", "D"], [[[0.333, 1.5e-7, 12, "1.5"]]], { flavour }),
    )
    expect(csv.split("\r\n")[1]).toBe(line)
  })

  it.each([
    [["ID", "City"], '"ID",City\r\n'],
    [["IDENTITY"], '"IDENTITY"\r\n'],
    [['ID "old"', "City"], '"ID ""old""",City\r\n'],
    [["Id", "ID"], "Id,ID\r\n"],
    [[""], '""\r\n'],
    [["", ""], ",\r\n"],
  ])("never begins with the letters ID, by which Excel knows another format: %j", async (headings, csv) => {
    expect(await Effect.runPromise(written(headings, []))).toBe(csv)
  })

  it("says how its files are called and what they are", () => {
    expect(writer().format).toEqual({
      name: "csv",
      extensions: ["csv"],
      mediaType: "text/csv; charset=utf-8",
      sheets: "one",
      limits: TableWriter.unlimited,
    })
    expect(writer({ flavour: "tsv" }).format).toMatchObject({ name: "tsv", extensions: ["tsv"] })
  })
})

describe("times", () => {
  const zoned = Result.getOrThrow(TimeZone.apply(contracts, "Europe/Athens"))
  const fields = ["id", "created_at"]
  const cellOf = async (table: Table.Table<Contract.Contract>, at: string, options: CsvOptions) => {
    const chosen = Result.getOrThrow(Table.select(table, fields))
    const record = Fixtures.contract({ id: 1, created_at: at })
    const chunks = await Effect.runPromise(
      Stream.runCollect(TableWriter.bytes(writer(options), chosen, Stream.make([record]))),
    )
    return text(chunks).split("\r\n").slice(0, 2).join("|").replace("\uFEFF", "")
  }

  it.each<readonly [CsvOptions, string, string]>([
    [{ flavour: "excel" }, "2025-06-29T15:07:20Z", "Contract,Created (UTC)|1,2025-06-29 15:07:20"],
    [{ flavour: "excel-eu" }, "2025-06-29T15:07:20Z", "Contract;Created (UTC)|1;2025-06-29 15:07:20"],
    [{ flavour: "libreoffice" }, "2025-06-29T15:07:20Z", "Contract,Created (UTC)|1,2025-06-29T15:07:20"],
    [{ flavour: "rfc4180" }, "2025-06-29T15:07:20Z", "Contract,Created (UTC)|1,2025-06-29T15:07:20Z"],
    [{ flavour: "tsv" }, "2025-06-29T15:07:20Z", "Contract\tCreated (UTC)|1\t2025-06-29T15:07:20Z"],
    [
      { flavour: "tsv", times: "dates" },
      "2025-06-29T15:07:20Z",
      "Contract\tCreated (UTC)|1\t2025-06-29 15:07:20",
    ],
    [
      { flavour: "excel", times: "instants" },
      "2025-06-29T15:07:20Z",
      "Contract,Created (UTC)|1,2025-06-29T15:07:20Z",
    ],
    [
      { flavour: "libreoffice", times: "dates" },
      "2025-06-29T15:07:20Z",
      "Contract,Created (UTC)|1,2025-06-29T15:07:20",
    ],
    [{ flavour: "excel" }, "2025-06-29T15:07:20.999Z", "Contract,Created (UTC)|1,2025-06-29 15:07:20"],
    [{ flavour: "excel" }, "2024-02-29T23:59:59Z", "Contract,Created (UTC)|1,2024-02-29 23:59:59"],
    [{ flavour: "excel" }, "2025-06-30T01:07:20+02:00", "Contract,Created (UTC)|1,2025-06-29 23:07:20"],
    [{ flavour: "excel" }, "2025-02-29T15:07:20Z", "Contract,Created (UTC)|1,2025-02-29T15:07:20Z"],
    [{ flavour: "excel" }, "=soon", "Contract,Created (UTC)|1,'=soon"],
  ])("are written for their readers: %j %s", async (options, at, expected) => {
    expect(await cellOf(contracts, at, options)).toBe(expected)
  })

  it.each<readonly [CsvOptions, string, string]>([
    [
      { flavour: "rfc4180" },
      "2025-10-26T00:30:00Z",
      "Contract,Created (Europe/Athens)|1,2025-10-26T03:30:00+03:00",
    ],
    [
      { flavour: "rfc4180" },
      "2025-10-26T01:30:00Z",
      "Contract,Created (Europe/Athens)|1,2025-10-26T03:30:00+02:00",
    ],
    [
      { flavour: "excel" },
      "2025-10-26T01:30:00.5Z",
      "Contract,Created (Europe/Athens)|1,2025-10-26 03:30:00",
    ],
    [
      { flavour: "libreoffice" },
      "2025-10-26T01:30:00Z",
      "Contract,Created (Europe/Athens)|1,2025-10-26T03:30:00",
    ],
    [{ flavour: "excel" }, "2025-02-29T15:07:20Z", "Contract,Created (Europe/Athens)|1,2025-02-29T15:07:20Z"],
  ])(
    "of another zone have their offset, or the zone in the heading: %j %s",
    async (options, at, expected) => {
      expect(await cellOf(zoned, at, options)).toBe(expected)
    },
  )
})

describe("the formula guard", () => {
  it.effect("covers headings too", () =>
    Effect.gen(function* () {
      expect(yield* written(["=Id"], [[["@a"]]])).toBe("'=Id\r\n'@a\r\n")
    }),
  )

  it.effect("can be taken off for programs, headings included", () =>
    Effect.gen(function* () {
      expect(yield* written(["=Id"], [[["@a"]]], { formulaGuard: "off" })).toBe("=Id\r\n@a\r\n")
    }),
  )
})

it.effect("reports changed texts by page and column", () =>
  Effect.gen(function* () {
    const changes: Array<TableWriter.TextsChanged> = []
    const pages = [
      [
        ["a\uD800", "b"],
        ["\0", "b"],
      ],
      [["a", "\0b"]],
      [["a", "b"]],
    ]
    yield* chunksOf(["A", "B"], pages, {}, { onTextsChanged: (changed) => changes.push(changed) })
    expect(changes).toEqual([
      { column: "c0", cells: 2 },
      { column: "c1", cells: 1 },
    ])
  }),
)

describe("any table", () => {
  const cell = fc.oneof(
    { weight: 4, arbitrary: nastyText },
    fc.integer(),
    fc.bigInt(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  )
  const tables = fc.integer({ min: 1, max: 5 }).chain((width) =>
    fc.record({
      headings: fc.array(nastyText, { minLength: width, maxLength: width }),
      pages: fc.array(fc.array(fc.array(cell, { minLength: width, maxLength: width }), { maxLength: 4 }), {
        maxLength: 3,
      }),
    }),
  )
  const settings = fc.record({
    flavour: fc.constantFrom(...(Object.keys(flavours) as ReadonlyArray<FlavourName>)),
    formulaGuard: fc.constantFrom("on", "off"),
  })
  /** The texts of the cells, headings first. */
  const textsOf = (
    { headings, pages }: { readonly headings: Row; readonly pages: ReadonlyArray<ReadonlyArray<Row>> },
    { flavour = "rfc4180", formulaGuard }: CsvOptions,
  ) =>
    [headings, ...pages.flat()].map((row) =>
      row.map((value) => {
        if (typeof value === "number") return String(value).replace(".", flavours[flavour].decimalMark)
        if (typeof value !== "string") return String(Cell.scalar(value) ?? "")
        const clean = Cell.clean(value)
        return formulaGuard === "off" ? clean : FormulaGuard.guard(clean)
      }),
    )

  it("has the bytes that papaparse writes with the settings of the flavour", () =>
    fc.assert(
      fc.asyncProperty(tables, settings, async (table, options) => {
        const { byteOrderMark, delimiter } = flavours[options.flavour]
        const lines = Papa.unparse(textsOf(table, options), {
          delimiter,
          newline: "\r\n",
          quotes: (value: unknown) => table.headings.length === 1 && value === "",
        })
        const csv = await Effect.runPromise(written(table.headings, table.pages, options))
        expect(csv).toBe(`${byteOrderMark ? "\uFEFF" : ""}${lines}\r\n`)
      }),
      { numRuns: 400 },
    ))

  it("comes back cell by cell when papaparse reads it", () =>
    fc.assert(
      fc.asyncProperty(tables, settings, async (table, options) => {
        const { byteOrderMark, delimiter } = flavours[options.flavour]
        const csv = await Effect.runPromise(written(table.headings, table.pages, options))
        const { data, errors } = Papa.parse<ReadonlyArray<string>>(csv.slice(byteOrderMark ? 1 : 0, -2), {
          delimiter,
          newline: "\r\n",
        })
        expect(errors).toEqual([])
        expect(data).toEqual(textsOf(table, options))
      }),
      { numRuns: 400 },
    ))

  it("holds no text that a spreadsheet would evaluate", () =>
    fc.assert(
      fc.asyncProperty(tables, async ({ headings, pages }) => {
        const rows = [headings, ...pages.flat()]
        const csv = await Effect.runPromise(written(headings, pages))
        const { data } = Papa.parse<ReadonlyArray<string>>(csv.slice(0, -2), {
          delimiter: ",",
          newline: "\r\n",
        })
        const texts = data.flatMap((cells, line) =>
          cells.filter((_, index) => typeof rows[line]![index] === "string"),
        )
        expect(texts.filter(FormulaGuard.evaluates)).toEqual([])
      }),
    ))
})
