/**
 * The columns of a text file as a Frictionless Table Schema (specs.frictionlessdata.io): what each heading means, for programs that load CSV. Pure.
 */
import type { Json } from "@deedkit/core"
import type { CellKind } from "../table/Cell.ts"
import type { Headings } from "../table/Column.ts"
import { heading } from "../table/Column.ts"
import type { Table } from "../table/Table.ts"

/** JSON columns hold a text unchanged and anything else as JSON. A table schema has no such type. */
const types: { readonly [Kind in CellKind]: string } = {
  text: "string",
  link: "string",
  json: "any",
  integer: "integer",
  decimal: "number",
  boolean: "boolean",
  timestamp: "datetime",
}

export interface TableSchemaOptions {
  readonly headings: Headings
  /** The form of times, `default` for ISO 8601 in UTC. */
  readonly datetime: string
}

export const tableSchema = (
  { columns }: Pick<Table<never>, "columns">,
  { datetime, headings }: TableSchemaOptions,
): Json.Json => {
  const id = columns.find(({ name }) => name === "id")
  return {
    fields: columns.map((column) => ({
      name: heading(column, headings),
      title: column.label,
      // The service's name, whatever the heading is.
      member: column.name,
      type: types[column.kind],
      ...(column.kind === "timestamp"
        ? { format: datetime === "default" && column.instant !== undefined ? "any" : datetime }
        : {}),
      ...(column.kind === "link" ? { format: "uri" } : {}),
      ...(column === id ? { constraints: { required: true, unique: true } } : {}),
    })),
    missingValues: [""],
    ...(id === undefined ? {} : { primaryKey: [heading(id, headings)] }),
  }
}
