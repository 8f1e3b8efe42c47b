/**
 * Makes a table fit the limits of a format: texts that are too long for a cell move to a sidecar, and rows beyond the limit of a sheet go to a
 * further sheet. Formats only declare their limits; this is the one place that acts on them.
 */
import * as Effect from "effect/Effect"
import { ExportError } from "../error/ExportError.ts"
import * as Cell from "../table/Cell.ts"
import type { Column } from "../table/Column.ts"
import type { Table } from "../table/Table.ts"
import type { Format, OpenFile, Sheet, SheetOptions } from "./TableWriter.ts"

/** A text that is too long for a cell, whole. */
export interface LongText {
  readonly table: string
  /** The row of the table, from 1, headings not counted. */
  readonly row: number
  readonly column: string
  readonly text: string
}

export interface FitOptions {
  /** Takes a long text, and returns the content of its cell. Must not throw. */
  readonly onLongText: (text: LongText) => string
}

/** Columns whose cells can be too long. */
const isText = ({ kind }: { readonly kind: Cell.CellKind }): boolean =>
  kind === "text" || kind === "json" || kind === "link"

const tooLong = (value: Cell.CellValue, most: number): string | null => {
  if (value === null || typeof value === "number") return null
  const scalar = Cell.scalar(value)
  return typeof scalar === "string" && scalar.length > most ? scalar : null
}

/** Finds long texts before the writer gets the records, because the writer can read a cell several times. */
const shortening = <A>(table: Table<A>, most: number, { onLongText }: FitOptions) => {
  const texts = table.columns.filter(isText)
  const instead = new WeakMap<object, Map<Column<A>, string>>()
  let row = 0
  let found = false
  const scan = (records: ReadonlyArray<A>): void => {
    for (const record of records) {
      row += 1
      for (const column of texts) {
        const text = tooLong(column.get(record), most)
        if (text === null || typeof record !== "object" || record === null) continue
        const cells = instead.get(record) ?? new Map<Column<A>, string>()
        instead.set(
          record,
          cells.set(column, onLongText({ table: table.name, row, column: column.name, text })),
        )
        found = true
      }
    }
  }
  const columns = table.columns.map((column): Column<A> => {
    const { get } = column
    if (!isText(column)) return column
    return {
      ...column,
      get: (record) =>
        found && typeof record === "object" && record !== null
          ? (instead.get(record)?.get(column) ?? get(record))
          : get(record),
    }
  })
  return { table: { ...table, columns }, scan }
}

const numbered = <A>(table: Table<A>, part: number): Table<A> =>
  part === 1 ? table : { ...table, title: `${table.title} (${part})` }

/**
 * Begins a table in a file so that everything fits. Fails with `TooManyRows` if the rows exceed the limit of a format without further sheets.
 */
export const begin = <A, E>(
  file: OpenFile<E>,
  { limits, name, sheets }: Format,
  table: Table<A>,
  options: FitOptions & SheetOptions,
): Effect.Effect<Sheet<A, E> & { readonly sheets: () => number }, E | ExportError> =>
  Effect.gen(function* () {
    const { maxRows, maxTextLength } = limits
    const { scan, table: fitted } =
      maxTextLength === null ? { table, scan: () => {} } : shortening(table, maxTextLength, options)
    const { note, opened } = options
    let part = 1
    let rows = 0
    let sheet = yield* file.begin(fitted, { note, opened })
    const further = Effect.gen(function* () {
      if (sheets === "one") {
        return yield* new ExportError({
          reason: { _tag: "TooManyRows", format: name, maxRows: maxRows ?? 0 },
        })
      }
      yield* sheet.end
      part += 1
      rows = 0
      sheet = yield* file.begin(numbered(fitted, part), { note })
    })
    const split = Effect.fnUntraced(function* (records: ReadonlyArray<A>, most: number) {
      let left = records
      while (rows + left.length > most) {
        const room = most - rows
        if (room > 0) yield* sheet.add(left.slice(0, room))
        left = left.slice(room)
        yield* further
      }
      rows += left.length
      if (left.length > 0) yield* sheet.add(left)
    })
    const write = (records: ReadonlyArray<A>): Effect.Effect<void, E | ExportError> => {
      if (maxRows !== null && rows + records.length > maxRows) return split(records, maxRows)
      rows += records.length
      return sheet.add(records)
    }
    return {
      add: (records) => {
        scan(records)
        return records.length > 0 && sheet.isFull?.() === true
          ? Effect.andThen(
              further,
              Effect.suspend(() => write(records)),
            )
          : write(records)
      },
      end: Effect.suspend(() => sheet.end),
      sheets: () => part,
    }
  })

/** Number of characters of a text that stay in its cell if the target is not a file. */
const kept = 32_000

/** The beginning of a text that no cell can hold. */
export const cut = ({ text }: LongText): string => `${text.slice(0, kept).toWellFormed()}…`

export class LongTexts {
  readonly #fileName: string
  #pending = ""
  #lines = 0

  /** `fileName` is the name of the file in the cells. */
  constructor(fileName: string) {
    this.#fileName = fileName
  }

  /** Takes a text, and returns the content of its cell. */
  readonly take = ({ column, row, table, text }: LongText): string => {
    this.#lines += 1
    this.#pending += `${JSON.stringify({ table, row, column, text })}\n`
    return `[${text.length} characters: see line ${this.#lines} of ${this.#fileName}]`
  }

  /** The lines since the last call. */
  drain(): string {
    const drained = this.#pending
    this.#pending = ""
    return drained
  }

  get count(): number {
    return this.#lines
  }
}
