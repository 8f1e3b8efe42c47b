/**
 * One record as lines of label and value. Values are whole: what is nested is written below its label as indented JSON, digit for digit.
 */
import { Json } from "@deedkit/core"
import { Table } from "@deedkit/export"
import type { RecordKind } from "./RecordKind.ts"
import { display } from "./RecordTable.ts"
import type { Style } from "./TerminalStyle.ts"
import { clean, pad, width } from "./TerminalText.ts"

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

/** The fields of a record: every column of its table with the label for people, then the members that the specification does not name. */
export const ofRecord = <A extends { readonly id: number }>(
  { extra, table }: RecordKind<A>,
  record: A,
): ReadonlyArray<Field> => [
  ...Table.allColumns(table)
    .filter(({ name }) => name !== "extra")
    .map(({ get, kind, label }) => {
      const value = get(record)
      return { label, text: kind === "timestamp" && typeof value === "string" ? value : display(kind, value) }
    }),
  ...ofMembers(extra(record)),
]

/** The fields as clean lines; an empty value is shown as `-`. */
export const render = (fields: ReadonlyArray<Field>, style: Style): ReadonlyArray<string> => {
  const labels = fields.map(({ label }) => clean(label))
  const columns = labels.reduce((most, label) => Math.max(most, width(label)), 0)
  return fields.flatMap(({ text }, index) => {
    const label = style("bold", pad(labels[index]!, columns))
    if (!text.startsWith("\n")) return [`${label}  ${text === "" ? style("dim", "-") : clean(text)}`]
    return [
      label.trimEnd(),
      ...text
        .slice(1)
        .split("\n")
        .map((line) => `  ${clean(line)}`),
    ]
  })
}
