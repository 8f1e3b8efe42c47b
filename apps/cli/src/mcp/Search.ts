/**
 * Selects the contracts of a search, by conditions, words, or both. Pure.
 */
import type { Contract } from "@deedkit/core"
import type { ExportError } from "@deedkit/export"
import { contracts, Filter } from "@deedkit/export"
import * as Result from "effect/Result"

export interface Search {
  readonly keeps: (contract: Contract.Contract) => boolean
  /** Identifies the search: equal searches have equal names. */
  readonly name: string
  /** The conditions with the columns' full names. */
  readonly where: ReadonlyArray<string>
  readonly words: ReadonlyArray<string>
}

/** The text of a contract that words are searched in, in lower case. */
const textOf = ({ id, kind, listing, status, unit_label }: Contract.Contract): string =>
  [id, status, kind, unit_label, listing?.title, listing?.area, listing?.city, listing?.slug]
    .join("\n")
    .toLowerCase()

/** Fails with `ColumnUnknown` or `FilterInvalid`. Without conditions and words, the search matches all contracts. */
export const make = (
  where: ReadonlyArray<string>,
  text: string,
): Result.Result<Search, ExportError.ExportError> => {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  return Result.map(Filter.parse(contracts, where), ({ keeps, texts }) => ({
    keeps: (contract) => {
      if (!keeps(contract)) return false
      const all = words.length === 0 ? "" : textOf(contract)
      return words.every((word) => all.includes(word))
    },
    name: JSON.stringify([texts, words]),
    where: texts,
    words,
  }))
}
