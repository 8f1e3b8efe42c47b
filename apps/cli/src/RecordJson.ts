/**
 * Records as JSON: as they came, digit for digit, or only the members that were asked for, where the record has them, so that
 * `.listing.city` is found at the same place either way.
 */
import { Json } from "@deedkit/core"
import type { Column, Table } from "@deedkit/export"

type Members = { [member: string]: Json.Json }

const at = (value: Json.Json | undefined, path: ReadonlyArray<string>): Json.Json => {
  let inner = value
  for (const name of path)
    inner = Json.isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined
  return inner ?? null
}

/**
 * A record with only these columns. A column that is not on the wire, such as a computed one, stands under its whole name.
 */
const project =
  <A>(table: Table.Table<A>, columns: ReadonlyArray<Column.Column<A>>) =>
  (record: A): Json.Json => {
    const wire = record as Json.Json
    const result: Members = {}
    for (const column of columns) {
      const { get, name } = column
      const [outer = name, inner] = name.split(".")
      if (!table.columns.includes(column)) result[name] = get(record)
      else if (inner === undefined) result[outer] = at(wire, [outer])
      else result[outer] = { ...(result[outer] as Members | undefined), [inner]: at(wire, [outer, inner]) }
    }
    return result
  }

/** As they are, where no columns were asked for. */
export const shaped = <A>(
  table: Table.Table<A>,
  columns: ReadonlyArray<Column.Column<A>> | null,
): ((record: A) => unknown) => (columns === null ? (record) => record : project(table, columns))

/** Records as lines, one document each. */
export const lines = (values: ReadonlyArray<unknown>): string =>
  values.map((value) => Json.stringify(value)).join("\n")
