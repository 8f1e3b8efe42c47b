/** A format with sheets, as plain text: each table under a line with its title. */
import { Json } from "@deedkit/core"
import * as Effect from "effect/Effect"
import type { Table } from "../src/Table.ts"
import type { Limits, Sheet, SheetOptions, TableWriter, WriteOptions } from "../src/TableWriter.ts"
import { unlimited } from "../src/TableWriter.ts"

/** `# Title` or `# Title (first)`, the cells of a record a line, `end` after each table and `the end` after the last. */
export const bookOf = (limits: Partial<Limits> = {}): TableWriter => ({
  format: {
    name: "book",
    extension: "book",
    mediaType: "text/plain",
    sheets: "many",
    limits: { ...unlimited, ...limits },
  },
  open: <E>({ write }: WriteOptions<E>) => {
    const put = (text: string) => write(new TextEncoder().encode(`${text}\n`))
    const begin = <A>({ columns, title }: Table<A>, options?: SheetOptions): Effect.Effect<Sheet<A, E>, E> =>
      Effect.as(put(`# ${title}${options?.opened === true ? " (first)" : ""}`), {
        add: (records) =>
          Effect.forEach(
            records,
            (record) => put(columns.map(({ get }) => Json.stringify(get(record))).join(" ")),
            { discard: true },
          ),
        end: put("end"),
      })
    return Effect.succeed({ begin, end: put("the end") })
  },
})

export const book = bookOf()
