/**
 * The stores and indexes of the extension's database, and the upgrade from earlier schemas. Stored data stays: records that had other names
 * are moved to the names of this schema.
 */

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
export const schemaVersion = 4

/** Members of records before schema 3, at any depth, and their names now. */
const members: { readonly [before: string]: string } = {
  walk: "sync",
  invalid: "rejected",
  changedDuringWalk: "changedDuringRead",
}

const renamed = (value: unknown): unknown =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(Object.entries(value).map(([name, part]) => [members[name] ?? name, renamed(part)]))

/** Moves a record to its name in schema 3. */
const move = (store: IDBObjectStore, before: string, now: string): void => {
  const request = store.get(before)
  request.addEventListener("success", () => {
    if (request.result === undefined) return
    store.put(renamed(request.result), now)
    store.delete(before)
  })
}

/** Upgrades a database, new or of an earlier schema, to this one. */
export const upgrade = (database: IDBDatabase, transaction: IDBTransaction): void => {
  for (const name of stores) {
    if (database.objectStoreNames.contains(name)) continue
    database.createObjectStore(name, name === "contracts" ? { keyPath: "id" } : {})
  }
  const contracts = transaction.objectStore("contracts")
  const wanted = new Set<string>(rowIndexes)
  for (const known of Array.from(contracts.indexNames)) {
    if (!wanted.delete(known)) contracts.deleteIndex(known)
  }
  for (const index of wanted) contracts.createIndex(index, index)
  const meta = transaction.objectStore("meta")
  move(meta, "ledger", "index")
  move(meta, "walk", "sync")
  move(transaction.objectStore("settings"), "trouble", "lastFailure")
}
