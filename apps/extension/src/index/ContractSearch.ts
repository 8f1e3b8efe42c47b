/**
 * Looks contracts up in the index for users. Never asks the service. The latest updates are read from their index; everything else is found in
 * the tables in memory, and nothing reads all rows.
 */
import type { ContractGroup } from "../messages/ListingMessage.ts"
import { answered } from "./Database.ts"
import type { Database } from "./Database.ts"
import { isValue, parse } from "./Query.ts"
import type { Row } from "./Row.ts"
import { readIndexMeta, rowsOf } from "./Tables.ts"
import type { Tables } from "./Tables.ts"

export interface Found {
  readonly rows: ReadonlyArray<Row>
  /** Matches in the index. */
  readonly total: number
  /** How many there are of each status and kind, whatever status and kind were asked for; null if they were not counted, or there are too many. */
  readonly groups: ReadonlyArray<ContractGroup> | null
}

/** Statuses and kinds are open sets (Spec: Contract, gaps). If there are more groups than this, none is returned. */
const mostGroups = 500

/** Up to `limit` rows, the latest update first. */
const latest = async (database: Database, limit: number): Promise<ReadonlyArray<Row>> => {
  const index = (await database.reading("contracts")).objectStore("contracts").index("updatedAt")
  const rows: Array<Row> = []
  const request = index.openCursor(null, "prev")
  for (;;) {
    const cursor = await answered(request)
    if (cursor === null || rows.push(cursor.value as Row) >= limit) return rows
    cursor.continue()
  }
}

/** The contracts that match, at most `limit` of them. An empty text gives the latest updates. */
export const search = async (
  database: Database,
  tables: Tables,
  asked: { readonly text: string; readonly counts: boolean; readonly limit: number },
): Promise<Found> => {
  const { counts, limit } = asked
  const query = parse(asked.text)
  const { terms, words } = query
  const isAll = terms.length + words.length === 0
  if (isAll && !counts) {
    const { contracts } = await readIndexMeta(database)
    return { rows: await latest(database, limit), total: contracts, groups: null }
  }
  // A number that was typed alone may be an id, whose contract comes first; after a hash it is one.
  const [, hash, id] = /^(#?)(\d{1,16})$/.exec(words.join(" ")) ?? []
  const { groups, ids, total } = (await tables.badges()).select(
    isAll ? null : hash ? [Number(id)] : (await tables.text()).search(query),
    (group) =>
      terms.every((term) => !(term.field in group) || isValue(group[term.field as "status" | "kind"], term)),
    limit,
    Number(id),
  )
  return {
    rows: isAll ? await latest(database, limit) : await rowsOf(database, ids),
    total,
    groups: groups.length > mostGroups ? null : groups,
  }
}
