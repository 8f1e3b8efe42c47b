/**
 * The choices of the export page as a value, and all operations that change it. Pure: it does not depend on elements or the worker. Each table keeps
 * its columns, conditions and order while the other one is shown.
 */
import type {
  ColumnFacts,
  ExportFacts,
  ExportRequest,
  TableFacts,
  TableName,
} from "../../export/ExportMessage.ts"

export type Kind = ColumnFacts["kind"]

/** How a cell is compared with a value. */
export type Comparison = "==" | "!=" | "~" | "<" | "<=" | ">" | ">="

export interface Condition {
  /** Distinguishes conditions that look the same. */
  readonly key: number
  readonly column: string
  readonly comparison: Comparison
  readonly value: string
}

interface ColumnChoice {
  readonly name: string
  readonly isChosen: boolean
}

export interface TableChoice {
  /** All columns, in the order of the file. */
  readonly columns: ReadonlyArray<ColumnChoice>
  readonly conditions: ReadonlyArray<Condition>
  /** A column's name, with `-` before it for descending; empty for the order of the ids. */
  readonly order: string
}

export interface Form {
  readonly table: TableName
  readonly tables: { readonly [Name in TableName]: TableChoice }
  /** The ids of contracts that were picked before; empty if none were. */
  readonly picked: ReadonlyArray<number>
  /** Whether all contracts are wanted instead of the picked ones. */
  readonly isAll: boolean
  /** Whether all contracts are read again first. */
  readonly isFresh: boolean
  /** The name of a format. */
  readonly format: string
  readonly headings: ExportRequest["headings"]
  readonly timeZone: string
}

const usual = (facts: ReadonlyArray<ColumnFacts>): TableChoice => ({
  columns: facts.map(({ isUsual, name }) => ({ name, isChosen: isUsual })),
  conditions: [],
  order: "",
})

export const initial = ({ formats, tables }: ExportFacts, picked: ReadonlyArray<number> = []): Form => ({
  table: "contracts",
  tables: { contracts: usual(tables.contracts), keys: usual(tables.keys) },
  picked,
  isAll: picked.length === 0,
  isFresh: false,
  format: formats[0]!.name,
  headings: "labels",
  timeZone: "UTC",
})

/** The ids of the wanted records; null for all. */
export const idsOf = ({ isAll, picked, table }: Form): ReadonlyArray<number> | null =>
  table === "contracts" && !isAll ? picked : null

/** The choices for the current table. */
export const chosen = ({ table, tables }: Form): TableChoice => tables[table]

const change = (form: Form, with_: Partial<TableChoice>): Form => ({
  ...form,
  tables: { ...form.tables, [form.table]: { ...chosen(form), ...with_ } },
})

export const toggle = (form: Form, name: string, isChosen: boolean): Form =>
  change(form, {
    columns: chosen(form).columns.map((column) => (column.name === name ? { name, isChosen } : column)),
  })

/** Moves a column by one place; at an end it does not move. */
export const move = (form: Form, name: string, by: -1 | 1): Form => {
  const { columns } = chosen(form)
  const from = columns.findIndex((column) => column.name === name)
  const column = columns[from]
  const other = columns[from + by]
  if (column === undefined || other === undefined) return form
  return change(form, { columns: columns.with(from, other).with(from + by, column) })
}

/** Restores the default columns in their default order. */
export const resetColumns = (form: Form, facts: TableFacts): Form =>
  change(form, { columns: usual(facts[form.table]).columns })

const equality = ["==", "!="] as const
const size = ["<", "<=", ">", ">="] as const

/** The comparisons that make sense for a column. */
export const comparisons = (kind: Kind): ReadonlyArray<Comparison> => {
  switch (kind) {
    case "boolean":
      return equality
    case "integer":
    case "decimal":
    case "timestamp":
      return [...equality, ...size]
    case "json":
      return [...equality, "~", ...size]
    case "text":
    case "link":
      return [...equality, "~"]
  }
}

export const addCondition = (form: Form, column: string): Form => {
  const { conditions } = chosen(form)
  const key = Math.max(0, ...conditions.map((condition) => condition.key)) + 1
  return change(form, { conditions: [...conditions, { key, column, comparison: "==", value: "" }] })
}

/** Replaces a comparison that the column does not support. */
const fitting = (condition: Condition, columns: ReadonlyArray<ColumnFacts>): Condition => {
  const kind = columns.find(({ name }) => name === condition.column)?.kind ?? "text"
  return comparisons(kind).includes(condition.comparison) ? condition : { ...condition, comparison: "==" }
}

/** Changes a condition. */
export const setCondition = (
  form: Form,
  facts: TableFacts,
  key: number,
  with_: Partial<Omit<Condition, "key">>,
): Form => {
  const { conditions } = chosen(form)
  const at = conditions.findIndex((condition) => condition.key === key)
  const condition = conditions[at]
  if (condition === undefined) return form
  const changed = fitting({ ...condition, ...with_ }, facts[form.table])
  return change(form, { conditions: conditions.with(at, changed) })
}

export const removeCondition = (form: Form, key: number): Form =>
  change(form, { conditions: chosen(form).conditions.filter((condition) => condition.key !== key) })

export const setOrder = (form: Form, order: string): Form => change(form, { order })

/** The local date, such as `2026-11-21`. */
const dayOf = (now: Date): string =>
  [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-")

/** The request to the worker, without the source and the requesting account and program. */
export const requestOf = (
  form: Form,
  isCopy: boolean,
  now: Date,
): Omit<ExportRequest, "source" | "origin" | "profile" | "madeBy"> => {
  const { columns, conditions, order } = chosen(form)
  return {
    columns: columns.flatMap(({ isChosen, name }) => (isChosen ? [name] : [])),
    filters: conditions.map(({ column, comparison, value }) => `${column}${comparison}${value.trim()}`),
    order: order === "" ? null : order,
    ids: idsOf(form),
    format: isCopy ? null : form.format,
    headings: form.headings,
    timeZone: form.timeZone,
    name: `${form.table === "keys" ? "api-keys" : "contracts"}-${dayOf(now)}`,
  }
}
