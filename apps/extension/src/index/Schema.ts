/** The stores and indexes of the extension's database. */

/** Every store; all but `settings` and `keys` are the index and are cleared with it. */
export const stores = ["settings", "keys", "contracts", "meta", "compact"] as const
export type StoreName = (typeof stores)[number]

/** The stores that hold the service's data. */
export const indexStores = ["contracts", "meta", "compact"] as const satisfies ReadonlyArray<StoreName>

/** The stores whose records only the user could restore. */
export const lasting = ["settings", "keys"] as const satisfies ReadonlyArray<StoreName>

/** Indexes of the contracts, each over the row's member of the same name. Each takes a tenth of the time that a sync needs to write. */
const rowIndexes = ["updatedAt", "seen", "unit"] as const

/** Rises with every change of stores, indexes or names of records. */
export const schemaVersion = 1

/** Makes the stores and indexes of a new database. */
export const create = (database: IDBDatabase): void => {
  for (const name of stores) {
    const store = database.createObjectStore(name, name === "contracts" ? { keyPath: "id" } : {})
    if (name === "contracts") for (const index of rowIndexes) store.createIndex(index, index)
  }
}
