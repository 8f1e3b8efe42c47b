/**
 * The table in which free text is searched: every contract as one line of plain text, in blocks of some thousand lines. Only blocks that
 * changed are written again, and a line never moves to another block, so that a write that stops between two blocks loses nothing.
 */
import { plain } from "./Query.ts"
import type { Query, QueryField } from "./Query.ts"
import type { Row } from "./Row.ts"

/** A block as the database keeps it: its lines, joined, with their contracts in the same order. */
export interface TextBlock {
  readonly ids: Float64Array
  readonly updated: Float64Array
  readonly text: string
}

interface Line {
  readonly id: number
  readonly updated: number
  readonly text: string
}

interface Block {
  ids: Float64Array
  updated: Float64Array
  /** Each line ends in a line feed. */
  text: string
  /** Where each line starts, and where the last one ends; made when it is first searched. */
  starts: Uint32Array | null
  /** Lines that differ from those above; null for one that is gone. Merged before the next search. */
  changes: Map<number, Line | null>
  isChanged: boolean
}

/** A text that a line must hold, and in which of its parts; with the marks around it if it must begin a part, or fill it. */
interface Wanted {
  readonly needle: string
  readonly part: "line" | QueryField
}

const linesOfBlock = 8_192
const fieldEnd = "\u0001"
const listingEnd = "\u0002"

/** The searched text of a contract: what names its listing first. */
const lineOf = ({ contract, slug, unit, city, listingId }: Row): string => {
  const { listing, status } = contract
  const naming = [listing == null ? "" : plain(listing.title), slug?.toLowerCase() ?? "", listingId ?? ""]
  const rest = [
    unit,
    city ?? "",
    listing == null ? "" : plain(listing.area),
    plain(contract.kind),
    plain(status),
  ]
  return `${naming.join(fieldEnd)}${listingEnd}${[...rest, contract.id].join(fieldEnd)}`
}

const emptyBlock = (): Block => ({
  ids: new Float64Array(),
  updated: new Float64Array(),
  text: "",
  starts: null,
  changes: new Map(),
  isChanged: false,
})

const startsOf = (block: Block): Uint32Array => {
  if (block.starts !== null) return block.starts
  const starts = new Uint32Array(block.ids.length + 1)
  for (let line = 1, at = -1; line <= block.ids.length; line++) {
    at = block.text.indexOf("\n", at + 1)
    starts[line] = at + 1
  }
  block.starts = starts
  return starts
}

const isSame = (line: Line, text: string, updated: number): boolean =>
  line.text === text && line.updated === updated

const merge = (block: Block): void => {
  if (block.changes.size === 0) return
  const starts = startsOf(block)
  const lines: Array<Line> = []
  let differs = false
  for (let line = 0; line < block.ids.length; line++) {
    const id = block.ids[line]!
    const updated = block.updated[line]!
    const text = block.text.slice(starts[line], starts[line + 1]! - 1)
    const change = block.changes.get(id)
    block.changes.delete(id)
    if (change === undefined || (change !== null && isSame(change, text, updated))) {
      lines.push({ id, updated, text })
      continue
    }
    differs = true
    if (change !== null) lines.push(change)
  }
  for (const added of block.changes.values()) if (added !== null) lines.push(added)
  block.changes.clear()
  if (!differs && lines.length === block.ids.length) return
  block.ids = Float64Array.from(lines, ({ id }) => id)
  block.updated = Float64Array.from(lines, ({ updated }) => updated)
  block.text = lines.map(({ text }) => `${text}\n`).join("")
  block.starts = null
  block.isChanged = true
}

/** The mark before the value of a field that must begin with the searched text. Statuses and kinds are not searched here. */
const marks: { readonly [field: string]: string } = { listing: "", unit: listingEnd, city: fieldEnd }

const wantedBy = ({ terms, words }: Query): ReadonlyArray<Wanted> => [
  ...words.map((needle): Wanted => ({ needle, part: "line" })),
  ...terms.flatMap(({ field, isWhole, text }) => {
    const mark = marks[field]
    if (mark === undefined) return []
    const end = isWhole && mark !== "" ? fieldEnd : ""
    return [{ needle: mark + text + end, part: field }]
  }),
]

const holds = (line: string, { needle, part }: Wanted): boolean => {
  if (part === "line") return line.includes(needle)
  const end = line.indexOf(listingEnd)
  if (part === "unit") return line.startsWith(needle, end)
  if (part === "city") return line.startsWith(needle, line.indexOf(fieldEnd, end))
  return line.slice(0, end).includes(needle)
}

export class TextTable {
  readonly #blocks: Array<Block>
  /** The block of each contract; made when a line is first changed. */
  #blockOf: Map<number, number> | null = null

  constructor(blocks: ReadonlyArray<TextBlock> = []) {
    this.#blocks = blocks.map((block) => ({ ...emptyBlock(), ...block }))
  }

  /** Applies new or newer rows. */
  apply(rows: ReadonlyArray<Row>): void {
    const blockOf = this.#known()
    for (const row of rows) {
      const line = { id: row.id, updated: row.updatedAt, text: lineOf(row) }
      const known = blockOf.get(row.id)
      const number = known ?? this.#lastWithRoom()
      const block = this.#blocks[number]!
      if (known === undefined) blockOf.set(row.id, number)
      block.changes.set(row.id, line)
    }
  }

  remove(ids: Iterable<number>): void {
    const blockOf = this.#known()
    for (const id of ids) {
      const number = blockOf.get(id)
      if (number === undefined) continue
      this.#blocks[number]!.changes.set(id, null)
      blockOf.delete(id)
    }
  }

  /** The contracts whose line holds every word, and each term in its field; null if the query has no condition for a line. */
  search(query: Query): ReadonlyArray<number> | null {
    const wanted = wantedBy(query)
    const [rarest] = wanted.toSorted((one, other) => other.needle.length - one.needle.length)
    if (rarest === undefined) return null
    const isFoundAnywhere = wanted.length === 1 && rarest.part === "line"
    // The mark before a city occurs many times in each line.
    const anchor = rarest.needle.slice(Number(rarest.part === "city"))
    const ids: Array<number> = []
    for (const block of this.#blocks) {
      merge(block)
      const starts = startsOf(block)
      let line = 0
      for (let at = block.text.indexOf(anchor); at >= 0;) {
        while (starts[line + 1]! <= at) line += 1
        const end = starts[line + 1]!
        const text = block.text.slice(starts[line], end - 1)
        if (isFoundAnywhere || wanted.every((one) => holds(text, one))) ids.push(block.ids[line]!)
        at = block.text.indexOf(anchor, end)
      }
    }
    return ids
  }

  /** The blocks that differ from those that the table was made from, by number; from then on they count as stored. */
  takeChanged(): ReadonlyMap<number, TextBlock> {
    const changed = new Map<number, TextBlock>()
    this.#blocks.forEach((block, number) => {
      merge(block)
      if (!block.isChanged) return
      block.isChanged = false
      changed.set(number, { ids: block.ids, updated: block.updated, text: block.text })
    })
    return changed
  }

  #known(): Map<number, number> {
    if (this.#blockOf !== null) return this.#blockOf
    const blockOf = new Map<number, number>()
    this.#blocks.forEach((block, number) => block.ids.forEach((id) => blockOf.set(id, number)))
    this.#blockOf = blockOf
    return blockOf
  }

  #lastWithRoom(): number {
    const last = this.#blocks.at(-1)
    if (last === undefined || last.ids.length + last.changes.size >= linesOfBlock) {
      return this.#blocks.push(emptyBlock()) - 1
    }
    return this.#blocks.length - 1
  }
}
