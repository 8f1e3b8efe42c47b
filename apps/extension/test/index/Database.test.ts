import { IDBFactory, IDBKeyRange } from "fake-indexeddb"
import { describe, expect, it } from "vitest"
import * as ContractIndex from "../../src/index/ContractIndex.ts"
import * as Database from "../../src/index/Database.ts"
import * as Row from "../../src/index/Row.ts"
import { contract } from "./Contracts.ts"

globalThis.IDBKeyRange = IDBKeyRange

const indexesOf = async (database: Database.Database): Promise<ReadonlyArray<string>> => [
  ...(await database.reading("contracts")).objectStore("contracts").indexNames,
]

/** A database as the first schema had it, with a contract and a setting in it. */
const firstSchema = (factory: IDBFactory): Promise<void> =>
  new Promise((resolve, reject) => {
    const request = factory.open("deedkit", 1)
    request.addEventListener("upgradeneeded", () => {
      const database = request.result
      for (const store of ["settings", "keys", "meta", "compact"]) database.createObjectStore(store)
      const contracts = database.createObjectStore("contracts", { keyPath: "id" })
      for (const index of ["slug", "listingId", "unit", "city", "status", "updatedAt", "seen"]) {
        contracts.createIndex(index, index)
      }
      const row = Row.make(contract(5, { listing: 40 }), 1, "2026-03-01T09:30:00Z")
      contracts.put({ ...row, status: "draft" })
      request.transaction?.objectStore("settings").put({ theme: "dark" }, "profile")
      request.transaction?.objectStore("meta").put({ sequence: 1, tabledTo: 0, contracts: 1 }, "ledger")
    })
    request.addEventListener("success", () => {
      request.result.close()
      resolve()
    })
    request.addEventListener("error", () => reject(request.error))
  })

/** A database as a version of tomorrow has it, with stores and rows that nobody knows yet. */
const newerSchema = async (factory: IDBFactory): Promise<void> => {
  const request = factory.open("deedkit", 99)
  request.addEventListener("upgradeneeded", () => {
    const database = request.result
    for (const store of ["settings", "keys", "contracts", "tomorrow"]) database.createObjectStore(store)
    const { transaction } = request
    transaction?.objectStore("settings").put({ theme: "dark" }, "profile")
    transaction?.objectStore("settings").put("a trouble", "trouble")
    transaction?.objectStore("keys").put({ ciphertext: new ArrayBuffer(8) }, "apiKey")
    transaction?.objectStore("contracts").put("another row", "first")
  })
  ;(await Database.answered(request)).close()
}

describe("the database", () => {
  it("keeps settings and keys that a newer version has left, and begins with an empty index", async () => {
    const factory = new IDBFactory()
    await newerSchema(factory)
    const database = Database.make(factory)
    expect(await indexesOf(database)).toEqual(await indexesOf(Database.make(new IDBFactory())))
    expect(await database.get("settings", "profile")).toEqual({ theme: "dark" })
    expect(await database.get("settings", "trouble")).toBe("a trouble")
    expect(await database.get("keys", "apiKey")).toEqual({ ciphertext: new ArrayBuffer(8) })
    const index = ContractIndex.make(database)
    expect(await index.ledger()).toMatchObject({ contracts: 0, completedAt: null })
    expect(await index.get(5)).toBeUndefined()
    await database.put("settings", "profile", { theme: "light" })
    expect(await Database.make(factory).get("settings", "profile")).toEqual({ theme: "light" })
  })

  it("keeps what an older version has left, with the indexes of this one", async () => {
    const factory = new IDBFactory()
    await firstSchema(factory)
    const database = Database.make(factory)
    expect(await indexesOf(database)).toEqual(await indexesOf(Database.make(new IDBFactory())))
    expect(await database.get("settings", "profile")).toEqual({ theme: "dark" })
    const index = ContractIndex.make(database)
    expect((await index.ofListing("listing-40")).rows.map(({ id }) => id)).toEqual([5])
    expect((await index.ofListing("40")).rows.map(({ id }) => id)).toEqual([5])
    expect((await index.lookup(["listing-40"])).get("listing-40")).toMatchObject({ count: 1 })
  })
})
