/**
 * The columns of a table as the fields of a Parquet file: typed, and named as in the service. `listing.city` becomes the member `city` of a struct,
 * and scopes become a list. Every field can be null.
 */
import type { Cell } from "@deedkit/export"
import { Column } from "@deedkit/export"
import type { SchemaElement } from "hyparquet-writer"
import * as Values from "./Values.ts"

/** A field of a record: a value, the members of a struct, or a list of texts. */
export type FieldValue = Values.Value | { readonly [member: string]: Values.Value } | ReadonlyArray<string>

export interface Field<in A> {
  readonly name: string
  /** Its part of the schema: the element itself, then its children. */
  readonly elements: ReadonlyArray<SchemaElement>
  /** Whether all of its values are written without statistics. */
  readonly isPlain: boolean
  readonly of: (record: A) => FieldValue
}

/** Called with the column of a cell that the file cannot hold unchanged. */
export type OnChanged = (column: string) => void

const utf8 = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const
const types: { readonly [Kind in Cell.CellKind]: Partial<SchemaElement> } = {
  text: utf8,
  link: utf8,
  // As text until the end of the file: the library would treat a big integer in a JSON value as a number. See `markJson`.
  json: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  integer: { type: "INT64" },
  decimal: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
  timestamp: {
    type: "INT64",
    converted_type: "TIMESTAMP_MICROS",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MICROS" },
  },
}

const optional = (name: string, more: Partial<SchemaElement>): SchemaElement => ({
  name,
  repetition_type: "OPTIONAL",
  ...more,
})

/** Marks the JSON fields as JSON. Called after all values are written, and before the schema is. */
export const markJson = (schema: ReadonlyArray<SchemaElement>): void => {
  for (const element of schema) {
    if (element.converted_type !== "UTF8" || element.logical_type !== undefined) continue
    element.converted_type = "JSON"
    element.logical_type = { type: "JSON" }
  }
}

const listOf = (name: string): ReadonlyArray<SchemaElement> => [
  optional(name, { num_children: 1, converted_type: "LIST", logical_type: { type: "LIST" } }),
  { name: "list", repetition_type: "REPEATED", num_children: 1 },
  optional("element", utf8),
]

const leaf = <A>(column: Column.Column<A>, name: string, onChanged: OnChanged) => {
  const changed = (): void => onChanged(column.name)
  const { items, kind } = column
  const get = Column.instantOf(column)
  const value = Values.of[kind]
  return {
    name,
    elements: items === undefined ? [optional(name, types[kind])] : listOf(name),
    isPlain: kind === "json",
    of:
      items === undefined
        ? (record: A): Values.Value => value(get(record), changed)
        : (record: A): ReadonlyArray<string> => {
            const texts = items(record)
            if (texts.every((text) => text.isWellFormed())) return texts
            changed()
            return texts.map((text) => text.toWellFormed())
          },
  }
}

const struct = <A>(
  name: string,
  members: ReadonlyArray<readonly [string, Column.Column<A>]>,
  onChanged: OnChanged,
): Field<A> => {
  const leaves = members.map(([member, { items: _items, ...column }]) => leaf(column, member, onChanged))
  return {
    name,
    elements: [
      optional(name, { num_children: leaves.length }),
      ...leaves.flatMap(({ elements }) => elements),
    ],
    isPlain: leaves.some(({ isPlain }) => isPlain),
    of: (record) => {
      const values: { [member: string]: Values.Value } = {}
      let isThere = false
      for (const { name: member, of } of leaves) {
        const value = of(record) as Values.Value
        values[member] = value
        isThere ||= value !== null
      }
      return isThere ? values : null
    },
  }
}

/** The fields in the order of the columns; a struct takes the place of its first member. */
export const make = <A>(
  columns: ReadonlyArray<Column.Column<A>>,
  onChanged: OnChanged,
): ReadonlyArray<Field<A>> => {
  const names = new Set(columns.map(({ name }) => name))
  const outerOf = ({ isComputed = false, name }: Column.Column<A>): string | null => {
    const outer = name.slice(0, Math.max(0, name.indexOf(".")))
    return isComputed || outer === "" || names.has(outer) ? null : outer
  }
  const begun = new Set<string>()
  return columns.flatMap((column) => {
    const outer = outerOf(column)
    if (outer === null) return [leaf(column, column.name.toWellFormed(), onChanged)]
    if (begun.has(outer)) return []
    begun.add(outer)
    const members = columns
      .filter((each) => outerOf(each) === outer)
      .map((each) => [each.name.slice(outer.length + 1), each] as const)
    return [struct(outer, members, onChanged)]
  })
}
