/**
 * Sorts records by columns that a person types: `city`, `-updated_at`. Pure.
 *
 * The service's own order is not specified (Spec: Endpoints 6) and cannot be chosen, so records are sorted here, all at once.
 */
import * as Result from "effect/Result"
import type { CellKind, CellValue } from "./Cell.ts"
import { scalar } from "./Cell.ts"
import type { ExportError } from "../error/ExportError.ts"
import * as Instant from "./Instant.ts"
import type { Table } from "./Table.ts"
import { resolveColumn } from "./Table.ts"

export interface Sort<in A> {
  /** The records in this order, as a new array; equal ones keep their order. */
  readonly order: <B extends A>(records: ReadonlyArray<B>) => ReadonlyArray<B>
  /** The columns' full names, with `-` for descending. */
  readonly texts: ReadonlyArray<string>
}

type Key = number | bigint | string | null

/** Sorts `A2` before `A10`, and upper and lower case together, the same on every machine. */
const texts = new Intl.Collator("en", { numeric: true })

const keyOf = (kind: CellKind, value: CellValue): Key => {
  if (value === null || value === "") return null
  if (kind === "timestamp" && typeof value === "string") return Instant.of(value)
  const plain = scalar(value)
  return typeof plain === "boolean" ? Number(plain) : plain
}

/** Numbers before texts. */
const compare = (left: NonNullable<Key>, right: NonNullable<Key>): number =>
  typeof left === "string"
    ? typeof right === "string"
      ? texts.compare(left, right)
      : 1
    : typeof right === "string"
      ? -1
      : left < right
        ? -1
        : Number(left > right)

interface By<in A> {
  readonly text: string
  readonly compare: (left: A, right: A) => number
}

const parseOne = <A>(table: Table<A>, text: string): Result.Result<By<A>, ExportError> => {
  const descending = text.startsWith("-")
  return Result.map(resolveColumn(table, descending ? text.slice(1) : text), ({ get, kind, name }) => ({
    text: `${descending ? "-" : ""}${name}`,
    compare: (left: A, right: A) => {
      const one = keyOf(kind, get(left))
      const other = keyOf(kind, get(right))
      // Empty cells are last in both directions: they hold nothing to look for.
      if (one === null || other === null) return Number(one === null) - Number(other === null)
      return descending ? compare(other, one) : compare(one, other)
    },
  }))
}

/** The columns of a typed list such as `city,-updated_at`, also as others write them: `id desc`, `id:desc`, `.id`. */
export const columnsIn = (text: string): ReadonlyArray<string> =>
  text
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "")
    .map((word) =>
      word
        .replace(/^\.(?=\w)/, "")
        .replace(/[: ]asc$/i, "")
        .replace(/^-?(.+)[: ]desc$/i, "-$1"),
    )

/**
 * Makes an order from columns (see `Table.resolveColumn`), the first one most significant; `-` before a name means descending. Empty cells are last in
 * either direction.
 *
 * Fails with `ColumnUnknown`.
 */
export const parse = <A>(
  table: Table<A>,
  columns: ReadonlyArray<string>,
): Result.Result<Sort<A>, ExportError> =>
  Result.map(Result.all(columns.map((text) => parseOne(table, text.trim()))), (bys) => ({
    order: (records) =>
      records.toSorted((left, right) => {
        for (const by of bys) {
          const order = by.compare(left, right)
          if (order !== 0) return order
        }
        return 0
      }),
    texts: bys.map(({ text }) => text),
  }))
