/** Counts the records of a table by a few of their values, for the summary of the export. */
import * as TextForm from "./TextForm.ts"

/** A way of grouping records: its heading, and the group of a record; null for records without one. */
export interface Grouping<in A> {
  readonly label: string
  readonly of: (record: A) => string | null
}

export interface Count {
  readonly label: string
  /** Null for the records without a group. */
  readonly value: string | null
  readonly records: number
}

/** Number of values that are listed by name; the rest are counted together. */
export const mostValues = 200

export class Overview<in A> {
  readonly #groups: ReadonlyArray<{
    readonly grouping: Grouping<A>
    readonly counts: Map<string | null, number>
  }>

  constructor(groupings: ReadonlyArray<Grouping<A>>) {
    this.#groups = groupings.map((grouping) => ({ grouping, counts: new Map() }))
  }

  add(records: ReadonlyArray<A>): void {
    for (const { counts, grouping } of this.#groups) {
      for (const record of records) {
        const given = grouping.of(record)
        const value = given === null ? null : TextForm.equal(given)
        counts.set(value, (counts.get(value) ?? 0) + 1)
      }
    }
  }

  /** The most frequent values first; equally frequent ones by name. */
  counts(): ReadonlyArray<Count> {
    return this.#groups.flatMap(({ counts, grouping: { label } }) => {
      const sorted = [...counts].toSorted(
        ([left, many], [right, more]) => more - many || String(left).localeCompare(String(right), "en"),
      )
      const listed = sorted.slice(0, mostValues).map(([value, records]): Count => ({ label, value, records }))
      const rest = sorted.slice(mostValues)
      const records = rest.reduce((sum, [, count]) => sum + count, 0)
      return rest.length === 0 ? listed : [...listed, { label, value: `${rest.length} others`, records }]
    })
  }
}
