/** A table of every kind of value, and what its records must be read back as. */
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { CellValue } from "../../src/table/Cell.ts"
import type { Table } from "../../src/table/Table.ts"
import type { TableWriter } from "../../src/write/TableWriter.ts"
import { bytes } from "../../src/write/TableWriter.ts"

export interface Named {
  readonly [name: string]: CellValue
}

/** A table with columns of these names. */
export const tableOf = (names: ReadonlyArray<string>): Table<Named> => ({
  name: "named",
  title: "Named",
  columns: names.map((name) => ({
    name,
    label: `Label of ${name}`,
    kind: "json",
    get: (record) => (Object.hasOwn(record, name) ? (record[name] ?? null) : null),
  })),
  onDemand: [],
})

export const values: ReadonlyArray<CellValue> = [
  null,
  true,
  false,
  0,
  -0,
  -5,
  1.5,
  1e21,
  5e-324,
  Number.MAX_SAFE_INTEGER,
  9_007_199_254_740_993n,
  -123_456_789_012_345_678_901_234_567_890n,
  Number.POSITIVE_INFINITY,
  Number.NaN,
  "",
  "=1+1",
  'a "quoted" \\ text',
  "line\r\nbreak\ttab\0null\u2028\u2029\u007f",
  "Αθήνα \u{1F3E0}",
  "half \ud800 a pair \udc00",
  "\ufeffmark",
  [],
  {},
  [null, [1, { deep: [9_007_199_254_740_993n] }]],
  { 'quoted "name"': 1, "": null },
  Json.parse('{"__proto__":{"own":true},"b":1,"a":2,"1":3}'),
]

/** What a value is when it is read back: JSON has no number that is none, and no reader takes half of a surrogate pair. */
export const readBack = (value: CellValue): CellValue => {
  if (typeof value === "string") return value.toWellFormed()
  return typeof value === "number" && !Number.isFinite(value) ? null : Object.is(value, -0) ? 0 : value
}

export const textOf = (
  writer: TableWriter,
  table: Table<Named>,
  ...pages: ReadonlyArray<ReadonlyArray<Named>>
) => Effect.map(countedTextOf(writer, table, ...pages), ({ text }) => text)

/** The text, and how many texts of each column were changed for it. */
export const countedTextOf = (
  writer: TableWriter,
  table: Table<Named>,
  ...pages: ReadonlyArray<ReadonlyArray<Named>>
) =>
  Effect.gen(function* () {
    const changed: Record<string, number> = {}
    const onTextsChanged = ({ cells, column }: { readonly cells: number; readonly column: string }) => {
      changed[column] = (changed[column] ?? 0) + cells
    }
    const chunks = yield* Stream.runCollect(
      bytes(writer, table, Stream.fromIterable(pages), { onTextsChanged }),
    )
    return { text: Buffer.concat(chunks).toString("utf8"), changed }
  })
