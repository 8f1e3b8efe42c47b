import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { CellKind, CellValue } from "../../src/table/Cell.ts"
import { ExportError } from "../../src/error/ExportError.ts"
import type { LongText } from "../../src/write/LongText.ts"
import type { Table } from "../../src/table/Table.ts"
import type { Format, Limits, FileWriter, SheetOptions } from "../../src/write/TableWriter.ts"
import { unlimited, withinLimits } from "../../src/write/TableWriter.ts"
import type { Row } from "../fixtures/list.ts"
import { rows } from "../fixtures/list.ts"

const formatOf = (limits: Partial<Limits>, sheets: Format["sheets"] = "many"): Format => ({
  name: "book",
  extensions: ["book"],
  mediaType: "application/book",
  sheets,
  limits: { ...unlimited, ...limits },
})

interface SheetSeen {
  readonly title: string
  readonly options: SheetOptions | undefined
  readonly pages: Array<ReadonlyArray<ReadonlyArray<CellValue>>>
  readonly columns: Table<never>["columns"]
  ended: boolean
}

/** A file that keeps what it is given. It asks for each cell so many times, as a writer may. */
const recorder = (asks = 1) => {
  const sheets: Array<SheetSeen> = []
  const file: FileWriter<never> = {
    sheet: (table, options) =>
      Effect.sync(() => {
        expect(sheets.every((before) => before.ended)).toBe(true)
        const { columns, title } = table
        const seen: SheetSeen = { title, options, columns, pages: [], ended: false }
        sheets.push(seen)
        return {
          add: (records) =>
            Effect.sync(() => {
              const page = () => records.map((record) => columns.map(({ get }) => get(record)))
              const answers = Array.from({ length: asks }, page)
              for (const answer of answers) expect(answer).toEqual(answers[0])
              seen.pages.push(answers.at(-1)!)
            }),
          end: Effect.sync(() => void (seen.ended = true)),
        }
      }),
    end: Effect.void,
  }
  return { file, sheets }
}

const never = { cellNote: () => "never" }

const idsOf = ({ pages }: SheetSeen) => pages.map((page) => page.map(([id]) => id))

/** Writes pages with so many records each, and gives the ids of each page of each sheet. */
const split = (maxRows: number, sizes: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const { file, sheets } = recorder()
    const sheet = yield* withinLimits(file, formatOf({ maxRows }), rows, never)
    let id = 0
    for (const size of sizes)
      yield* sheet.add(
        Array.from({ length: size }, () => ({ id: (id += 1) })),
        0,
      )
    yield* sheet.end
    expect(sheets.every(({ ended }) => ended)).toBe(true)
    expect(sheet.count()).toBe(sheets.length)
    return sheets
  })

describe("rows beyond the limit of a sheet", () => {
  for (const [maxRows, sizes, expected] of [
    [1, [3], [[[1]], [[2]], [[3]]]],
    [1, [1, 1], [[[1]], [[2]]]],
    [2, [1, 1, 1], [[[1], [2]], [[3]]]],
    [2, [3], [[[1, 2]], [[3]]]],
    [2, [1, 4], [[[1], [2]], [[3, 4]], [[5]]]],
    [3, [3], [[[1, 2, 3]]]],
    [3, [2, 0, 1], [[[1, 2], [], [3]]]],
    [3, [3, 0], [[[1, 2, 3], []]]],
    [3, [], [[]]],
  ] as const) {
    it.effect(`go to further ones: ${maxRows} a sheet, pages of ${sizes.join(", ") || "none"}`, () =>
      Effect.gen(function* () {
        expect((yield* split(maxRows, sizes)).map(idsOf)).toEqual(expected)
      }),
    )
  }

  it.effect("fill each sheet to the last row, none twice and none left out", () =>
    Effect.gen(function* () {
      const sheets = yield* split(7, [100, 1, 0, 6, 7, 8, 13, 14, 15])
      const counts = sheets.map((sheet) => idsOf(sheet).flat().length)
      expect(counts.slice(0, -1).every((count) => count === 7)).toBe(true)
      expect(sheets.flatMap((sheet) => idsOf(sheet).flat())).toEqual(
        Array.from({ length: 164 }, (_, at) => at + 1),
      )
    }),
  )

  it.effect("have a title with a number, and only the first sheet may be seen first", () =>
    Effect.gen(function* () {
      const { file, sheets } = recorder()
      const sheet = yield* withinLimits(file, formatOf({ maxRows: 1 }), rows, { ...never, opened: true })
      yield* sheet.add([{ id: 1 }, { id: 2 }, { id: 3 }], 0)
      expect(sheets.map(({ title }) => title)).toEqual(["Rows", "Rows (2)", "Rows (3)"])
      expect(sheets.map(({ options }) => options?.opened ?? false)).toEqual([true, false, false])
    }),
  )

  it.effect("go to a further one as soon as the format says that a sheet is full", () =>
    Effect.gen(function* () {
      const { file, sheets } = recorder()
      const filling: FileWriter<never> = {
        ...file,
        sheet: (table, options) =>
          Effect.map(file.sheet(table, options), (sheet) => ({
            ...sheet,
            isFull: () => idsOf(sheets.at(-1)!).length === 2,
          })),
      }
      const sheet = yield* withinLimits(filling, formatOf({ maxRows: 4 }), rows, never)
      for (let id = 0; id < 5; id += 1) yield* sheet.add([{ id }], 0)
      yield* sheet.add([], 0)
      yield* sheet.end
      expect(sheets.map(idsOf)).toEqual([
        [[0], [1]],
        [[2], [3]],
        [[4], []],
      ])
    }),
  )

  it.effect("are an error where the format has one sheet, and none as long as they fit", () =>
    Effect.gen(function* () {
      const { file, sheets } = recorder()
      const sheet = yield* withinLimits(file, formatOf({ maxRows: 2 }, "one"), rows, never)
      yield* sheet.add([{ id: 1 }, { id: 2 }], 0)
      yield* sheet.add([], 0)
      const error = yield* Effect.flip(sheet.add([{ id: 3 }], 0))
      expect(error).toBeInstanceOf(ExportError)
      expect(error.reason).toEqual({ _tag: "TooManyRows", format: "book", maxRows: 2 })
      expect(sheets).toHaveLength(1)
    }),
  )
})

interface Note {
  readonly id: number
  readonly text: CellValue
}

const notes = (kind: CellKind): Table<Note> => ({
  name: "notes",
  title: "Notes",
  columns: [
    { name: "id", label: "Id", kind: "integer", get: (note) => note.id },
    { name: "text", label: "Text", kind, get: (note) => note.text },
    { name: "copy", label: "Copy", kind, get: (note) => note.text },
  ],
  onDemand: [],
})

const short = (pages: ReadonlyArray<ReadonlyArray<Note>>, kind: CellKind, limits: Partial<Limits>) =>
  Effect.gen(function* () {
    const moved: Array<LongText> = []
    const { file, sheets } = recorder(3)
    const sheet = yield* withinLimits(file, formatOf({ maxTextLength: 4, ...limits }), notes(kind), {
      cellNote: (_, line) => `#${line}`,
    })
    for (const page of pages) moved.push(...(yield* sheet.add(page, moved.length)))
    yield* sheet.end
    return { cells: sheets.flatMap(({ pages: seen }) => seen.flat()), moved }
  })

describe("texts that are too long for a cell", () => {
  it.effect("move with the row of the table, and leave what stands for them", () =>
    Effect.gen(function* () {
      const pages = [
        [
          { id: 1, text: "four" },
          { id: 2, text: "fifth" },
        ],
        [{ id: 3, text: null }],
        [{ id: 4, text: "seventh" }],
      ]
      const { cells, moved } = yield* short(pages, "text", { maxRows: 2 })
      expect(cells).toEqual([
        [1, "four", "four"],
        [2, "#1", "#2"],
        [3, null, null],
        [4, "#3", "#4"],
      ])
      expect(moved.map(({ column, row, text }) => [row, column, text])).toEqual([
        [2, "text", "fifth"],
        [2, "copy", "fifth"],
        [4, "text", "seventh"],
        [4, "copy", "seventh"],
      ])
      expect(moved.every(({ table }) => table === "notes")).toBe(true)
    }),
  )

  it.effect("are measured in UTF-16 code units", () =>
    Effect.gen(function* () {
      const { cells } = yield* short(
        [
          [
            { id: 1, text: "\u{1F3E0}\u{1F3E0}" },
            { id: 2, text: "\u{1F3E0}\u{1F3E0}!" },
          ],
        ],
        "text",
        {},
      )
      expect(cells.map(([, text]) => text)).toEqual(["\u{1F3E0}\u{1F3E0}", "#1"])
    }),
  )

  it.effect("are the JSON text of objects and arrays, and whole numbers stay", () =>
    Effect.gen(function* () {
      const values = [{ a: 1 }, [12], [123], 123_456_789, 123_456_789_012_345_678n, true, "long text"]
      const { cells, moved } = yield* short([values.map((text, id) => ({ id, text }))], "json", {})
      expect(cells.map(([, text]) => text)).toEqual([
        "#1",
        [12],
        "#3",
        123_456_789,
        123_456_789_012_345_678n,
        true,
        "#5",
      ])
      expect(moved.filter(({ column }) => column === "text").map(({ text }) => text)).toEqual([
        '{"a":1}',
        "[123]",
        "long text",
      ])
    }),
  )

  for (const kind of ["timestamp", "integer", "decimal", "boolean"] as const) {
    it.effect(`are not looked for among the values of a column of kind ${kind}`, () =>
      Effect.gen(function* () {
        const { moved } = yield* short([[{ id: 1, text: "2026-03-01T09:30:00Z" }]], kind, {})
        expect(moved).toEqual([])
      }),
    )
  }

  it.effect("are looked for in links", () =>
    Effect.gen(function* () {
      expect((yield* short([[{ id: 1, text: "https://a" }]], "link", {})).moved).toHaveLength(2)
    }),
  )
})

describe("a format without limits", () => {
  it.effect("gets the columns as they are, and is asked for nothing more", () =>
    Effect.gen(function* () {
      const { file, sheets } = recorder()
      let asked = 0
      const counted: Table<Row> = {
        ...rows,
        columns: [{ ...rows.columns[0]!, kind: "text", get: (row) => String((asked += 1) && row.id) }],
      }
      const sheet = yield* withinLimits(file, formatOf({}), counted, never)
      const records = Array.from({ length: 5 }, (_, id) => ({ id }))
      yield* sheet.add(records, 0)
      expect(sheets[0]?.columns).toBe(counted.columns)
      expect(asked).toBe(5)
      expect(sheet.count()).toBe(1)
    }),
  )

  it.effect("with long texts allowed keeps the columns that hold none", () =>
    Effect.gen(function* () {
      const { file, sheets } = recorder()
      const table = notes("text")
      yield* withinLimits(file, formatOf({ maxTextLength: 4 }), table, never)
      expect(sheets[0]?.columns[0]).toBe(table.columns[0])
      expect(sheets[0]?.columns[1]).not.toBe(table.columns[1])
    }),
  )
})
