/**
 * What changed between two exports of the same table: records that came, records that went, and members that differ.
 *
 * It works on the texts of the cells, so exports of different formats can be compared. Which record is which is told by the column `id`.
 * Pure: it reads no files.
 */
import { Json } from "@deedkit/core"
import type { CellValue } from "../table/Cell.ts"
import * as Cell from "../table/Cell.ts"
import type { Table } from "../table/Table.ts"
import { clean } from "../write/TextCleaner.ts"
import type { Row } from "./Times.ts"
import { plain, timestampsOf } from "./Times.ts"

export { align, alignToRecords, zoneInHeadings } from "./Times.ts"
export type { Row, Timed, ZonesApart } from "./Times.ts"

/** One difference. `member` is null where the whole record came or went. */
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
  /** By record in the order of the later export, then what is gone in the order of the earlier one. */
  readonly changes: ReadonlyArray<Change>
}

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

/** The members on the wire that a table's columns are made of: `id`, and `listing` for `listing.city`. */
const membersOf = (table: Table<never>): ReadonlySet<string> =>
  new Set(
    table.columns.flatMap(({ isComputed, name }) =>
      isComputed === true ? [] : [name.split(".")[0] ?? name],
    ),
  )

/** Whether these are records as the service has them, and not chosen members. A contract may lack its listing, though hardly all of them do. */
const areWhole = (records: ReadonlyArray<Members>, table: Table<never>): boolean =>
  [...membersOf(table)].every((member) =>
    table.columns.some(({ name }) => name === member)
      ? records.every((record) => Object.hasOwn(record, member))
      : records.some((record) => Object.hasOwn(record, member)),
  )

/** The members of a record by their paths. */
const flatten = (record: Members, tables: ReadonlyArray<Table<never>>): Row => {
  const columns = tables.flatMap((table) => table.columns)
  const isOuter = (name: string) => columns.some((column) => column.name.startsWith(`${name}.`))
  const isText = (name: string) => columns.some((column) => column.name === name && column.kind === "text")
  return Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): ReadonlyArray<readonly [string, string]> => {
      if (Json.isObject(value) && isOuter(name)) {
        return Object.entries(value).map(([inner, cell]) => [`${name}.${inner}`, textOf(cell)])
      }
      return [[name, Array.isArray(value) && isText(name) ? value.map(textOf).join(" ") : textOf(value)]]
    }),
  )
}

/** A record's cells by the columns of its table. Fails as the columns do where a member is of another type than specified. */
export const rowOf = <A>({ columns }: Pick<Table<A>, "columns">, record: A): Row =>
  Object.fromEntries(columns.map(({ get, name }) => [name, textOf(get(record))]))

/**
 * The rows of records as JSON, with the cells that other formats have: every column of their table where they are whole, else their members
 * by their paths.
 */
export const rowsOf = (
  records: ReadonlyArray<Members>,
  tables: ReadonlyArray<Table<never>>,
): ReadonlyArray<Row> => {
  const table = tables.find((each) => areWhole(records, each))
  return records.map((record) => {
    if (table === undefined) return flatten(record, tables)
    try {
      return rowOf(table, record as unknown as never)
    } catch {
      // A member of another type than specified: such a record is compared by what it holds.
      return flatten(record, tables)
    }
  })
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

/** Compares an earlier export with a later one, whose rows may come page by page: of those only the changes are held. */
export class Comparison {
  readonly #left: ReadonlyArray<string>
  #right: ReadonlyArray<string> = []
  #shared: ReadonlyArray<string> = []
  /** Rows that no later one has matched yet, by id. */
  readonly #earlier: Map<string, Row>
  readonly #changes: Array<Change> = []
  #added = 0
  #changed = 0
  #same = 0

  /** Of two rows with one id the last one counts. */
  constructor(before: ReadonlyArray<Row>) {
    this.#left = columnsOf(before)
    this.#earlier = byId(before)
  }

  /** Takes rows of the later export, which has an id once, in their order. All have the columns of the first. */
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
      const differing = this.#shared.filter((column) => old[column] !== row[column])
      if (differing.length > 0) this.#changed += 1
      else this.#same += 1
      for (const member of differing) this.#changes.push(change(row, id, "changed", member, old))
    }
  }

  /** The differences, once all rows came. */
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

/**
 * The names of columns for the headings of a file, which may be labels for people in any time zone. A heading that belongs to no column of
 * the tables is taken as a name.
 */
export const namesOf = (
  headings: ReadonlyArray<string>,
  tables: ReadonlyArray<Pick<Table<never>, "columns" | "onDemand">>,
): ReadonlyArray<string> => {
  const fitting = tables.map((table) => {
    const columns = [...table.columns, ...table.onDemand]
    const names = new Map(columns.map(({ label, name }) => [label, name]))
    const timestamps = new Map(timestampsOf(table).map(({ label, name }) => [plain(label), name]))
    return headings.map((heading) => names.get(heading) ?? timestamps.get(plain(heading)) ?? null)
  })
  const known = (names: ReadonlyArray<string | null>): number => names.filter((name) => name !== null).length
  const best = fitting.toSorted((one, other) => known(other) - known(one))[0] ?? []
  return headings.map((heading, at) => best[at] ?? heading)
}
