/** What a first page is believed, and a service that tries to hide something from those who believe it. */
import type { Contract, ReadSummary } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"
import { describe, expect, it } from "vitest"
import * as Head from "../../src/index/Head.ts"
import * as Server from "./HeadServer.ts"

const hour = 3_600_000
const now = Date.parse("2026-03-01T14:00:00Z")
const iso = (at: number): string => new Date(at).toISOString().replace(".000", "")

/** A contract by its id, and the hours since it was created and updated. */
const contract = (id: number, created: number, updated = created): Contract.Contract =>
  Fixtures.contract({
    id,
    created_at: iso(now - created * hour),
    updated_at: iso(now - updated * hour),
  })
const byId = [contract(9, 1), contract(8, 2), contract(7, 3)]
const byUpdate = [contract(3, 40, 1), contract(9, 10, 2), contract(5, 30, 3)]

const summary = (changed: Partial<ReadSummary> = {}): ReadSummary => ({
  ...Server.summary,
  pages: 5,
  requests: 6,
  ...changed,
})
const first = (contracts: ReadonlyArray<Contract.Contract>, serviceAt: number | null = now) =>
  Head.withPage(undefined, contracts, serviceAt, now)
const descending = summary({ idOrder: "descending", orderedBy: "id" })
const updatedDown = summary({ idOrder: "mixed", orderedBy: "updated-down" })

describe("what a complete read says of first pages", () => {
  it.each([
    ["falling ids in the order of creation", byId, descending, "new"],
    [
      "falling ids, while nobody has edited anything",
      byId,
      { ...descending, orderedBy: "updated-down" },
      "new",
    ],
    ["falling updates", byUpdate, updatedDown, "changes"],
    [
      "falling updates and ids, which is no order by creation",
      byUpdate,
      { ...updatedDown, idOrder: "descending" },
      null,
    ],
    ["falling updates that are all creations as well", byId, updatedDown, null],
    ["falling ids, not in the order of creation", byUpdate, descending, null],
    ["rising ids", byId.toReversed(), summary({ idOrder: "ascending", orderedBy: "id" }), null],
    ["rising updates", byUpdate.toReversed(), summary({ idOrder: "mixed", orderedBy: "updated-up" }), null],
    ["no order", [contract(4, 9), contract(7, 2), contract(5, 4)], summary({ idOrder: "mixed" }), null],
    ["one page alone", byUpdate.toReversed(), summary({ pages: 1, requests: 1 }), "all"],
    [
      "a read that is not verified",
      byId,
      { ...descending, completeness: { ...descending.completeness, state: "unverified" } },
      null,
    ],
  ] as const)("of %s", (_what, contracts, read, order) => {
    expect(Head.of(first(contracts), read)?.order ?? null).toBe(order)
  })

  it("is nothing of updates where the service does not tell its time", () => {
    expect(Head.of(first(byUpdate, null), updatedDown)).toBeUndefined()
    expect(Head.of(first(byId, null), descending)?.order).toBe("new")
  })

  it("counts every page of the read, and has the time and the highest id of the first", () => {
    const later = Head.withPage(first(byId), byUpdate, now + 5_000, now + 5_000)
    expect(later).toMatchObject({ topId: 9, serviceAt: now, at: now, isByCreation: false })
  })

  it("is nothing where the ids of a later page fall, and it begins with a newer contract", () => {
    const ofOthers = Head.withPage(first(byId), [contract(6, 1), contract(5, 2)], now, now)
    expect(ofOthers).toMatchObject({ isByCreation: true, createdTo: null })
    expect(Head.of(ofOthers, descending)).toBeUndefined()
    expect(Head.of(Head.withPage(first(byId), [contract(6, 4)], now, now), descending)?.order).toBe("new")
  })
})

const head: Head.Head = { order: "new", topId: 9, serviceAt: now - hour, at: now - hour, readAt: null }
const updates: Head.Head = { ...head, order: "changes" }
const page = (contracts: ReadonlyArray<Contract.Contract>, changed: Partial<Head.HeadPage> = {}) => ({
  contracts,
  invalidIds: [],
  isWhole: false,
  serviceAt: now,
  at: now,
  ...changed,
})

describe("a further first page", () => {
  it("is believed where it reaches down to what is known", () => {
    expect(Head.after(head, page([contract(11, 0), contract(10, 1), ...byId]), [9, 8])).toEqual({
      order: "new",
      topId: 11,
      serviceAt: now,
      at: now,
      readAt: "2026-03-01T14:00:00.000Z",
    })
    expect(Head.after(updates, page(byUpdate), [3])?.readAt).toBe("2026-03-01T14:00:00.000Z")
  })

  it.each([
    [
      "does not reach down to what is known",
      head,
      page([contract(12, 0), contract(11, 0), contract(10, 1)]),
      [],
    ],
    ["does not reach below the last time", updates, page([contract(3, 40, 0), contract(9, 10, 1)]), []],
    ["comes in another order", head, page(byId.toReversed()), []],
    ["comes by falling ids that are in no order of creation", head, page([contract(11, 5), ...byId]), []],
    ["comes by rising updates", updates, page(byUpdate.toReversed()), []],
    ["lacks a known contract that belongs on it", updates, page(byUpdate), [4]],
    ["is empty", head, page([], { isWhole: true }), []],
    ["names an update ahead of the service's time", updates, page([contract(2, 9, -1), ...byUpdate]), []],
    ["comes without a time", updates, page(byUpdate, { serviceAt: null }), []],
    ["comes with a clock that was set back", updates, page(byUpdate, { serviceAt: now - hour / 2 }), []],
    ["comes with a clock that was set ahead", updates, page(byUpdate, { serviceAt: now + hour / 2 }), []],
  ])("is not believed any more when it %s", (_what, before, given, expected) => {
    expect(Head.after(before, given, expected)).toBeUndefined()
  })

  it("has contracts that came otherwise than specified", () => {
    expect(Head.after(updates, page(byUpdate, { invalidIds: [4] }), [4])).toBeDefined()
  })

  it("reaches to the end where it is the whole list", () => {
    expect(Head.after(updates, page([contract(3, 40, 0)], { isWhole: true }), [])).toBeDefined()
  })
})

describe("a service that hides what it can", () => {
  it.each(Server.kinds)("never hides what was claimed: %s", (kind) => {
    const claims = { believed: 0, given: 0 }
    for (let seed = 1; seed <= 400; seed++) {
      const found = Server.play(kind, seed)
      expect({ seed, hidden: found.hidden }).toEqual({ seed, hidden: [] })
      claims.believed += found.believed
      claims.given += found.given
    }
    // A rule that believes nothing would hide nothing either.
    if (Server.areBelieved(kind)) expect(claims.believed).toBeGreaterThan(claims.given / 4)
    else expect(claims.believed).toBe(0)
  })
})
