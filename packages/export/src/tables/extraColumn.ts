/**
 * Members that the specification does not name, such as the data payload (Spec: Contract gaps): one column of JSON with all of them, and columns
 * for single members. `extra.payload.rent` is the member `rent` of the undocumented member `payload`; members whose names contain a dot are found
 * too.
 */
import { Json } from "@deedkit/core"
import type { Column } from "../table/Column.ts"

/** The undocumented members of a record; empty if there are none. */
export type Undocumented<in A> = (record: A) => { readonly [member: string]: Json.Json }

const start = "extra."

/** The column of all undocumented members; the cell is empty if there are none. */
export const extraColumn = <A>(undocumented: Undocumented<A>): Column<A> => ({
  name: "extra",
  label: "Other members (JSON)",
  kind: "json",
  isComputed: true,
  get: (record) => {
    const members = undocumented(record)
    for (const _ in members) return members
    return null
  },
  members: undocumented,
})

type Members = { readonly [member: string]: Json.Json }

/** Finds a member by its path: its value, and the value nested in the objects that contain it. */
const find = (members: Json.Json, path: string): readonly [value: Json.Json, place: Members] | null => {
  if (!Json.isObject(members)) return null
  if (Object.hasOwn(members, path)) return [members[path]!, { [path]: members[path]! }]
  for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1)) {
    const name = path.slice(0, dot)
    const inner = Object.hasOwn(members, name) ? find(members[name]!, path.slice(dot + 1)) : null
    if (inner !== null) return [inner[0], { [name]: inner[1] }]
  }
  return null
}

/** The column of a name such as `extra.payload.rent`; null for another name. A record without such a member has an empty cell. */
export const namedExtra =
  <A>(undocumented: Undocumented<A>) =>
  (name: string): Column<A> | null => {
    const path = name.slice(start.length)
    return name.startsWith(start) && path !== ""
      ? {
          name,
          label: path,
          kind: "json",
          isComputed: true,
          get: (record) => find(undocumented(record), path)?.[0] ?? null,
          members: (record) => find(undocumented(record), path)?.[1] ?? {},
        }
      : null
  }
