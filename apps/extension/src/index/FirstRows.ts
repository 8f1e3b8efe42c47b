/** The latest contracts, and a contract as pages list it. Apart from all other reads, which the popup loads after its first rows. */
import type { ContractRow } from "../messages/PageMessage.ts"
import { answered } from "./Database.ts"
import type { Database } from "./Database.ts"
import type { Row } from "./Row.ts"

/** Up to `limit` rows, the latest update first. */
export const latest = async (database: Database, limit: number): Promise<ReadonlyArray<Row>> => {
  const index = (await database.reading("contracts")).objectStore("contracts").index("updatedAt")
  const rows: Array<Row> = []
  const request = index.openCursor(null, "prev")
  for (;;) {
    const cursor = await answered(request)
    if (cursor === null || rows.push(cursor.value as Row) >= limit) return rows
    cursor.continue()
  }
}

/** A row as pages list it. */
export const rowOf = ({ contract, id, listingId }: Row): ContractRow => ({
  id,
  kind: contract.kind,
  status: contract.status,
  unitLabel: contract.unit_label,
  listingId: listingId ?? null,
  title: contract.listing?.title ?? null,
  city: contract.listing?.city ?? null,
  slug: contract.listing?.slug ?? null,
  updatedAt: contract.updated_at,
})
