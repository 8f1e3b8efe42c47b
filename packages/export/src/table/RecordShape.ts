/**
 * Records as JSON in the service's own shape, for formats that nest: `listing` an object, `scopes` an array. With chosen columns only those
 * members, at the same places, so that `.listing.city` is found in the same way either way.
 */
import { Json } from "@deedkit/core"
import type { Column } from "./Column.ts"
import { instantOf } from "./Column.ts"

type Members = { [member: string]: Json.Json }

const at = (value: Json.Json | undefined, path: ReadonlyArray<string>): Json.Json => {
  let inner = value
  for (const name of path) {
    inner = Json.isObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined
  }
  return inner ?? null
}

/**
 * Makes a record of its chosen columns. A member that the record lacks is null; a column that is not on the wire, such as a computed one,
 * stands under its whole name.
 */
export const project =
  <A>(columns: ReadonlyArray<Column<A>>) =>
  (record: A): Json.Json => {
    const wire = record as Json.Json
    const result: Members = {}
    for (const { get, instant, isComputed = false, kind, name } of columns) {
      const [outer = name, inner] = name.split(".")
      // A timestamp may be shown in another zone than the wire's.
      const value = (path: ReadonlyArray<string>): Json.Json =>
        kind === "timestamp" ? instantOf({ get, instant })(record) : at(wire, path)
      if (isComputed) result[name] = get(record)
      else if (inner === undefined) result[outer] = value([outer])
      else result[outer] = { ...(result[outer] as Members | undefined), [inner]: value([outer, inner]) }
    }
    return result
  }
