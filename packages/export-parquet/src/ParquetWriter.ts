/** Pages of records in, lines of text out. The headings come with the first page, so that a read that fails at once leaves no bytes. */
import { Cell, Column, TableWriter } from "@deedkit/export"
import * as Facts from "./Facts.ts"

const line = (texts: ReadonlyArray<string>): string => `${JSON.stringify(texts)}\n`

const textOf = (value: Cell.CellValue): string => String(Cell.scalar(value) ?? "")

/** A writer of the format. */
export const writer: TableWriter.TableWriter = TableWriter.ofText(
  Facts.parquet,
  ({ columns }, { headings }) => {
    let pending = line(columns.map((column) => Column.heading(column, headings)))
    const take = (lines: string): string => {
      const taken = pending + lines
      pending = ""
      return taken
    }
    return {
      page: (records) =>
        take(records.map((record) => line(columns.map(({ get }) => textOf(get(record))))).join("")),
      end: () => take(""),
    }
  },
)
