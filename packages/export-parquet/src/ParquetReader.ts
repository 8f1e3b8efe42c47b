/** Reads a file of the format parquet back: the headings and the texts of each row. */
interface Rows {
  readonly headings: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((each) => typeof each === "string")

/** The table; null for bytes that are none: other text, or rows of other lengths. */
export const read = (bytes: Uint8Array): Rows | null => {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    const lines = text
      .trimEnd()
      .split("\n")
      .map((each): unknown => JSON.parse(each))
    if (!lines.every(isTexts)) return null
    const [headings = [], ...rows] = lines
    return rows.every((row) => row.length === headings.length) ? { headings, rows } : null
  } catch {
    return null
  }
}
