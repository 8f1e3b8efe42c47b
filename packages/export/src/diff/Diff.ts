/**
 * Finds what changed between two exports of the same table: records that were added, records that are gone, and members that differ.
 *
 * It compares the texts of cells, so the exports can have different formats. Records are matched by the column `id`. Pure: it reads no files.
 */
import type { Table } from "../table/Table.ts"
import { isSame } from "./Rows.ts"
import type { Row } from "./Rows.ts"

export { namesOf, rowOf, rowsOf, textOf } from "./Rows.ts"
export type { Row } from "./Rows.ts"
export { align, alignToRecords, zoneInHeadings } from "./Times.ts"
export type { Timed, ZonesApart } from "./Times.ts"

/** One difference. `member` is null when the whole record was added or is gone. */
export interface Change {
  readonly change: "added" | "changed" | "gone"
  readonly id: string
  /** What people call the record: the unit of a contract, the name of a key. Null where the exports do not have that column. */
  readonly name: string | null
  /** The title of a contract's listing. Null where the exports do not have that column. */
  readonly listing: string | null
  readonly member: string | null
  readonly before: string | null
  readonly after: string | null
}

export interface Difference {
  readonly added: number
  readonly changed: number
  readonly gone: number
  /** Records that are the same in both. */
  readonly same: number
  /** Columns that only one of the two has; they are not compared. */
  readonly onlyBefore: ReadonlyArray<string>
  readonly onlyAfter: ReadonlyArray<string>
  /** Ordered by record as in the later export, then the records that are gone, ordered as in the earlier one. */
  readonly changes: ReadonlyArray<Change>
}

const byId = (rows: ReadonlyArray<Row>): Map<string, Row> =>
  new Map(rows.map((row) => [row["id"] ?? "", row]))

const columnsOf = (rows: ReadonlyArray<Row>): ReadonlyArray<string> => Object.keys(rows[0] ?? {})

const change = (row: Row, id: string, kind: Change["change"], member: string | null, old?: Row): Change => ({
  change: kind,
  id,
  name: row["unit_label"] ?? row["name"] ?? null,
  listing: row["listing.title"] ?? null,
  member,
  before: member === null ? null : (old?.[member] ?? null),
  after: member === null ? null : (row[member] ?? null),
})

/** Compares an earlier export with a later one. The rows of the later one can arrive page by page; only the changes are kept. */
export class Comparison {
  readonly #left: ReadonlyArray<string>
  #right: ReadonlyArray<string> = []
  #shared: ReadonlyArray<string> = []
  /** Rows of the earlier export that no later row has matched yet, by id. */
  readonly #earlier: Map<string, Row>
  readonly #changes: Array<Change> = []
  #added = 0
  #changed = 0
  #same = 0

  /** If two rows have the same id, the last one counts. */
  constructor(before: ReadonlyArray<Row>) {
    this.#left = columnsOf(before)
    this.#earlier = byId(before)
  }

  /** Adds rows of the later export in their order. Each id occurs once, and all rows have the columns of the first. */
  add(rows: ReadonlyArray<Row>): void {
    if (this.#right.length === 0) {
      this.#right = columnsOf(rows)
      this.#shared = this.#right.filter((column) => this.#left.includes(column))
    }
    for (const row of rows) {
      const id = row["id"] ?? ""
      const old = this.#earlier.get(id)
      if (old === undefined) {
        this.#added += 1
        this.#changes.push(change(row, id, "added", null))
        continue
      }
      this.#earlier.delete(id)
      const differing = this.#shared.filter((column) => !isSame(column, old[column], row[column]))
      if (differing.length > 0) this.#changed += 1
      else this.#same += 1
      for (const member of differing) this.#changes.push(change(row, id, "changed", member, old))
    }
  }

  /** Returns the differences, after all rows were added. */
  end(): Difference {
    const [left, right] = [this.#left, this.#right]
    const isComparable = left.length > 0 && right.length > 0
    return {
      added: this.#added,
      changed: this.#changed,
      gone: this.#earlier.size,
      same: this.#same,
      onlyBefore: isComparable ? left.filter((column) => !right.includes(column)) : [],
      onlyAfter: isComparable ? right.filter((column) => !left.includes(column)) : [],
      changes: [...this.#changes, ...Array.from(this.#earlier, ([id, row]) => change(row, id, "gone", null))],
    }
  }
}

/** Compares an earlier export with a later one. */
export const compare = (before: ReadonlyArray<Row>, after: ReadonlyArray<Row>): Difference => {
  const comparison = new Comparison(before)
  comparison.add([...byId(after).values()])
  return comparison.end()
}

/** Differences as a table, so that every format can hold them. */
export const changes: Table<Change> = {
  name: "changes",
  title: "Changes",
  columns: [
    {
      name: "change",
      label: "Change",
      kind: "text",
      tones: { added: "good", changed: "attention", gone: "muted" },
      get: (row) => row.change,
    },
    { name: "id", label: "Record", kind: "text", get: (row) => row.id },
    { name: "name", label: "Name", kind: "text", get: (row) => row.name },
    { name: "member", label: "What", kind: "text", get: (row) => row.member },
    { name: "before", label: "Before", kind: "text", get: (row) => row.before },
    { name: "after", label: "After", kind: "text", get: (row) => row.after },
  ],
  onDemand: [],
}
