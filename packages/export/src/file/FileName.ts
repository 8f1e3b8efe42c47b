/** The paths of an output: which table goes into which file. Pure. */
import type { Format } from "../write/TableWriter.ts"

/** Stands for the name of a table in a path. */
const placeholder = "{table}"

/** `NAME-TABLE.EXT` for `NAME.EXT`, where the extension may have several parts, such as `csv.gz`. */
const named = (target: string, table: string, extensions: Format["extensions"]): string => {
  if (target.includes(placeholder)) return target.replaceAll(placeholder, table)
  const own = extensions.find((extension) => target.toLowerCase().endsWith(`.${extension}`))
  const dot = own === undefined ? target.lastIndexOf(".") : target.length - own.length - 1
  const stem = dot > Math.max(target.lastIndexOf("/"), target.lastIndexOf("\\")) + 1 ? dot : target.length
  return `${target.slice(0, stem)}-${table}${target.slice(stem)}`
}

/**
 * The paths of the files: one for each table if the format has no sheets, else one. `{table}` in the target becomes the name of the table, or `all`
 * in a file with several tables, not counting their summary.
 */
export const pathsOf = (
  target: string,
  { extensions, sheets }: Pick<Format, "extensions" | "sheets">,
  tables: ReadonlyArray<string>,
): ReadonlyArray<string> => {
  if (sheets === "one" && tables.length > 1) return tables.map((table) => named(target, table, extensions))
  const [only = "all", ...more] = tables.filter((table) => table !== "summary" || tables.length === 1)
  return [target.replaceAll(placeholder, more.length === 0 ? only : "all")]
}
