/**
 * The contracts of the index for an export: a page at a time and never all of them. It only reads, and only the stores that hold the
 * service's data; the key's store is not opened.
 */
import type { Contract } from "@deedkit/core"
import { answered } from "../index/Database.ts"
import type { Database } from "../index/Database.ts"
import type { StoreName } from "../index/Schema.ts"
import type * as IndexMeta from "../index/IndexMeta.ts"
import type { Row } from "../index/Row.ts"

/** Contracts a page. */
export const pageSize = 1_000

export interface IndexReader {
  /** All contracts in the order of their ids. */
  readonly pages: () => AsyncGenerator<ReadonlyArray<Contract.Contract>>
  /** The contracts of these ids in their order, page by page; one that is gone meanwhile is left out. */
  readonly pagesOf: (ids: ReadonlyArray<number>) => AsyncGenerator<ReadonlyArray<Contract.Contract>>
  readonly meta: () => Promise<IndexMeta.IndexMeta | null>
  /** The sync that is under way, or waits to resume; null when there is none. */
  readonly sync: () => Promise<IndexMeta.SyncRecord | null>
}

const readable = ["contracts", "meta"] as const satisfies ReadonlyArray<StoreName>

export const make = (database: Pick<Database, "reading">): IndexReader => {
  const store = async (name: (typeof readable)[number]): Promise<IDBObjectStore> =>
    (await database.reading(name)).objectStore(name)

  /** The rows after an id. */
  const after = async (id: number | null): Promise<ReadonlyArray<Row>> => {
    const contracts = await store("contracts")
    return answered(contracts.getAll(id === null ? null : IDBKeyRange.lowerBound(id, true), pageSize))
  }
  const some = async (ids: ReadonlyArray<number>): Promise<ReadonlyArray<Row>> => {
    const contracts = await store("contracts")
    const rows = await Promise.all(ids.map((id) => answered<Row | undefined>(contracts.get(id))))
    return rows.filter((row) => row !== undefined)
  }

  /** Gives page after page, and calls for the next one while the reader is busy with this one. */
  const ahead = async function* (
    first: Promise<ReadonlyArray<Row>>,
    following: (rows: ReadonlyArray<Row>) => Promise<ReadonlyArray<Row>> | null,
  ) {
    let next: Promise<ReadonlyArray<Row>> | null = first
    while (next !== null) {
      const rows: ReadonlyArray<Row> = await next
      next = following(rows)
      // Who stops here waits for no page; one that fails later is nobody's concern.
      next?.catch(() => {})
      if (rows.length > 0) yield rows.map(({ contract }) => contract)
    }
  }

  return {
    pages: () =>
      ahead(after(null), (rows) => {
        const last = rows.at(-1)
        return last === undefined ? null : after(last.id)
      }),
    pagesOf: (ids) => {
      let at = 0
      const page = () => some(ids.slice(at, (at += pageSize)))
      return ahead(page(), () => (at < ids.length ? page() : null))
    },
    meta: async () =>
      (await answered<IndexMeta.IndexMeta | undefined>((await store("meta")).get("index"))) ?? null,
    sync: async () =>
      (await answered<IndexMeta.SyncRecord | undefined>((await store("meta")).get("sync"))) ?? null,
  }
}
