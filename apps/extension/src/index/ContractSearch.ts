/**
 * Looks contracts up in the index for users. Never asks the service. The latest updates are read from their index; everything else is found in
 * the entries in memory, and nothing reads all rows.
 */
import type { ContractGroup } from "../messages/ListingMessage.ts"
import type { Database } from "./Database.ts"
import { isValue, parse } from "./Query.ts"
import type { Entries, Group } from "./Entries.ts"
import { latest } from "./FirstRows.ts"
import { readIndexMeta } from "./IndexMeta.ts"
import type { Query, Term } from "./Query.ts"
import * as Row from "./Row.ts"
import { finder, textOf } from "./SearchText.ts"

/** What was typed, whether the answer has `groups`, and the most rows of it. */
export interface Asked {
  readonly text: string
  readonly counts: boolean
  readonly limit: number
}

export interface Found {
  readonly rows: ReadonlyArray<Row.Row>
  /** Matches in the index. */
  readonly total: number
  /** How many there are of each status and kind, whatever status and kind were asked for; null if they were not counted, or there are too many. */
  readonly groups: ReadonlyArray<ContractGroup> | null
}

/** Statuses and kinds are open sets (Spec: Contract, gaps). If there are more groups than this, none is returned. */
const mostGroups = 500

type GroupTerm = Term & { readonly field: "status" | "kind" }

const isGroupTerm = (term: Term): term is GroupTerm => term.field === "status" || term.field === "kind"

/** Whether a status and a kind are those that the terms for them ask for. */
const isOfGroup = (group: Group, terms: ReadonlyArray<Term>): boolean =>
  terms.every((term) => !isGroupTerm(term) || isValue(group[term.field], term))

/** The number that was typed alone, if any, and whether a hash before it says that it is an id. */
const typedId = ({ words }: Query): { readonly id: number; readonly isSure: boolean } => {
  const [, hash, id] = /^(#?)(\d{1,16})$/.exec(words.join(" ")) ?? []
  return { id: Number(id), isSure: hash === "#" }
}

/** Returns a function that finds among rows what a search of the index would find, in their order. */
export const matching = (text: string): ((rows: ReadonlyArray<Row.Row>) => ReadonlyArray<Row.Row>) => {
  const query = parse(text)
  const { id: wanted, isSure } = typedId(query)
  const isFound = finder(query)
  const isNamed = (row: Row.Row): boolean =>
    isSure ? row.id === wanted : isFound === null || isFound(textOf(row))
  return (rows) => rows.filter((row) => isNamed(row) && isOfGroup(row.contract, query.terms))
}

/** The contracts that match, at most `limit` of them. An empty text gives the latest updates. */
export const search = async (
  database: Database,
  entries: () => Promise<Entries>,
  withTexts: () => Promise<Entries>,
  { counts, limit, text }: Asked,
): Promise<Found> => {
  const query = parse(text)
  const { terms, words } = query
  const isAll = terms.length + words.length === 0
  if (isAll && !counts) {
    const { contracts } = await readIndexMeta(database)
    return { rows: await latest(database, limit), total: contracts, groups: null }
  }
  // A number that was typed alone may be an id, whose contract comes first; after a hash it is one.
  const { id, isSure } = typedId(query)
  const isFound = isSure ? null : finder(query)
  const known = await (isFound === null ? entries() : withTexts())
  const { groups, ids, total } = known.select(
    isSure ? [id] : isFound && known.having(isFound),
    (group) => isOfGroup(group, terms),
    limit,
    id,
  )
  return {
    rows: isAll ? await latest(database, limit) : await Row.read(database, ids),
    total,
    groups: groups.length > mostGroups ? null : groups,
  }
}
