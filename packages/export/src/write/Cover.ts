/**
 * The page in front of a file's tables, as values: what the file is, whether it is complete, and its main figures. Formats decide how it looks.
 */
import type { Tone } from "../table/Column.ts"

export interface Cover {
  readonly title: string
  /** When the records were read and from where, in one line. */
  readonly subtitle: string
  readonly verdict: { readonly text: string; readonly tone: Tone }
  /** The main figures, at most four. */
  readonly figures: ReadonlyArray<{ readonly label: string; readonly value: number }>
  /** Counts by two values, each shown as a table and as a chart of that table. */
  readonly counts: ReadonlyArray<CrossTable>
  readonly sections: ReadonlyArray<{
    readonly title: string
    readonly facts: ReadonlyArray<{
      readonly name: string
      readonly text: string
      /** The title of a table in the file, to which the name links. */
      readonly table?: string
    }>
  }>
}

export interface CrossTable {
  readonly title: string
  /** The heading of the rows' names. */
  readonly rowLabel: string
  /** At most four; a tone is shown in the chart. */
  readonly columns: ReadonlyArray<{ readonly name: string; readonly tone: Tone | null }>
  /** One count for each column. */
  readonly rows: ReadonlyArray<{ readonly name: string; readonly counts: ReadonlyArray<number> }>
}
