/**
 * What has changed in the index since its first complete read: new contracts, changed ones with the names of their fields, and those that are
 * gone. The latest of them are kept, without values of a contract except the words by which people know it. Pure.
 */
import { Json } from "@deedkit/core"
import type { Contract } from "@deedkit/core"
import type { Change, ChangesAnswer } from "../messages/AppState.ts"

export const none: ChangesAnswer = { last: 0, changes: [] }

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
    fields: before === undefined || after === undefined ? [] : fieldsOf(before, after),
  }
}

/** The list with further changes. */
export const add = ({ changes, last }: ChangesAnswer, more: ReadonlyArray<Change>): ChangesAnswer => ({
  last: last + more.length,
  changes: [...changes, ...more].slice(-mostKept),
})
