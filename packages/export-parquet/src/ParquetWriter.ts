/**
 * The Parquet format: it takes pages of records and writes row groups, in the memory of one row group. It knows no file and no service, and runs in
 * Node, browsers and workers.
 */
import type { Table, TableWriter } from "@deedkit/export"
import * as Effect from "effect/Effect"
import { ByteWriter, ParquetWriter } from "hyparquet-writer"
import { facts } from "./Format.ts"
import type { Field, FieldValue } from "./Fields.ts"
import * as Fields from "./Fields.ts"
import { packing } from "#packing"

export interface ParquetOptions {
  /** Level 3 or 12 of Zstandard; default `fast`. Browsers use Snappy, which has no levels. */
  readonly compression?: "fast" | "small" | undefined
  /** Records per row group, default 20,000. */
  readonly groupRows?: number | undefined
}

/** Characters of texts and JSON after which a row group ends early: records may hold megabytes of data each. */
const groupCharacters = 16 * 1024 * 1024

const charactersOf = (value: FieldValue): number =>
  typeof value === "string" ? value.length : Array.isArray(value) ? value.join("").length : 8

/** The values of a row group by field, and their amount. */
class Group<in A> {
  readonly #fields: ReadonlyArray<Field<A>>
  #data: ReadonlyArray<Array<FieldValue>>
  #characters = 0
  #rows = 0

  constructor(fields: ReadonlyArray<Field<A>>) {
    this.#fields = fields
    this.#data = fields.map(() => [])
  }

  get rows(): number {
    return this.#rows
  }

  isFull(rows: number): boolean {
    return this.#rows >= rows || this.#characters >= groupCharacters
  }

  add(record: A): void {
    this.#rows += 1
    this.#fields.forEach(({ of }, at) => {
      const value = of(record)
      this.#data[at]!.push(value)
      this.#characters +=
        typeof value === "object" && value !== null && !Array.isArray(value)
          ? Object.values(value).reduce((sum: number, member) => sum + charactersOf(member), 0)
          : charactersOf(value)
    })
  }

  take() {
    const data = this.#data
    this.#data = this.#fields.map(() => [])
    this.#characters = 0
    this.#rows = 0
    return this.#fields.map(({ isPlain, name }, at) => ({ name, data: data[at]!, statistics: !isPlain }))
  }
}

/** Counts by column, reported once per page. */
const counting = (report: TableWriter.WriteOptions<never>["onTextsChanged"]) => {
  const counts = new Map<string, number>()
  return {
    add: (column: string): void => void counts.set(column, (counts.get(column) ?? 0) + 1),
    report: (): void => {
      for (const [column, cells] of counts) report?.({ column, cells })
      counts.clear()
    },
  }
}

/** A writer of Parquet. Headings are always the service's names, by which queries find members. */
export const writer = ({
  compression = "fast",
  groupRows = 20_000,
}: ParquetOptions = {}): TableWriter.TableWriter => ({
  format: facts,
  open: <E>({ onTextsChanged, properties = () => ({}), write }: TableWriter.WriteOptions<E>) => {
    const sheet = <A>({ columns, name, title }: Table.Table<A>): Effect.Effect<TableWriter.Sheet<A, E>> =>
      Effect.sync(() => {
        const changed = counting(onTextsChanged)
        const fields = Fields.make(columns, changed.add)
        const schema = [{ name, num_children: fields.length }, ...fields.flatMap(({ elements }) => elements)]
        const bytes = new ByteWriter(1 << 20)
        const file = new ParquetWriter({
          writer: bytes,
          schema,
          codec: packing.codec,
          compressors: packing.compressors(compression),
          createdBy: "@deedkit/export-parquet",
        })
        const group = new Group(fields)
        /** Passes on the bytes written since the last time; `offset` keeps counting. */
        const flush = Effect.suspend(() => {
          const chunk = bytes.getBytes().slice()
          bytes.index = 0
          return write(chunk)
        })
        const writeGroup = Effect.suspend(() => {
          const { rows } = group
          void file.write({ columnData: group.take(), rowGroupSize: rows })
          return flush
        })
        const add = Effect.fnUntraced(function* (records: ReadonlyArray<A>) {
          for (const record of records) {
            group.add(record)
            if (group.isFull(groupRows)) yield* writeGroup
          }
          changed.report()
        })
        return {
          add,
          end: Effect.gen(function* () {
            if (group.rows > 0) yield* writeGroup
            Fields.markJson(schema)
            const facts = { Table: title, ...properties() }
            file.kvMetadata = Object.entries(facts).map(([key, value]) => ({
              key: `deedkit.${key.toLowerCase().replaceAll(" ", "_")}`,
              value: value.toWellFormed(),
            }))
            void file.finish()
            yield* flush
          }),
        }
      })
    return Effect.succeed({ sheet, end: Effect.void })
  },
})
