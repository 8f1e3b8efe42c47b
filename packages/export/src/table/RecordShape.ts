/**
 * Records as JSON in the service's own shape, for formats that nest: `listing` an object, `scopes` an array. With chosen columns, only those
 * members, at the same places, so that `.listing.city` is found in the same way in both cases.
 */
import { Json } from "@deedkit/core"
import type { Column } from "./Column.ts"
import { instantOf } from "./Column.ts"

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
 * Makes a record with its chosen columns. A documented member that the record lacks becomes null; an undocumented one is left out. A computed
 * column is written under its full name.
 */
export const project =
  <A>(columns: ReadonlyArray<Column<A>>) =>
  (record: A): Json.Json => {
    const wire = record as Json.Json
    let result: { [member: string]: Json.Json } = {}
    for (const { get, instant, isComputed = false, kind, members, name } of columns) {
      const [outer = name, inner] = name.split(".")
      // A timestamp can be shown in another zone than on the wire.
      const value = (path: ReadonlyArray<string>): Json.Json =>
        kind === "timestamp" ? instantOf({ get, instant })(record) : at(wire, path)
      if (members !== undefined) result = merged(result, members(record))
      else if (isComputed) result[name] = get(record)
      else if (inner === undefined) result[outer] = value([outer])
      else result[outer] = { ...(result[outer] as Members | undefined), [inner]: value([outer, inner]) }
    }
    return result
  }
