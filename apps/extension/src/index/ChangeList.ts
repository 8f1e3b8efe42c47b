/**
 * What has changed in the index since its first complete read: new contracts, changed ones with the names of their fields, and those that are
 * gone. The latest of them are kept beside the index record, without values of a contract except the words by which people know it, and those of
 * its status and kind.
 */
import { Json } from "@deedkit/core"
import type { Contract } from "@deedkit/core"
import type { Change, ChangesAnswer } from "../messages/AppState.ts"
import { answered } from "./Database.ts"
import type { Database } from "./Database.ts"
import * as Watched from "./Watched.ts"

const none: ChangesAnswer = { last: 0, changes: [] }

/** Most changes that are kept. */
const mostKept = 500

/** Most fields that are named for one change. */
const mostFields = 12

/** Most characters of a text that are kept. */
const mostText = 120

/** Fields that are not named, because they say nothing that the change does not. */
const unnamed: ReadonlySet<string> = new Set(["updated_at"])

const textOf = (value: Json.Json | undefined): string => (value === undefined ? "" : Json.stringify(value))

/** The names of the members in which two versions of a contract differ. */
const fieldsOf = (before: Contract.Contract, after: Contract.Contract): ReadonlyArray<string> => {
  const [one, other] = [before, after] as unknown as ReadonlyArray<{ readonly [name: string]: Json.Json }>
  return [...new Set([...Object.keys(one!), ...Object.keys(other!)])]
    .filter((name) => !unnamed.has(name) && textOf(one![name]) !== textOf(other![name]))
    .slice(0, mostFields)
    .map((name) => name.slice(0, mostText))
}

/** The status and the kind before and after, each if it has changed. */
const wordsOf = (before: Contract.Contract, after: Contract.Contract): Pick<Change, "words"> => {
  const words = (["status", "kind"] as const).flatMap((name) =>
    before[name] === after[name]
      ? []
      : [[name, [before[name].slice(0, mostText), after[name].slice(0, mostText)]] as const],
  )
  return words.length === 0 ? {} : { words: Object.fromEntries(words) }
}

/** The change between two versions of a contract, either of which may be missing. */
export const between = (
  before: Contract.Contract | undefined,
  after: Contract.Contract | undefined,
  at: string,
): Change => {
  const { id, listing, unit_label } = (after ?? before)!
  return {
    id,
    at,
    kind: before === undefined ? "new" : after === undefined ? "gone" : "changed",
    unit: unit_label.slice(0, mostText),
    title: listing?.title.slice(0, mostText) ?? null,
    ...(before === undefined || after === undefined
      ? { fields: [] }
      : { fields: fieldsOf(before, after), ...wordsOf(before, after) }),
  }
}

/** The list with further changes. */
const add = ({ changes, last }: ChangesAnswer, more: ReadonlyArray<Change>): ChangesAnswer => ({
  last: last + more.length,
  changes: [...changes, ...more].slice(-mostKept),
})

const key = "changes"

export const read = async (database: Database): Promise<ChangesAnswer> =>
  ((await database.get("meta", key)) as ChangesAnswer | undefined) ?? none

/**
 * Stores further changes in the transaction that makes them; `meta` is its store with the index record. Watched contracts are marked, unless the
 * user looks at them (`isShown`).
 */
export const keep = async (
  meta: IDBObjectStore,
  changes: ReadonlyArray<Change>,
  isShown = false,
): Promise<void> => {
  if (changes.length === 0) return
  const known: ChangesAnswer | undefined = await answered(meta.get(key))
  meta.put(add(known ?? none, changes), key)
  if (!isShown) await Watched.changeIn(meta, (watched) => Watched.after(watched, changes))
}
