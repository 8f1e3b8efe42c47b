/**
 * A column for one member of what the specification does not name, such as a member of the data payload (Spec: Contract gaps):
 * `extra.payload.rent` is the member `rent` of the undocumented member `payload`. Members whose names hold a dot are found too.
 */
import { Json } from "@deedkit/core"
import type { Column } from "../Column.ts"

const start = "extra."

const member = (value: Json.Json, path: string): Json.Json => {
  if (!Json.isObject(value)) return null
  const whole = Object.hasOwn(value, path) ? value[path] : undefined
  if (whole !== undefined) return whole
  for (let dot = path.indexOf("."); dot >= 0; dot = path.indexOf(".", dot + 1)) {
    const name = path.slice(0, dot)
    if (!Object.hasOwn(value, name)) continue
    const inner = member(value[name] ?? null, path.slice(dot + 1))
    if (inner !== null) return inner
  }
  return null
}

/** The column of a name such as `extra.payload.rent`; null for another name. A record without such a member has an empty cell. */
export const extraColumn = <A>(
  name: string,
  extra: (record: A) => { readonly [member: string]: Json.Json },
): Column<A> | null => {
  const path = name.slice(start.length)
  return name.startsWith(start) && path !== ""
    ? { name, label: path, kind: "json", isComputed: true, get: (record) => member(extra(record), path) }
    : null
}
