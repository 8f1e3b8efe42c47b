/**
 * The one module that imports exceljs: its stream writer makes everything of a workbook but the rows, which is styles, columns, panes,
 * filters, formats, relations and properties.
 *
 * It writes into texts instead of a zip, so that nothing of it waits, queues or fails. What goes where in the file is for `Zip`, and rows
 * are for `RowXml`. The members that are used are those of version 4.4.0, its last one.
 */
import type { PartStream, Style, Worksheet } from "#exceljs"
import WorkbookWriter from "#exceljs"

export type { Style } from "#exceljs"

/** A part of the workbook that exceljs writes bit by bit. */
class TextPart implements PartStream {
  text = ""

  write(chunk: Parameters<PartStream["write"]>[0]): boolean {
    this.text += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk.toBuffer())
    return true
  }
  /** What was written since the last call. */
  take(): string {
    const taken = this.text
    this.text = ""
    return taken
  }
  end(): void {}
  pause(): void {}
  on(): void {}
}

const withoutSlash = (path: string): string => path.replace(/^\//, "")

class Writer extends WorkbookWriter {
  readonly parts = new Map<string, TextPart>()

  constructor(created: Date) {
    super({ useStyles: true, creator: "Deedkit", lastModifiedBy: "Deedkit", created })
    this.zip = {
      append: (text, { name }) => {
        this._openStream(name).write(text)
      },
    }
    void this.addThemes()
    void this.addOfficeRels()
  }

  /** The first call comes from exceljs's own constructor, which knows only its own zip. */
  override addThemes(): Promise<void> {
    return this.parts === undefined ? Promise.resolve() : super.addThemes()
  }
  override addOfficeRels(): Promise<void> {
    return this.parts === undefined ? Promise.resolve() : super.addOfficeRels()
  }
  override _openStream(path: string): TextPart {
    const part = new TextPart()
    this.parts.set(withoutSlash(path), part)
    return part
  }
  override _finalize(): Promise<unknown> {
    return Promise.resolve()
  }
}

/** Cell type of exceljs that gives a style nothing of its own. */
const plainType = 6

export interface SheetSpec {
  readonly name: string
  readonly headings: ReadonlyArray<string>
  /** In characters. */
  readonly widths: ReadonlyArray<number>
}

/** Colours of a column's known values. */
export interface ToneRule {
  /** Cells, such as `B2:B100`. */
  readonly ref: string
  readonly value: string
  readonly style: Style
}

/** A sheet whose rows are written elsewhere. */
export interface SheetParts {
  /** Path in the workbook. */
  readonly path: string
  /** The text up to and with the row of headings. */
  readonly head: string
  readonly link: (address: string, target: string) => void
  /** The text after the last row. `lastRow` counts the row of headings. */
  readonly tail: (lastRow: number, tones: ReadonlyArray<ToneRule>) => string
}

/** The font of cells that name none. */
const textFont = { name: "Calibri", size: 11, family: 2 } as const

const headingStyle: Style = {
  font: { ...textFont, bold: true, color: { argb: "FFFFFFFF" } },
  fill: { type: "pattern", pattern: "solid", fgColor: { argb: "FF1F4E5F" } },
  alignment: { vertical: "middle" },
}
const headingHeight = 20

export interface Workbook {
  /** The number by which rows name a style. */
  readonly style: (style: Style) => number
  readonly sheet: (spec: SheetSpec) => SheetParts
  /**
   * The remaining parts, once all sheets have their tail. `opened` is the number of the sheet that is seen first, from 0; `description` goes
   * into the properties of the document.
   */
  readonly finish: (
    opened: number,
    description: string | null,
  ) => Promise<ReadonlyArray<{ readonly path: string; readonly text: string }>>
}

/** A workbook that says it was made at `created`. */
export const make = (created: Date): Workbook => {
  const writer = new Writer(created)
  const streamed = new Set<string>()

  const sheet = ({ headings, name, widths }: SheetSpec): SheetParts => {
    const worksheet: Worksheet = writer.addWorksheet(name, {
      views: [{ state: "frozen", ySplit: 1, topLeftCell: "A2", activeCell: "A2" }],
    })
    const path = `xl/worksheets/sheet${worksheet.id}.xml`
    streamed.add(path)
    const part = writer.parts.get(path)
    if (part === undefined) throw new Error(`exceljs opened no part ${path}`)
    worksheet.columns = widths.map((width) => ({ width }))
    const row = worksheet.addRow(headings)
    row.height = headingHeight
    row.eachCell({ includeEmpty: true }, (cell) => {
      cell.style = headingStyle
    })
    row.commit()
    inOrder(worksheet)
    return {
      path,
      head: part.take(),
      link: (address, target) => {
        worksheet._sheetRelsWriter.addHyperlink({ address, target })
      },
      tail: (lastRow, tones) => {
        worksheet.autoFilter = {
          from: { row: 1, column: 1 },
          to: { row: lastRow, column: Math.max(1, headings.length) },
        }
        tones.forEach(({ ref, style, value }, at) =>
          worksheet.addConditionalFormatting({
            ref,
            rules: [
              {
                type: "cellIs",
                operator: "equal",
                priority: at + 1,
                formulae: [`"${value.replaceAll('"', '""')}"`],
                style,
              },
            ],
          }),
        )
        worksheet.commit()
        return part.take()
      },
    }
  }

  return {
    style: (style) => writer.styles.addStyleModel(style, plainType),
    sheet,
    finish: async (opened, description) => {
      if (description !== null) writer.description = description
      writer.views = [
        {
          x: 0,
          y: 0,
          width: 28_800,
          height: 17_000,
          firstSheet: 0,
          activeTab: opened,
          visibility: "visible",
        },
      ]
      await writer.commit()
      return [...writer.parts]
        .filter(([path]) => !streamed.has(path))
        .map(([path, part]) => ({ path, text: part.text }))
        .filter(({ text }) => text !== "")
    },
  }
}

/** Links are to come after the validations and before the margins; exceljs writes them too early for the strictest reader. */
const inOrder = (worksheet: Worksheet): void => {
  const links = worksheet._writeHyperlinks.bind(worksheet)
  const validations = worksheet._writeDataValidations.bind(worksheet)
  worksheet._writeHyperlinks = () => {}
  worksheet._writeDataValidations = () => {
    validations()
    links()
  }
}
