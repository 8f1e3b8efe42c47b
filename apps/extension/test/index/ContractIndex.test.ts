import { IDBFactory, IDBKeyRange } from "fake-indexeddb"
import { beforeEach, describe, expect, it } from "vitest"
import type { Contract } from "@deedkit/core"
import * as ContractIndex from "../../src/index/ContractIndex.ts"
import * as Database from "../../src/index/Database.ts"
import { contract, sync } from "./Contracts.ts"

globalThis.IDBKeyRange = IDBKeyRange

const at = "2026-03-01T09:30:00Z"
let factory: IDBFactory
let database: Database.Database
let index: ContractIndex.ContractIndex

/** What a woken background sees: nothing of its memory, all of the database. */
const wake = (): void => {
  database = Database.make(factory)
  index = ContractIndex.make(database)
}
const ids = async (): Promise<ReadonlyArray<number>> => {
  const contracts = (await database.reading("contracts")).objectStore("contracts")
  return (await Database.answered(contracts.getAllKeys())).map(Number)
}

beforeEach(() => {
  factory = new IDBFactory()
  wake()
})

describe("ContractIndex", () => {
  it("keeps a page with its sync, and knows its listings by slug and by id", async () => {
    const page = [
      contract(3, { status: "draft" }),
      contract(2, { status: "active" }),
      contract(1, { listing: 20 }),
    ]
    await index.putPage({ contracts: page, invalidIds: [], seenAt: at, sync: sync({ pages: 1 }) })
    expect(await index.lookup(["listing-10", "20", "listing-30", "__proto__"])).toEqual(
      new Map([
        [
          "listing-10",
          {
            count: 2,
            status: "active",
            leading: 1,
            groups: [
              { count: 1, status: "active", kind: "rent" },
              { count: 1, status: "draft", kind: "rent" },
            ],
          },
        ],
        [
          "20",
          { count: 1, status: "draft", leading: 1, groups: [{ count: 1, status: "draft", kind: "rent" }] },
        ],
      ]),
    )
    expect(await index.meta()).toMatchObject({ contracts: 3, listings: 2, completedAt: null })
    expect(await index.sync()).toMatchObject({ pages: 1 })
    expect(await index.get(2)).toMatchObject({ contract: page[1], seenAt: at })
  })

  it("answers the same right after the background was stopped", async () => {
    const page = [contract(3), contract(2, { status: "active" }), contract(1, { listing: null })]
    await index.putPage({ contracts: page, invalidIds: [], seenAt: at, sync: sync() })
    const before = await index.lookup(["listing-10"])
    wake()
    expect(await index.lookup(["listing-10"])).toEqual(before)
    expect(await index.meta()).toMatchObject({ contracts: 3, listings: 1 })
  })

  it("lets go of what a complete sync has not seen, and of nothing before", async () => {
    const page = [contract(3), contract(2), contract(1)]
    await index.putPage({ contracts: page, invalidIds: [], seenAt: at, sync: sync() })
    const after = (await index.meta()).sequence
    const second = sync({ after, rejected: 1 })
    await index.putPage({ contracts: [contract(3)], invalidIds: [2, 9], seenAt: at, sync: second })
    expect(await ids()).toEqual([1, 2, 3])
    await index.finish(second, "2026-03-01T10:00:00Z")
    expect(await ids()).toEqual([2, 3])
    expect(await index.meta()).toMatchObject({
      contracts: 2,
      completedAt: "2026-03-01T10:00:00Z",
      rejected: 1,
    })
    expect(await index.sync()).toBeNull()
    wake()
    expect((await index.lookup(["listing-10"])).get("listing-10")?.count).toBe(2)
  })

  it("keeps a contract that was refreshed during the sync, and the age of one that came broken", async () => {
    await index.putPage({ contracts: [contract(2), contract(1)], invalidIds: [], seenAt: at, sync: sync() })
    const second = sync({ after: (await index.meta()).sequence })
    await index.putSome([contract(1, { status: "ended" })], "2026-03-02T00:00:00Z")
    await index.putPage({ contracts: [], invalidIds: [2], seenAt: "2026-03-03T00:00:00Z", sync: second })
    await index.finish(second, "2026-03-03T00:00:00Z")
    expect(await ids()).toEqual([1, 2])
    expect((await index.get(2))?.seenAt).toBe(at)
  })

  it("follows a contract that changes its status or its listing", async () => {
    await index.putPage({ contracts: [contract(1), contract(2)], invalidIds: [], seenAt: at, sync: sync() })
    await index.putSome([contract(1, { status: "ended", listing: 20, updated: "2026-04-01T00:00:00Z" })], at)
    const known = await index.lookup(["listing-10", "listing-20"])
    expect(known.get("listing-10")).toMatchObject({ count: 1 })
    expect(known.get("listing-20")).toMatchObject({ count: 1, status: "ended" })
    wake()
    expect(await index.lookup(["listing-10", "listing-20"])).toEqual(known)
  })

  it("answers for every row after it was stopped, also for those that were written last", async () => {
    for (let page = 0; page < 12; page++) {
      const contracts = Array.from({ length: 200 }, (_, row) => contract(page * 200 + row + 1))
      await index.putPage({ contracts, invalidIds: [], seenAt: at, sync: sync({ pages: page }) })
    }
    wake()
    expect((await index.lookup(["listing-10"])).get("listing-10")?.count).toBe(2_400)
    expect((await index.search({ text: "flat", counts: false, limit: 1 })).total).toBe(2_400)
  })

  it("writes a page in parts and its sync with the last, so that a page which was cut off is synced again", async () => {
    const page = Array.from({ length: 450 }, (_, row) => contract(450 - row))
    const before = sync({ pages: 1 })
    await index.setSync(before)
    let writes = 0
    const broken: Database.Database = {
      ...database,
      writing: (...names) => {
        writes += 1
        return writes < 3
          ? database.writing(...names)
          : Promise.reject(new DOMException("full", "QuotaExceededError"))
      },
    }
    const pageOf = (pages: number) => ({ contracts: page, invalidIds: [], seenAt: at, sync: sync({ pages }) })
    await expect(ContractIndex.make(broken).putPage(pageOf(2))).rejects.toThrow("full")
    wake()
    expect(await index.sync()).toEqual(before)
    expect((await index.meta()).contracts).toBe(400)
    await index.putPage(pageOf(2))
    expect(await index.sync()).toMatchObject({ pages: 2 })
    expect(await ids()).toHaveLength(450)
    expect((await index.lookup(["listing-10"])).get("listing-10")?.count).toBe(450)
  })

  it.each([0, 1, 2, 3])("resumes where the end of a sync was cut off after %i steps", async (steps) => {
    await index.putPage({ contracts: [contract(2), contract(1)], invalidIds: [], seenAt: at, sync: sync() })
    const second = sync({ after: 1 })
    await index.putPage({ contracts: [contract(2)], invalidIds: [], seenAt: at, sync: second })
    let left = steps
    const ifLeft =
      <A extends ReadonlyArray<unknown>, B>(write: (...given: A) => Promise<B>) =>
      (...given: A): Promise<B> =>
        left-- > 0 ? write(...given) : Promise.reject(new DOMException("full", "QuotaExceededError"))
    const { put, writing } = database
    const broken = ContractIndex.make({ ...database, put: ifLeft(put), writing: ifLeft(writing) })
    await expect(broken.finish(second, at)).rejects.toThrow("full")
    wake()
    await index.finish((await index.sync())!, at)
    expect(await ids()).toEqual([2])
    expect((await index.lookup(["listing-10"])).get("listing-10")?.count).toBe(1)
    expect((await index.search({ text: "flat", counts: false, limit: 9 })).total).toBe(1)
  })

  it("gives a listing's contracts, active ones first, then drafts, each the latest update first", async () => {
    const contracts = [
      contract(1, { status: "draft", updated: "2026-01-03T00:00:00Z" }),
      contract(2, { status: "ended", updated: "2026-01-04T00:00:00Z" }),
      contract(3, { status: "active", updated: "2026-01-01T00:00:00Z" }),
      contract(4, { status: "on hold", updated: "2026-01-05T00:00:00Z" }),
    ]
    await index.putPage({ contracts, invalidIds: [], seenAt: at, sync: sync() })
    expect((await index.ofListing("listing-10")).rows.map(({ id }) => id)).toEqual([3, 1, 4, 2])
    expect((await index.ofListing("10")).rows.map(({ id }) => id)).toEqual([3, 1, 4, 2])
    expect(await index.ofListing("11")).toEqual({ rows: [], total: 0 })
  })

  it("gives 500 contracts of a listing at most, and says how many it has", async () => {
    const contracts = Array.from({ length: 700 }, (_, at) => contract(at + 1))
    await index.putPage({ contracts, invalidIds: [], seenAt: at, sync: sync() })
    for (const reference of ["listing-10", "10"]) {
      const { rows, total } = await index.ofListing(reference)
      expect([rows.length, total]).toEqual([500, 700])
    }
  })

  it("knows a listing after it was stopped also where every kind and status is empty", async () => {
    const contracts = [contract(1, { kind: "", status: "" })]
    await index.putPage({ contracts, invalidIds: [], seenAt: at, sync: sync() })
    await index.finish(sync(), at)
    wake()
    expect((await index.lookup(["listing-10"])).get("listing-10")).toMatchObject({
      count: 1,
      groups: [{ count: 1, status: "", kind: "" }],
    })
  })

  it.each([600, 3_000, 100_000])(
    "counts contracts that nest %d deep, keeps what was known of them, and continues",
    async (depth) => {
      let deep: Contract.Contract["unit_id"] = null
      for (let level = 0; level < depth; level++) deep = [deep]
      const begun = sync({ pages: 1 })
      await index.putPage({ contracts: [contract(2)], invalidIds: [], seenAt: at, sync: begun })
      const second = sync({ after: (await index.meta()).sequence, rejected: 1 })
      const page = [contract(1), { ...contract(2), unit_id: deep }, { ...contract(3), unit_id: deep }]
      const kept = await index.putPage({ contracts: page, invalidIds: [], seenAt: at, sync: second })
      expect(kept).toEqual({ ...second, unstored: 2 })
      expect(await index.sync()).toEqual(kept)
      await index.finish(kept, at)
      expect(await index.meta()).toMatchObject({ contracts: 2, rejected: 3 })
      expect(await ids()).toEqual([1, 2])
    },
  )

  it("finds a listing by its id under every slug that it had, also in a number that is no slug", async () => {
    const contracts = [
      contract(1, { listing: 7, slug: "old-name", updated: "2026-01-01T00:00:00Z" }),
      contract(2, { listing: 7, slug: "new-name", updated: "2026-01-02T00:00:00Z" }),
      contract(3, { listing: 8 }),
    ]
    await index.putPage({ contracts, invalidIds: [], seenAt: at, sync: sync() })
    wake()
    const idsOf = async (reference: string) => (await index.ofListing(reference)).rows.map(({ id }) => id)
    expect(await idsOf("7")).toEqual([2, 1])
    expect(await idsOf("old-name")).toEqual([1])
    expect(await idsOf("9")).toEqual([])
  })

  it("finds nothing by a number that is the id of one listing and the slug of another", async () => {
    const contracts = [
      contract(1, { listing: 7001, slug: "8002" }),
      contract(2, { listing: 8002, slug: "villa-rosa" }),
      contract(3, { listing: 12, slug: "12" }),
      contract(4, { listing: 14, slug: "13" }),
    ]
    await index.putPage({ contracts, invalidIds: [], seenAt: at, sync: sync() })
    const named = async (reference: string) => (await index.lookup([reference])).has(reference)
    expect(await named("8002")).toBe(false)
    for (const other of ["7001", "villa-rosa", "12", "13", "14"]) expect(await named(other)).toBe(true)
  })

  it("finds nothing by a slug that two listings have, and each of them by its id", async () => {
    const contracts = [
      contract(1, { listing: 1, slug: "sea-view" }),
      contract(2, { listing: 2, slug: "sea-view" }),
      contract(3, { listing: 2, slug: "sea-view" }),
    ]
    await index.putPage({ contracts, invalidIds: [], seenAt: at, sync: sync() })
    const counts = async () =>
      [...(await index.lookup(["sea-view", "Sea_View", "1", "2"]))].map(([name, { count }]) => [name, count])
    expect(await counts()).toEqual([
      ["1", 1],
      ["2", 2],
    ])
    wake()
    expect(await counts()).toHaveLength(2)
    await index.putSome([contract(1, { listing: 1, slug: "other" })], at)
    expect(await counts()).toEqual([
      ["sea-view", 2],
      ["Sea_View", 2],
      ["1", 1],
      ["2", 2],
    ])
  })

  it("counts contracts that name their listing by its id alone with the others", async () => {
    const contracts = [contract(1), { ...contract(2), listing: null }]
    await index.putPage({ contracts, invalidIds: [], seenAt: at, sync: sync() })
    const known = await index.lookup(["listing-10", "10"])
    expect([...known.values()].map(({ count }) => count)).toEqual([2, 2])
    expect(await index.meta()).toMatchObject({ contracts: 2, listings: 1 })
  })

  it("is empty once cleared, in memory too", async () => {
    await index.putPage({ contracts: [contract(1)], invalidIds: [], seenAt: at, sync: sync() })
    await index.clear()
    expect((await index.lookup(["listing-10"])).size).toBe(0)
    expect(await index.meta()).toMatchObject({ sequence: 0, contracts: 0 })
    expect(await index.sync()).toBeNull()
  })
})
