/**
 * The explaining check of records: it runs only on records that failed the fast check, and names each wrong member by path, expected and
 * found type. It never shows a value, because values are personal data.
 */
import type { Json } from "./Json.ts"
import { isObject, typeName } from "./Json.ts"
import { isTimestamp } from "./Timestamp.ts"

/** One thing that is wrong with a record. */
export interface Issue {
  /** Where, like `listing.id`; empty for the record itself. */
  readonly path: string
  /** The specified type, like `integer or null`. */
  readonly expected: string
  /** The JSON type that was found; `nothing` when the member is missing. */
  readonly found: string
}

export const expectObject = (
  issues: Array<Issue>,
  value: unknown,
  path: string,
): { readonly [member: string]: Json } | undefined => {
  if (isObject(value)) return value
  issues.push({ path, expected: "object", found: typeName(value) })
  return undefined
}

export const expectId = (issues: Array<Issue>, value: unknown, path: string, expected = "integer"): void => {
  if (Number.isSafeInteger(value)) return
  const found =
    typeof value === "bigint"
      ? "integer beyond 2^53"
      : typeof value === "number"
        ? "number with a fraction"
        : typeName(value)
  issues.push({ path, expected, found })
}

export const expectText = (issues: Array<Issue>, value: unknown, path: string): void => {
  if (typeof value !== "string") issues.push({ path, expected: "string", found: typeName(value) })
}

export const expectPresent = (issues: Array<Issue>, value: unknown, path: string): void => {
  if (value === undefined) issues.push({ path, expected: "any value or null", found: "nothing" })
}

export const expectTimestamp = (
  issues: Array<Issue>,
  value: unknown,
  path: string,
  expected = "timestamp",
): void => {
  if (isTimestamp(value)) return
  issues.push({
    path,
    expected,
    found: typeof value === "string" ? "string that is no timestamp" : typeName(value),
  })
}

/** The members of a record that are not in `documented`. */
export const undocumented = (
  record: object,
  documented: ReadonlySet<string>,
): { readonly [member: string]: Json } =>
  Object.fromEntries(Object.entries(record).filter(([member]) => !documented.has(member)))
