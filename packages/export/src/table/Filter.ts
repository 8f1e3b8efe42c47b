/**
 * Selects records of a table by conditions that a person types: `status=active`, `city~athens`, `updated_at>=2026-03`.
 *
 * Pure. The service's lists take no filters (Spec: Endpoints), so records are read first and filtered here, by the cells of the table's columns.
 */
import * as Result from "effect/Result"
import { ExportError } from "../error/ExportError.ts"
import type { CellKind, CellValue } from "./Cell.ts"
import { scalar } from "./Cell.ts"
import * as Instant from "./Instant.ts"
import * as Period from "./Period.ts"
import type { Table } from "./Table.ts"
import { resolveColumn } from "./Table.ts"
import * as TextForm from "./TextForm.ts"

export type Operator = "=" | "!=" | "~" | "!~" | "<" | "<=" | ">" | ">="

export type Test = (value: CellValue) => boolean

/** Compares a cell with the wanted value: -1 below it, 0 equal, 1 above it; null if the two cannot be compared. */
type Compare = (value: CellValue) => -1 | 0 | 1 | null

const isEmpty: Test = (value) => value === null || value === ""

/** A cell that cannot be compared is neither equal, nor smaller, nor greater. */
const ordered =
  (operator: Exclude<Operator, "~" | "!~">, compare: Compare): Test =>
  (value) => {
    const order = compare(value)
    if (order === null) return operator === "!="
    switch (operator) {
      case "=":
        return order === 0
      case "!=":
        return order !== 0
      case "<":
        return order < 0
      case "<=":
        return order <= 0
      case ">":
        return order > 0
      case ">=":
        return order >= 0
    }
  }

/** An integer that a number would round becomes a bigint; null if the text is not a number. */
const number = (text: string): number | bigint | null => {
  if (!/^-?\d+(?:\.\d+)?$/.test(text)) return null
  const value = Number(text)
  return text.includes(".") || Number.isSafeInteger(value) ? value : BigInt(text)
}

/** A number and a bigint are compared by value. */
const toNumber =
  (wanted: number | bigint): Compare =>
  (value) => {
    if (typeof value !== "number" && typeof value !== "bigint") return null
    return value < wanted ? -1 : value > wanted ? 1 : 0
  }

/** A timestamp within the written date counts as equal to it. */
const toDate =
  ({ end, start }: Period.Period): Compare =>
  (value) => {
    const millis = typeof value === "string" ? Instant.of(value) : null
    return millis === null ? null : millis < start ? -1 : millis < end ? 0 : 1
  }

const toText = (wanted: string): Compare => {
  const form = TextForm.equal(wanted)
  return (value) => (value !== null && TextForm.equal(String(scalar(value))) === form ? 0 : null)
}

/** From one value to another, either of which may be left open. */
const between =
  (low: Compare | null, high: Compare | null): Compare =>
  (value) => {
    const below = low === null ? high?.(value) : low(value)
    if (below === null || below === undefined) return null
    if (low !== null && below < 0) return -1
    return high !== null && high(value) === 1 ? 1 : 0
  }

const contains = (wanted: string): Test => {
  const part = TextForm.search(wanted)
  return (value) => !isEmpty(value) && TextForm.search(String(scalar(value))).includes(part)
}

const yes: ReadonlySet<string> = new Set(["yes", "true"])
const no: ReadonlySet<string> = new Set(["no", "false"])

/** Compares with one value of a kind that has an order; a text says what is valid. */
const compareTo = (kind: CellKind, text: string, nowMillis: number): Compare | string => {
  if (kind === "timestamp") {
    const wanted = Period.of(unquoted(text), nowMillis)
    return wanted === null ? Period.shape : toDate(wanted)
  }
  const wanted = number(unquoted(text))
  return wanted === null ? "a number" : toNumber(wanted)
}

const isOrdered = (kind: CellKind): boolean =>
  kind === "integer" || kind === "decimal" || kind === "timestamp"

/** The test of `2025-06..2025-08`, which may leave one end open; null if the text is not a range. */
const range = (
  kind: CellKind,
  operator: "=" | "!=",
  text: string,
  nowMillis: number,
): Test | string | null => {
  const [, from = "", to = ""] = /^\s*(.*?)\s*\.\.\s*(.*?)\s*$/s.exec(text) ?? []
  if (!isOrdered(kind) || (from === "" && to === "")) return null
  const low = from === "" ? null : compareTo(kind, from, nowMillis)
  const high = to === "" ? null : compareTo(kind, to, nowMillis)
  if (typeof low === "string") return low
  return typeof high === "string" ? high : ordered(operator, between(low, high))
}

const unquoted = (text: string): string => /^(['"])(.*)\1$/s.exec(text)?.[2] ?? text

/** The values of `a,b`, `a|b`, `[a,b]` or `(a, 'b')`; one value for any other text. */
export const values = (text: string): ReadonlyArray<string> => {
  const inner =
    /^(?:\((.*)\)|\[(.*)\])$/s
      .exec(text)
      ?.slice(1)
      .find((each) => each !== undefined) ?? text
  const parts = inner.split(/[,|]/).map((part) => unquoted(part.trim()))
  return parts.length > 1 ? parts.filter((part) => part !== "") : parts
}

/** The test, or a text that says what is valid in place of the operator and value. An empty value means empty cells. */
export const condition = (
  kind: CellKind,
  operator: Operator,
  text: string,
  nowMillis: number = Date.now(),
): Test | string => {
  if (operator === "!~") {
    const test = condition(kind, "~", text, nowMillis)
    return typeof test === "string" ? test : (value) => !test(value)
  }
  if (operator === "~") {
    const word = unquoted(text).replaceAll(/^(?:[*%]|\.\*)+|(?:[*%]|\.\*)+$/g, "")
    const part = word.replaceAll(/^\^|\$$/g, "")
    if (part === "" || part === text) return single(kind, operator, text, nowMillis)
    const whole = contains(text)
    const inner = TextForm.search(part)
    return (value) => {
      if (isEmpty(value)) return false
      if (whole(value)) return true
      const found = TextForm.search(String(scalar(value)))
      if (word.startsWith("^")) return word.endsWith("$") ? found === inner : found.startsWith(inner)
      return word.endsWith("$") ? found.endsWith(inner) : found.includes(inner)
    }
  }
  if (operator !== "=" && operator !== "!=") return single(kind, operator, text, nowMillis)
  const within = range(kind, operator, text, nowMillis)
  if (within !== null) return within
  const whole = single(kind, operator, text, nowMillis)
  const listed = values(text)
  if (listed.length === 0 || (listed.length === 1 && listed[0] === text)) return whole
  const tests = listed.map((each) => single(kind, operator, each, nowMillis))
  const invalid = tests.find((test) => typeof test === "string")
  if (invalid !== undefined) return typeof whole === "string" ? invalid : whole
  // A text with a comma can be the value itself.
  const all = [...tests, whole].filter((test) => typeof test !== "string")
  return operator === "="
    ? (value) => all.some((test) => test(value))
    : (value) => all.every((test) => test(value))
}

/** The same for one value. */
const single = (
  kind: CellKind,
  operator: Exclude<Operator, "!~">,
  text: string,
  nowMillis: number,
): Test | string => {
  // A text can be the word itself, a number or a time cannot.
  const isNull = /^null$/i.test(text) && isOrdered(kind)
  if (text === "" || isNull) {
    if (operator === "=") return isEmpty
    return operator === "!=" ? (value) => !isEmpty(value) : `a value after ${operator}`
  }
  if (operator === "~") return contains(text)
  const isEquality = operator === "=" || operator === "!="
  switch (kind) {
    case "integer":
    case "decimal":
    case "timestamp": {
      // What is after the last seven days is after their beginning: the span itself ends now.
      const from = isEquality ? text : text.replace(/^(?:last|past)\s+(?=\d)/i, "")
      const wanted = compareTo(kind, from, nowMillis)
      return typeof wanted === "string" ? wanted : ordered(operator, wanted)
    }
    case "boolean": {
      const wanted = text.toLowerCase()
      if (!isEquality || (!yes.has(wanted) && !no.has(wanted))) return "= or !=, and yes or no"
      return ordered(operator, (value) => (value === yes.has(wanted) ? 0 : null))
    }
    case "json": {
      const wanted = number(text)
      if (!isEquality) return wanted === null ? "a number" : ordered(operator, toNumber(wanted))
      const asText = toText(text)
      return ordered(operator, (value) =>
        wanted !== null && typeof value !== "string" ? toNumber(wanted)(value) : asText(value),
      )
    }
    case "text":
    case "link":
      return isEquality ? ordered(operator, toText(text)) : "=, != or ~, because the column holds text"
  }
}

export interface Filter<in A> {
  readonly keeps: (record: A) => boolean
  /** The conditions with the columns' full names, such as `listing.city=Athens`: equal filters have equal texts. */
  readonly texts: ReadonlyArray<string>
}

/** The test of a pattern of SQL: `%` stands for any text, `_` for one character. */
const like = (pattern: string): Test => {
  const escaped = TextForm.search(pattern).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  const whole = new RegExp(`^${escaped.replaceAll("%", ".*").replaceAll("_", ".")}$`, "su")
  return (value) => !isEmpty(value) && whole.test(TextForm.search(String(scalar(value))))
}

const symbols = /^([^=!~<>]+?)\s*(={1,3}|!==?|<>|<=|>=|!~=?|~=|[~<>])\s*(.*)$/s
const symbolOf: { readonly [typed: string]: Operator } = {
  "==": "=",
  "===": "=",
  "!==": "!=",
  "<>": "!=",
  "~=": "~",
  "!~=": "!~",
}

type Word = Operator | "in" | "between" | "like" | "starts with" | "ends with"

/** Words in place of an operator, as databases, search fields and shells have them. */
const words: ReadonlyArray<readonly [typed: string, means: Word]> = [
  ["eq|equals?|equal to", "="],
  ["neq?", "!="],
  ["lt|less than|before|older than", "<"],
  ["lt?e", "<="],
  ["gt|greater than|after|newer than", ">"],
  ["gt?e|since|within", ">="],
  ["contains?|includes?|match(?:es)?|regexp?", "~"],
  ["(?:starts?|begins?) ?with", "starts with"],
  ["ends? ?with", "ends with"],
  ["in", "in"],
  ["between", "between"],
  ["i?like", "like"],
]

/** `column is not in VALUE`, with any of the three words left out. */
const worded = new RegExp(
  String.raw`^([^\s=!~<>:]+)\s+((?:is|does)\s+)?(not\s+)?(?:(${words.map(([typed]) => typed).join("|")})\s+)?(.+)$`,
  "is",
)

interface Comparison {
  readonly column: string
  readonly word: Word
  readonly isNot: boolean
  readonly value: string
}

const comparisonOf = (text: string): Comparison | null => {
  const [, before, verb, not, typed = "", after = ""] = worded.exec(text) ?? []
  const isNot = not !== undefined
  if (before !== undefined && (verb !== undefined || isNot || typed !== "")) {
    const isEmptyWord =
      typed === "" && (/^(?:empty|blank)$/i.test(after) || (verb !== undefined && /^null$/i.test(after)))
    const value = isEmptyWord ? "" : after
    const word = words.find(([names]) => new RegExp(`^(?:${names})$`, "i").test(typed))?.[1] ?? "="
    return { column: before, word, isNot, value }
  }
  // The colon of `status:active`, unless there is another operator: times have colons.
  const [, column, sign, value] = symbols.exec(text) ?? /^([^:]+?)\s*(:)\s*(.*)$/s.exec(text) ?? []
  if (column === undefined || sign === undefined || value === undefined) return null
  const word = sign === ":" ? "=" : (symbolOf[sign] ?? (sign as Operator))
  return { column, word, isNot: false, value }
}

/** What `not` makes of an operator. */
const opposites: { readonly [operator in Operator]: Operator } = {
  "=": "!=",
  "!=": "=",
  "~": "!~",
  "!~": "~",
  "<": ">=",
  "<=": ">",
  ">": "<=",
  ">=": "<",
}

/** The test of a comparison and its text, or a text that says what is valid. */
const testOf = (
  { isNot, value, word }: Comparison,
  { kind, name }: { readonly kind: CellKind; readonly name: string },
  nowMillis: number,
): readonly [test: Test, text: string] | string => {
  const ofOperator = (operator: Operator, wanted: string) => {
    const test = condition(kind, operator, wanted, nowMillis)
    return typeof test === "string" ? test : ([test, `${name}${operator}${wanted}`] as const)
  }
  const ofText = (test: Test) =>
    [
      isNot ? (cell: CellValue) => !test(cell) : test,
      `${name} ${isNot ? "not " : ""}${word} ${value}`,
    ] as const
  const part = TextForm.search(unquoted(value))
  const found = (cell: CellValue): string => TextForm.search(String(scalar(cell) ?? ""))
  switch (word) {
    case "like":
      return ofText(like(unquoted(value)))
    case "starts with":
      return ofText((cell) => found(cell).startsWith(part))
    case "ends with":
      return ofText((cell) => found(cell).endsWith(part))
    case "in":
      return ofOperator(isNot ? "!=" : "=", value)
    case "between":
      return ofOperator(isNot ? "!=" : "=", value.replace(/\s+and\s+/i, ".."))
    default:
      return isNot ? ofOperator(opposites[word], value) : ofOperator(word, value)
  }
}

/** A second comparison behind the first, as in SQL or in an address: what joins them, and its column. */
const severalAtOnce =
  /(?:\s(and|or)\s+|\s*(&&?|\|\|?|[;,])\s*)([\w.]+)\s*(?:[=!~<>]|\s(?:not|in|like|between|is)\s)/i

const parseOne = <A>(
  table: Table<A>,
  text: string,
  nowMillis: number,
): Result.Result<Filter<A>, ExportError> => {
  const rejected = (expected: string) =>
    Result.fail(new ExportError({ reason: { _tag: "FilterInvalid", text, expected } }))
  const comparison = comparisonOf(text.trim())
  if (comparison === null) return rejected("a column, one of = != ~ < <= > >=, and a value")
  const [, and, joint = and, next = ""] = severalAtOnce.exec(comparison.value) ?? []
  if (next !== "" && Result.isSuccess(resolveColumn(table, next))) {
    return rejected(
      /^(?:or|\|)/i.test(joint ?? "")
        ? "one comparison; several values of one column are written as column=A,B"
        : "one comparison; give each as a condition of its own",
    )
  }
  return Result.flatMap(resolveColumn(table, comparison.column), (column) => {
    const found = testOf(comparison, column, nowMillis)
    if (typeof found === "string") return rejected(found)
    const [test, words] = found
    return Result.succeed({ keeps: (record: A) => test(column.get(record)), texts: [words] })
  })
}

/**
 * Makes a filter of conditions, all of which must hold; without conditions it keeps every record. A condition is a column (see `Table.resolveColumn`), an
 * operator and a value; spaces around them are ignored.
 *
 * - `=` equal, case and accents included, however accents are encoded; `!=` anything else, including an empty cell. With no value: `=` an empty cell, `!=` one that is not empty.
 * - `~` contains the value, in any case and with any accents; `!~` does not.
 * - `<` `<=` `>` `>=` for numbers and timestamps; an empty cell is neither smaller nor greater.
 *
 * `=` and `!=` take several values, `status=active,draft`, and for numbers and timestamps a range, `created_at=2025-06..2025-08`, which may leave an
 * end open. `in`, `not in`, `like`, `between` and `is null` are read as in SQL; `contains`, `starts with`, `before`, `after` and their like are words for
 * an operator. Quotes around a value are ignored, and so are `*` and `%` at its ends after `~`, where `^` and `$` stand for the ends of the text.
 *
 * A timestamp can also be a span before `nowMillis`, or a period of the calendar (see `Period`): `updated_at>7d` keeps the last seven days,
 * `created_at=last month` the month before this one.
 *
 * A date or time is in UTC and stands for the whole period that it names: `created_at=2026-03` keeps the whole month, `created_at>2026-03`
 * everything after it. A boolean is `yes` or `no`.
 *
 * Fails with `ColumnUnknown`, or with `FilterInvalid` for a text that is not a condition, or a value that the column cannot have.
 */
export const parse = <A>(
  table: Table<A>,
  texts: ReadonlyArray<string>,
  nowMillis: number = Date.now(),
): Result.Result<Filter<A>, ExportError> =>
  Result.map(Result.all(texts.map((text) => parseOne(table, text, nowMillis))), (filters) => ({
    keeps: (record) => filters.every((filter) => filter.keeps(record)),
    texts: filters.flatMap((filter) => filter.texts),
  }))
