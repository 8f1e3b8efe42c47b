import { FormulaGuard, LongText, TableWriter } from "@deedkit/export"
import type { Cell } from "@deedkit/export"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { limits, writer } from "../src/XlsxWriter.ts"
import type { Row } from "./Tables.ts"
import { bytesOf, cellAt, cellsOf, partsOf, read, tableOf, workbookOf } from "./Tables.ts"

const one = (kind: Cell.CellKind, value: Cell.CellValue) => bytesOf(tableOf([kind]), [[[value]]])

describe("a cell", () => {
  it.each<readonly [Cell.CellKind, Cell.CellValue, unknown]>([
    ["text", "Harbour loft", "Harbour loft"],
    ["text", "007", "007"],
    ["text", "12345678901234567890", "12345678901234567890"],
    ["text", "2026-03-01", "2026-03-01"],
    ["text", "true", "true"],
    ["text", "  spaces  ", "  spaces  "],
    ["text", "two\nlines\r\nand\ta tab", "two\nlines\r\nand\ta tab"],
    ["text", 'ακή <b>"&amp;"</b> 🏠 שלום', 'ακή <b>"&amp;"</b> 🏠 שלום'],
    ["text", "_x0041_ and _x000d_", "_x0041_ and _x000d_"],
    ["text", null, null],
    ["text", "", null],
    ["integer", 4711, 4711],
    ["integer", -5, -5],
    ["integer", 999_999_999_999_999, 999_999_999_999_999],
    ["integer", 1_000_000_000_000_000, "1000000000000000"],
    ["integer", 9007199254740993n, "9007199254740993"],
    ["decimal", 0.1, 0.1],
    ["decimal", 1e300, "1e+300"],
    ["decimal", Number.POSITIVE_INFINITY, null],
    ["decimal", Number.NaN, null],
    ["boolean", true, true],
    ["boolean", false, false],
    ["json", { deep: [1, 9007199254740993n] }, '{"deep":[1,9007199254740993]}'],
    ["json", { formula: "1+1" }, '{"formula":"1+1"}'],
    [
      "json",
      { text: "x", hyperlink: "javascript:alert(1)" },
      '{"text":"x","hyperlink":"javascript:alert(1)"}',
    ],
    ["json", 12, 12],
    ["json", "U-12", "U-12"],
    ["timestamp", "not a time", "not a time"],
    ["timestamp", "1850-01-01T00:00:00Z", "1850-01-01T00:00:00Z"],
    ["timestamp", "0001-01-01T01:34:52", "0001-01-01T01:34:52"],
    ["timestamp", "2026-02-30T00:00:00Z", "2026-02-30T00:00:00Z"],
    ["timestamp", "9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59-23:59"],
    ["timestamp", "9999-12-31T23:59:60Z", "9999-12-31T23:59:60Z"],
    ["link", "http://plain.example", "http://plain.example"],
    ["link", "javascript:alert(1)", "javascript:alert(1)"],
  ])("of kind %s with %o is %o", async (kind, value, expected) => {
    expect((await bytesOf(tableOf([kind, "text"]), [[[value, "end"]]]).then(cellsOf))[0]).toEqual([
      expected,
      "end",
    ])
  })

  it.each([
    ["2026-03-01T09:30:00Z", 46_082.395_833_333_336],
    ["2026-03-01T00:00:00Z", 46_082],
    ["2026-03-01T23:59:59Z", 46_082.999_988_43],
    ["2026-03-01T09:30:00.250Z", 46_082.395_836_226_85],
    ["2026-03-01T11:30:00+02:00", 46_082.395_833_333_336],
    ["2026-03-01T11:30:00", 46_082.479_166_666_664],
    ["1900-03-01T00:00:00Z", 61],
    ["9999-12-31T23:59:59Z", 2_958_465.999_988_43],
  ])("with the time %s is the date %d", async (timestamp, serial) => {
    const cell = cellAt(await one("timestamp", timestamp), "A2")
    expect(cell?.t).toBe("n")
    expect(cell?.v).toBeCloseTo(serial, 4)
    const seconds = (value: unknown) => Math.round(Number(value) * 86_400_000)
    expect(Math.abs(seconds(cell?.v) - seconds(serial))).toBeLessThan(2)
    expect(cell?.z).toBe("yyyy-mm-dd hh:mm:ss")
  })

  it("shows ids as whole numbers", async () => {
    expect(cellAt(await one("integer", 123_456_789_012), "A2")).toMatchObject({ v: 123_456_789_012, z: "0" })
  })

  it("is never a formula, and stays a text when it is edited", async () => {
    for (const text of ["=1+1", "+1", "-1", "@A1", "\t=1", "=1\nx", "＝1", "\u200b=1"]) {
      const cell = cellAt(await one("text", text), "A2")
      expect([text, cell?.f, cell?.v, cell?.z]).toEqual([text, undefined, text, "@"])
      expect(FormulaGuard.evaluates(text)).toBe(true)
    }
  })

  it("is a link for an address that is safe to open, up to the limit of a sheet", async () => {
    const bytes = await bytesOf(
      tableOf(["link"]),
      [[["https://homes.example/a?b=1&c=2"], ["https://homes.example/b"], ["https://homes.example/c"]]],
      { maxLinks: 2 },
    )
    expect(cellAt(bytes, "A2")?.l).toBeDefined()
    expect(partsOf(bytes)["xl/worksheets/_rels/sheet1.xml.rels"]).toContain(
      'Target="https://homes.example/a?b=1&amp;c=2" TargetMode="External"',
    )
    expect(cellAt(bytes, "A3")?.l).toBeDefined()
    expect(cellAt(bytes, "A4")?.l).toBeUndefined()
    expect(cellAt(bytes, "A4")?.v).toBe("https://homes.example/c")
  })

  it("is a link to its whole address, whatever that ends in", async () => {
    const address = "https://homes.example/it's!A1"
    const bytes = await one("link", address)
    expect(cellAt(bytes, "A2")?.l?.Target).toBe(address)
    expect(partsOf(bytes)["xl/worksheets/sheet1.xml"]).not.toContain("location")
  })

  it("loses only what XML cannot hold, and that is counted", async () => {
    const changed: Record<string, number> = {}
    const rows: ReadonlyArray<Row> = [["a\u0000b"], ["c\uFFFEd"], ["half \uD800"], ["\u0007"], ["fine 🏠"]]
    const bytes = await bytesOf(
      tableOf(["text"]),
      [rows],
      {},
      {
        onTextsChanged: ({ cells, column }) => (changed[column] = (changed[column] ?? 0) + cells),
      },
    )
    expect(cellsOf(bytes).map(([text]) => text)).toEqual(["ab", "cd", "half \uFFFD", "", "fine 🏠"])
    expect(changed).toEqual({ column_0: 4 })
  })

  it("is cut to what a cell holds", async () => {
    const changed: Array<number> = []
    const bytes = await bytesOf(
      tableOf(["text"]),
      [[["x".repeat(33_000)]]],
      {},
      {
        onTextsChanged: ({ cells }) => changed.push(cells),
      },
    )
    expect(cellsOf(bytes)[0]).toEqual(["x".repeat(limits.maxTextLength!)])
    expect(changed).toEqual([1])
  })

  it("holds every text as it is, as long as XML can hold it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "binary", maxLength: 30 }), { minLength: 1 }),
        async (texts) => {
          const bytes = await bytesOf(tableOf(["text", "text"]), [texts.map((text) => [text, "end"])])
          const holds = (text: string) =>
            Array.from(text.toWellFormed())
              .filter((character) => {
                const code = character.codePointAt(0) ?? 0
                return (code > 0x1f && code !== 0xfffe && code !== 0xffff) || "\t\n\r".includes(character)
              })
              .join("")
          expect(cellsOf(bytes).map(([text]) => text ?? "")).toEqual(texts.map(holds))
        },
      ),
      { numRuns: 50 },
    )
  })
})

describe("a sheet", () => {
  const table = tableOf(["integer", "text"], "Rows", { tones: { active: "good", ended: "muted" } })

  it("has headings that stay in sight, a filter over everything, and widths", async () => {
    const parts = partsOf(await bytesOf(table, [[[1, "a long text that needs room"]], [[2, "b"]]]))
    const xml = parts["xl/worksheets/sheet1.xml"]!
    expect(xml).toContain('<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>')
    expect(parts["xl/tables/table1.xml"]).toContain('<autoFilter ref="A1:B3"/>')
    expect(xml).toContain('<col min="2" max="2" width="29" customWidth="1"/>')
    expect(xml).toMatch(
      /<conditionalFormatting sqref="B2:B3"><cfRule type="cellIs"[^>]*><formula>&quot;active&quot;/,
    )
  })

  it("has its elements in the order that the strictest reader asks for", async () => {
    const links = tableOf(["link"], "Links", { tones: { x: "good" } })
    const xml = partsOf(await bytesOf(links, [[["https://homes.example"]]]))["xl/worksheets/sheet1.xml"]!
    const order = [
      "sheetViews",
      "cols",
      "sheetData",
      "conditionalFormatting",
      "hyperlinks",
      "printOptions",
      "pageMargins",
      "pageSetup",
      "headerFooter",
      "tableParts",
    ]
    const places = order.map((element) => xml.indexOf(`<${element}`))
    expect(places).toEqual(places.toSorted((left, right) => left - right))
    expect(Math.min(...places)).toBeGreaterThan(0)
  })

  it("is printed on as many pages as its lines need, where texts take several", async () => {
    const wrapping = tableOf(["text"], "Rows", { wraps: true })
    const rows = Array.from({ length: 60 }, (): Row => ["finding; ".repeat(20)])
    const pagesOf = async (table: typeof wrapping): Promise<number> => {
      const xml = partsOf(await bytesOf(table, [rows]))["xl/worksheets/sheet1.xml"]!
      return Number(/fitToHeight="(\d+)"/.exec(xml)?.[1])
    }
    expect([await pagesOf(tableOf(["text"])), await pagesOf(wrapping)]).toEqual([1, 5])
  })

  it("is there with its headings when there is no record", async () => {
    const bytes = await bytesOf(table, [])
    expect(read(bytes).SheetNames).toEqual(["Rows"])
    expect(read(bytes).Sheets["Rows"]).toMatchObject({ A1: { v: "Column 0" }, B1: { v: "Column 1" } })
  })

  it("says nothing before its first page or its end", async () => {
    const chunks: Array<Uint8Array> = []
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const file = yield* writer().open({ write: (chunk) => Effect.sync(() => void chunks.push(chunk)) })
          yield* file.sheet(table)
        }),
      ),
    )
    expect(chunks).toEqual([])
  })
})

describe("a workbook", () => {
  it("holds several sheets, and opens the one that was asked for", async () => {
    const bytes = await workbookOf([
      { table: tableOf(["text"], "Contracts"), rows: [["a"]] },
      { table: tableOf(["text"], "contracts"), rows: [["b"]] },
      { table: tableOf(["text"], "Summary: [all]"), rows: [["c"]], opened: true },
    ])
    expect(read(bytes).SheetNames).toEqual(["Contracts", "contracts 2", "Summary   all"])
    expect(cellsOf(bytes, "contracts 2")).toEqual([["b"]])
    expect(partsOf(bytes)["xl/workbook.xml"]).toContain('activeTab="2"')
  })

  /** Pages of 100 rows, in as many sheets as they need. */
  const inSheets = (pages: number, maxBytes: number) => {
    const chunks: Array<Uint8Array> = []
    return Effect.gen(function* () {
      const format = writer({ maxBytes })
      const file = yield* format.open({
        write: (chunk) => Effect.sync(() => void chunks.push(chunk.slice())),
      })
      const sheet = yield* TableWriter.withinLimits(file, format.format, tableOf(["text"]), {
        cellNote: LongText.cut,
      })
      for (let page = 0; page < pages; page += 1) {
        yield* sheet.add(
          Array.from({ length: 100 }, (_, at): Row => [`${(page * 100 + at) * 7919}`]),
          0,
        )
      }
      yield* sheet.end
      yield* file.end
      return Buffer.concat(chunks)
    }).pipe(Effect.scoped)
  }

  it("goes on in a further sheet before a sheet has more bytes than a zip can hold", async () => {
    const bytes = await Effect.runPromise(inSheets(7, 30_000))
    expect(read(bytes).SheetNames).toEqual(["Rows", "Rows (2)"])
    const rows = ["Rows", "Rows (2)"].flatMap((name) => cellsOf(bytes, name)).map(([text]) => text)
    expect(rows).toEqual(Array.from({ length: 700 }, (_, at) => String(at * 7919)))
  })

  it("fails before it is larger than a zip can be", async () => {
    const error = await Effect.runPromise(Effect.flip(inSheets(100, 8_000)))
    expect(error.reason).toMatchObject({ _tag: "TooManyRows", format: "xlsx" })
  })

  it("is the same bytes for the same records, however they come in pages and are packed", async () => {
    const rows = Array.from({ length: 40_000 }, (_, id): Row => [id, `text ${id * 7919}`])
    const table = tableOf(["integer", "text"])
    const whole = await bytesOf(table, [rows])
    expect((await bytesOf(table, [rows])).equals(whole)).toBe(true)
    const pages = Array.from({ length: 400 }, (_, page) => rows.slice(page * 100, page * 100 + 100))
    const paged = await bytesOf(table, pages, { parallel: 1 })
    expect((await bytesOf(table, pages, { parallel: 4 })).equals(paged)).toBe(true)
    expect(cellsOf(paged)).toEqual(rows)
  })

  it("is smaller with more patience", async () => {
    const words = ["loft", "house", "garden", "harbour", "old port", "balcony", "roof terrace", "square"]
    const text = (id: number) => [3, 5, 7, 11, 13].map((prime) => words[(id * prime) % 8]).join(" ")
    const pages = [Array.from({ length: 20_000 }, (_, id): Row => [(id * 7919) % 10_007, text(id)])]
    const table = tableOf(["integer", "text"])
    const sizes = await Promise.all(
      (["fast", "small"] as const).map(async (level) => (await bytesOf(table, pages, { level })).byteLength),
    )
    expect(sizes[1]).toBeLessThan(sizes[0]!)
  })
})

describe("a sink that fails", () => {
  const rows = Array.from({ length: 9_000 }, (_, id): Row => [id, `text ${id * 7919}`])
  const table = tableOf(["integer", "text"])
  const writing = (write: (chunk: Uint8Array) => Effect.Effect<void, "full">) =>
    Effect.scoped(
      Effect.gen(function* () {
        const file = yield* writer().open({ write })
        const sheet = yield* file.sheet(table)
        yield* sheet.add(rows)
        yield* sheet.add(rows)
        yield* sheet.end
        yield* file.end
      }),
    )

  it("fails the writing with its own error, whichever chunk it is", async () => {
    let total = 0
    await Effect.runPromise(writing(() => Effect.sync(() => void (total += 1))))
    expect(total).toBeGreaterThan(10)
    for (let failing = 0; failing < total; failing += 1) {
      let count = 0
      const failure = Effect.suspend(() => (count++ === failing ? Effect.fail("full" as const) : Effect.void))
      expect(await Effect.runPromise(Effect.flip(writing(() => failure)))).toBe("full")
      expect(count).toBe(failing + 1)
    }
  })

  it("can be given up while it waits", async () => {
    const stuck = await Effect.runPromise(
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(writing(() => Effect.never))
        yield* Effect.yieldNow
        yield* Fiber.interrupt(fiber)
        return "given up"
      }),
    )
    expect(stuck).toBe("given up")
  })
})

describe("the properties of a document", () => {
  const withProperties = (properties: TableWriter.FileProperties) =>
    bytesOf(tableOf(["text"]), [[["x"]]], {}, { properties: () => properties })
  const commentsOf = async (properties: TableWriter.FileProperties) =>
    read(await withProperties(properties)).Props?.Comments

  it("say what the file says about itself, a line each", async () => {
    expect(
      await commentsOf({ Source: "https://api.example.com", "Key fingerprint": "0123456789abcdef" }),
    ).toBe("Source: https://api.example.com\nKey fingerprint: 0123456789abcdef")
  })

  it("are readable XML whatever they hold", async () => {
    const hostile = '</dc:description><x/> & " ]]> \u001B[31m \uD800 \uFFFE ακή'
    const bytes = await withProperties({ Profile: hostile })
    expect(read(bytes).Props?.Comments).toBe('Profile: </dc:description><x/> & " ]]> [31m \uFFFD  ακή')
    const core = partsOf(bytes)["docProps/core.xml"] ?? ""
    expect(core.match(/<dc:description>/g)).toHaveLength(1)
    expect(core).not.toMatch(/<x\/>|(?!\n)\p{Cc}/u)
  })

  it("are absent where there are none, and the same bytes for the same properties", async () => {
    const plain = await bytesOf(tableOf(["text"]), [[["x"]]])
    expect(partsOf(plain)["docProps/core.xml"]).not.toContain("dc:description")
    expect(plain.equals(await withProperties({}))).toBe(true)
    expect(await withProperties({ a: "b" })).toEqual(await withProperties({ a: "b" }))
  })
})
