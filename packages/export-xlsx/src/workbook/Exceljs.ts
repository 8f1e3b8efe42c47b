/**
 * The one module that imports exceljs: its stream writer makes styles, the theme, and the lists of parts and sheets.
 *
 * It writes into texts instead of a zip, so that nothing in it waits, queues or fails. `SheetXml` writes the sheets. The members that are used are
 * those of version 4.4.0, the last one of exceljs.
 */
import type { PartStream, Style } from "#exceljs"
import WorkbookWriter from "#exceljs"

export type { Style } from "#exceljs"

/** A part of the workbook that exceljs writes bit by bit. */
class TextPart implements PartStream {
  text = ""

  write(chunk: Parameters<PartStream["write"]>[0]): boolean {
    this.text += typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk.toBuffer())
    return true
  }
  end(): void {}
  pause(): void {}
  on(): void {}
}

class Writer extends WorkbookWriter {
  readonly parts = new Map<string, TextPart>()

  constructor() {
    // The properties of the document do not come from exceljs, and nothing reads the clock.
    super({ useStyles: true, created: new Date(0) })
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
    this.parts.set(path.replace(/^\//, ""), part)
    return part
  }
  override _finalize(): Promise<unknown> {
    return Promise.resolve()
  }
}

/** Cell type of exceljs that adds nothing to a style. */
const plainType = 6

export interface Exceljs {
  /** The number by which cells name a style. */
  readonly style: (style: Style) => number
  /** The number by which conditional formats and table styles name a style. */
  readonly difference: (style: Style) => number
  /** Adds a sheet; returns the path of its part, which is written elsewhere. */
  readonly sheet: (name: string) => string
  /** The texts of the parts by path, without the sheets; `opened` is the number of the sheet that is seen first, from 0. */
  readonly finish: (opened: number) => Promise<Map<string, string>>
}

export const make = (): Exceljs => {
  const writer = new Writer()
  const sheets = new Set<string>()
  return {
    style: (style) => writer.styles.addStyleModel(style, plainType),
    difference: (style) => writer.styles.addDxfStyle(style),
    sheet: (name) => {
      const worksheet = writer.addWorksheet(name)
      worksheet.committed = true
      const path = `xl/worksheets/sheet${worksheet.id}.xml`
      sheets.add(path)
      return path
    },
    finish: async (opened) => {
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
      return new Map(
        [...writer.parts]
          .filter(([path, { text }]) => !sheets.has(path) && text !== "")
          .map(([path, { text }]) => [path, path === "xl/styles.xml" ? inOrder(text) : text]),
      )
    },
  }
}

const fontMembers = ["b", "u", "sz", "color", "name", "family", "scheme"]
const placeOf = (element: string): number => fontMembers.indexOf(/^<(\w+)/.exec(element)?.[1] ?? "")

/** The strictest readers require the members of a font in one order. */
const inOrder = (styles: string): string =>
  styles.replaceAll(/(?<=<font>).*?(?=<\/font>)/g, (members) =>
    (members.match(/<[^>]+>/g) ?? []).toSorted((one, other) => placeOf(one) - placeOf(other)).join(""),
  )
