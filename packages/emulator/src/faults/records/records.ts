/** Chooses records of a page, or the one that was retrieved, and replaces them with changed ones. */
import type { Content } from "../../routes/Exchange.ts"
import { positions } from "../../settings/Setting.ts"
import type { JsonObject } from "../../wire/Wire.ts"

/** The attribute by which a fault chooses records. */
export const which = positions([1], "positions of the changed records in a page, from 1")

/** Changes the chosen records; other records stay the same objects, and so keep their cached text. */
export const onRecords = (
  content: Content,
  chosen: ReadonlyArray<number>,
  change: (record: JsonObject) => JsonObject,
): Content => {
  switch (content.kind) {
    case "page":
      return {
        ...content,
        items: content.items.map((record, index) => (chosen.includes(index + 1) ? change(record) : record)),
      }
    case "record":
      return { ...content, record: change(content.record) }
    case "single":
      return content
  }
}

/** The record with one member changed, named by a dotted path such as `listing.city`; undefined removes it. */
export const changeMember = (
  record: JsonObject,
  path: string,
  change: (value: JsonObject[string] | undefined) => JsonObject[string] | undefined,
): JsonObject => {
  const [name = "", ...rest] = path.split(".")
  const inner = record[name]
  const { [name]: _, ...others } = record
  const changed =
    rest.length === 0 ? change(inner) : isObject(inner) ? changeMember(inner, rest.join("."), change) : inner
  if (changed === undefined) return others
  return name in record ? { ...record, [name]: changed } : { ...others, [name]: changed }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)
