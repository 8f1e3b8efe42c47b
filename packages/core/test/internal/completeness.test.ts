import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Checkpoint } from "../../src/Page.ts"
import { apiKey, contract } from "../../src/testing/Fixtures.ts"
import type { ListOptions } from "../../src/Records.ts"
import type { ScriptedAnswer } from "../../src/testing/index.ts"
import { scripted } from "../../src/testing/index.ts"
import type { ListedRecord, PagedList, PagedListOptions } from "../fixtures/PagedList.ts"
import { now, pagedList, pageOf, record, records } from "../fixtures/PagedList.ts"
import { idsOf, startMillis, readList, world } from "../fixtures/Setup.ts"
import type { WorldOptions } from "../fixtures/Setup.ts"

const read = async (
  list: Array<ListedRecord>,
  options: PagedListOptions,
  asked: ListOptions = {},
  more: WorldOptions = {},
) => {
  const service: PagedList = pagedList(list, options)
  const it = await world({ client: { retry: { attempts: 1 } }, ...more, transport: service.send })
  const outcome = await it.run(readList(it.client.contracts.pages({ prove: true, readAhead: 0, ...asked })))
  const summary = (outcome.error?.reading ?? outcome.pages.at(-1)?.summary)!
  return { ...it, ...outcome, asked: service.asked, summary, ids: idsOf(outcome.records) }
}

const sorted = (ids: ReadonlyArray<number>) => ids.toSorted((a, b) => b - a)
const allOf = (list: ReadonlyArray<ListedRecord>) => sorted(idsOf(list))

describe("what a proof costs", () => {
  it.each(["position", "last id"] as const)(
    "10,000 records, 100 a page, by %s: about 5 % more requests and one for the first boundary",
    async (cursor) => {
      const { asked, ids, summary } = await read(records(10_000), { cursor, size: 100 }, { limit: 100 })
      expect(ids).toHaveLength(10_000)
      expect(summary.completeness).toEqual({
        state: "proven",
        reason: "linked-pages",
        readings: 1,
        differences: 0,
      })
      expect(asked.length).toBeLessThanOrEqual(Math.ceil(10_000 / 95) + 2)
      expect(summary).toMatchObject({ requests: asked.length, retries: 0, duplicates: 0 })
    },
  )

  it("nothing where it is not asked for", async () => {
    const { asked, summary } = await read(records(1_000), { cursor: "position", size: 100 }, { prove: false })
    expect(asked).toHaveLength(10)
    expect(summary.completeness).toMatchObject({ state: "unverified", reason: "single-reading", readings: 1 })
    expect(summary).toMatchObject({ repeats: 0, cursorMeaning: "none", orderedBy: "unknown" })
  })

  it("nothing where one answer holds the whole list", async () => {
    const { asked, summary } = await read(records(10), { cursor: "position" })
    expect(asked).toHaveLength(1)
    expect(summary.completeness).toMatchObject({ state: "proven", reason: "one-page" })
  })
})

describe("records that are removed while the list is read", () => {
  /** Takes away records that were read already, before the request with this number. */
  const removing =
    (at: number, count: number) => (_: unknown, request: number, list: Array<ListedRecord>) => {
      if (request === at) list.splice(0, count)
    }

  it("hide no other record where positions are asked for from further back", async () => {
    const { error, ids, summary } = await read(records(200), {
      cursor: "position",
      before: removing(7, 12),
    })
    expect(error).toBeNull()
    expect(sorted(ids)).toEqual(allOf(records(200)))
    expect(summary).toMatchObject({
      cursorMeaning: "position",
      completeness: { state: "proven", reason: "linked-pages", readings: 2 },
    })
  })

  it("hide others from a single reading by position: that is why it is unverified", async () => {
    const { ids, summary } = await read(
      records(200),
      { cursor: "position", before: removing(7, 12) },
      { prove: false },
    )
    expect(ids).toHaveLength(188)
    expect(summary).toMatchObject({ complete: true, completeness: { state: "unverified" } })
  })

  it("hide no other record from a second reading where the cursor is opaque", async () => {
    const { ids, summary } = await read(records(200), {
      cursor: "opaque position",
      before: removing(7, 12),
    })
    expect(sorted(ids)).toEqual(allOf(records(200)))
    expect(summary.completeness.state).toMatch(/^(?:proven|confirmed)$/)
    expect(summary.completeness.readings).toBeGreaterThan(1)
    expect(summary.repeats).toBeGreaterThan(100)
    expect(summary.duplicates).toBe(0)
  })

  it.each([1, 2])(
    "hide no other record from readings whose pages cannot have another size: %i",
    async (size) => {
      const all = [5, 9, 2, 8, 1, 7, 4, 6].map((id) => record(id))
      const first = all[0]!
      let readings = 0
      const { ids, summary } = await read([...all], {
        cursor: "opaque position",
        size,
        // The first record moves to the end behind the first page of two readings, and comes back between them.
        before: ({ cursor, id }, _, list) => {
          if (id !== null || (cursor !== null && cursor !== `p${size}`)) return
          if (cursor === null) readings += 1
          if (readings > 2 && list[0] === first) return
          list.splice(list.indexOf(first), 1)
          list.splice(cursor === null ? 0 : list.length, 0, first)
        },
      })
      expect(sorted(ids)).toEqual(allOf(all))
      expect(summary.completeness).toMatchObject({ state: "unverified", reason: "moving" })
    },
  )

  it("between any requests, as many as there may be, hide no other one from a proof", async () => {
    const falselyProven: Array<ReadonlyArray<number>> = []
    const removals = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 40 })), { maxLength: 30 })
    const property = fc.asyncProperty(removals, async (counts) => {
      const list = records(300)
      const { ids, summary } = await read(list, {
        cursor: "position",
        before: (_, request, current) => void current.splice(0, counts[request - 4] ?? 0),
      })
      const missed = list.filter(({ id }) => !ids.includes(id))
      if (summary.completeness.state === "proven" && missed.length > 0) falselyProven.push(counts)
      return falselyProven.length === 0
    })
    // A page that is not connected, one from further back that is, and one that has records of the former only.
    await fc.assert(property, { numRuns: 60, examples: [[[0, 0, 15, 0, 0, 0, 3]]] })
    expect(falselyProven).toEqual([])
  })
})

describe("a list that is suddenly empty", () => {
  it("is not complete while its records are found by id", async () => {
    const { error, ids, summary } = await read(records(40), {
      cursor: "last id",
      before: ({ id }, request) => (request > 3 && id === null ? pageOf([], null) : undefined),
    })
    expect(error).toBeNull()
    expect(ids).toHaveLength(30)
    expect(summary.completeness.state).toBe("unverified")
  })

  it("is complete where its records are not found by id either", async () => {
    const { ids, summary } = await read(records(40), {
      cursor: "last id",
      before: (_, request, list) => void (request === 4 && list.splice(0)),
    })
    expect(ids).toHaveLength(30)
    expect(summary.completeness.state).toMatch(/^(?:proven|confirmed)$/)
  })
})

describe("a request for the proof that fails", () => {
  const failures: ReadonlyArray<readonly [string, ScriptedAnswer]> = [
    ["400", { status: 400 }],
    ["401", { status: 401 }],
    ["403", { status: 403 }],
    ["429 beyond the budget", { status: 429, headers: { "retry-after": "4000" } }],
    ["500", { status: 500 }],
    ["the network", { fault: "connect" }],
    ["a body that is cut", { fault: "body" }],
    ["a page that is no list", { body: { ok: true, contract: {} } }],
    ["a record that is not as specified", pageOf([{ id: 4, kind: null }], null)],
    ["pages without records, one after the other", pageOf([], "x1")],
  ]

  it.each(failures)(
    "by %s neither fails nor loses a list that came to its end, and is said",
    async (_, answer) => {
      let isEnded = false
      let empty = 0
      const { error, ids, pages, summary } = await read(records(45), {
        cursor: "opaque position",
        before: ({ cursor }) => {
          if (isEnded) {
            const next = answer.body as { next_before_id?: unknown } | undefined
            return next?.next_before_id === "x1" ? pageOf([], `x${(empty += 1)}`) : answer
          }
          isEnded = cursor === "p40"
          return undefined
        },
      })
      expect(error).toBeNull()
      expect(ids).toEqual(allOf(records(45)))
      expect(summary).toMatchObject({
        complete: true,
        records: 45,
        completeness: { state: "unverified", reason: "reading-failed", readings: 1 },
      })
      expect(pages.at(-1)).toMatchObject({ records: [], next: null, checkpoint: { next: null } })
    },
  )

  it.each(failures)("by %s in the list itself fails as it does without a proof", async (_, answer) => {
    const failing = (prove: boolean) =>
      read(
        records(45),
        { cursor: "opaque position", before: (asked) => (asked.cursor === "p20" ? answer : undefined) },
        { prove },
      )
    const [proving, plain] = [await failing(true), await failing(false)]
    expect(proving.error?.reason._tag).toEqual(plain.error?.reason._tag)
    expect(proving.ids).toEqual(plain.ids)
    // An empty page that names another one is followed, so that one does not fail at once.
    if (proving.error !== null) expect(proving.ids).toHaveLength(20)
  })

  it("is tried again by the policy, like any other", async () => {
    let failed = 0
    const { summary } = await read(
      records(45),
      {
        cursor: "opaque position",
        before: ({ limit }) => (limit === 7 && failed++ === 0 ? { status: 503 } : undefined),
      },
      {},
      { client: { retry: { attempts: 3 } } },
    )
    expect(summary).toMatchObject({ retries: 1, completeness: { readings: 2 } })
    expect(summary.completeness.state).toMatch(/^(?:proven|confirmed)$/)
  })

  it("by a limit of pages ends the proof, and not the read", async () => {
    const { error, ids, summary } = await read(records(45), { cursor: "opaque position" }, { maxPages: 6 })
    expect(error).toBeNull()
    expect(ids).toHaveLength(45)
    expect(summary.completeness.reason).toBe("reading-failed")
  })

  it("where records cannot be asked for by id is said as well", async () => {
    const list = records(45)
    const { error, ids, summary } = await read(list, {
      cursor: "opaque position",
      before: ({ cursor, id }, _, current) => {
        if (id !== null) return { status: 403 }
        if (cursor === "p40") current.splice(3, 2)
        return undefined
      },
    })
    expect(error).toBeNull()
    expect(ids).toHaveLength(45)
    expect(summary.completeness).toMatchObject({ state: "unverified", reason: "reading-failed" })
  })
})

describe("a service that takes no cursor but its own", () => {
  it.each([
    ["refuses others", () => ({ status: 400 })],
    ["fails on others", () => ({ status: 500 })],
    ["takes others for the start", (list: ReadonlyArray<ListedRecord>) => pageOf(list.slice(0, 10), 10)],
  ] as const)("and %s is read to its end, and confirmed by a second reading", async (_, answer) => {
    const own = new Set(Array.from({ length: 12 }, (_, at) => String(at * 10)))
    const { error, ids, summary } = await read(records(110), {
      cursor: "position",
      before: ({ cursor, limit }, _, list) =>
        cursor === null || own.has(cursor) || limit !== null ? undefined : answer(list),
    })
    expect(error).toBeNull()
    expect(ids).toEqual(allOf(records(110)))
    expect(summary.completeness.state).toMatch(/^(?:proven|confirmed)$/)
    expect(summary.completeness.readings).toBeGreaterThan(1)
  })

  it("and aligns positions down to a page is read to its end, and confirmed", async () => {
    const list = records(110)
    const { error, ids, summary } = await read(list, {
      cursor: "position",
      before: ({ cursor, id, limit }) => {
        if (id !== null) return undefined
        const size = Math.min(limit ?? 10, 10)
        const from = Math.floor(Number(cursor ?? 0) / size) * size
        const to = from + size
        return pageOf(list.slice(from, to), to < list.length ? to : null)
      },
    })
    expect(error).toBeNull()
    expect(ids).toEqual(allOf(list))
    expect(summary.completeness).toMatchObject({ state: "confirmed", reason: "second-reading" })
  })
})

describe("lists by latest update", () => {
  const at = (second: number): string => `2026-03-01T13:${String(second).padStart(2, "0")}:00Z`
  /** Fifty records, the one updated last first. */
  const byUpdate = () =>
    Array.from({ length: 50 }, (_, index) => record(7 * ((index * 13) % 50) + 1, at(50 - index)))

  it("are confirmed by a second reading: their order proves nothing, because updates change it", async () => {
    const { ids, summary } = await read(byUpdate(), { cursor: "position" })
    expect(ids).toHaveLength(50)
    expect(summary).toMatchObject({
      orderedBy: "updated-down",
      completeness: { state: "confirmed", reason: "second-reading", readings: 2 },
    })
  })

  /** Moves a record that has not been read to the head, before this request. */
  const moving =
    (request: number, count: number, updatedAt: string) =>
    (_: unknown, current: number, list: Array<ListedRecord>) => {
      if (current !== request) return
      for (const moved of list.splice(-count)) list.unshift({ ...moved, updated_at: updatedAt })
    }

  it.each([
    ["one page", 3],
    ["several pages", 24],
  ])("that moved while they were read are found at the head, on %s", async (_, count) => {
    const { ids, summary } = await read(byUpdate(), {
      cursor: "position",
      before: moving(4, count, "2026-03-01T14:00:00Z"),
    })
    expect(ids.toSorted((a, b) => a - b)).toEqual(idsOf(byUpdate()).toSorted((a, b) => a - b))
    expect(summary.completeness.state).toMatch(/^(?:proven|confirmed)$/)
  })

  it.each([
    ["hours behind the service's clock", "2026-03-01T13:51:00Z"],
    ["at one with it", now],
    ["hours ahead of it", "2026-03-01T20:00:00Z"],
  ])("never lose a proof's truth where times of updates are %s", async (_, updatedAt) => {
    const falselyProven: Array<readonly [count: number, request: number]> = []
    for (const count of [3, 12, 24, 30]) {
      for (let request = 2; request < 7; request++) {
        const list = byUpdate()
        const { ids, summary } = await read(list, {
          cursor: "position",
          before: moving(request, count, updatedAt),
        })
        const isProven = summary.completeness.state === "proven"
        if (isProven && new Set(ids).size !== 50) falselyProven.push([count, request])
      }
    }
    expect(falselyProven).toEqual([])
  })

  it("with updates ahead of the service's clock are not proven by their order", async () => {
    const list = byUpdate()
    list[0] = { ...list[0]!, updated_at: "2026-03-02T00:00:00Z" }
    const { summary } = await read(list, { cursor: "position" })
    expect(summary.completeness).toMatchObject({ state: "confirmed", reason: "second-reading" })
  })

  it("of a service without a clock are not proven by their order either", async () => {
    const { summary } = await read(byUpdate(), { cursor: "position", date: null })
    expect(summary.completeness).toMatchObject({ state: "confirmed", reason: "second-reading" })
  })

  it("that look like lists by id are not proven when a record has moved to their head unseen", async () => {
    const list = records(60)
    const { ids, summary } = await read(list, {
      cursor: "position",
      // Nothing in the record shows that it was moved.
      before: (_, count, current) => {
        if (count === 4) current.unshift(...current.splice(50, 1))
      },
    })
    expect(ids).toContain(list[0]!.id)
    expect(summary.completeness).not.toMatchObject({ state: "proven", readings: 1 })
    expect(new Set(ids).size).toBe(60)
  })

  it("are not proven when the head is one record that was not read, and nothing else shows the move", async () => {
    const { ids, summary } = await read(records(8), {
      cursor: "last id",
      before: ({ cursor, id }, count, list) => {
        if (count === 5) list.unshift(...list.splice(6, 1))
        if (id !== null) return undefined
        const at = list.findIndex((one) => String(one.id) === cursor) + 1
        return pageOf(list.slice(at, at + 1), at + 1 < list.length ? list[at]!.id : null)
      },
    })
    expect(new Set(ids).size).toBe(8)
    expect(summary.completeness).not.toMatchObject({ state: "proven", readings: 1 })
  })
})

describe("lists in the order of ids", () => {
  /** Ids from 1 up, behind the last id of a page. */
  const rising: PagedListOptions["before"] = ({ cursor, id, limit }, _, list) => {
    if (id !== null) return undefined
    const from = Number(cursor ?? 0)
    const to = from + Math.min(limit ?? 10, 10)
    return pageOf(list.slice(from, to), to < list.length ? list[to - 1]!.id : null)
  }

  it("1 to n are proven without a second reading, although their cursors can be positions", async () => {
    const { asked, ids, summary } = await read(records(95).toReversed(), {
      cursor: "position",
      before: rising,
    })
    expect(ids).toEqual(idsOf(records(95)).toReversed())
    expect(summary.completeness).toMatchObject({ state: "proven", reason: "linked-pages", readings: 1 })
    expect(asked.length).toBeLessThanOrEqual(13)
  })

  it("that end with an empty page are proven by two requests more", async () => {
    const list = records(90)
    const { asked, summary } = await read(list, {
      cursor: "last id",
      before: ({ cursor, id, limit }) => {
        if (id !== null) return undefined
        const at = cursor === null ? 0 : 90 - (Number(cursor) - 1)
        const items = list.slice(at, at + Math.min(limit ?? 10, 10))
        return pageOf(items, items.at(-1)?.id ?? null)
      },
    })
    expect(summary.completeness).toMatchObject({ state: "proven", reason: "linked-pages", readings: 1 })
    expect(asked).toHaveLength(12)
  })

  it("that end with an empty page because the record of the cursor is gone are not proven by it", async () => {
    const list = records(90)
    const { ids, summary } = await read(list, {
      cursor: "last id",
      before: ({ cursor, id }, count, current) => {
        if (count === 5)
          current.splice(
            current.findIndex((one) => one.id === Number(cursor)),
            1,
          )
        if (id !== null || cursor === null || current.some((one) => one.id === Number(cursor)))
          return undefined
        return pageOf([], null)
      },
    })
    expect(new Set(ids)).toEqual(new Set(idsOf(records(90))))
    expect(summary.completeness.readings).toBeGreaterThan(1)
  })

  it("whose pages have their oldest record first are proven too", async () => {
    const list = records(95)
    const { summary } = await read(list, {
      cursor: "last id",
      before: ({ cursor, id, limit }) => {
        if (id !== null) return undefined
        const at = cursor === null ? 0 : 95 - (Number(cursor) - 1)
        const items = list.slice(at, at + Math.min(limit ?? 10, 10))
        return pageOf(items.toReversed(), at + items.length < 95 ? items.at(-1)!.id : null)
      },
    })
    expect(summary.completeness).toMatchObject({ state: "proven", reason: "linked-pages", readings: 1 })
  })
})

describe("records that are not as specified", () => {
  it.each([true, false])("are progress on pages that have no others, with a proof: %s", async (prove) => {
    const broken = records(95).map((one) => Object.assign(one, { kind: null }))
    const { error, pages, summary } = await read(
      broken,
      { cursor: "last id" },
      { prove, onRejected: "collect" },
    )
    expect(error).toBeNull()
    expect(pages.flatMap(({ rejected }) => rejected)).toHaveLength(95)
    expect(summary).toMatchObject({ complete: true, rejected: 95 })
  })
})

describe("clocks", () => {
  it.each(["2026-02-28T02:00:00Z", "2026-03-02T02:00:00Z"])(
    "of a service at %s change nothing of what is proven of a list by id",
    async (date) => {
      const { summary } = await read(records(95), { cursor: "position", date })
      expect(summary.completeness).toMatchObject({ state: "proven", reason: "linked-pages" })
    },
  )

  it("that the service does not tell leave a record unexplained that only the second reading has", async () => {
    // By this machine's clock the record was created long after the read: without the service's clock that says nothing.
    const late = { ...record(500), created_at: "2026-03-01T18:00:00Z", updated_at: "2026-03-01T18:00:00Z" }
    const list = [...records(45)].map(({ id }) =>
      record(((id * 17) % 46) * 3 + 1, `2026-01-01T00:00:${id + 10}Z`),
    )
    const shown = (date: string | null) =>
      read([...list], {
        cursor: "opaque position",
        date,
        before: ({ cursor, limit }, _, current) => {
          if (limit !== null && cursor === null && !current.includes(late)) current.splice(20, 0, late)
        },
      })
    const [told, untold] = [await shown(now), await shown(null)]
    expect(told.summary.completeness.state).toBe("confirmed")
    expect(told.summary.completeness.readings).toBeLessThan(untold.summary.completeness.readings)
  })
})

describe("the window of a read", () => {
  it("begins before its first request and ends at its last answer, those for the proof included", async () => {
    const it = await world({ emulator: { contracts: 130, faults: [{ name: "latency", ms: 2_000 }] } })
    const { pages } = await it.run(readList(it.client.contracts.pages({ prove: true, readAhead: 0 })))
    const { endedAt, requests, startedAt } = pages.at(-1)!.summary
    expect(Date.parse(startedAt)).toBe(startMillis)
    expect(Date.parse(endedAt)).toBe(startMillis + requests * 2_000)
  })
})

describe("a newer copy of a record", () => {
  it("that comes again reaches the consumer, and the older one has been given out", async () => {
    const list = records(30)
    const { pages, summary } = await read(
      list,
      {
        cursor: "opaque position",
        before: (_, count) => {
          if (count === 2) list.splice(10, 0, { ...list[2]!, updated_at: now })
        },
      },
      { prove: false },
    )
    expect(pages.map(({ superseded }) => superseded.map(({ id, updated_at }) => [id, updated_at]))).toEqual([
      [],
      [[28, now]],
      [],
      [],
    ])
    expect(pages[0]!.records[2]).toMatchObject({ id: 28, updated_at: "2026-01-01T09:30:00Z" })
    expect(summary).toMatchObject({ duplicates: 1, supersededDuplicates: 1, records: 30 })
  })

  it.each([
    ["an older one", "2025-12-31T00:00:00Z"],
    ["the same one", "2026-01-01T09:30:00Z"],
  ])("is not %s", async (_, updatedAt) => {
    const list = records(30)
    const { pages } = await read(
      list,
      {
        cursor: "opaque position",
        before: (_asked, count) => {
          if (count === 2) list.splice(10, 0, { ...list[2]!, updated_at: updatedAt })
        },
      },
      { prove: false },
    )
    expect(pages.flatMap(({ superseded }) => superseded)).toEqual([])
  })

  it("is known by the whole record for API keys, which have no updated_at", async () => {
    const key = (id: number, lastUsedAt: string | null) => apiKey({ id, last_used_at: lastUsedAt })
    const pages = [
      { items: [key(3, null), key(2, null)], next_before_id: "a" },
      { items: [key(2, now), key(1, null)], next_before_id: "b" },
      { items: [key(1, null), key(2, now), key(4, null)], next_before_id: null },
    ]
    const it = await world({
      transport: scripted(pages.map((body) => ({ body: { ok: true, ...body } }))).send,
    })
    const outcome = await it.run(readList(it.client.apiKeys.pages()))
    expect(outcome.error).toBeNull()
    expect(outcome.pages.map(({ superseded }) => superseded)).toEqual([[], [key(2, now)], []])
    expect(idsOf(outcome.records)).toEqual([3, 2, 1, 4])
  })
})

describe("a read that was resumed", () => {
  const inTwoParts = async (
    list: Array<ListedRecord>,
    first: number,
    change: () => void,
    onRejected: "fail" | "collect" = "fail",
  ) => {
    const service = pagedList(list, { cursor: "opaque position" })
    const it = await world({ transport: service.send })
    const begun = await it.run(
      Stream.runCollect(Stream.take(it.client.contracts.pages({ readAhead: 0, onRejected }), first)),
    )
    await it.run(Effect.sleep("2 hours"))
    change()
    const from: Checkpoint = JSON.parse(JSON.stringify(begun.at(-1)!.checkpoint))
    const { pages } = await it.run(readList(it.client.contracts.pages({ from, onRejected })))
    return { begun, summary: pages.at(-1)!.summary }
  }

  it("says from when to when it paused, and what had been given out", async () => {
    const { begun, summary } = await inTwoParts(records(45), 2, () => {})
    expect(begun.map((page) => page.summary.resumed)).toEqual([null, null])
    expect(summary.resumed).toEqual({
      pausedAt: "2026-03-01T14:00:00.000Z",
      resumedAt: "2026-03-01T16:00:00.000Z",
      records: 20,
      changed: 0,
      mayRepeat: true,
    })
    expect(summary.startedAt).toBe("2026-03-01T14:00:00.000Z")
  })

  it("knows every id when it paused after its first page", async () => {
    const { summary } = await inTwoParts(records(45), 1, () => {})
    expect(summary.resumed).toMatchObject({ records: 10, mayRepeat: false })
  })

  it("does not take ids of records that were not as specified for those that it gave out", async () => {
    const list: Array<ListedRecord> = records(45)
    for (const [at, one] of list.entries()) if (one.id % 2 === 0) list[at] = { ...one, kind: null }
    const { summary } = await inTwoParts(list, 2, () => {}, "collect")
    expect(summary.resumed).toMatchObject({ records: 10, mayRepeat: true })
  })

  it("counts what was created or updated during the pause, by the service's clock", async () => {
    const list = records(45)
    const { summary } = await inTwoParts(list, 2, () => {
      // The service's clock stands at two o'clock: by it the pause of two hours ended then.
      list[30] = { ...list[30]!, updated_at: "2026-03-01T13:00:00Z" }
      list[31] = { ...list[31]!, created_at: "2026-03-01T12:30:00Z" }
      list[32] = { ...list[32]!, updated_at: "2026-03-01T11:00:00Z" }
    })
    expect(summary.resumed).toMatchObject({ changed: 2 })
  })

  it.each([
    ["confirmed", "second-reading", true],
    ["unverified", "resumed", false],
  ] as const)(
    "is %s by its readings (%s) where every id before the pause is known: %s",
    async (state, reason, isKnown) => {
      const list = records(45)
      const service = pagedList(list, { cursor: "opaque position" })
      const it = await world({ transport: service.send })
      const pages = it.client.contracts.pages({ readAhead: 0, prove: true })
      const begun = await it.run(Stream.runCollect(Stream.take(pages, 3)))
      const given = idsOf(begun.flatMap((page) => page.records))
      const from: Checkpoint = JSON.parse(JSON.stringify(begun.at(-1)!.checkpoint))
      const known = isKnown ? given : undefined
      const rest = await it.run(readList(it.client.contracts.pages({ prove: true, from, known })))
      expect(rest.pages.at(-1)!.summary.completeness).toMatchObject({ state, reason })
      if (isKnown) expect(sorted([...given, ...idsOf(rest.records)])).toEqual(allOf(records(45)))
    },
  )

  it("takes known ids together with a checkpoint only, and only as a list", async () => {
    const it = await world({})
    for (const options of [{ known: [1] }, { known: 7 as unknown as Iterable<number> }]) {
      const { reason } = await it.fails(it.client.contracts.collect({ max: "all", ...options }))
      expect(reason).toMatchObject({ _tag: "ConfigInvalid" })
    }
    expect(it.emulator.journal.entries).toEqual([])
  })
})

describe("a service that names the first record that it has not sent, and lists those below it", () => {
  const losing = (size: number) => {
    const all = records(120)
    return scripted(({ target }) => {
      const query = new URL(target, "http://localhost").searchParams
      const id = query.get("id")
      if (id !== null) return { body: { ok: true, contract: { ...contract(), ...record(Number(id)) } } }
      const below = query.get("before_id")
      const rest = all.filter((each) => below === null || each.id < Number(below))
      const count = Math.min(size, Number(query.get("limit") ?? size))
      return pageOf(rest.slice(0, count), rest[count]?.id ?? null)
    })
  }

  it("loses a record a page: its list is not proven, and a second reading finds them", async () => {
    const it = await world({ transport: losing(40).send })
    const { pages, records: found } = await it.run(readList(it.client.contracts.pages({ prove: true })))
    expect(pages.at(-1)!.summary.completeness.state).toBe("unverified")
    expect(idsOf(found)).toHaveLength(120)
  })
})
