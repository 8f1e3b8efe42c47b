/**
 * The printed result: one line per case, each figure as a ratio to its peer in the same round, with its limit.
 */

export interface Row {
  readonly name: string
  /** One figure per round, in the same order for every row; empty if a case could not be run. */
  readonly figures: ReadonlyArray<number>
  readonly note: string
  /** Limits by the name of the peer's row. */
  readonly limits: { readonly [peer: string]: number }
  /** The limit of the figure itself, in the table's unit. */
  readonly atMost?: number | undefined
}

export const median = (figures: ReadonlyArray<number>): number => {
  const sorted = figures.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

const ratios = (row: Row, peer: Row): ReadonlyArray<number> =>
  row.figures.map((figure, round) => figure / peer.figures[round]!)

/** The median of the ratios of each round: other load on the machine affects both. */
const ratio = (row: Row, peer: Row): number => median(ratios(row, peer))

/** The lowest and the highest ratio of a round; empty for a single round and for the peer itself. */
const spread = (row: Row, peer: Row): string => {
  const all = ratios(row, peer)
  return all.length < 2 || row === peer
    ? ""
    : ` (${Math.min(...all).toFixed(2)}-${Math.max(...all).toFixed(2)})`
}

const isMeasured = (row: Row): boolean => row.figures.length > 0
const number = (figure: number): string => figure.toFixed(figure < 10 && figure % 1 !== 0 ? 2 : 0)
const verdict = (isMet: boolean): string => (isMet ? "met" : "MISSED")

/** A Markdown table; ratios are to the first row unless a limit names another peer. */
export const print = (title: string, unit: string, rows: ReadonlyArray<Row>): string => {
  const byName = new Map(rows.map((row) => [row.name, row]))
  const limitsOf = (row: Row): ReadonlyArray<string> => {
    if (!isMeasured(row)) return []
    const figure = median(row.figures)
    const own =
      row.atMost === undefined
        ? []
        : [`${number(figure)} ${unit}, limit ${number(row.atMost)}: ${verdict(figure <= row.atMost)}`]
    const ofPeers = Object.entries(row.limits).map(([name, limit]) => {
      const peer = byName.get(name)!
      if (!isMeasured(peer)) return `${name} was not measured, limit ${limit.toFixed(2)}x`
      const found = ratio(row, peer)
      return `${found.toFixed(2)}x${spread(row, peer)} of ${name}, limit ${limit.toFixed(2)}x: ${verdict(found <= limit)}`
    })
    return [...own, ...ofPeers]
  }
  const lines = rows.map((row) => {
    const measured = isMeasured(row)
    const cells = [
      row.name,
      measured ? number(median(row.figures)) : "",
      measured ? ratio(row, rows[0]!).toFixed(2) + spread(row, rows[0]!) : "",
      row.note,
      limitsOf(row).join("; "),
    ]
    return `| ${cells.join(" | ")} |`
  })
  const heading = `| case | ${unit} (median) | ratio | notes | limits |`
  return [`### ${title}`, "", heading, "|---|---|---|---|---|", ...lines, ""].join("\n")
}
