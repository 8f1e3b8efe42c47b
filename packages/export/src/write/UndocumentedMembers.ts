/** The members of a table's records that the specification does not name, by path and never by value, and whether the table includes them. */
import type { Table } from "../table/Table.ts"

export interface Undocumented {
  /** Paths such as `deposit` and `listing.price` that are in the files. */
  readonly included: ReadonlyArray<string>
  /** Paths that the chosen columns do not include, or only in part. */
  readonly excluded: ReadonlyArray<string>
}

/** Most paths that are listed; further ones are not. */
const most = 200
/** Most characters of a path. */
const longest = 100

/** The paths so far and those of these records. */
export const withPathsOf = <A>(
  paths: ReadonlySet<string>,
  { undocumented }: Pick<Table<A>, "undocumented">,
  records: ReadonlyArray<A>,
): ReadonlySet<string> => {
  if (undocumented === undefined) return paths
  let more: Set<string> | null = null
  for (const record of records) {
    for (const path of undocumented(record)) {
      if ((more ?? paths).size >= most) return more ?? paths
      if (!(more ?? paths).has(path)) more = (more ?? new Set(paths)).add(path)
    }
  }
  return more ?? paths
}

/** The paths by whether columns with these names include them, sorted. `redact` removes secrets from paths, which come from the service. */
export const undocumentedOf = (
  columns: ReadonlyArray<string>,
  paths: ReadonlySet<string>,
  redact: (text: string) => string = (text) => text,
): Undocumented => {
  const isIncluded = (path: string): boolean => columns.includes("extra") || columns.includes(`extra.${path}`)
  const shown = (some: ReadonlyArray<string>): ReadonlyArray<string> =>
    [...new Set(some.map((path) => redact(path).slice(0, longest).toWellFormed()))].toSorted()
  const all = [...paths]
  return {
    included: shown(all.filter(isIncluded)),
    excluded: shown(all.filter((path) => !isIncluded(path))),
  }
}
