/**
 * Reads the contracts of the index for an export, one page at a time and never all at once. It only reads, and only the stores with the service's
 * data; the key's store is not opened.
 */
import { answered } from "../index/Database.ts"
import type { Database, StoreName } from "../index/Database.ts"
import * as IndexMeta from "../index/IndexMeta.ts"
import * as Row from "../index/Row.ts"

/** Contracts per page. */
const pageSize = 1_000

export interface IndexReader {
  /** All contracts in the order of their ids. */
  readonly pages: () => AsyncGenerator<ReadonlyArray<Row.Row>>
  /** The contracts with these ids in the given order, page by page. A contract that has since been removed is left out. */
  readonly pagesOf: (ids: ReadonlyArray<number>) => AsyncGenerator<ReadonlyArray<Row.Row>>
  readonly meta: () => Promise<IndexMeta.IndexMeta>
  /** The sync that is running or waits to resume; null if there is none. */
  readonly sync: () => Promise<IndexMeta.SyncRecord | null>
}

const readable = ["contracts", "meta"] as const satisfies ReadonlyArray<StoreName>

export const make = (database: Pick<Database, "reading">): IndexReader => {
  const store = async (name: (typeof readable)[number]): Promise<IDBObjectStore> =>
    (await database.reading(name)).objectStore(name)

  /** The rows after an id. */
  const after = async (id: number | null): Promise<ReadonlyArray<Row.Row>> => {
    const contracts = await store("contracts")
    return answered(contracts.getAll(id === null ? null : IDBKeyRange.lowerBound(id, true), pageSize))
  }

  /** Yields page after page, and requests the next page while the consumer processes the current one. */
  const ahead = async function* (
    first: Promise<ReadonlyArray<Row.Row>>,
    following: (rows: ReadonlyArray<Row.Row>) => Promise<ReadonlyArray<Row.Row>> | null,
  ) {
    let next: Promise<ReadonlyArray<Row.Row>> | null = first
    while (next !== null) {
      const rows: ReadonlyArray<Row.Row> = await next
      next = following(rows)
      // A consumer that stops here does not wait for the next page, so a later failure of that page is ignored.
      next?.catch(() => {})
      if (rows.length > 0) yield rows
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
      const page = () => Row.read(database, ids.slice(at, (at += pageSize)))
      return ahead(page(), () => (at < ids.length ? page() : null))
    },
    meta: async () =>
      (await answered<IndexMeta.IndexMeta | undefined>((await store("meta")).get("index"))) ??
      IndexMeta.empty,
    sync: async () =>
      (await answered<IndexMeta.SyncRecord | undefined>((await store("meta")).get("sync"))) ?? null,
  }
}
