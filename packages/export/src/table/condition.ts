/**
 * One condition of a filter: turns an operator and a written value into a test for cells of one kind. It knows neither columns nor records: see
 * `Filter`.
 */
import type { CellKind, CellValue } from "./Cell.ts"
import { scalar } from "./Cell.ts"
import * as Instant from "./Instant.ts"
import { span } from "./moment.ts"

export type Operator = "=" | "!=" | "~" | "<" | "<=" | ">" | ">="

/** Whether a cell passes. */
export type Test = (value: CellValue) => boolean

/** Compares a cell with the wanted value: -1 below it, 0 equal, 1 above it; null if the two cannot be compared. */
type Compare = (value: CellValue) => -1 | 0 | 1 | null

const isEmpty: Test = (value) => value === null || value === ""

/** A cell that cannot be compared is neither equal, nor smaller, nor greater. */
const ordered =
  (operator: Exclude<Operator, "~">, compare: Compare): Test =>
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
  ({ end, start }: { readonly start: number; readonly end: number }): Compare =>
  (value) => {
    const millis = typeof value === "string" ? Instant.of(value) : null
    return millis === null ? null : millis < start ? -1 : millis < end ? 0 : 1
  }

const toText =
  (wanted: string): Compare =>
  (value) =>
    value !== null && String(scalar(value)) === wanted ? 0 : null

const contains = (wanted: string): Test => {
  const part = wanted.toLowerCase()
  return (value) => !isEmpty(value) && String(scalar(value)).toLowerCase().includes(part)
}

const yes: ReadonlySet<string> = new Set(["yes", "true"])
const no: ReadonlySet<string> = new Set(["no", "false"])

/** The test, or a text that says what is valid in place of the operator and value. An empty value means empty cells. */
export const condition = (kind: CellKind, operator: Operator, text: string): Test | string => {
  if (text === "") {
    if (operator === "=") return isEmpty
    return operator === "!=" ? (value) => !isEmpty(value) : `a value after ${operator}`
  }
  if (operator === "~") return contains(text)
  const isEquality = operator === "=" || operator === "!="
  switch (kind) {
    case "integer":
    case "decimal": {
      const wanted = number(text)
      return wanted === null ? "a number" : ordered(operator, toNumber(wanted))
    }
    case "timestamp": {
      const wanted = span(text)
      return wanted === null
        ? "a date or time in UTC, such as 2026-03-01 or 2026-03-01T09:30"
        : ordered(operator, toDate(wanted))
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
