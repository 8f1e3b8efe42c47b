/**
 * The contracts that the user watches, by their ids, and which of them have changed since the list of changes was last looked at. One that is gone
 * stays watched: it may come back. Stored beside the index record.
 */
import type { Change, Watched } from "../messages/AppState.ts"
import { answered, committed } from "./Database.ts"
import type { Database } from "./Database.ts"

export const none: Watched = { ids: [], changed: [] }

/** Most contracts that are watched; one more drops the one that was watched first. */
export const mostWatched = 500

/** Watches one more contract, or one less. */
export const set =
  (id: number, isWatched: boolean) =>
  ({ changed, ids }: Watched): Watched => {
    const others = ids.filter((known) => known !== id)
    const kept = isWatched ? [...others, id].slice(-mostWatched) : others
    return { ids: kept, changed: changed.filter(([known]) => kept.includes(known)) }
  }

/** What is watched, after further changes. */
export const after = ({ changed, ids }: Watched, changes: ReadonlyArray<Change>): Watched => {
  const ofWatched = changes.filter(({ id }) => ids.includes(id))
  return { ids, changed: [...new Map([...changed, ...ofWatched.map(({ at, id }) => [id, at] as const)])] }
}

/** How many have changed at or after a moment, ISO 8601 UTC. */
export const countSince = ({ changed }: Watched, from: string): number =>
  changed.filter(([, at]) => at >= from).length

/** What is watched, after the list of changes was looked at. */
export const looked = ({ ids }: Watched): Watched => ({ ids, changed: [] })

const key = "watched"

export const read = async (database: Database): Promise<Watched> =>
  ((await database.get("meta", key)) as Watched | undefined) ?? none

/** Changes the watched contracts in a transaction; `meta` is its store with the index record. */
export const changeIn = async (
  meta: IDBObjectStore,
  changed: (watched: Watched) => Watched,
): Promise<void> => {
  meta.put(changed((await answered(meta.get(key))) ?? none), key)
}

export const change = async (database: Database, changed: (watched: Watched) => Watched): Promise<void> => {
  const transaction = await database.writing("meta")
  await changeIn(transaction.objectStore("meta"), changed)
  await committed(transaction)
}
