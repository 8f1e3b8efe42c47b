/**
 * What changed in a mirror, for every format: counts, accounts with their lists, the differences in a record, the unusual changes. Also its lines for
 * a terminal and its document for programs. Pure. Names, labels and values are texts of other people, which each format escapes or cleans.
 */
import { createHash } from "node:crypto"
import { Json } from "@deedkit/core"
import { Texts } from "@deedkit/export"
import type { Change, ChangeKind, ListChanges } from "@deedkit/sync"
import { valueAt } from "@deedkit/sync"
import { nounsOf } from "../terminal/ClosingLine.ts"
import type { DressedLine, Style } from "../terminal/TerminalText.ts"
import { clean, dress, none, truncate } from "../terminal/TerminalText.ts"

/** The changes of a mirror in a window. */
export interface Digest {
  /** The name of the mirror's file or database. A digest is passed on to others, so it does not say where the mirror is. */
  readonly mirror: string
  /** The window in which the changes were first seen, ISO 8601 UTC. It ends when the mirror is read; null for the first read as its begin. */
  readonly since: string | null
  readonly until: string
  /** Sorted by account name. */
  readonly lists: ReadonlyArray<ListChanges>
}

/** The lists of one account. */
export interface AccountChanges {
  readonly account: string
  readonly lists: ReadonlyArray<ListChanges>
}

export type Counts = { readonly [Kind in ChangeKind | "unusual"]: number }

/** One member of a record before and after a change; null if the record does not have it. */
export interface Difference {
  readonly member: string
  readonly before: string | null
  readonly after: string | null
}

export interface Facts {
  /** A name for people: the unit of a contract or the name of a key; empty if there is none. */
  readonly label: string
  readonly isUnusual: boolean
  /** The meaning of a null `before`: the record did not have the member, or the previous version was pruned. */
  readonly absent: "nothing" | "pruned"
  /** The differences from the previous version. Empty for a record that was added, removed or returned. */
  readonly differences: ReadonlyArray<Difference>
}

/** The kinds of changes in the order in which they are counted. */
const kinds = ["added", "changed", "removed", "returned"] as const satisfies ReadonlyArray<ChangeKind>

export const accountsOf = ({ lists }: Pick<Digest, "lists">): ReadonlyArray<AccountChanges> => {
  const byName = new Map<string, Array<ListChanges>>()
  for (const list of lists) byName.set(list.account, [...(byName.get(list.account) ?? []), list])
  return [...byName].map(([account, own]) => ({ account, lists: own }))
}

const recordOf = (body: string | null): Json.Json => (body === null ? null : Json.parse(body))

/** The statuses that the specification names, in the order of a contract's life. */
const statuses = ["draft", "active", "ended"]

/** Whether a later status occurs in the text before and an earlier one in the text after. This avoids parsing most contracts, which did not go back. */
const mayHaveGoneBack = (before: string, body: string): boolean =>
  statuses.some(
    (later, at) =>
      before.includes(`"${later}"`) && statuses.slice(0, at).some((earlier) => body.includes(`"${earlier}"`)),
  )

/** Whether a record went back; `before` and `after` are the parsed records. */
const wentBack = ({ change, collection, members }: Change, before: Json.Json, after: Json.Json): boolean => {
  if (change !== "changed") return false
  if (members.includes("created_at")) return true
  const member = collection === "contracts" ? "status" : "revoked_at"
  const [old, now] = [valueAt(before, member), valueAt(after, member)]
  if (collection === "api-keys") return typeof old === "string" && now === null
  const [from, to] = [old, now].map((status) => (typeof status === "string" ? statuses.indexOf(status) : -1))
  return to! >= 0 && to! < from!
}

/**
 * Whether a record went back: a contract from a later status to an earlier one, such as ended to active, or an API key from revoked to not revoked.
 * Another `created_at` is unusual too: the id stands for another record.
 * The specification shows no transitions, so an unusual change deserves a look but is not an error (Spec: States, Contract status).
 */
export const isUnusual = (change: Change): boolean => {
  const { before, body, collection } = change
  if (before === null || body === null) return false
  if (collection === "contracts" && !change.members.includes("created_at") && !mayHaveGoneBack(before, body))
    return false
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
export const total = (changes: ReadonlyArray<Change>, language: Texts.Language = "en"): string => {
  const { unusual, ...counts } = countsOf(changes)
  const parts = kinds.flatMap((kind) => {
    const marked =
      kind === "changed" && unusual > 0 ? ` ${Texts.say(language, "({0} unusual)", unusual)}` : ""
    const counted = `{0} ${kind}` as const
    return counts[kind] === 0 ? [] : [`${Texts.count(language, counts[kind], counted, counted)}${marked}`]
  })
  return parts.length === 0 ? Texts.say(language, "No changes") : parts.join(", ")
}

/** `contract`, `API key`. */
export const nounOf = ({ collection }: Pick<Change, "collection">) => nounsOf(collection).one

/** The members to show. `updated_at` changes whenever another member does, so it is shown only on its own. */
const told = ({ members }: Change): ReadonlyArray<string> => {
  const others = members.filter((name) => name !== "updated_at")
  return others.length === 0 ? members : others
}

/** The facts about a change that the formats for people show. */
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

/** `250 contracts read for the first time`; null if there were none. */
const firstRead = (
  { collection, firstRead: records }: ListChanges,
  language: Texts.Language,
): string | null => {
  const { many, one } = nounsOf(collection)
  if (records === 0) return null
  const counted = Texts.count(language, records, `{0} ${one}`, `{0} ${many}`)
  return Texts.say(language, "{0} read for the first time", counted)
}

/** `150 removals held`: the records are in the mirror, and the service no longer has them; null if nothing is held. */
const heldRemovals = ({ collection, held }: ListChanges, language: Texts.Language): string | null =>
  held === 0
    ? null
    : Texts.count(
        language,
        held,
        "{0} removal held: {1} that the service no longer has and `deedkit sync accept` removes",
        "{0} removals held: {1} that the service no longer has and `deedkit sync accept` removes",
        Texts.say(language, nounsOf(collection).many),
      )

/** What is to be said of a list besides its changes. */
export const factsOfList = (list: ListChanges, language: Texts.Language = "en"): ReadonlyArray<string> =>
  [firstRead(list, language), heldRemovals(list, language)].filter((fact) => fact !== null)

/** `2026-11-22 06:00:00 UTC`. */
export const moment = (timestamp: string): string => `${timestamp.slice(0, 19).replace("T", " ")} UTC`

/** An id of the changes, independent of the window: the same changes have the same id, and different changes have different ids. */
export const idOf = (digest: Pick<Digest, "lists">): string => {
  const hash = createHash("sha256")
  for (const { account, collection, held } of digest.lists)
    if (held > 0) hash.update(`${JSON.stringify([account, collection, "held", held])}\n`)
  for (const { account, collection, id, seenAt, version } of changesOf(digest))
    hash.update(`${JSON.stringify([account, collection, id, version, seenAt])}\n`)
  return hash.digest("hex").slice(0, 32)
}

/** A text is cut after that many characters in a line of the terminal. */
const longest = 60

const shown = (text: string): string => truncate(clean(text), longest)

/** `  contract 1204 (3B) changed: status active -> ended`. */
const textLine = (change: Change, style: Style): string => {
  const { absent, differences, isUnusual, label } = factsOf(change)
  const what = `${nounOf(change)} ${change.id}${label === "" ? "" : ` (${shown(label)})`} ${change.change}`
  const told = differences.map(
    ({ after, before, member }) =>
      `${shown(member)} ${shown(before ?? absent)} -> ${shown(after ?? "nothing")}`,
  )
  const sentence = told.length === 0 ? what : `${what}: ${told.join("; ")}`
  return isUnusual ? style("yellow", `! ${sentence} (unusual)`) : `  ${sentence}`
}

const listLines = (list: ListChanges, style: Style): ReadonlyArray<string> => {
  const told = factsOfList(list).map((fact) => `  ${fact}`)
  return [...told, ...list.changes.map((change) => textLine(change, style))]
}

/** The lines for a terminal, by account. An unusual change begins with an exclamation mark. */
export const textLines = (digest: Digest, style: Style = none): ReadonlyArray<DressedLine> =>
  dress(
    digest.lists.flatMap((list, at) => {
      const own = listLines(list, style)
      return digest.lists[at - 1]?.account === list.account ? own : [clean(list.account), ...own]
    }),
  )

/** A line for each account instead, with the counts of each list. */
export const summaryLines = (digest: Digest, style: Style = none): ReadonlyArray<DressedLine> =>
  dress(
    accountsOf(digest).flatMap(({ account, lists }) => {
      const { unusual } = countsOf(changesOf({ lists }))
      const told = lists.map((list) =>
        [`${nounsOf(list.collection).many}: ${total(list.changes).toLowerCase()}`, ...factsOfList(list)].join(
          ", ",
        ),
      )
      const line = `${clean(account)}: ${told.join("; ")}`
      return [unusual > 0 ? style("yellow", line) : line]
    }),
  )

/** `3 added, 1 changed from 2026-11-21T06:00:00.000Z to 2026-11-22T06:00:00.000Z.` */
export const closing = (digest: Digest): string =>
  `${total(changesOf(digest))} from ${digest.since ?? "the first read"} to ${digest.until}.`

const changeDocument = (change: Change): object => {
  const { before, body, data, dataBefore, id, members, run, seenAt, version } = change
  return {
    id,
    version,
    change: change.change,
    unusual: isUnusual(change),
    members,
    seenAt,
    run,
    before: recordOf(before),
    after: recordOf(body),
    ...(data === null && dataBefore === null
      ? {}
      : { dataBefore: recordOf(dataBefore), data: recordOf(data) }),
  }
}

/** The document for programs, as JSON. Records are complete, as the service sent them. A summary has counts in their place. */
export const json = (digest: Digest, isSummary = false): string => {
  const { lists, mirror, since, until } = digest
  return Json.stringify(
    {
      id: idOf(digest),
      mirror,
      since,
      until,
      counts: countsOf(changesOf(digest)),
      lists: lists.map((list) => ({
        account: list.account,
        collection: list.collection,
        firstRead: list.firstRead,
        held: list.held,
        counts: isSummary ? countsOf(list.changes) : undefined,
        changes: isSummary ? undefined : list.changes.map(changeDocument),
      })),
    },
    2,
  )
}
