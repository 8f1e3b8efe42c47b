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
    transaction?.objectStore("settings").put("a failure", "lastFailure")
    transaction?.objectStore("keys").put({ ciphertext: new ArrayBuffer(8) }, "apiKey")
    transaction?.objectStore("contracts").put("another row", "first")
  })
  ;(await Database.answered(request)).close()
}

const checkpoint = {
  version: 1,
  recent: [5],
  summary: { collection: "contracts", records: 100, invalid: 2, changedDuringWalk: 1 },
}
const walk = { startedAt: "2026-03-01T09:00:00Z", after: 1, pages: 1, records: 100, invalid: 2, checkpoint }

/** A database of the second schema, in which records had other names. */
const secondSchema = async (factory: IDBFactory): Promise<void> => {
  const request = factory.open("deedkit", 2)
  request.addEventListener("upgradeneeded", () => {
    const database = request.result
    for (const store of ["settings", "keys", "meta", "compact"]) database.createObjectStore(store)
    const contracts = database.createObjectStore("contracts", { keyPath: "id" })
    for (const index of ["slug", "unit", "city", "updatedAt", "seen"]) contracts.createIndex(index, index)
    contracts.put(Row.make(contract(5, { listing: 40 }), 1, "2026-03-01T09:30:00Z"))
    const meta = request.transaction!.objectStore("meta")
    const smaller = { id: "some-list", walk, completedAt: "2026-03-01T10:00:00Z", contracts: 1 }
    const completedAt = "2026-03-01T09:30:00Z"
    const { summary } = checkpoint
    meta.put({ sequence: 1, tabledTo: 0, contracts: 1, invalid: 3, completedAt, summary, smaller }, "ledger")
    meta.put(walk, "walk")
    request.transaction!.objectStore("settings").put({ _tag: "WrongKey" }, "trouble")
  })
  ;(await Database.answered(request)).close()
}

describe("the database", () => {
  it("keeps the index, the sync under way and the last failure of the second schema, under the names of this one", async () => {
    const factory = new IDBFactory()
    await secondSchema(factory)
    const database = Database.make(factory)
    const index = ContractIndex.make(database)
    const summary = { collection: "contracts", records: 100, rejected: 2, changedDuringRead: 1 }
    const sync = { ...walk, rejected: 2, checkpoint: { ...checkpoint, summary } }
    expect(await index.sync()).toEqual({ ...sync, invalid: undefined })
    expect(await index.meta()).toMatchObject({
      sequence: 1,
      contracts: 1,
      rejected: 3,
      completedAt: "2026-03-01T09:30:00Z",
      summary,
      smaller: { id: "some-list", sync: { rejected: 2, checkpoint: { recent: [5], summary } } },
    })
    expect(await database.get("settings", "lastFailure")).toEqual({ _tag: "WrongKey" })
    expect((await index.lookup(["listing-40"])).get("listing-40")).toMatchObject({ count: 1 })
    const names = (await database.reading("meta")).objectStore("meta").getAllKeys()
    expect(await Database.answered(names)).toEqual(["index", "sync"])
    expect(JSON.stringify([await index.meta(), await index.sync()])).not.toMatch(/walk|invalid/i)
  })

  it("keeps settings and keys that a newer version has left, and begins with an empty index", async () => {
    const factory = new IDBFactory()
    await newerSchema(factory)
    const database = Database.make(factory)
    expect(await indexesOf(database)).toEqual(await indexesOf(Database.make(new IDBFactory())))
    expect(await database.get("settings", "profile")).toEqual({ theme: "dark" })
    expect(await database.get("settings", "lastFailure")).toBe("a failure")
    expect(await database.get("keys", "apiKey")).toEqual({ ciphertext: new ArrayBuffer(8) })
    const index = ContractIndex.make(database)
    expect(await index.meta()).toMatchObject({ contracts: 0, completedAt: null })
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
