/**
 * What has changed since the list of changes was last looked at: the number of the latest change that it had then, for each account, in the
 * storage of the extension's pages. While a contract of the list is looked at, the list stays the same.
 */
import type { Change, ChangesAnswer } from "../../../messages/AppState.ts"

const keyOf = (account: string): string => `changes ${account}`

/** The number up to which changes were seen before this page was opened, by account. */
const seen = new Map<string, number>()

/** The number of the latest change that was seen; 0 before the first look. */
export const seenTo = (account: string): number => {
  const known = seen.get(account) ?? Number(localStorage.getItem(keyOf(account)) ?? 0)
  seen.set(account, known)
  return known
}

/** The list is being looked at. */
export const look = (account: string, { last }: ChangesAnswer): void => {
  seenTo(account)
  localStorage.setItem(keyOf(account), String(last))
}

/** The list was left: what it had is no longer what changed since then. */
export const leave = (account: string): void => void seen.delete(account)

/** Changes after the one of a number. */
export const since = ({ changes, last }: ChangesAnswer, number: number): ReadonlyArray<Change> =>
  // An index that was emptied and filled again counts anew.
  number > last ? changes : changes.slice(Math.max(0, changes.length - (last - number)))

export type Counts = { readonly [Kind in Change["kind"]]: number }

/** How many contracts are new, changed or gone; each counts once. */
export const countsOf = (changes: ReadonlyArray<Change>): Counts => {
  const kinds = new Map<number, Change["kind"]>()
  for (const { id, kind } of changes) {
    const isNew = kind === "changed" && kinds.get(id) === "new"
    kinds.set(id, isNew ? "new" : kind)
  }
  const counts = { new: 0, changed: 0, gone: 0 }
  for (const kind of kinds.values()) counts[kind] += 1
  return counts
}
