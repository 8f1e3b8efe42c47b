/** The members of exceljs's stream writer that this package relies on. They are not its public surface: a test pins them. */
declare module "#exceljs" {
  export interface Style {
    readonly numFmt?: string
    readonly font?: {
      readonly name?: string
      readonly size?: number
      readonly family?: number
      readonly bold?: boolean
      readonly underline?: boolean
      readonly color?: { readonly argb: string }
    }
    readonly fill?: {
      readonly type: "pattern"
      readonly pattern: "solid"
      readonly fgColor?: { readonly argb: string }
      readonly bgColor?: { readonly argb: string }
    }
    readonly alignment?: { readonly vertical?: "middle" | "top"; readonly wrapText?: boolean }
  }
  export interface PartStream {
    write(chunk: string | { toBuffer(): Uint8Array }): boolean
    end(): void
    pause(): void
    on(event: string, listener: () => void): unknown
  }
  export interface Worksheet {
    readonly id: number
    columns: ReadonlyArray<{ readonly width: number }>
    autoFilter: unknown
    addRow(values: ReadonlyArray<string>): {
      height: number
      commit(): void
      eachCell(options: { includeEmpty: boolean }, each: (cell: { style: Style }) => void): void
    }
    addConditionalFormatting(formatting: {
      readonly ref: string
      readonly rules: ReadonlyArray<{
        readonly type: "cellIs"
        readonly operator: "equal"
        readonly priority: number
        readonly formulae: ReadonlyArray<string>
        readonly style: Style
      }>
    }): void
    commit(): void
    readonly _sheetRelsWriter: {
      addHyperlink(link: { readonly target: string; readonly address: string }): void
    }
    _writeHyperlinks(): void
    _writeDataValidations(): void
  }
  export default class WorkbookWriter {
    constructor(options: {
      readonly useStyles: boolean
      readonly creator: string
      readonly lastModifiedBy: string
      readonly created: Date
    })
    zip: { append(text: string, entry: { readonly name: string }): void }
    views: ReadonlyArray<object>
    description?: string
    readonly styles: { addStyleModel(style: Style, cellType: number): number }
    addWorksheet(name: string, options: { readonly views: ReadonlyArray<object> }): Worksheet
    addThemes(): Promise<void>
    addOfficeRels(): Promise<void>
    commit(): Promise<unknown>
    _openStream(path: string): PartStream
    _finalize(): Promise<unknown>
  }
}
