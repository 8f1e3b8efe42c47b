/**
 * Converts JSON text to values and back without losing a digit.
 *
 * The service's cursor, `unit_id` and data payload have no stated type (Spec: Endpoints 5, Contract gaps), so an
 * integer in them may be larger than a JavaScript number can hold. Such an integer is read as a `bigint` and written as
 * the same digits. Decimals become 64-bit floats, as in every JSON reader.
 */
/** Any JSON value; an integer beyond ±(2^53 - 1) is a `bigint`. */
export type Json =
  | null
  | boolean
  | number
  | bigint
  | string
  | ReadonlyArray<Json>
  | { readonly [member: string]: Json }

/** Sixteen digits that are no fraction: those of a decimal are a 64-bit float in any case. */
const longDigits = /(?:^|[^.\d])\d{16}/

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
    return writeDeep(value, (leaf) => JSON.stringify(leaf, writable))
  }
}

/**
 * A copy of a value in which every text, names of members included, has gone through `change`, at any depth. `changeNames` gets the names of an
 * object's members instead, all at once. Of members whose names become equal, the last is kept.
 */
export const mapTexts = (
  value: Json,
  change: (text: string) => string,
  changeNames: (names: ReadonlyArray<string>) => ReadonlyArray<string> = (names) => names.map(change),
): Json => {
  const pending: Array<() => void> = []
  const copyOf = (inner: Json): Json => {
    if (typeof inner === "string") return change(inner)
    if (typeof inner !== "object" || inner === null) return inner
    if (Array.isArray(inner)) {
      const copy: Array<Json> = []
      pending.push(() => {
        for (const item of inner as ReadonlyArray<Json>) copy.push(copyOf(item))
      })
      return copy
    }
    const copy: { readonly [member: string]: Json } = {}
    pending.push(() => {
      const names = changeNames(Object.keys(inner))
      for (const [at, item] of Object.values<Json>(inner).entries()) {
        // A member can be called __proto__, and must stay a member.
        const member = { value: copyOf(item), configurable: true, enumerable: true, writable: true }
        Object.defineProperty(copy, names[at]!, member)
      }
    })
    return copy
  }
  const copy = copyOf(value)
  for (let fill = pending.pop(); fill !== undefined; fill = pending.pop()) fill()
  return copy
}

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

// `JSON.stringify` throws on a `bigint`, so each object of `parse` that holds one has a `toJSON`, which writes its digits. It is not enumerable:
// loops, copies, `structuredClone` and message ports do not see it.
const raw: ((text: string) => unknown) | undefined = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON

/** A replacer for `JSON.stringify` that writes the digits of a `bigint`. Engines without `JSON.rawJSON` write them as a string. */
const writable = (_member: string, value: unknown): unknown =>
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
const writesItself = (value: { readonly toJSON?: unknown }): boolean =>
  typeof value.toJSON === "function" && value.toJSON !== toJSON

/**
 * Lets `JSON.stringify` write an object that has this integer as a member; returns the member. An object that already has a member called
 * `toJSON` cannot be changed this way: it gets the digits as a string.
 */
const keepDigits = (holder: { toJSON?: unknown }, integer: bigint): bigint | string => {
  if (holder.toJSON === toJSON) return integer
  if (Object.hasOwn(holder, "toJSON")) return String(integer)
  Object.defineProperty(holder, "toJSON", { value: toJSON, configurable: true, writable: true })
  return integer
}

interface Open {
  readonly value: object
  /** Names of the members that are written; null for an array. */
  readonly names: ReadonlyArray<string> | null
  readonly size: number
  at: number
}

const open = (value: object): Open => {
  if (Array.isArray(value)) return { value, names: null, size: value.length, at: 0 }
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined)
  return { value, names: members.map(([name]) => name), size: members.length, at: 0 }
}

/**
 * Writes JSON text without indentation and without recursion, for values that are nested deeper than the engine's stack allows. `writeLeaf` writes
 * values without members; values that it cannot write become `null`.
 */
const writeDeep = (value: unknown, writeLeaf: (leaf: unknown) => string | undefined): string => {
  const parts: Array<string> = []
  const pending: Array<Open> = []
  const within = new Set<object>()
  const begin = (inner: unknown): void => {
    if (typeof inner !== "object" || inner === null || writesItself(inner)) {
      parts.push(writeLeaf(inner) ?? "null")
      return
    }
    if (within.has(inner)) throw new TypeError("A value that contains itself cannot be written as JSON.")
    within.add(inner)
    pending.push(open(inner))
    parts.push(Array.isArray(inner) ? "[" : "{")
  }
  begin(value)
  for (let last = pending.at(-1); last !== undefined; last = pending.at(-1)) {
    const { at, names, size, value: container } = last
    if (at === size) {
      parts.push(names === null ? "]" : "}")
      within.delete(container)
      pending.pop()
      continue
    }
    if (at > 0) parts.push(",")
    const name = names === null ? at : names[at]!
    if (names !== null) parts.push(JSON.stringify(name), ":")
    last.at += 1
    begin(container[name as keyof typeof container])
  }
  return parts.join("")
}
