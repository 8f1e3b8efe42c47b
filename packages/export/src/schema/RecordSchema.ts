/**
 * The records of a JSON file as JSON Schema (draft 2020-12), from core's own Schemas: the same that a read checks. Members that the specification
 * does not name are allowed.
 */
import { ApiKeySchema, ContractSchema, Json } from "@deedkit/core"
import * as Schema from "effect/Schema"
import type { CellKind } from "../table/Cell.ts"
import type { Column } from "../table/Column.ts"
import type { Table } from "../table/Table.ts"

type Members = { readonly [member: string]: Json.Json }

const dialect = "https://json-schema.org/draft/2020-12/schema"

/** The schema of a table's whole records; null for a table of other rows. */
const wholeOf = ({ json, name }: Pick<Table<never>, "json" | "name">): Members | null => {
  if (json === undefined || (name !== "contracts" && name !== "keys")) return null
  const { schema } = Schema.toJsonSchemaDocument(name === "contracts" ? ContractSchema : ApiKeySchema)
  return schema as Members
}

const kinds: { readonly [Kind in CellKind]: Members } = {
  text: { type: "string" },
  link: { type: "string", format: "uri" },
  json: {},
  integer: { type: "integer" },
  decimal: { type: "number" },
  boolean: { type: "boolean" },
  timestamp: { type: "string", format: "date-time" },
}

const memberOf = (schema: Json.Json | undefined, name: string): Members | null => {
  if (!Json.isObject(schema)) return null
  const { anyOf, properties } = schema
  if (Array.isArray(anyOf)) {
    for (const each of anyOf as ReadonlyArray<Json.Json>) {
      const found = memberOf(each, name)
      if (found !== null) return found
    }
  }
  const found = Json.isObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
  return Json.isObject(found) ? found : null
}

/** A chosen member is null if the record does not have it. */
const orNull = (schema: Members): Members =>
  Object.keys(schema).length === 0 ? schema : { anyOf: [schema, { type: "null" }] }

const objectOf = (members: ReadonlyArray<readonly [string, Members]>): Members => ({
  type: "object",
  properties: Object.fromEntries(members),
  required: members.map(([name]) => name),
})

/** The schema of a record with chosen columns: their members, at their places. */
const chosen = (columns: ReadonlyArray<Column<never>>, whole: Members | null): Members => {
  const members = new Map<string, Members>()
  const nested = new Map<string, Array<readonly [string, Members]>>()
  for (const { isComputed = false, kind, members: undocumented, name } of columns) {
    // Nothing is known about members that the specification does not name, and a record can lack them.
    if (undocumented !== undefined && whole !== null) continue
    const [outer = name, inner] = name.split(".")
    if (whole === null || isComputed) {
      members.set(name, orNull(kinds[kind]))
    } else if (inner === undefined) {
      members.set(name, orNull(memberOf(whole, name) ?? kinds[kind]))
    } else {
      const of = nested.get(outer) ?? []
      nested.set(outer, [
        ...of,
        [inner, orNull(memberOf(memberOf(whole, outer) ?? {}, inner) ?? kinds[kind])],
      ])
      members.set(outer, {})
    }
  }
  for (const [outer, inner] of nested) members.set(outer, objectOf(inner))
  return objectOf([...members])
}

export const recordSchema = (
  table: Pick<Table<never>, "columns" | "isChosen" | "json" | "name" | "title">,
  { isList }: { readonly isList: boolean },
): Json.Json => {
  const whole = wholeOf(table)
  const record = whole === null || table.isChosen === true ? chosen(table.columns, whole) : whole
  const head = { $schema: dialect, title: table.title }
  return isList ? { ...head, type: "array", items: record } : { ...head, ...record }
}
