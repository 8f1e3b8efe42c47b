/** The file beside an export that describes its columns or records. */
import { Json } from "@deedkit/core"
import type { Headings } from "../table/Column.ts"
import type { Table } from "../table/Table.ts"
import type { SchemaSubject } from "../write/TableWriter.ts"
import { recordSchema } from "./RecordSchema.ts"
import { tableSchema } from "./TableSchema.ts"

/** The bytes of the file: JSON Schema for records, a Frictionless Table Schema for columns. */
export const schemaFile = (table: Table<never>, subject: SchemaSubject, headings: Headings): Uint8Array => {
  const schema =
    subject._tag === "Records"
      ? recordSchema(table, subject)
      : tableSchema(table, { headings, datetime: subject.datetime })
  return new TextEncoder().encode(`${Json.stringify(schema, 2)}\n`)
}
