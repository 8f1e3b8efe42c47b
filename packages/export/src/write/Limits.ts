/** What one sheet of a format can hold; null if the format itself has no limit. `TableWriter.withinLimits` makes tables observe the limits. */
export interface Limits {
  /** Rows of records, headings not counted. */
  readonly maxRows: number | null
  readonly maxColumns: number | null
  /** UTF-16 code units in one cell. */
  readonly maxTextLength: number | null
}

/** No limits. */
export const unlimited: Limits = { maxRows: null, maxColumns: null, maxTextLength: null }
