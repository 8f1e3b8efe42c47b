/**
 * What a cell can hold, independent of any file format.
 *
 * A cell is the plain value itself, and its column says what the value means: a table of a million rows holds no object per cell. JSON of unknown
 * shape (`unit_id`, undocumented members: Spec: Contract gaps) becomes one scalar here, so that no format can mistake an object for a formula or a
 * link.
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

/** The value of a cell; null is an empty cell. Objects and arrays occur only in columns of kind `json`. */
export type CellValue = Json.Json

/** A cell's value with nothing nested in it. */
export type Scalar = string | number | bigint | boolean | null

/** In JSON text: an escaped lone surrogate, or an escaped backslash, after which the same letters are plain text. */
const halves = /\\\\|\\ud[89a-f]../g

/**
 * The scalar that a format writes for a value: texts, booleans and exact integers stay unchanged, objects and arrays become JSON text, and a number
 * that is not finite (`Infinity`, from `1e999`) becomes an empty cell. `onChanged` is called for JSON in which a lone surrogate became U+FFFD.
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

/**
 * A text that every file can hold: with U+FFFD for each lone surrogate, which no UTF-8 file can hold, and without NUL, at which readers of CSV cut the
 * text, or which they drop; some were seen to evaluate a formula after it. The same string if there is nothing to change.
 */
export const clean = (text: string): string => {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes("\0") ? whole.replaceAll("\0", "") : whole
}
