/**
 * The printed result: one line a case, each figure as a ratio to its peer in the same round, with the limit that it should meet.
 */

export interface Row {
  readonly name: string
  /** One figure a round, in the same order for every row. */
  readonly figures: ReadonlyArray<number>
  readonly note: string
  /** Limits by the name of the peer's row. */
  readonly limits: { readonly [peer: string]: number }
}

const median = (figures: ReadonlyArray<number>): number => {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The median of the ratios of each round: what the machine did meanwhile happened to both. */
const ratio = (row: Row, peer: Row): number =>
  median(row.figures.map((figure, round) => figure / peer.figures[round]!))

/** A Markdown table; ratios are to the first row unless a limit names another peer. */
export const print = (title: string, unit: string, rows: ReadonlyArray<Row>): string => {
  const byName = new Map(rows.map((row) => [row.name, row]))
  const verdict = (row: Row): string =>
    Object.entries(row.limits)
      .map(([peer, limit]) => {
        const found = ratio(row, byName.get(peer)!)
        return `${found.toFixed(2)}x of ${peer}, limit ${limit.toFixed(2)}x: ${found <= limit ? "met" : "MISSED"}`
      })
      .join("; ")
  const lines = rows.map((row) => {
    const cells = [
      row.name,
      median(row.figures).toFixed(0),
      ratio(row, rows[0]!).toFixed(2),
      row.note,
      verdict(row),
    ]
    return `| ${cells.join(" | ")} |`
  })
  const heading = `| case | ${unit} (median) | ratio | notes | limits |`
  return [`### ${title}`, "", heading, "|---|---|---|---|---|", ...lines, ""].join("\n")
}
