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
    readonly border?: {
      readonly [side in "top" | "bottom"]?: {
        readonly style: "thin" | "medium"
        readonly color: { readonly argb: string }
      }
    }
    readonly alignment?: {
      readonly vertical?: "middle" | "top" | "bottom"
      readonly horizontal?: "left" | "right"
      readonly indent?: number
      readonly wrapText?: boolean
    }
  }
  export interface PartStream {
    write(chunk: string | { toBuffer(): Uint8Array }): boolean
    end(): void
    pause(): void
    on(event: string, listener: () => void): unknown
  }
  export interface Worksheet {
    readonly id: number
    /** A sheet that is committed is not written by exceljs. */
    committed: boolean
  }
  export default class WorkbookWriter {
    constructor(options: { readonly useStyles: boolean; readonly created: Date })
    zip: { append(text: string, entry: { readonly name: string }): void }
    views: ReadonlyArray<object>
    readonly styles: {
      addStyleModel(style: Style, cellType: number): number
      addDxfStyle(style: Style): number
    }
    addWorksheet(name: string): Worksheet
    addThemes(): Promise<void>
    addOfficeRels(): Promise<void>
    commit(): Promise<unknown>
    _openStream(path: string): PartStream
    _finalize(): Promise<unknown>
  }
}
