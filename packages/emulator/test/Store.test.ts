import { make } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { ask, idsOf, instantClock, read, statusOf, storeIds, reading } from "./asking.ts"

const clock = () => instantClock(Date.UTC(2026, 2, 1))

describe("contracts in the store", () => {
  it("are served after an insert, under an id above all others, stamped by the clock", async () => {
    const emulator = make({ contracts: 5, clock: clock() })
    const highest = Math.max(...storeIds(emulator))
    const inserted = emulator.store.insert({ status: "active" })
    expect(inserted).toMatchObject({ id: highest + 1, status: "active", created_at: "2026-03-01T00:00:00Z" })
    expect((await read(emulator, "/v1/contracts/?limit=1")).items).toEqual([inserted])
  })

  it("are served changed after an update, also where they were served before", async () => {
    const emulator = make({ contracts: 5, clock: clock() })
    const id = storeIds(emulator)[2] ?? 0
    await read(emulator, "/v1/contracts/")
    const updated = emulator.store.update(id, { status: "frozen" })
    expect(updated.updated_at).toBe("2026-03-01T00:00:00Z")
    expect((await read(emulator, "/v1/contracts/")).items[2]).toEqual(updated)
    expect((await read(emulator, `/v1/contracts/?id=${id}`)).contract).toEqual(updated)
  })

  it("move to the front by an update when the latest update comes first", () => {
    const emulator = make({ contracts: 20, clock: clock(), assumptions: { ordering: "updated" } })
    const id = storeIds(emulator).at(-1) ?? 0
    emulator.store.update(id, {})
    expect(storeIds(emulator)[0]).toBe(id)
    expect(new Set(storeIds(emulator)).size).toBe(20)
  })

  it.each(["descending", "ascending", "random", "updated"] as const)(
    "let a read continue after a removed one, ordered %s",
    async (ordering) => {
      const emulator = make({ contracts: 20, assumptions: { ordering } })
      const all = storeIds(emulator)
      const page = await read(emulator, "/v1/contracts/?limit=5")
      expect(emulator.store.remove(all[4] ?? 0)).toBe(true)
      expect(await statusOf(emulator, `/v1/contracts/?id=${all[4]}`)).toBe(404)
      const rest = await read(emulator, `/v1/contracts/?limit=100&before_id=${page.next_before_id}`)
      expect(idsOf([rest])).toEqual(all.slice(5))
    },
  )

  it("never get the id of one that was removed", () => {
    const emulator = make({ contracts: 3 })
    const removed = emulator.store.insert().id
    emulator.store.remove(removed)
    expect(emulator.store.insert().id).toBe(removed + 1)
  })

  it("leave an array that a test holds unchanged", () => {
    const emulator = make({ contracts: 3 })
    const before = emulator.store.contracts
    emulator.store.insert()
    emulator.store.remove(before[1]?.id ?? 0)
    expect(before).toHaveLength(3)
    expect(emulator.store.contracts).toHaveLength(3)
    expect(emulator.store.contracts).not.toEqual(before)
  })

  it("say which id is unknown", () => {
    const emulator = make({ contracts: 3 })
    expect(() => emulator.store.update(7, {})).toThrow("the store has no contract 7")
    expect(emulator.store.remove(7)).toBe(false)
  })
})

describe("keys in the store", () => {
  it("belong to the secrets, each in its role", () => {
    const { secrets, store, apiKey } = make()
    expect(apiKey).toBe(secrets.full)
    expect(store.keyOf(secrets.full)?.scopes).toEqual(
      expect.arrayContaining(["read:api_keys", "read:contracts", "read:me"]),
    )
    expect(store.keyOf(secrets.contractsOnly)?.scopes).toEqual(["read:contracts"])
    expect(store.keyOf(secrets.keysOnly)?.scopes).toEqual(["read:api_keys"])
    expect(store.keyOf(secrets.noScopes)?.scopes).toEqual([])
    expect(store.keyOf(secrets.revoked)?.revoked_at).not.toBeNull()
    expect(store.keyOf("another text")).toBeUndefined()
  })

  it("stop working once they are revoked or removed", async () => {
    const emulator = make({ clock: clock() })
    const key = emulator.store.keyOf(emulator.apiKey)
    expect(emulator.store.revoke(key?.id ?? 0).revoked_at).toBe("2026-03-01T00:00:00Z")
    expect(await statusOf(emulator, "/v1/contracts/")).toBe(401)
    const { record, secret } = emulator.store.insertKey({ scopes: ["read:contracts"] })
    expect((await ask(emulator, "/v1/contracts/", secret)).status).toBe(200)
    emulator.store.updateKey(record.id, { scopes: [] })
    expect((await ask(emulator, "/v1/contracts/", secret)).status).toBe(403)
    emulator.store.removeKey(record.id)
    expect((await ask(emulator, "/v1/contracts/", secret)).status).toBe(401)
  })
})

describe("a big store", () => {
  it("is read completely", async () => {
    const emulator = make({ contracts: 20_000 })
    expect(idsOf(await reading(emulator, { limit: 100, atMost: 1000 }))).toEqual(storeIds(emulator))
  })

  it("holds two hundred thousand contracts, each with an id of its own, and serves the oldest", async () => {
    const emulator = make({ contracts: 200_000 })
    const ids = storeIds(emulator)
    expect(new Set(ids).size).toBe(200_000)
    const page = await read(emulator, `/v1/contracts/?limit=10&before_id=${ids.at(-4)}`)
    expect(idsOf([page])).toEqual(ids.slice(-3))
    expect(page.next_before_id).toBeNull()
  })
})
