/**
 * A table: columns under a name, and choosing among them. The table alone decides what a record looks like in a spreadsheet; the writer alone decides
 * what the file looks like.
 */
import { Json } from "@deedkit/core"
import * as Result from "effect/Result"
import { ExportError } from "../error/ExportError.ts"
import * as Column from "./Column.ts"
import leven from "leven"

export interface Table<in A> {
  /** For machines and file names, such as `contracts`. */
  readonly name: string
  /** For people and sheet names, such as `Contracts`. */
  readonly title: string
  /** The columns of a file, in order, unless other columns are chosen. */
  readonly columns: ReadonlyArray<Column.Column<A>>
  /** How many of them, from the left, are printed; the others are for programs and stay on the screen. Default: all. */
  readonly printed?: number | undefined
  /** Whether the sums of its counts stand above it on paper. Default false. */
  readonly hasTotals?: boolean | undefined
  /** Columns that a file has only if they are chosen. */
  readonly onDemand: ReadonlyArray<Column.Column<A>>
  /**
   * The record as formats that nest write it: in the shape of the service, or only its chosen members. Undefined for a table of other rows, which
   * is written by its columns.
   */
  readonly json?: ((record: A) => Json.Json) | undefined
  /** Whether its columns were chosen, so that `json` has only these. Default false. */
  readonly isChosen?: boolean | undefined
  /** The paths of a record's members that the specification does not name, such as `listing.price`. */
  readonly undocumented?: ((record: A) => ReadonlyArray<string>) | undefined
  /** Makes a column that no list holds, such as a path into the data payload; null if the name is not one of a column. */
  readonly named?: ((name: string) => Column.Column<A> | null) | undefined
}

export const allColumns = <A>(table: Table<A>): ReadonlyArray<Column.Column<A>> => [
  ...table.columns,
  ...table.onDemand,
]

const lastPart = (name: string): string => name.slice(name.lastIndexOf(".") + 1).toLowerCase()

/**
 * Finds the column that a typed word names: by its name on the wire, or only by the last part of that name if no other column has the same one, such as
 * `city` for `listing.city`, or by the label that tables show. Case does not matter. Fails with `ColumnUnknown`, which names the nearest column and
 * lists all.
 */
export const resolveColumn = <A>(
  table: Table<A>,
  word: string,
): Result.Result<Column.Column<A>, ExportError> => {
  const columns = allColumns(table)
  const wanted = word.toLowerCase()
  const only = (found: ReadonlyArray<Column.Column<A>>) => (found.length === 1 ? found[0] : undefined)
  const column =
    columns.find(({ name }) => name.toLowerCase() === wanted) ??
    only(columns.filter(({ name }) => lastPart(name) === wanted)) ??
    only(columns.filter(({ label }) => label.toLowerCase() === wanted)) ??
    table.named?.(word)
  if (column !== undefined && column !== null) return Result.succeed(column)
  const valid = columns.map(({ name }) => name)
  return Result.fail(
    new ExportError({ reason: { _tag: "ColumnUnknown", name: word, nearest: nearest(word, valid), valid } }),
  )
}

type Members = { readonly [member: string]: Json.Json }

const at = (value: Json.Json | undefined, path: ReadonlyArray<string>): Json.Json => {
  let inner = value
  for (const name of path) {
    inner = Json.isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined
  }
  return inner ?? null
}

/** The members of both, at any depth; where they differ, those of `others` win. */
const merged = (some: Members, others: Members): Members =>
  Object.fromEntries([
    ...Object.entries(some),
    ...Object.entries(others).map(([name, value]): [string, Json.Json] => {
      const own = Object.hasOwn(some, name) ? some[name] : undefined
      return [name, Json.isObject(own) && Json.isObject(value) ? merged(own, value) : value]
    }),
  ])

/**
 * Makes a record with its chosen columns, in the service's own shape, for formats that nest: `listing` an object, `scopes` an array, so that
 * `.listing.city` is found where the whole record has it. A documented member that the record lacks becomes null; an undocumented one is left out. A computed
 * column is written under its full name, and no undocumented member takes its place.
 */
export const project = <A>(columns: ReadonlyArray<Column.Column<A>>) => {
  const computed = new Set(columns.filter(({ isComputed }) => isComputed === true).map(({ name }) => name))
  return (record: A): Json.Json => {
    const wire = record as Json.Json
    let result: { [member: string]: Json.Json } = {}
    for (const { get, instant, isComputed = false, kind, members, name } of columns) {
      const [outer = name, inner] = name.split(".")
      // A timestamp can be shown in another zone than on the wire.
      const value = (path: ReadonlyArray<string>): Json.Json =>
        kind === "timestamp" ? Column.instantOrValue({ get, instant })(record) : at(wire, path)
      if (members !== undefined) {
        const others = Object.entries(members(record)).filter(([member]) => !computed.has(member))
        result = merged(result, Object.fromEntries(others))
      } else if (isComputed) result[name] = get(record)
      else if (inner === undefined) result[outer] = value([outer])
      else result[outer] = { ...(result[outer] as Members | undefined), [inner]: value([outer, inner]) }
    }
    return result
  }
}

/** A label without its time zone, such as `Created` for `Created (UTC)`. */
const plainLabel = (label: string): string => label.replace(/ \([^()]*\)$/, "")

/** A column that no list holds, labelled by its name if a column of the table has that label, so that headings are distinct. */
const distinct = <A>(column: Column.Column<A>, columns: ReadonlyArray<Column.Column<A>>): Column.Column<A> =>
  !columns.includes(column) && columns.some(({ label }) => plainLabel(label) === plainLabel(column.label))
    ? { ...column, label: column.name }
    : column

/**
 * The table with the named columns only, in the order of the words (see `resolveColumn`); a repeated column counts once. Fails with `ColumnUnknown`, or
 * with `ColumnsMissing` when no word is given.
 */
export const select = <A>(
  table: Table<A>,
  words: ReadonlyArray<string>,
): Result.Result<Table<A>, ExportError> => {
  const all = allColumns(table)
  if (words.length === 0) {
    const valid = all.map(({ name }) => name)
    return Result.fail(new ExportError({ reason: { _tag: "ColumnsMissing", valid } }))
  }
  return Result.map(Result.all(words.map((word) => resolveColumn(table, word))), (found) => {
    const byName = new Map(found.map((column) => [column.name, distinct(column, all)]))
    const columns = [...byName.values()]
    return {
      ...table,
      columns,
      // A reader who names columns wants to see them all.
      printed: undefined,
      isChosen: true,
      json: table.json === undefined ? undefined : project(columns),
    }
  })
}

const editsOf = (word: string, candidate: string): number => {
  const edits = Math.min(leven(word, candidate), leven(word, lastPart(candidate)))
  return word.length >= 3 && candidate.startsWith(word) ? Math.min(edits, 1) : edits
}

/**
 * The word that a reader most likely meant, by the smallest number of single-character edits: the first of equally near ones; null when every one
 * would change more than a third of the word. Case and a path before the last dot are ignored, and the beginning of a word stands for the word.
 */
export const nearest = (word: string, candidates: ReadonlyArray<string>): string | null => {
  const wanted = word.toLowerCase()
  let best: string | null = null
  let fewest = Math.max(2, Math.floor(wanted.length / 3)) + 1
  for (const candidate of candidates) {
    const edits = editsOf(wanted, candidate.toLowerCase())
    if (edits < fewest && edits < candidate.length) {
      best = candidate
      fewest = edits
    }
  }
  return best
}
