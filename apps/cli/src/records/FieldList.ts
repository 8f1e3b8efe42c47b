/**
 * One record as lines of label and value. Values are complete: a nested value is indented JSON below its label, digit for digit.
 */
import { Json } from "@deedkit/core"
import { Table } from "@deedkit/export"
import type { RecordKind } from "./RecordKind.ts"
import { display } from "./RecordText.ts"
import { clean, dress, pad, width, wrap } from "../terminal/TerminalText.ts"
import type { DressedLine, Style } from "../terminal/TerminalText.ts"

export interface Field {
  readonly label: string
  readonly text: string
}

const isNested = (value: Json.Json): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0

/** The fields of a JSON object: scalars on one line, nested values as JSON below. */
export const ofMembers = (members: { readonly [member: string]: Json.Json }): ReadonlyArray<Field> =>
  Object.entries(members).map(([label, value]) => ({
    label,
    text:
      typeof value === "string"
        ? value
        : isNested(value)
          ? `\n${Json.stringify(value, 2)}`
          : Json.stringify(value),
  }))

/**
 * The fields of a record: every column of its table with its human-readable label, then the members that the specification does not name. `redact`
 * removes the API key from their texts.
 */
export const ofRecord = <A extends { readonly id: number }>(
  { extra, table }: RecordKind<A>,
  record: A,
  redact: (text: string) => string,
): ReadonlyArray<Field> => [
  ...Table.allColumns(table)
    .filter(({ name }) => name !== "extra")
    .map(({ get, kind, label }) => {
      const value = get(record)
      const text = kind === "timestamp" && typeof value === "string" ? value : display(kind, value)
      return { label, text: redact(text) }
    }),
  ...ofMembers(extra(record)).map(({ label, text }) => ({ label: redact(label), text: redact(text) })),
]

/** A value narrower than this many columns is hard to read beside its label. */
const leastBeside = 24

/**
 * The fields as clean lines; an empty value is shown as `-`. Values are not wrapped unless `columns` is given; then they are wrapped between words,
 * beside the label, or below it in a narrow window.
 */
export const render = (
  fields: ReadonlyArray<Field>,
  style: Style,
  columns: number | null = null,
): ReadonlyArray<DressedLine> => {
  const labels = fields.map(({ label }) => clean(label))
  const widest = labels.reduce((most, label) => Math.max(most, width(label)), 0)
  const isBelow = columns !== null && columns - widest - 2 < leastBeside
  const lines = fields.flatMap(({ text }, index) => {
    const label = style("bold", pad(labels[index]!, widest))
    if (!text.startsWith("\n")) {
      const value = text === "" ? style("dim", "-") : clean(text)
      if (columns === null) return [`${label}  ${value}`]
      if (isBelow)
        return [style("bold", labels[index]!), ...wrap(value, columns - 2).map((line) => `  ${line}`)]
      const [first = "", ...rest] = wrap(value, columns - widest - 2)
      return [`${label}  ${first}`, ...rest.map((line) => `${" ".repeat(widest + 2)}${line}`)]
    }
    return [
      label.trimEnd(),
      ...text
        .slice(1)
        .split("\n")
        .map((line) => `  ${clean(line)}`),
    ]
  })
  return dress(lines)
}
