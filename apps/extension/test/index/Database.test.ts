import { IDBFactory, IDBKeyRange } from "fake-indexeddb"
import { describe, expect, it } from "vitest"
import * as ContractIndex from "../../src/index/ContractIndex.ts"
import * as Database from "../../src/index/Database.ts"

globalThis.IDBKeyRange = IDBKeyRange

const indexesOf = async (database: Database.Database): Promise<ReadonlyArray<string>> => [
  ...(await database.reading("contracts")).objectStore("contracts").indexNames,
]

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

describe("the database", () => {
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
})
