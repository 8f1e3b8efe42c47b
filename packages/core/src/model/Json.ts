/**
 * Converts JSON text to values and back without losing a digit.
 *
 * The service's cursor, `unit_id` and data payload have no stated type (Spec: Endpoints 5, Contract gaps), so an
 * integer in them may be larger than a JavaScript number can hold. Such an integer is read as a `bigint` and written as
 * the same digits. Decimals become 64-bit floats, as in every JSON reader.
 */
import * as deepJson from "./deepJson.ts"
import { keepDigits, writable } from "./digits.ts"
import type { Json } from "./JsonValue.ts"

export type { Json } from "./JsonValue.ts"

const longDigits = /\d{16}/

function exact(
  this: object,
  _member: string,
  value: unknown,
  context?: { readonly source?: string },
): unknown {
  if (typeof value !== "number" || Number.isSafeInteger(value)) return value
  const source = context?.source
  return source !== undefined && /^-?\d+$/.test(source) ? keepDigits(this, BigInt(source)) : value
}

/**
 * Parses JSON text. Integers beyond ±(2^53 - 1) become `bigint` if the engine passes source text to revivers (Node 22, Chrome 114, Firefox 135);
 * older engines round them as `JSON.parse` does. `JSON.stringify` can write the objects that hold them, too. In an object that also has a member
 * called `toJSON`, such an integer becomes a string of its digits.
 *
 * @throws SyntaxError when the text is not JSON.
 */
export const parse = (text: string): Json =>
  mayHoldLongIntegers(text) ? JSON.parse(text, exact) : JSON.parse(text)

/** Whether the text has a run of digits that a number might not hold exactly. @internal */
export const mayHoldLongIntegers = (text: string): boolean => longDigits.test(text)

/**
 * Writes JSON text; a `bigint` becomes its digits. `indent` is in spaces, default none. Engines without `JSON.rawJSON` write a
 * `bigint` as a string rather than round it.
 *
 * Writes every value of `parse`, however deeply it is nested. A value that the engine's own writer cannot write, because of its depth or
 * because its indentation would fill the memory, is written without indentation.
 *
 * @throws TypeError when the value contains itself.
 */
export const stringify = (value: unknown, indent?: number): string => {
  try {
    return JSON.stringify(value, writable, indent)
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    return deepJson.write(value, (leaf) => JSON.stringify(leaf, writable))
  }
}

/**
 * A copy of a value in which every text has gone through `change`, at any depth, and the names of the members of each object through `changeNames`,
 * by default each through `change`. Of members whose names become equal, the last is kept.
 */
export const mapTexts = (
  value: Json,
  change: (text: string) => string,
  changeNames?: (names: ReadonlyArray<string>) => ReadonlyArray<string>,
): Json => deepJson.mapTexts(value, change, changeNames)

/** The JSON name of a value's type, for messages that must not show the value itself. */
export const typeName = (value: unknown): string =>
  value === null
    ? "null"
    : value === undefined
      ? "nothing"
      : Array.isArray(value)
        ? "array"
        : typeof value === "bigint"
          ? "integer"
          : typeof value

/** Whether a value is a JSON object (not null, not an array). */
export const isObject = (value: unknown): value is { readonly [member: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value)
