/**
 * What a cell can hold, with no file format in it.
 *
 * A cell is the plain value itself, and its column says what the value means: a table of a million rows holds no object per cell.
 * JSON of unknown shape (`unit_id`, undocumented members: Spec: Contract gaps) becomes one scalar here, so that no format ever
 * meets an object and mistakes it for a formula or a link.
 */
import { Json } from "@deedkit/core"

/**
 * The meaning of a column's values.
 *
 * `text` a string, shown as it is · `integer` a number or bigint without a fraction · `decimal` any finite number · `timestamp` an
 * ISO 8601 string in UTC · `boolean` true or false · `json` any JSON, see `scalar` · `link` an absolute URL. Null is an empty cell in
 * every kind.
 */
export type CellKind = "text" | "integer" | "decimal" | "timestamp" | "boolean" | "json" | "link"

/** The value of a cell; null is an empty cell. Objects and arrays stand only in columns of kind `json`. */
export type CellValue = Json.Json

/** A cell's value with nothing nested in it. */
export type Scalar = string | number | bigint | boolean | null

/** In JSON text: half of a surrogate pair, or a backslash, behind which the same letters are a text. */
const halves = /\\\\|\\ud[89a-f]../g

/**
 * The scalar that a format writes for a value: text, booleans and exact integers are themselves, objects and arrays become JSON text, and a number
 * that is none (`Infinity`, from `1e999`) becomes an empty cell. `onChanged` is called for JSON in which half of a surrogate pair became U+FFFD.
 */
export const scalar = (value: CellValue, onChanged?: () => void): Scalar => {
  if (typeof value !== "object" || value === null) {
    return typeof value === "number" && !Number.isFinite(value) ? null : value
  }
  const json = Json.stringify(value)
  const whole = json.replaceAll(halves, (found) => (found.length === 2 ? found : "\uFFFD"))
  if (whole !== json) onChanged?.()
  return whole
}
