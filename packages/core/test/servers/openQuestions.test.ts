import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { contract, listing } from "../../src/testing/Fixtures.ts"
import { scripted } from "../../src/testing/index.ts"
import { readList, world } from "../fixtures/Setup.ts"

const withListing = (id: number, listingId = 12) =>
  contract({ id, listing_id: listingId, listing: listing({ id: 12 }) })
const page = (ids: ReadonlyArray<number>, next: number | null) => ({
  body: { ok: true, items: ids.map((id) => withListing(id)), next_before_id: next },
})

/** The read over scripted pages. */
const reading = async (...pages: ReadonlyArray<{ readonly body: unknown }>) => {
  const { client, events, run } = await world({ transport: scripted(pages).send })
  return { events, ...(await run(readList(client.contracts.pages()))) }
}

describe("ordering is observed and reported, never relied on", () => {
  it.each([
    ["descending", [9, 8], [7, 6]],
    ["ascending", [1, 2], [3, 4]],
    ["mixed", [9, 2], [5, 1]],
  ] as const)("%s", async (ordering, first, second) => {
    const { error, pages, records } = await reading(page(first, 7), page(second, null))
    expect(error).toBeNull()
    expect(records.map(({ id }) => id)).toEqual([...first, ...second])
    expect(pages.at(-1)?.summary.idOrder).toBe(ordering)
  })
})

describe("listing_id and the id of the listing", () => {
  it("that disagree are noted, and the record is kept as it came", async () => {
    const odd = withListing(7, 99)
    const { events, pages, records } = await reading({
      body: { ok: true, items: [odd], next_before_id: null },
    })
    expect(records).toEqual([odd])
    expect(pages[0]?.summary.anomalies).toEqual({ "listing-id-differs": 1 })
    expect(events.filter((event) => event._tag === "AnomalySeen")).toMatchObject([
      { anomaly: "listing-id-differs" },
    ])
  })
})

describe("/v1/me/", () => {
  it("ok is checked, and the rest is JSON as it came", async () => {
    const answers = [{ body: { ok: true, name: "Asha", of: [1, { two: null }] } }, { body: { name: "Asha" } }]
    const { client, fails, run } = await world({ transport: scripted(answers).send })
    expect(await run(client.me())).toEqual(answers[0]!.body)
    expect((await fails(client.me())).reason).toMatchObject({ _tag: "NotOk", status: 200 })
  })
})

describe("the body of an error", () => {
  const said = async (body: string): Promise<string | null> => {
    const { client, fails } = await world({ transport: scripted([{ status: 418, body }]).send })
    const { reason } = await fails(client.me())
    expect(reason).toMatchObject({ _tag: "Rejected", status: 418 })
    return reason._tag === "Rejected" ? reason.serverSays : "not rejected"
  }

  it("is cut to 200 characters for people, control characters out", async () => {
    const text = await said(JSON.stringify({ message: `bell\u0007 and\r\nbreak ${"x".repeat(500)}` }))
    expect(text).toMatch(/^bell and break x+…$/)
    expect(text).toHaveLength(200)
  })

  it("is read up to 64 KB, and never needed to tell which error it is", async () => {
    expect(await said(`${" ".repeat(70_000)}too far away`)).toBeNull()
    expect(await said("")).toBeNull()
    expect(await said("{ broken")).toBe("{ broken")
  })
})

describe("what the specification only names", () => {
  it("has no operation of its own: they are those of the endpoints, and a request by path", async () => {
    const { client } = await world()
    const operations = Object.keys(client).filter(
      (name) => !["config", "events", "listen", "redact"].includes(name),
    )
    expect(operations.toSorted()).toEqual(["apiKeys", "contracts", "me", "request"])
    expect(Effect.isEffect(client.me())).toBe(true)
  })
})
