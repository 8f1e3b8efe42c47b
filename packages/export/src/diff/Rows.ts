/**
 * The rows of two exports, whatever their formats: the texts of cells by column name. JSON records get the same cells as in other formats. Pure.
 */
import { Json } from "@deedkit/core"
import type { CellValue } from "../table/Cell.ts"
import * as Cell from "../table/Cell.ts"
import type { Column } from "../table/Column.ts"
import { plainLabel } from "../table/Column.ts"
import type { Table } from "../table/Table.ts"
import { extraColumn, namedExtra } from "../tables/extraColumn.ts"
import { clean } from "../write/TextCleaner.ts"

/** A row of an export: the texts of its cells by column name. */
export type Row = { readonly [column: string]: string }

type Tables = ReadonlyArray<Pick<Table<never>, "columns" | "onDemand">>

const controls = /[\p{Cc}\uFFFE\uFFFF]/gu
/** Keeps the controls that XML, and so a workbook, can hold: those between `~` and U+FFFE, tab, line feed and carriage return. */
const inXml = (character: string): string =>
  (character > "~" && character < "\uFFFE") || "\t\n\r".includes(character) ? character : ""

/** The text of a value as every format can hold it (see `TextCleaner`): an empty cell is the empty text. */
export const textOf = (value: CellValue): string => {
  const scalar = Cell.scalar(value)
  return scalar === null ? "" : clean(String(scalar)).replaceAll(controls, inXml)
}

/** A record as it is in JSON. */
type Members = { readonly [member: string]: Json.Json }
/** Records as JSON. */
export type Records = ReadonlyArray<Members>

/** The members on the wire that a table's columns are made of: `id`, and `listing` for `listing.city`. */
const membersOf = (table: Tables[number]): ReadonlySet<string> =>
  new Set(
    table.columns.flatMap(({ isComputed, name }) =>
      isComputed === true ? [] : [name.split(".")[0] ?? name],
    ),
  )

/** Whether these are whole records of the service, not chosen members of them. A contract can lack its listing, though hardly all of them do. */
const areWhole = (records: Records, table: Tables[number]): boolean =>
  [...membersOf(table)].every((member) =>
    table.columns.some(({ name }) => name === member)
      ? records.every((record) => Object.hasOwn(record, member))
      : records.some((record) => Object.hasOwn(record, member)),
  )

/** The members of a record that have no column: its own, and those of nested objects, under the name of the object, such as `listing`. */
const undocumentedOf = (record: Members, names: ReadonlySet<string>): Members => {
  const outers = new Set([...names].flatMap((name) => (name.includes(".") ? [name.split(".")[0]!] : [])))
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): ReadonlyArray<[string, Json.Json]> => {
      if (names.has(name)) return []
      if (!outers.has(name) || !Json.isObject(value)) return outers.has(name) ? [] : [[name, value]]
      const inner = Object.entries(value).filter(([member]) => !names.has(`${name}.${member}`))
      return inner.length === 0 ? [] : [[name, Object.fromEntries(inner)]]
    }),
  )
}

/** The members of a record that have columns, by their paths. */
const flatten = (record: Members, columns: ReadonlyArray<Column<never>>): Row => {
  const kinds = new Map(columns.map(({ kind, name }) => [name, kind]))
  const cells: Array<readonly [string, string]> = []
  for (const [name, value] of Object.entries(record)) {
    const kind = kinds.get(name)
    if (kind !== undefined) {
      const isList = Array.isArray(value) && kind === "text"
      cells.push([name, isList ? value.map(textOf).join(" ") : textOf(value)])
    } else if (Json.isObject(value)) {
      for (const [inner, cell] of Object.entries(value)) {
        if (kinds.has(`${name}.${inner}`)) cells.push([`${name}.${inner}`, textOf(cell)])
      }
    }
  }
  return Object.fromEntries(cells)
}

/** The row of a record as specified, or of the known members of one that is not. */
const wholeRow = (record: Members, table: Tables[number]): Row => {
  try {
    return rowOf(table, record as unknown as never)
  } catch {
    // A member has another type than specified: the record is compared by the members that it holds.
    return flatten(record, [...table.columns, ...table.onDemand])
  }
}

/** Gives all rows the same columns; a cell that a row lacks becomes empty. */
const even = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const names = new Set<string>()
  for (const row of rows) for (const name of Object.keys(row)) names.add(name)
  return rows.map((row) =>
    Object.keys(row).length === names.size
      ? row
      : Object.fromEntries(Array.from(names, (name) => [name, row[name] ?? ""])),
  )
}

/** The table that has the most members in common with the records; the first one of several that have as many. */
const fittest = (records: Records, tables: Tables): Tables[number] => {
  const members = new Set(records.flatMap((record) => Object.keys(record)))
  const known = (table: Tables[number]): number =>
    [...membersOf(table), ...table.onDemand.map(({ name }) => name)].filter((name) => members.has(name))
      .length
  return tables.toSorted((one, other) => known(other) - known(one))[0]!
}

/** A record's cells by the columns of its table. Throws as the columns do if a member has another type than specified. */
export const rowOf = <A>({ columns }: Pick<Table<A>, "columns">, record: A): Row =>
  Object.fromEntries(columns.map(({ get, name }) => [name, textOf(get(record))]))

/**
 * The rows of JSON records, with the same cells as in other formats: every column of their table if the records are whole, else their members by
 * path. `chosen` holds the columns of the export if they are known. Without it, only whole records keep members that the specification does not
 * name, because a record with chosen members does not show which of them it had.
 */
export const rowsOf = (
  records: Records,
  tables: Tables,
  chosen: ReadonlyArray<string> | null = null,
): ReadonlyArray<Row> => {
  const table = tables.find((each) => areWhole(records, each))
  if (table !== undefined && (chosen === null || chosen.includes("extra"))) {
    return even(records.map((record) => wholeRow(record, table)))
  }
  const { columns, onDemand } = fittest(records, tables)
  // A member of the service can have the name of a column that is computed where that is chosen.
  const computed = onDemand.filter(({ name }) => chosen === null || chosen.includes(name))
  const known = [...columns.filter(({ members }) => members === undefined), ...computed]
  const names = new Set(known.map(({ name }) => name))
  const others = (record: Members): Members => undocumentedOf(record, names)
  const named = (chosen ?? []).flatMap(
    (name) => namedExtra(others)(name) ?? (name === "extra" ? extraColumn(others) : []),
  )
  const shown = known.filter(({ name }) => chosen === null || chosen.includes(name))
  return even(records.map((record) => ({ ...flatten(record, shown), ...rowOf({ columns: named }, record) })))
}

const isExtra = (name: string): boolean => name.startsWith("extra.")

/**
 * Maps the headings of a file to column names. Headings can be labels for people, in any time zone. If they are labels, a heading that belongs to
 * no column of the tables is the path of a member that the specification does not name; else it is a column name.
 */
export const namesOf = (headings: ReadonlyArray<string>, tables: Tables): ReadonlyArray<string> => {
  const fitting = tables.map((table) => {
    const columns = [...table.columns, ...table.onDemand]
    const names = new Map(columns.map(({ label, name }) => [label, name]))
    const timestamps = new Map(
      columns.flatMap(({ kind, label, name }) => (kind === "timestamp" ? [[plainLabel(label), name]] : [])),
    )
    return headings.map((heading) => names.get(heading) ?? timestamps.get(plainLabel(heading)) ?? null)
  })
  const known = (names: ReadonlyArray<string | null>): number => names.filter((name) => name !== null).length
  const best = fitting.toSorted((one, other) => known(other) - known(one))[0] ?? []
  const areLabels = known(best) > 0
  return headings.map(
    (heading, at) => best[at] ?? (areLabels && !isExtra(heading) ? `extra.${heading}` : heading),
  )
}

/** The members of a cell of `extra`, each as a text, sorted; null if the cell is not a JSON object. */
const sorted = (cell: string): string | null => {
  const textsOf = (members: Members, before: string): ReadonlyArray<string> =>
    Object.entries(members).flatMap(([name, value]) =>
      before === "" && name === "listing" && Json.isObject(value)
        ? textsOf(value, "listing.")
        : [`${before}${JSON.stringify(name)}:${Json.stringify(value)}`],
    )
  try {
    const members = Json.parse(cell)
    return Json.isObject(members) ? textsOf(members, "").toSorted().join() : null
  } catch {
    return null
  }
}

/**
 * Whether two cells of a column are equal. The order of members that the specification does not name is ignored: chosen ones are in the order of
 * the choice.
 */
export const isSame = (column: string, before: string | undefined, after: string | undefined): boolean => {
  if (before === after) return true
  if (column !== "extra" || !before?.startsWith("{") || !after?.startsWith("{")) return false
  const members = sorted(before)
  return members !== null && members === sorted(after)
}
