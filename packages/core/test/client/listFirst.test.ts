import { describe, expect, it } from "vitest"
import { listFirst } from "../../src/client/listFirst.ts"
import { idsOf, world } from "../fixtures/Setup.ts"
import type { World, WorldOptions } from "../fixtures/Setup.ts"

const plan = listFirst

/** The first ids of a world, and what the requests for them were: `list`, or the id. */
const looked = async (options: WorldOptions, count: number, more: object = {}) => {
  const it = await world(options)
  const ids = idsOf(it.emulator.store.contracts).slice(0, count)
  const lookups = await it.run(it.client.contracts.getMany(ids, { plan, ...more }))
  expect(lookups.map(({ id }) => id)).toEqual(ids)
  return { it, ids, lookups, requests: requestsOf(it) }
}
const requestsOf = ({ emulator }: World): ReadonlyArray<string> =>
  emulator.journal.entries.map(({ query }) => query["id"] ?? "list")

describe("a page of the list first", () => {
  it("is the only request for 40 ids of an account of 60 contracts", async () => {
    const { it, lookups, requests } = await looked({ emulator: { contracts: 60 } }, 40)
    expect(requests).toEqual(["list"])
    expect(it.emulator.journal.entries[0]?.query).toEqual({ limit: "100" })
    const stored = new Map(it.emulator.store.contracts.map((contract) => [contract.id, contract]))
    for (const lookup of lookups)
      expect(lookup).toMatchObject({ _tag: "Found", record: stored.get(lookup.id) })
  })

  it("is followed by one request for each id that it does not hold, in a larger account", async () => {
    const it = await world({ emulator: { contracts: 130 } })
    const listed = idsOf(await it.run(it.client.contracts.collect({ max: 100, limit: 100 })))
    const all = idsOf(it.emulator.store.contracts)
    it.emulator.journal.clear()
    await it.run(it.client.contracts.getMany(all, { plan, concurrency: 1 }))
    const left = all.filter((id) => !listed.includes(id))
    expect(requestsOf(it)).toEqual(["list", ...left.map(String)])
    expect(left).toHaveLength(30)
  })

  it("does not decide that an id is unknown: the retrieve form does", async () => {
    const it = await world({ emulator: { contracts: 30 } })
    const ids = [...idsOf(it.emulator.store.contracts), 999_999]
    const lookups = await it.run(it.client.contracts.getMany(ids, { plan }))
    expect(lookups.at(-1)).toEqual({ _tag: "Unknown", id: 999_999 })
    expect(requestsOf(it)).toEqual(["list", "999999"])
  })

  it.each([
    ["with fewer than 20 ids", 19, {}],
    ["with includeData, which the list does not know", 30, { includeData: true }],
    ["without the option", 30, { plan: undefined }],
  ])("is not requested %s", async (_when, count, more) => {
    const { ids, requests } = await looked({ emulator: { contracts: 60 } }, count, more)
    expect(requests.toSorted()).toEqual(ids.map(String).toSorted())
  })

  it("counts an id that is asked for twice once", async () => {
    const it = await world({ emulator: { contracts: 60 } })
    const ids = idsOf(it.emulator.store.contracts).slice(0, 19)
    await it.run(it.client.contracts.getMany([...ids, ...ids], { plan }))
    expect(requestsOf(it)).not.toContain("list")
  })

  it.each([
    ["server-error", { name: "server-error", status: 503 }],
    ["a list that is not one", { name: "wrong-form" }],
    ["missing-next", { name: "missing-next" }],
    ["a status that refuses the limit", { name: "status", code: 422 }],
    ["a dropped connection", { name: "drop" }],
    ["a rate limit", { name: "rate-limit", retryAfter: 1 }],
  ] as const)("that fails is not tried again, and every id is looked up: %s", async (_what, fault) => {
    const faults = [{ ...fault, when: { requests: [1] } }]
    const { ids, requests } = await looked({ emulator: { contracts: 60, faults } }, 20)
    expect(requests[0]).toBe("list")
    expect(requests.slice(1).toSorted()).toEqual(ids.map(String).toSorted())
  })

  it("answers nothing from a record that is not as specified, or that comes twice", async () => {
    const rejected = await looked(
      {
        emulator: {
          contracts: 30,
          faults: [{ name: "missing-field", field: "status", when: { requests: [1] } }],
        },
      },
      30,
    )
    expect(rejected.requests.length).toBeGreaterThan(1)
    expect(rejected.lookups.every(({ _tag }) => _tag === "Found")).toBe(true)
    const it = await world({
      around: (fetch) => async (request) => {
        const response = await fetch(request)
        if (request.url.includes("id=")) return response
        const { items, ...body } = (await response.json()) as { items: ReadonlyArray<{ unit_label: string }> }
        return Response.json({ ...body, items: [...items, { ...items[0]!, unit_label: "another" }] })
      },
      emulator: { contracts: 30 },
    })
    const ids = idsOf(it.emulator.store.contracts)
    const lookups = await it.run(it.client.contracts.getMany(ids, { plan }))
    expect(requestsOf(it)).toHaveLength(2)
    expect(JSON.stringify(lookups)).not.toContain("another")
  })

  it("of a key that is refused fails as every lookup does", async () => {
    const it = await world({ emulator: { contracts: 60, faults: ["key-revoked"] } })
    const ids = idsOf(it.emulator.store.contracts).slice(0, 20)
    const error = await it.fails(it.client.contracts.getMany(ids, { plan, concurrency: 1 }))
    expect(error.reason._tag).toBe("Unauthenticated")
    expect(requestsOf(it)).toHaveLength(2)
  })

  it("gives what the list holds of a record: a reason why nothing uses it unless it is asked for", async () => {
    const it = await world({
      around: (fetch) => async (request) => {
        const body = (await (await fetch(request)).json()) as { readonly contract?: object }
        return Response.json(
          body.contract === undefined ? body : { ...body, contract: { ...body.contract, rent: 900 } },
        )
      },
      emulator: { contracts: 20 },
    })
    const ids = idsOf(it.emulator.store.contracts)
    const rents = async (options: object) =>
      (await it.run(it.client.contracts.getMany(ids, options))).map((lookup) =>
        JSON.stringify(lookup).includes('rent":900'),
      )
    expect([await rents({ plan }), await rents({})]).toEqual([Array(20).fill(false), Array(20).fill(true)])
  })

  it("serves API keys as well", async () => {
    const it = await world()
    const [key] = await it.run(it.client.apiKeys.collect({ max: 1 }))
    it.emulator.journal.clear()
    const unknown = Array.from({ length: 19 }, (_, number) => 900_000 + number)
    const lookups = await it.run(it.client.apiKeys.getMany([key!.id, ...unknown], { plan }))
    expect(lookups[0]).toEqual({ _tag: "Found", id: key!.id, record: key })
    expect(requestsOf(it).toSorted()).toEqual([...unknown.map(String), "list"])
  })
})
