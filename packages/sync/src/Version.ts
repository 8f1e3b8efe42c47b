/**
 * One version of a record: its text, its hash, and what is different from the version before. Pure: every store uses it, so that all of them hold the
 * same history.
 *
 * The text is the record as the service sent it, members that the specification does not name included, with integers of any size exact and
 * lone surrogates as escapes.
 */
import { hash } from "node:crypto"
import { Json } from "@deedkit/core"

/** A record as a read has returned it. */
export interface Version {
  readonly id: number
  /** JSON text. */
  readonly body: string
  /** SHA-256 of the text, in hexadecimal. */
  readonly hash: string
}

/** A version with the members that have columns of their own, by column. */
export interface RecordVersion extends Version {
  /** JSON text of the members that only the retrieve form with `include_data=1` has; null if they were not read. */
  readonly data: string | null
  readonly columns: { readonly [column: string]: string | number | null }
}

/** How a version came about. */
export type ChangeKind = "added" | "changed" | "removed" | "returned"

/** The version of a record. */
export const versionOf = (record: { readonly id: number }): Version => {
  const body = Json.stringify(record)
  return { id: record.id, body, hash: hash("sha256", body, "hex") }
}

/** Depth to which nested objects are compared member by member; deeper ones count as one value. */
const deepest = 3

const isSame = (before: Json.Json | undefined, after: Json.Json | undefined): boolean =>
  before === after ||
  (before !== undefined && after !== undefined && Json.stringify(before) === Json.stringify(after))

const differences = (
  before: Json.Json | undefined,
  after: Json.Json | undefined,
  path: string,
  depth: number,
): ReadonlyArray<string> => {
  if (depth >= deepest || !Json.isObject(before) || !Json.isObject(after))
    return isSame(before, after) ? [] : [path]
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
    differences(
      Object.hasOwn(before, name) ? before[name] : undefined,
      Object.hasOwn(after, name) ? after[name] : undefined,
      path === "" ? name : `${path}.${name}`,
      depth + 1,
    ),
  )
}

/**
 * The members that differ between two texts of a record, such as `status` and `listing.title`, in their order. Empty when only the order of
 * members differs.
 */
export const changedMembers = (before: string, after: string): ReadonlyArray<string> =>
  differences(Json.parse(before), Json.parse(after), "", 0)

/** The value at such a path of a record; undefined if it has none. A member whose name contains a dot is found too. */
export const valueAt = (record: Json.Json, path: string): Json.Json | undefined => {
  if (!Json.isObject(record)) return undefined
  if (Object.hasOwn(record, path)) return record[path]
  for (let dot = path.indexOf("."); dot > 0; dot = path.indexOf(".", dot + 1)) {
    const outer = path.slice(0, dot)
    const inner = Object.hasOwn(record, outer) ? valueAt(record[outer]!, path.slice(dot + 1)) : undefined
    if (inner !== undefined) return inner
  }
  return undefined
}

/**
 * Members that say how a record was used, not what it is. They are updated without a new version: each sync uses a key, and
 * would otherwise be a change of it.
 */
export const unversioned: ReadonlySet<string> = new Set(["last_used_at"])
