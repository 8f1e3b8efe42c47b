/**
 * The explaining check of records. It runs only on records that failed the fast check, and names the path, the expected type and the found type
 * of each wrong member. It never shows a value, because values are personal data.
 */
import type { Json } from "../Json.ts"
import { isObject, typeName } from "../Json.ts"
import { isTimestamp } from "../Timestamp.ts"

export interface Issue {
  /** The path of the member, like `listing.id`; empty for the record itself. */
  readonly path: string
  /** The specified type, like `integer or null`. */
  readonly expected: string
  /** The JSON type that was found; `nothing` when the member is missing. */
  readonly found: string
}

/** Finds what is wrong with a value; `path` is the path of the value. */
export type Expectation = (value: unknown, path: string) => ReadonlyArray<Issue>

const expecting =
  (is: (value: unknown) => boolean, expected: string, found: (value: unknown) => string): Expectation =>
  (value, path) =>
    is(value) ? [] : [{ path, expected, found: found(value) }]

/** An integer that a number holds exactly, as all ids are. */
export const integer = expecting(Number.isSafeInteger, "integer", (value) =>
  typeof value === "bigint"
    ? "integer beyond 2^53"
    : typeof value === "number"
      ? "number with a fraction"
      : typeName(value),
)

const isText = (value: unknown): boolean => typeof value === "string"

export const text = expecting(isText, "string", typeName)

export const present = expecting((value) => value !== undefined, "any value or null", typeName)

export const timestamp = expecting(isTimestamp, "timestamp", (value) =>
  isText(value) ? "string that is no timestamp" : typeName(value),
)

export const orNull =
  (expectation: Expectation): Expectation =>
  (value, path) =>
    value === null
      ? []
      : expectation(value, path).map(({ expected, found, path }) => ({
          path,
          expected: `${expected} or null`,
          found,
        }))

export const object =
  (members: { readonly [member: string]: Expectation }): Expectation =>
  (value, path) =>
    isObject(value)
      ? Object.entries(members).flatMap(([member, expectation]) =>
          expectation(value[member], path === "" ? member : `${path}.${member}`),
        )
      : [{ path, expected: "object", found: typeName(value) }]

/** Counted in a loop: checking for each member whether it is known would run ten times per record. */
export const countMembers = (record: object): number => {
  let count = 0
  for (const _ in record) count += 1
  return count
}

/** The members of a record that are not in `documented`. */
export const undocumented = (
  record: object,
  documented: ReadonlySet<string>,
): { readonly [member: string]: Json } =>
  Object.fromEntries(Object.entries(record).filter(([member]) => !documented.has(member)))
