/**
 * Converts values to the types of Parquet. A value that its type cannot hold becomes null, and is counted: an integer beyond 64 bits, a timestamp
 * that is not an instant. A lone surrogate becomes U+FFFD in texts and JSON, because readers refuse a file that holds one.
 */
import { Cell, Instant, WellFormed } from "@deedkit/export"

/** The value in a file. */
export type Value = string | number | bigint | boolean | null

const least = -(2n ** 63n)
const most = 2n ** 63n - 1n

const text = (value: Cell.CellValue, onChanged: () => void): string | null => {
  const scalar = Cell.scalar(value, onChanged)
  if (scalar === null) return null
  const whole = String(scalar)
  if (whole.isWellFormed()) return whole
  onChanged()
  return whole.toWellFormed()
}

const integer = (value: Cell.CellValue, onChanged: () => void): bigint | null => {
  if (typeof value === "number" && Number.isInteger(value)) return integer(BigInt(value), onChanged)
  if (typeof value === "bigint" && value >= least && value <= most) return value
  if (value !== null) onChanged()
  return null
}

const decimal = (value: Cell.CellValue, onChanged: () => void): number | null => {
  const number = typeof value === "bigint" ? Number(value) : value
  if (typeof number === "number" && Number.isFinite(number)) return number
  if (number !== null) onChanged()
  return null
}

const boolean = (value: Cell.CellValue, onChanged: () => void): boolean | null => {
  if (typeof value === "boolean") return value
  if (value !== null) onChanged()
  return null
}

/** Microseconds since 1970 in UTC. Finer fractions are cut. */
const timestamp = (value: Cell.CellValue, onChanged: () => void): bigint | null => {
  const millis = typeof value === "string" ? Instant.of(value) : null
  if (millis !== null) {
    const fraction = /\.(\d{1,6})/.exec(value as string)?.[1] ?? ""
    return BigInt(Math.floor(millis / 1_000)) * 1_000_000n + BigInt(fraction.padEnd(6, "0"))
  }
  if (value !== null) onChanged()
  return null
}

/** JSON text; null for null and for a number that is not finite (`Infinity`), as in every other kind. */
const json = (value: Cell.CellValue, onChanged: () => void): string | null => {
  if (value === null || (typeof value === "number" && !Number.isFinite(value))) return null
  const { json: whole, texts } = WellFormed.stringify(value)
  if (texts > 0) onChanged()
  return whole
}

/** Makes the value of a cell by the kind of its column; `onChanged` is called once for a cell that the file cannot hold unchanged. */
export const of: {
  readonly [Kind in Cell.CellKind]: (value: Cell.CellValue, onChanged: () => void) => Value
} = { text, link: text, integer, decimal, boolean, timestamp, json }
