/**
 * What every form of a digest shows: counts, the accounts with their lists, what is different in a record, and which changes are unusual. Pure.
 * Names, labels and values are those of records: texts of other people, which each form makes harmless.
 */
import { createHash } from "node:crypto"
import { Json } from "@deedkit/core"
import type { Change, ChangeKind, ListChanges } from "@deedkit/sync"
import { valueAt } from "@deedkit/sync"
import { nounsOf } from "../../../terminal/ClosingLine.ts"
import { count } from "../../../terminal/Figures.ts"

/** The changes of a mirror in a window. */
export interface Digest {
  /** The mirror's file or database: a digest is sent on, and does not say where the mirror is. */
  readonly mirror: string
  /** The window, ISO 8601 UTC: changes that were first seen in it. It ends when the mirror is read. */
  readonly since: string
  readonly until: string
  /** By account, in the order of their names. */
  readonly lists: ReadonlyArray<ListChanges>
}

/** The lists of one account. */
export interface AccountChanges {
  readonly account: string
  readonly lists: ReadonlyArray<ListChanges>
}

export type Counts = { readonly [Kind in ChangeKind | "unusual"]: number }

/** One member of a record before and after; null where the record has none. */
export interface Difference {
  readonly member: string
  readonly before: string | null
  readonly after: string | null
}

export interface Facts {
  /** What people call the record: the unit of a contract, the name of a key; empty where it has none. */
  readonly label: string
  readonly isUnusual: boolean
  /** What a value before that is null means: the record had none, or the version before was pruned. */
  readonly absent: "nothing" | "pruned"
  /** What is different from the version before. Empty for a record that is new, gone or back. */
  readonly differences: ReadonlyArray<Difference>
}

/** The kinds of changes in the order in which they are counted. */
export const kinds = ["added", "changed", "removed", "returned"] as const satisfies ReadonlyArray<ChangeKind>

export const accountsOf = ({ lists }: Pick<Digest, "lists">): ReadonlyArray<AccountChanges> => {
  const byName = new Map<string, Array<ListChanges>>()
  for (const list of lists) byName.set(list.account, [...(byName.get(list.account) ?? []), list])
  return [...byName].map(([account, own]) => ({ account, lists: own }))
}

const recordOf = (body: string | null): Json.Json => (body === null ? null : Json.parse(body))

/** The statuses that the specification names, in the order of a contract's life. */
const statuses = ["draft", "active", "ended"]

/** Whether the texts hold a later status before and an earlier one after: most contracts need no parsing to see that they did not go back. */
const mayHaveGoneBack = (before: string, body: string): boolean =>
  statuses.some(
    (later, at) =>
      before.includes(`"${later}"`) && statuses.slice(0, at).some((earlier) => body.includes(`"${earlier}"`)),
  )

/** `before` and `after` are the records, parsed. */
const wentBack = ({ change, collection }: Change, before: Json.Json, after: Json.Json): boolean => {
  if (change !== "changed") return false
  const member = collection === "contracts" ? "status" : "revoked_at"
  const [old, now] = [valueAt(before, member), valueAt(after, member)]
  if (collection === "api-keys") return typeof old === "string" && now === null
  const [from, to] = [old, now].map((status) => (typeof status === "string" ? statuses.indexOf(status) : -1))
  return to! >= 0 && to! < from!
}

/**
 * Whether a record went back: a contract from a later status to an earlier one, such as ended to active, or an API key from revoked to not
 * revoked. The specification shows no transitions, so this says what deserves a look, not what is wrong (Spec: States, Contract status).
 */
export const isUnusual = (change: Change): boolean => {
  const { before, body, collection } = change
  if (before === null || body === null) return false
  if (collection === "contracts" && !mayHaveGoneBack(before, body)) return false
  return wentBack(change, recordOf(before), recordOf(body))
}

export const countsOf = (changes: ReadonlyArray<Change>): Counts => {
  const counts = { added: 0, changed: 0, removed: 0, returned: 0, unusual: 0 }
  for (const change of changes) {
    counts[change.change] += 1
    if (isUnusual(change)) counts.unusual += 1
  }
  return counts
}

export const changesOf = ({ lists }: Pick<Digest, "lists">): ReadonlyArray<Change> =>
  lists.flatMap(({ changes }) => changes)

/** `3 added, 2 changed (1 unusual), 2 removed`. */
export const total = (changes: ReadonlyArray<Change>): string => {
  const { unusual, ...counts } = countsOf(changes)
  const parts = kinds.flatMap((kind) => {
    const marked = kind === "changed" && unusual > 0 ? ` (${unusual} unusual)` : ""
    return counts[kind] === 0 ? [] : [`${count(counts[kind], kind, kind)}${marked}`]
  })
  return parts.length === 0 ? "No changes" : parts.join(", ")
}

/** `contract`, `API key`. */
export const nounOf = ({ collection }: Pick<Change, "collection">): string => nounsOf(collection).one

/** `updated_at` changes with every other member, and says nothing more. */
const told = ({ members }: Change): ReadonlyArray<string> => {
  const others = members.filter((name) => name !== "updated_at")
  return others.length === 0 ? members : others
}

/** What the forms for people show of a change. */
export const factsOf = (change: Change): Facts => {
  const [before, after] = [recordOf(change.before), recordOf(change.body)]
  const [dataBefore, data] = [recordOf(change.dataBefore), recordOf(change.data)]
  const name = valueAt(after ?? before, change.collection === "contracts" ? "unit_label" : "name")
  const text = (record: Json.Json, payload: Json.Json, member: string): string | null => {
    const own = valueAt(record, member)
    const found = own === undefined ? valueAt(payload, member) : own
    if (found === undefined) return null
    return typeof found === "string" && found !== "" ? found : Json.stringify(found)
  }
  const members = change.change === "changed" ? told(change) : []
  return {
    label: typeof name === "string" ? name : "",
    isUnusual: wentBack(change, before, after),
    absent: change.before === null ? "pruned" : "nothing",
    differences: members.map((member) => ({
      member,
      before: text(before, dataBefore, member),
      after: text(after, data, member),
    })),
  }
}

/** `250 contracts read for the first time`; null where none were. */
export const firstRead = ({ collection, firstRead: records }: ListChanges): string | null => {
  const { many, one } = nounsOf(collection)
  return records === 0 ? null : `${count(records, one, many)} read for the first time`
}

/** `2026-11-22 06:00:00 UTC`. */
export const moment = (timestamp: string): string => `${timestamp.slice(0, 19).replace("T", " ")} UTC`

/** The same changes have the same id, whatever the window; another change is another id. */
export const idOf = (digest: Pick<Digest, "lists">): string => {
  const hash = createHash("sha256")
  for (const { account, collection, id, seenAt, version } of changesOf(digest))
    hash.update(`${JSON.stringify([account, collection, id, version, seenAt])}\n`)
  return hash.digest("hex").slice(0, 32)
}
