/**
 * The columns of a table as the fields of a Parquet file: typed, and named as in the service. `listing.city` becomes the member `city` of a struct,
 * and scopes become a list. Every field can be null.
 *
 * A value that its type cannot hold becomes null, and is counted: an integer beyond 64 bits, a timestamp that is not an instant. A lone surrogate
 * becomes U+FFFD in texts and JSON, because readers refuse a file that holds one.
 */
import { Cell, Instant, WellFormed, Column } from "@deedkit/export"
import type { SchemaElement } from "hyparquet-writer"

/** The value in a file. */
type Value = string | number | bigint | boolean | null

const least = -(2n ** 63n)
const most = 2n ** 63n - 1n

const text = (value: Cell.CellValue, onChanged: () => void): string | null => {
  const scalar = Cell.scalar(value, onChanged)
  if (scalar === null) return null
  const whole = String(scalar)
  if (whole.isWellFormed()) return whole
  onChanged()
  return whole.toWellFormed()
}

const integer = (value: Cell.CellValue, onChanged: () => void): bigint | null => {
  if (typeof value === "number" && Number.isInteger(value)) return integer(BigInt(value), onChanged)
  if (typeof value === "bigint" && value >= least && value <= most) return value
  if (value !== null) onChanged()
  return null
}

const decimal = (value: Cell.CellValue, onChanged: () => void): number | null => {
  const number = typeof value === "bigint" ? Number(value) : value
  if (typeof number === "number" && Number.isFinite(number)) return number
  if (number !== null) onChanged()
  return null
}

const boolean = (value: Cell.CellValue, onChanged: () => void): boolean | null => {
  if (typeof value === "boolean") return value
  if (value !== null) onChanged()
  return null
}

/** Microseconds since 1970 in UTC. Finer fractions are cut. */
const timestamp = (value: Cell.CellValue, onChanged: () => void): bigint | null => {
  const millis = typeof value === "string" ? Instant.of(value) : null
  if (millis !== null) {
    const fraction = /\.(\d{1,6})/.exec(value as string)?.[1] ?? ""
    return BigInt(Math.floor(millis / 1_000)) * 1_000_000n + BigInt(fraction.padEnd(6, "0"))
  }
  if (value !== null) onChanged()
  return null
}

/** JSON text; null for null and for a number that is not finite (`Infinity`), as in every other kind. */
const json = (value: Cell.CellValue, onChanged: () => void): string | null => {
  if (value === null || (typeof value === "number" && !Number.isFinite(value))) return null
  const { json: whole, texts } = WellFormed.stringify(value)
  if (texts > 0) onChanged()
  return whole
}

/** Makes the value of a cell by the kind of its column; `onChanged` is called once for a cell that the file cannot hold unchanged. */
const valueOf: {
  readonly [Kind in Cell.CellKind]: (value: Cell.CellValue, onChanged: () => void) => Value
} = { text, link: text, integer, decimal, boolean, timestamp, json }

/** A field of a record: a value, the members of a struct, or a list of texts. */
export type FieldValue = Value | { readonly [member: string]: Value } | ReadonlyArray<string>

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
  const get = Column.instantOrValue(column)
  const value = valueOf[kind]
  return {
    name,
    elements: items === undefined ? [optional(name, types[kind])] : listOf(name),
    isPlain: kind === "json",
    of:
      items === undefined
        ? (record: A): Value => value(get(record), changed)
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
      const values: { [member: string]: Value } = {}
      let isThere = false
      for (const { name: member, of } of leaves) {
        const value = of(record) as Value
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
