/**
 * Contracts that were picked elsewhere for an export, as the address of the export page names them: by id, with their account. Another account can
 * have other contracts with the same ids, so they apply only to that account.
 */
import type { ExtensionPage } from "../../BrowserNames.ts"

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
