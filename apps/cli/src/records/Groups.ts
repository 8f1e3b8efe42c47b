/** Counts records in groups of equal values. Memory grows with the number of groups. */
import { Json } from "@deedkit/core"
import { TextForm } from "@deedkit/export"
import type { Column } from "@deedkit/export"

interface Group {
  /** The values of the columns, in their order. */
  readonly values: ReadonlyArray<Json.Json>
  records: number
}

export const grouping = <A>(columns: ReadonlyArray<Column.Column<A>>) => {
  const groups = new Map<string, Group>()
  return {
    add: (record: A): void => {
      const values = columns.map(({ get }) => get(record))
      const key = Json.stringify(
        values.map((value) => (typeof value === "string" ? TextForm.equal(value) : value)),
      )
      const group = groups.get(key)
      if (group === undefined) groups.set(key, { values, records: 1 })
      else group.records += 1
    },
    /** The largest group first; equally large ones in the order in which they were found. */
    groups: (): ReadonlyArray<Group> =>
      [...groups.values()].toSorted((left, right) => right.records - left.records),
  }
}
