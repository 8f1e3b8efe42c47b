/** A format that can be made to do something else at one step of its making: to fail, or never to end. */
import * as Effect from "effect/Effect"
import type { ExportError } from "../src/ExportError.ts"
import type { Table } from "../src/Table.ts"
import type { OpenFile, Sheet, SheetOptions, TableWriter, WriteOptions } from "../src/TableWriter.ts"
import { book } from "./book.ts"

/** The steps of a book with one table of three pages, and how many pages a run keeps by then. */
export const steps = [
  ["opens the file", 1],
  ["begins the table", 1],
  ["adds page 1", 1],
  ["adds page 2", 2],
  ["adds page 3", 3],
  ["ends the table", 3],
  ["ends the file", 3],
] as const

export type Step = (typeof steps)[number][0]

const adds: ReadonlyArray<Step> = ["adds page 1", "adds page 2", "adds page 3"]

/** The book, with something else at one step. */
export const brittle = (at: Step, happens: Effect.Effect<never, ExportError>): TableWriter => {
  const unless = <A, E, R>(
    step: Step | undefined,
    effect: Effect.Effect<A, E, R>,
  ): Effect.Effect<A, E | ExportError, R> => (step === at ? happens : effect)

  const sheetOf = <A, E>({ add, end }: Sheet<A, E>): Sheet<A, E> => {
    let page = 0
    return {
      add: (records) => unless(adds[page++], add(records)),
      end: unless("ends the table", end),
    }
  }
  const fileOf = <E>(file: OpenFile<E>): OpenFile<E> => ({
    begin: <A>(table: Table<A>, options?: SheetOptions) =>
      unless("begins the table", Effect.map(file.begin(table, options), sheetOf)),
    end: unless("ends the file", file.end),
  })
  return {
    ...book,
    open: <E>(options: WriteOptions<E>) => unless("opens the file", Effect.map(book.open(options), fileOf)),
  }
}
