/**
 * The XLSX format: each table on a sheet of its own, written page by page, in flat memory.
 *
 * Everything around the rows comes from exceljs (`Workbook`), rows from `RowXml`, the container from `Zip`. It knows no file and no service, and
 * runs in Node, browsers and workers.
 */
import type { Table, TableWriter } from "@deedkit/export"
import { Column, ExportError, Texts } from "@deedkit/export"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { facts } from "./Format.ts"
import * as RowXml from "./sheet/RowXml.ts"
import * as SheetName from "./sheet/SheetName.ts"
import * as TextXml from "./sheet/TextXml.ts"
import * as Widths from "./sheet/Widths.ts"
import type { Book, ColumnSpec, Sheet } from "./workbook/Workbook.ts"
import type { ZipPart } from "./zip/Zip.ts"
import * as Zip from "./zip/Zip.ts"

export interface XlsxOptions {
  /** `fast` (default), `small`, or a level of deflate from 1 to 9. Browsers have only one level. */
  readonly level?: "fast" | "small" | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | undefined
  /** Number of blocks that are packed at the same time; default 2. */
  readonly parallel?: number | undefined
  /** The paper size for printing. Default `a4`. */
  readonly paper?: "a4" | "letter" | undefined
  /** Which sheet of the workbook its cover is. Default `first`. */
  readonly coverAt?: "first" | "last" | undefined
  /** Most links on a sheet, default 5,000; further ones are texts. LibreOffice is slow with many, and Excel refuses more than 65,530. */
  readonly maxLinks?: number | undefined
  /** Most bytes of the workbook, and of the XML of a sheet: a table goes on in a further sheet before. Default, and at most, 4 GiB. */
  readonly maxBytes?: number | undefined
}

/** What a sheet of the format can hold. */
export const { limits } = facts

/** The share of its bytes at which a sheet takes no further page. */
const fullAt = 15 / 16

const levels = { fast: 2, small: 6 } as const

/** Carries the error that a sink failed with through promises. */
class SinkFailed extends Error {
  readonly failure: Cause.Cause<unknown>

  constructor(failure: Cause.Cause<unknown>) {
    super("The bytes could not be written.")
    this.failure = failure
  }
}

/** A writer of workbooks. */
export const writer = (options: XlsxOptions = {}): TableWriter.TableWriter => {
  const { coverAt = "first", maxBytes = 0xffff_ffff, maxLinks = 5_000, paper = "a4", parallel = 2 } = options
  const level = typeof options.level === "number" ? options.level : levels[options.level ?? "fast"]

  const open = Effect.fnUntraced(function* <E>({
    cover,
    document,
    headings = "labels",
    language = "en",
    onTextsChanged,
    properties = () => ({}),
    write,
  }: TableWriter.WriteOptions<E>) {
    const { make } = yield* Effect.promise(() => import("./workbook/Workbook.ts"))
    const services = yield* Effect.context()
    const sheetName = SheetName.make()
    const tableName = SheetName.ofTables()
    const sheets: Array<Sheet> = []
    // The cover is written last, because it describes what all sheets hold.
    const front =
      cover === undefined
        ? null
        : { name: sheetName(Texts.say(language, "Cover")), at: coverAt, content: null }
    const bookOf = (more: Partial<Book> = {}): Book => ({
      cover: front,
      sheets,
      paper,
      language,
      opened,
      document: null,
      facts: {},
      createdAt: null,
      ...more,
    })
    let begun = front?.at === "first" ? 1 : 0
    let opened = 0
    let written = 0

    /** Bytes are written through promises, whose failures become the sink's own errors again. */
    const zip = Zip.open(
      async (bytes) => {
        const exit = await Effect.runPromiseExitWith(services)(write(bytes))
        if (Exit.isFailure(exit)) throw new SinkFailed(exit.cause)
      },
      { level, parallel, mostBytes: maxBytes },
    )
    const failed = (cause: unknown): Effect.Effect<never, E | ExportError.ExportError> => {
      if (cause instanceof SinkFailed) return Effect.failCause(cause.failure as Cause.Cause<E>)
      if (!(cause instanceof Zip.TooLarge)) return Effect.die(cause)
      const reason = { _tag: "TooManyRows", format: facts.name, maxRows: written } as const
      return new ExportError.ExportError({ reason })
    }
    const step = (work: () => Promise<void>): Effect.Effect<void, E | ExportError.ExportError> =>
      Effect.flatten(Effect.promise(() => work().then(() => Effect.void, failed)))
    const sheet = <A>(
      table: Table.Table<A>,
      sheetOptions: TableWriter.SheetOptions = {},
    ): Effect.Effect<TableWriter.Sheet<A, E>> =>
      Effect.sync(() => {
        if (sheetOptions.opened === true) opened = begun
        begun += 1
        const { note = () => "" } = sheetOptions
        let started: Started<A> | null = null
        let bytes = 0

        /** The first page decides the widths, which are written before the rows. */
        const start = async (first: ReadonlyArray<A>): Promise<Started<A>> => {
          const { columns, printed = columns.length, title } = table
          const texts = SheetName.uniqueHeadings(
            columns.map((column) => TextXml.clean(Column.heading(column, headings))),
          )
          const widths = Widths.of(columns, texts, first)
          const specs = columns.map((column, at) => specOf(column, texts[at] ?? "", widths[at] ?? 0))
          const links: Array<{ readonly address: string; readonly target: string }> = []
          const at = sheets.length
          const rowless = { lastRow: 1, lines: 1, tableName: "", note: "", totals: "" }
          sheets.push({ name: sheetName(title), title, columns: specs, printed, links, ...rowless })
          const { sheets: made, styles: numbers } = await make(bookOf())
          const { head, path } = made[at]!
          const styles = columns.some(({ wraps = false }) => wraps) ? numbers.atTop : numbers.usual
          const part = zip.part(path)
          await part.write(head + RowXml.headingRow(specs, styles))
          const rows = RowXml.make(columns, {
            styles,
            widths,
            link: (address, target) => links.length < maxLinks && links.push({ address, target }) > 0,
            onTextsChanged,
            maxTextLength: limits.maxTextLength ?? Infinity,
          })
          return { at, part, rows }
        }
        return {
          add: (records) =>
            step(async () => {
              started ??= await start(records)
              const rows = started.rows.rows(records)
              bytes += rows.byteLength
              await started.part.write(rows)
              written += records.length
            }),
          isFull: () => bytes >= maxBytes * fullAt,
          end: step(async () => {
            started ??= await start([])
            const { at, part, rows } = started
            const [lastRow, lines] = [rows.lastRow(), rows.lines()]
            sheets[at] = {
              ...sheets[at]!,
              lastRow,
              lines,
              tableName: lastRow > 1 ? tableName(table.title) : "",
              note: note(),
              totals: table.hasTotals === true ? totalsOf(sheets[at]!.columns, rows.totals(), language) : "",
            }
            await part.write((await make(bookOf())).sheets[at]!.tail)
            await part.end()
          }),
        }
      })
    const end = step(async () => {
      const said = document?.() ?? null
      const { parts } = await make(
        bookOf({
          cover: front === null || cover === undefined ? null : { ...front, content: cover() },
          document: said,
          facts: properties(),
          createdAt: said?.createdAt ?? null,
        }),
      )
      for (const [path, text] of parts) {
        const part = zip.part(path)
        await part.write(text)
        await part.end()
      }
      await zip.end()
    })
    return { sheet, end } satisfies TableWriter.FileWriter<E>
  })

  return {
    format: facts,
    open: (writeOptions) => open(writeOptions) satisfies Effect.Effect<unknown, ExportError.ExportError>,
  }
}

interface Started<in A> {
  /** The number of the table among those of the workbook, from 0. */
  readonly at: number
  readonly part: ZipPart
  readonly rows: RowXml.RowXml<A>
}

/** `Contracts 250 · Units vacant 12` */
const totalsOf = (
  columns: ReadonlyArray<ColumnSpec>,
  totals: ReadonlyArray<number | null>,
  language: Texts.Language,
): string =>
  columns
    .flatMap(({ heading }, at) => {
      const total = totals[at] ?? null
      return total === null ? [] : [`${heading} ${Texts.number(language, total)}`]
    })
    .join(" · ")

const specOf = <A>(
  { kind, role, tones = {} }: Column.Column<A>,
  heading: string,
  width: number,
): ColumnSpec => ({
  heading,
  width,
  isAmount: role === "count" || role === "amount" || kind === "decimal",
  isTextId: role === "id" && kind === "json",
  tones,
})
