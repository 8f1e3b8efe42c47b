/**
 * Writes integers beyond 2^53 to JSON text. `JSON.stringify` throws on a `bigint`, so each object of `Json.parse` that holds one has a `toJSON`,
 * which writes its digits. It is not enumerable: loops, copies, `structuredClone` and message ports do not see it.
 */

const raw: ((text: string) => unknown) | undefined = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON

/** A replacer for `JSON.stringify` that writes the digits of a `bigint`. Engines without `JSON.rawJSON` write them as a string. */
export const writable = (_member: string, value: unknown): unknown =>
  typeof value === "bigint" ? (raw === undefined ? String(value) : raw(String(value))) : value

/** The `toJSON` of an object or array with such members. */
function toJSON(this: object): unknown {
  if (Array.isArray(this)) return this.map((value) => writable("", value))
  return Object.fromEntries(Object.entries(this).map(([name, value]) => [name, writable(name, value)]))
}

/**
 * Whether a value has a `toJSON` function, like a `Date`. A `toJSON` member of an answer is not a function; the function above does not count,
 * because it writes one level only.
 */
export const writesItself = (value: { readonly toJSON?: unknown }): boolean =>
  typeof value.toJSON === "function" && value.toJSON !== toJSON

/**
 * Lets `JSON.stringify` write an object that has this integer as a member; returns the member. An object that already has a member called
 * `toJSON` cannot be changed this way: it gets the digits as a string.
 */
export const keepDigits = (holder: { toJSON?: unknown }, integer: bigint): bigint | string => {
  if (holder.toJSON === toJSON) return integer
  if (Object.hasOwn(holder, "toJSON")) return String(integer)
  Object.defineProperty(holder, "toJSON", { value: toJSON, configurable: true, writable: true })
  return integer
}
