/**
 * Records as JSON: as they came, digit for digit, or only the members that were asked for, where the record has them, so that
 * `.listing.city` is found at the same place either way. The API key is taken out, because a server may have put it anywhere.
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
): ((record: A) => Json.Json) =>
  columns === null ? (record) => record as Json.Json : project(table, columns)

/** JSON text without the API key, which `redact` takes out of a text: out of texts and names of members, never out of digits. */
export const text = (value: unknown, redact: (text: string) => string, indent?: number): string => {
  const whole = Json.stringify(value, indent)
  return redact(whole) === whole ? whole : Json.stringify(Json.mapTexts(value as Json.Json, redact), indent)
}

/** Records as lines, one document each. */
export const lines = (values: ReadonlyArray<unknown>, redact: (text: string) => string): string =>
  values.map((value) => text(value, redact)).join("\n")
