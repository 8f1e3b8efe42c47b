/**
 * The contracts that the user watches, by account, in the storage of the extension's pages. They are known by their ids alone. A service that is
 * replaced by another one begins with none, as accounts are told apart by their addresses too.
 */
import type { AppState } from "../../messages/AppState.ts"

/** Contracts of one account at most; the one that was watched first makes room. */
export const mostWatched = 500

type Account = Pick<AppState, "account" | "baseUrl">

const keyOf = ({ account, baseUrl }: Account): string => `watched ${account} ${baseUrl ?? ""}`

/** The ids, the one that was watched first at the beginning. What cannot be read is none. */
export const of = (account: Account): ReadonlySet<number> => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(account)) ?? "[]")
    return new Set(Array.isArray(kept) ? kept.filter((id) => Number.isSafeInteger(id)) : [])
  } catch {
    return new Set()
  }
}

export const set = (account: Account, id: number, isWatched: boolean): void => {
  const others = [...of(account)].filter((known) => known !== id)
  const kept = isWatched ? [...others, id].slice(-mostWatched) : others
  if (kept.length === 0) localStorage.removeItem(keyOf(account))
  else localStorage.setItem(keyOf(account), JSON.stringify(kept))
}
