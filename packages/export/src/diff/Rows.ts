/**
 * The rows of two exports, whatever their formats: the texts of cells by the names of columns. Records as JSON get the cells that other formats
 * have. Pure.
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
/** Of these, XML holds the ones beyond `~` and three others, and so do workbooks. */
const inXml = (character: string): string =>
  (character > "~" && character < "\uFFFE") || "\t\n\r".includes(character) ? character : ""

/** The text of a value as every format can hold it (see `TextCleaner`): an empty cell is the empty text. */
export const textOf = (value: CellValue): string => {
  const scalar = Cell.scalar(value)
  return scalar === null ? "" : clean(String(scalar)).replaceAll(controls, inXml)
}

/** A record as JSON has it. */
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

/** Whether these are records as the service has them, and not chosen members. A contract may lack its listing, though hardly all of them do. */
const areWhole = (records: Records, table: Tables[number]): boolean =>
  [...membersOf(table)].every((member) =>
    table.columns.some(({ name }) => name === member)
      ? records.every((record) => Object.hasOwn(record, member))
      : records.some((record) => Object.hasOwn(record, member)),
  )

/** The members of a record that no column has: those of the record, and under the name of an object such as `listing` those in it. */
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

/** A record as specified, or what is left of one that is not. */
const wholeRow = (record: Members, table: Tables[number]): Row => {
  try {
    return rowOf(table, record as unknown as never)
  } catch {
    // A member of another type than specified: such a record is compared by what it holds.
    return flatten(record, [...table.columns, ...table.onDemand])
  }
}

/** The same columns in all rows; a cell that one lacks is empty. */
const even = (rows: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const names = new Set<string>()
  for (const row of rows) for (const name of Object.keys(row)) names.add(name)
  return rows.map((row) =>
    Object.keys(row).length === names.size
      ? row
      : Object.fromEntries(Array.from(names, (name) => [name, row[name] ?? ""])),
  )
}

/** The table that most members of records are of; the first where there is no telling. */
const fittest = (records: Records, tables: Tables): Tables[number] => {
  const members = new Set(records.flatMap((record) => Object.keys(record)))
  const known = (table: Tables[number]): number =>
    [...membersOf(table), ...table.onDemand.map(({ name }) => name)].filter((name) => members.has(name))
      .length
  return tables.toSorted((one, other) => known(other) - known(one))[0]!
}

/** A record's cells by the columns of its table. Fails as the columns do where a member is of another type than specified. */
export const rowOf = <A>({ columns }: Pick<Table<A>, "columns">, record: A): Row =>
  Object.fromEntries(columns.map(({ get, name }) => [name, textOf(get(record))]))

/**
 * The rows of records as JSON, with the cells that other formats have: every column of their table where they are whole, else their members
 * by their paths. `chosen` are the columns of the export where they are known; without them nothing is said of members that the specification does
 * not name, because a record with chosen members does not show which it had.
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
 * The names of columns for the headings of a file, which may be labels for people in any time zone. Beside labels, a heading that belongs to no
 * column of the tables is the path of a member that the specification does not name; among names it is a name.
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

/** The members of a cell of `extra`, each as a text, sorted; null for what is no JSON object. */
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

/** Whether two cells of a column hold the same. Members that the specification does not name have no order: chosen ones stand as they were chosen. */
export const isSame = (column: string, before: string | undefined, after: string | undefined): boolean => {
  if (before === after) return true
  if (column !== "extra" || !before?.startsWith("{") || !after?.startsWith("{")) return false
  const members = sorted(before)
  return members !== null && members === sorted(after)
}
