/**
 * The extension's own database in the browser (IndexedDB), with requests as promises. No content script can read it in any browser, which is
 * why everything that the extension saves is in it. Knows nothing of what the records mean.
 */

/** Every store; all but `settings` and `keys` are the index and are cleared with it. */
export const stores = ["settings", "keys", "contracts", "meta", "compact"] as const
export type StoreName = (typeof stores)[number]

/** The stores that hold the service's data. */
export const indexStores = ["contracts", "meta", "compact"] as const satisfies ReadonlyArray<StoreName>

/** The stores whose records only the user could restore. */
const lasting = ["settings", "keys"] as const satisfies ReadonlyArray<StoreName>

/** Indexes of the contracts, each over the row's member of the same name. Each takes a tenth of the time that a sync needs to write. */
const rowIndexes = ["updatedAt", "seen", "unit"] as const

/** Rises with every change of stores, indexes or names of records. */
const schemaVersion = 1

/** Makes the stores and indexes of a new database. */
const create = (database: IDBDatabase): void => {
  for (const name of stores) {
    const store = database.createObjectStore(name, name === "contracts" ? { keyPath: "id" } : {})
    if (name === "contracts") for (const index of rowIndexes) store.createIndex(index, index)
  }
}

/** Returns a promise of a request's result. */
export const answered = <A>(request: IDBRequest<A>): Promise<A> =>
  new Promise((resolve, reject) => {
    request.addEventListener("success", () => resolve(request.result))
    request.addEventListener("error", () => reject(request.error))
  })

/** Resolves when a transaction was committed; rejects when it was aborted. */
export const committed = (transaction: IDBTransaction): Promise<void> =>
  new Promise((resolve, reject) => {
    transaction.addEventListener("complete", () => resolve())
    transaction.addEventListener("abort", () =>
      reject(transaction.error ?? new DOMException("aborted", "AbortError")),
    )
  })

const openNow = (factory: IDBFactory, name: string): Promise<IDBDatabase> => {
  const request = factory.open(name, schemaVersion)
  request.addEventListener("upgradeneeded", () => create(request.result))
  return answered(request)
}

/** Opens a database that is there as it is now, and creates none. */
const openExisting = (factory: IDBFactory, name: string): Promise<IDBDatabase> => {
  const request = factory.open(name, schemaVersion)
  let isThere = true
  request.addEventListener("upgradeneeded", () => {
    isThere = false
    request.transaction!.abort()
  })
  return answered(request).catch((cause: unknown) => {
    throw isThere ? cause : new DOMException(`${name} is not there`, "NotFoundError")
  })
}

/** Whether a read has failed because the database is not there, or not any more. */
export const isAbsent = (cause: unknown): boolean =>
  cause instanceof DOMException && cause.name === "NotFoundError"

/** Recreates a database that a newer version has left: settings and keys stay, and the index is empty, because its rows may differ. */
const replace = async (factory: IDBFactory, name: string): Promise<IDBDatabase> => {
  const newer = await answered(factory.open(name))
  const reading = newer.transaction(lasting)
  const kept = await Promise.all(
    lasting.map(async (store) => {
      const records = reading.objectStore(store)
      const [keys, values] = await Promise.all([answered(records.getAllKeys()), answered(records.getAll())])
      return { store, keys, values }
    }),
  )
  newer.close()
  await answered(factory.deleteDatabase(name))
  const database = await openNow(factory, name)
  const writing = database.transaction(lasting, "readwrite")
  for (const { keys, store, values } of kept) {
    keys.forEach((key, at) => writing.objectStore(store).put(values[at], key))
  }
  await committed(writing)
  return database
}

const connect = (factory: IDBFactory, name: string): Promise<IDBDatabase> =>
  openNow(factory, name).catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === "VersionError") return replace(factory, name)
    throw cause
  })

export interface Database {
  /** A transaction that only reads. */
  readonly reading: (...names: ReadonlyArray<StoreName>) => Promise<IDBTransaction>
  /** A transaction that may write, with relaxed durability: what is lost in a crash of the whole machine is synced again. */
  readonly writing: (...names: ReadonlyArray<StoreName>) => Promise<IDBTransaction>
  /** One value of a store without a key path; undefined when there is none. */
  readonly get: (name: StoreName, key: IDBValidKey) => Promise<unknown>
  readonly put: (name: StoreName, key: IDBValidKey, value: unknown) => Promise<void>
  readonly remove: (name: StoreName, key: IDBValidKey) => Promise<void>
  /** Empties stores. */
  readonly clear: (...names: ReadonlyArray<StoreName>) => Promise<void>
  /** Deletes the whole database. Later writes to it fail, so that nothing creates it again. */
  readonly destroy: () => Promise<void>
}

/** The account that exists from the beginning. */
export const firstAccount = "first"

const plainName = "deedkit"

/** The name of an account's database. That of the first account also holds what all accounts share. */
export const nameOf = (account: string): string =>
  account === firstAccount ? plainName : `${plainName} ${account}`

/**
 * Makes a database that opens at its first use, and opens anew when the browser has closed it. One that `onlyReads` is not created, and reads fail
 * while it is not there.
 */
export const make = (factory: IDBFactory = indexedDB, name = plainName, onlyReads = false): Database => {
  let opened: Promise<IDBDatabase> | null = null
  let isDestroyed = false

  const forget = (): void => {
    opened = null
  }
  const open = (): Promise<IDBDatabase> => {
    if (isDestroyed) return Promise.reject(new DOMException(`${name} is gone`, "NotFoundError"))
    opened ??= (onlyReads ? openExisting : connect)(factory, name).then((database) => {
      database.addEventListener("close", forget)
      database.addEventListener("versionchange", () => {
        database.close()
        forget()
      })
      return database
    })
    opened.catch(forget)
    return opened
  }
  const begin = async (
    names: ReadonlyArray<StoreName>,
    mode: IDBTransactionMode,
  ): Promise<IDBTransaction> => {
    const start = async () =>
      (await open()).transaction([...names], mode, mode === "readonly" ? {} : { durability: "relaxed" })
    try {
      return await start()
    } catch (cause) {
      if (!(cause instanceof DOMException) || cause.name !== "InvalidStateError") throw cause
      forget()
      return start()
    }
  }
  const writing = (...names: ReadonlyArray<StoreName>) => begin(names, "readwrite")

  return {
    reading: (...names) => begin(names, "readonly"),
    writing,
    get: async (store, key) => answered((await begin([store], "readonly")).objectStore(store).get(key)),
    put: async (store, key, value) => {
      const transaction = await writing(store)
      transaction.objectStore(store).put(value, key)
      await committed(transaction)
    },
    remove: async (store, key) => {
      const transaction = await writing(store)
      transaction.objectStore(store).delete(key)
      await committed(transaction)
    },
    clear: async (...names) => {
      const transaction = await writing(...names)
      for (const name of names) transaction.objectStore(name).clear()
      await committed(transaction)
    },
    destroy: async () => {
      isDestroyed = true
      const database = await opened
      forget()
      database?.close()
      await answered(factory.deleteDatabase(name))
    },
  }
}

/** The databases of all accounts, each made when it is first asked for. */
export const each = (factory: IDBFactory = indexedDB, onlyReads = false): ((account: string) => Database) => {
  const made = new Map<string, Database>()
  return (account) => {
    const known = made.get(account) ?? make(factory, nameOf(account), onlyReads)
    made.set(account, known)
    return known
  }
}
