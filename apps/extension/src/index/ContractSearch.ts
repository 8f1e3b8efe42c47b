/**
 * Looks contracts up in the index for people: by id, listing, unit, city, status or free text. Never asks the service. Unit and city
 * are read from their indexes, statuses and texts from the tables in memory; nothing reads all rows.
 */
import type { SearchField } from "../messages/PageMessage.ts"
import { answered } from "./Database.ts"
import type { Database } from "./Database.ts"
import type { Row } from "./Row.ts"
import { plain } from "./Row.ts"
import { readIndexMeta, rowsOf } from "./Tables.ts"
import type { Tables } from "./Tables.ts"
import type { Scope } from "./TextTable.ts"

export interface Found {
  readonly rows: ReadonlyArray<Row>
  /** Matches in the index; null when there are more than were read, and they are not counted. */
  readonly total: number | null
}

const nothing: Found = { rows: [], total: 0 }

const idOf = (text: string): number | null => {
  const digits = /^#?(\d{1,16})$/.exec(text)?.[1]
  return digits === undefined ? null : Number(digits)
}

/** Up to `limit` rows, the latest update first. */
const latest = async (database: Database, limit: number): Promise<ReadonlyArray<Row>> => {
  const index = (await database.reading("contracts")).objectStore("contracts").index("updatedAt")
  return new Promise((resolve, reject) => {
    const rows: Array<Row> = []
    const request = index.openCursor(null, "prev")
    request.addEventListener("error", () => reject(request.error))
    request.addEventListener("success", () => {
      const cursor = request.result
      if (cursor === null) return resolve(rows)
      rows.push(cursor.value as Row)
      if (rows.length >= limit) return resolve(rows)
      cursor.continue()
    })
  })
}

const prefixed = (prefix: string): IDBKeyRange => IDBKeyRange.bound(prefix, `${prefix}\uffff`)

/** Up to `limit` rows whose text starts with the prefix, in alphabetical order. Counting the others would take longer than reading these. */
const startingWith = async (
  database: Database,
  name: "city" | "unit",
  prefix: string,
  limit: number,
): Promise<Found> => {
  const index = (await database.reading("contracts")).objectStore("contracts").index(name)
  const rows: ReadonlyArray<Row> = await answered(index.getAll(prefixed(prefix), limit))
  return { rows, total: rows.length < limit ? rows.length : null }
}

const byText = async (
  database: Database,
  tables: Tables,
  text: string,
  scope: Scope,
  limit: number,
): Promise<Found> => {
  const words = text.split(/\s+/).filter((word) => word !== "")
  const { ids, total } = (await tables.text()).search(words, scope, limit)
  return { rows: await rowsOf(database, ids), total }
}

/** The contract of this id first, then what holds the digits elsewhere. */
const withIdFirst = async (
  database: Database,
  id: number | null,
  found: Found,
  limit: number,
): Promise<Found> => {
  const [first] = id === null ? [] : await rowsOf(database, [id])
  if (first === undefined) return found
  const { rows, total } = found
  const others = rows.filter((row) => row.id !== first.id)
  const isCounted = total === null || total > limit || others.length < rows.length
  return { rows: [first, ...others].slice(0, limit), total: isCounted ? total : total + 1 }
}

/** The contracts that match, at most `limit` of them. An empty text gives the latest updates. */
export const search = async (
  database: Database,
  tables: Tables,
  query: { readonly text: string; readonly by: SearchField; readonly limit: number },
): Promise<Found> => {
  const { by, limit } = query
  const text = plain(query.text.trim())
  if (text === "") {
    const { contracts } = await readIndexMeta(database)
    return { rows: await latest(database, limit), total: contracts }
  }
  switch (by) {
    case "id": {
      const id = idOf(text)
      return id === null ? nothing : withIdFirst(database, id, nothing, limit)
    }
    case "unit":
    case "city":
      return startingWith(database, by, text, limit)
    case "status": {
      const badges = await tables.badges()
      const { ids, total } = badges.withStatus((status) => plain(status).startsWith(text), limit)
      return { rows: await rowsOf(database, ids), total }
    }
    case "listing":
      return byText(database, tables, text, "listing", limit)
    case "any":
      return withIdFirst(database, idOf(text), await byText(database, tables, text, "any", limit), limit)
  }
}
