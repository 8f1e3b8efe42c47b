/**
 * A named value with a default, a one-sentence description, and a function that reads it from code or from a flag's
 * text. Assumptions and fault attributes are both tables of settings, so that the command line, the control port and
 * code share one form and one error message. Does not know what any setting does.
 */
import leven from "leven"

/** One setting: its default, its description, and how a given value is read. */
export interface Setting<A> {
  readonly default: A
  /** One sentence for help texts. */
  readonly about: string
  /** The accepted values, for help texts: `integer`, `clamp | reject | allow`. */
  readonly shape: string
  /** Reads a typed value or its text; undefined if it is not a valid value. */
  readonly accept: (given: unknown) => A | undefined
}

/** A table of settings by name. */
export type Settings = Readonly<Record<string, Setting<unknown>>>

/** The value that a setting holds. */
type ValueOf<S> = S extends Setting<infer A> ? A : never

/** The values of a table of settings. */
export type Values<T extends Settings> = { readonly [Name in keyof T]: ValueOf<T[Name]> }

/** A refused value, or an unknown name; the message is one sentence for the user. */
export class InvalidSetting extends Error {
  override readonly name = "InvalidSetting"
}

/** A finite number between `minimum` (default 0) and `maximum` (default none). */
export const number = (
  value: number,
  about: string,
  minimum = 0,
  maximum = Number.MAX_VALUE,
): Setting<number> => ({
  default: value,
  about,
  shape: `a number ${between(minimum, maximum)}`,
  accept: (given) => {
    const read = typeof given === "string" && given.trim() !== "" ? Number(given) : given
    return typeof read === "number" && read >= minimum && read <= maximum ? read : undefined
  },
})

/** A whole number between `minimum` (default 0) and `maximum` (default none). */
export const integer = (
  value: number,
  about: string,
  minimum = 0,
  maximum = Number.MAX_SAFE_INTEGER,
): Setting<number> => {
  const { accept } = number(value, about, minimum, maximum)
  return {
    default: value,
    about,
    shape: `a whole number ${between(minimum, maximum)}`,
    accept: (given) => {
      const read = accept(given)
      return Number.isSafeInteger(read) ? read : undefined
    },
  }
}

const between = (minimum: number, maximum: number): string =>
  maximum >= Number.MAX_SAFE_INTEGER ? `from ${minimum}` : `from ${minimum} to ${maximum}`

/** Any text. */
export const text = (value: string, about: string): Setting<string> => ({
  default: value,
  about,
  shape: "any text",
  accept: (given) => (typeof given === "string" ? given : undefined),
})

/** Any text, or null, written `null`. */
export const textOrNull = (value: string | null, about: string): Setting<string | null> => ({
  default: value,
  about,
  shape: "any text | null",
  accept: (given) =>
    given === null || given === "null" ? null : typeof given === "string" ? given : undefined,
})

/** `true` or `false`. */
export const flag = (value: boolean, about: string): Setting<boolean> => choice([true, false], value, about)

/** One of the listed values. */
export const choice = <const A extends string | number | boolean | null>(
  options: ReadonlyArray<A>,
  value: NoInfer<A>,
  about: string,
): Setting<A> => ({
  default: value,
  about,
  shape: options.map((option) => (option === "" ? '""' : String(option))).join(" | "),
  accept: (given) => options.find((option) => option === given || String(option) === given),
})

/** A list of whole numbers from 1; as text `1+3` or `2-4`, and empty for none. */
export const positions = (value: ReadonlyArray<number>, about: string): Setting<ReadonlyArray<number>> => ({
  default: value,
  about,
  shape: "positions such as 1+3 or 2-4",
  accept: (given) => {
    if (given === "") return []
    const read =
      typeof given === "string"
        ? given.split("+").flatMap(range)
        : typeof given === "number"
          ? [given]
          : given
    return Array.isArray(read) && read.every((n) => Number.isSafeInteger(n) && n > 0) ? read : undefined
  },
})

/**
 * Reads the given values. `noun` names an entry of the table, such as `assumption`. Throws `InvalidSetting` for a name
 * that the table does not have and for a value that cannot be read.
 */
export const read = <T extends Settings>(
  table: T,
  given: Readonly<Record<string, unknown>>,
  noun: string,
): Partial<Values<T>> => {
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const setting = Object.hasOwn(table, name) ? table[name] : undefined
    if (setting === undefined) throw new InvalidSetting(unknownName(name, Object.keys(table), noun))
    values[name] = setting.accept(value)
    if (values[name] === undefined) {
      throw new InvalidSetting(
        `the ${noun} "${name}" cannot be ${JSON.stringify(value)}; it takes ${setting.shape}`,
      )
    }
  }
  return values as Partial<Values<T>>
}

/** Reads the given values and uses the defaults for all others. Throws like `read`. */
export const fill = <T extends Settings>(
  table: T,
  given: Readonly<Record<string, unknown>>,
  noun: string,
): Values<T> => {
  const defaults = Object.fromEntries(Object.entries(table).map(([name, setting]) => [name, setting.default]))
  return { ...defaults, ...read(table, given, noun) } as Values<T>
}

/** The message about an unknown name. */
export const unknownName = (name: string, known: ReadonlyArray<string>, noun: string): string =>
  `there is no ${noun} "${name}"${known.length === 0 ? "" : suggestion(name, known)}`

/** The end of a message: `; did you mean "latency"?`, or the list of known names when none is near. */
export const suggestion = (name: string, known: ReadonlyArray<string>): string => {
  const near = nearest(name, known)
  return near === undefined ? `; known: ${known.join(", ")}` : `; did you mean "${near}"?`
}

/** The known name with the fewest letters to change, or undefined when none is near. */
const nearest = (name: string, known: ReadonlyArray<string>): string | undefined => {
  let best: string | undefined
  let bestDistance = Math.max(2, Math.ceil(name.length / 2)) + 1
  for (const candidate of known) {
    const distance = leven(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) {
      best = candidate
      bestDistance = distance
    }
  }
  return best
}

/** The positions of one part, or NaN if it is refused; too many positions are refused before they fill the memory. */
const range = (part: string): ReadonlyArray<number> => {
  const [, from, to = from] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? []
  const length = Number(to) - Number(from) + 1
  if (!(length > 0 && length <= 10_000)) return [Number.NaN]
  return Array.from({ length }, (_, index) => Number(from) + index)
}
