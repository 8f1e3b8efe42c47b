/** The choices of the export page as a value. Pure: it does not depend on elements or the worker. */
import type { Chosen, ExportRequest } from "../../export/ExportMessage.ts"
import type { ExtensionPage } from "../../BrowserNames.ts"

export interface Form {
  /** The ids of contracts that were picked before; empty if none were. */
  readonly picked: ReadonlyArray<number>
  /** Whether all contracts are wanted instead of the picked ones. */
  readonly isAll: boolean
  /** Only contracts that the popup's search would find by this text. */
  readonly search: string
  /** Whether all contracts are read again first. */
  readonly isFresh: boolean
  /** The name of a preset. */
  readonly preset: string
}

export const initial = (preset: string, picked: ReadonlyArray<number> = []): Form => ({
  picked,
  isAll: picked.length === 0,
  search: "",
  isFresh: false,
  preset,
})

/** Which contracts are wanted. */
export const chosenOf = ({ isAll, picked, search }: Form): Chosen => ({
  search: search.trim(),
  ids: isAll ? null : picked,
})

/** The local date, such as `2026-11-21`. */
const dayOf = (now: Date): string =>
  [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-")

/** The request to the worker, without the requesting account and program. */
export const requestOf = (
  form: Form,
  isCopy: boolean,
  now: Date,
): Omit<ExportRequest, "origin" | "profile" | "language" | "madeBy"> => ({
  ...chosenOf(form),
  preset: isCopy ? null : form.preset,
  name: `contracts-${dayOf(now)}`,
})

/** Maximum number of contracts in one address: more than the listings of a page have. */
export const mostPicked = 10_000

/** The address of the export page with these contracts picked. */
export const pageOf = (account: string, ids: ReadonlyArray<number>): ExtensionPage =>
  `/export.html#${new URLSearchParams({ account, contracts: ids.slice(0, mostPicked).join(".") })}`

/** The ids in the fragment of an address, each once and in order; empty for another account, or if any of them is not an id. */
export const read = (fragment: string, account: string): ReadonlyArray<number> => {
  const given = new URLSearchParams(fragment.slice(1))
  const ids = (given.get("contracts") ?? "").split(".").map(Number)
  const isRight = given.get("account") === account && ids.length <= mostPicked
  const areIds = ids.every((id) => Number.isSafeInteger(id) && id > 0)
  return isRight && areIds ? [...new Set(ids)].toSorted((one, other) => one - other) : []
}
