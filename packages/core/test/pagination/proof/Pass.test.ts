import { describe, expect, it } from "vitest"
import type { Checkpoint } from "../../../src/pagination/Checkpoint.ts"
import type { ListOptions } from "../../../src/client/Records.ts"
import type { ScriptedAnswer } from "../../../src/testing.ts"
import { scripted } from "../../../src/testing.ts"
import type { ListedRecord } from "../../fixtures/PagedList.ts"
import { pagedList, pageOf, record, records } from "../../fixtures/PagedList.ts"
import { idsOf, readList, world } from "../../fixtures/Setup.ts"

const reading = async (
  answer: (cursor: string | null, limit: number | null, count: number) => ScriptedAnswer,
  list: ListOptions = {},
) => {
  const { requests, send } = scripted(({ target }, count) => {
    const query = new URL(target, "http://localhost").searchParams
    const limit = query.get("limit")
    return answer(query.get("before_id"), limit === null ? null : Number(limit), count)
  })
  const it = await world({ transport: send, client: { policy: { attempts: 1 } } })
  const outcome = await it.run(readList(it.client.contracts.pages({ readAhead: 0, ...list })))
  const summary = (outcome.error?.reading ?? outcome.pages.at(-1)?.summary)!
  return { ...it, ...outcome, summary, requests, ids: idsOf(outcome.records) }
}

describe("how long a list may be", () => {
  it("25,000 pages are read: nothing but a cycle ends a list early", async () => {
    const { error, summary } = await reading((cursor) => {
      const id = 25_000 - Number(cursor ?? 0)
      return pageOf([record(id)], id === 1 ? null : 25_001 - id)
    })
    expect(error).toBeNull()
    expect(summary).toMatchObject({ pages: 25_000, records: 25_000, complete: true })
  }, 60_000)
})

describe("a list that leads in a circle under cursors that are fresh each time", () => {
  const size = 10
  const circle =
    (list: Array<ListedRecord>, change: (count: number) => void = () => {}) =>
    (cursor: string | null, _: number | null, count: number): ScriptedAnswer => {
      change(count)
      const from = (Number(cursor?.slice(1) ?? 0) * size) % Math.max(1, list.length)
      return pageOf(list.slice(from, from + size), `t${Number(cursor?.slice(1) ?? 0) + 1}`)
    }

  it.each([true, false])(
    "ends when its first record comes again for the second time, with a proof: %s",
    async (prove) => {
      const { error, ids, requests, summary } = await reading(circle(records(90)), { prove })
      expect(error?.reason).toMatchObject({
        _tag: "PaginationStalled",
        evidence: {
          kind: "no-new-records",
          text: "the first record came again on page 19, for the second time",
        },
      })
      expect(requests).toHaveLength(19)
      expect(ids).toHaveLength(90)
      expect(summary).toMatchObject({ complete: false, records: 90 })
    },
  )

  it("ends after a few rounds when the list is busy as well, and its first record is gone", async () => {
    const list = records(90)
    let created = 1_000
    const busy = (count: number): void => {
      if (count < 2) return
      list.shift()
      if (count % 3 === 0) list.push(record((created += 1)))
      else list.push(list.shift()!)
    }
    const { error, requests } = await reading(circle(list, busy))
    expect(error?.reason._tag).toBe("PaginationStalled")
    expect(requests.length).toBeLessThan(9 * 8)
  })

  it("of one page ends after more pages without news than with, and not before the fifth", async () => {
    const list = records(3)
    const { error, requests } = await reading(
      (_, __, count) => {
        const items = count === 1 ? list : [{ ...list[1 + (count % 2)]!, updated_at: "2026-01-01T09:30:00Z" }]
        return pageOf(items, `t${count}`)
      },
      { cursorVerified: true },
    )
    expect(error?.reason).toMatchObject({
      evidence: { text: "5 pages in a row had no new record and named a further page" },
    })
    expect(requests).toHaveLength(6)
  })

  it("by numbers that read on from where they are is found out although cursors of our own are sent", async () => {
    const list = records(60)
    const { error, requests } = await reading(
      (cursor) => {
        const from = Number(cursor ?? 0)
        const items = Array.from({ length: 10 }, (_, at) => list[(from + at) % 60]!)
        return pageOf(items, from + 10)
      },
      { prove: true },
    )
    expect(error?.reason._tag).toBe("PaginationStalled")
    expect(requests.length).toBeLessThan(60)
  })
})

describe("an honest list", () => {
  it("may show its first record again and again, as long as it changes: it has moved", async () => {
    const list = records(60).toReversed()
    const time = (second: number) => `2026-03-01T14:00:${String(second).padStart(2, "0")}Z`
    const { error, ids } = await reading((cursor, _, count) => {
      const from = Number(cursor?.slice(1) ?? 0)
      const moved = count > 2 ? [{ ...list[0]!, updated_at: time(count) }] : []
      const items = [...list.slice(from, from + 10), ...moved]
      return pageOf(items, from + 10 < 60 ? `t${from + 10}` : null)
    })
    expect(error).toBeNull()
    expect(ids).toHaveLength(60)
  })

  it("may repeat a few pages where many records were created before the reader", async () => {
    const list = records(400)
    const { error, ids } = await reading((cursor, _, count) => {
      if (count === 9) list.unshift(...Array.from({ length: 40 }, (_, at) => record(500 - at)))
      const from = Number(cursor?.slice(1) ?? 0)
      return pageOf(list.slice(from, from + 10), from + 10 < list.length ? `t${from + 10}` : null)
    })
    expect(error).toBeNull()
    expect(ids.filter((id) => id <= 400)).toHaveLength(400)
  })

  it.each([1, 2, 3])("may shrink its pages to %i while it is read with a proof", async (small) => {
    const list = records(200)
    const { error, ids, summary } = await reading(
      (cursor, limit, count) => {
        const from = Number(cursor ?? 0)
        const size = Math.min(limit ?? 100, count > 2 ? small : 100)
        const to = from + size
        return pageOf(list.slice(from, to), to < 200 ? to : null)
      },
      { prove: true },
    )
    expect(error).toBeNull()
    expect(ids).toHaveLength(200)
    expect(summary.completeness.state).toMatch(/^(?:proven|confirmed)$/)
  })
})

describe("what was read of a list that does not end", () => {
  it("is in the error, and the last page's checkpoint reads on from there", async () => {
    const list = records(100)
    const service = pagedList(list, { cursor: "position" })
    let isStuck = true
    const it = await world({
      client: { policy: { attempts: 1 } },
      transport: async (request, cancellation) => {
        const cursor = new URL(request.url).searchParams.get("before_id")
        if (isStuck && cursor === "60") {
          const body = JSON.stringify({ ok: true, items: [], next_before_id: 50 })
          return {
            status: 200,
            header: (name) => (name === "content-type" ? "application/json" : null),
            text: body,
          }
        }
        return service.send(request, cancellation)
      },
    })
    const first = await it.run(readList(it.client.contracts.pages()))
    expect(first.error?.reason).toMatchObject({
      _tag: "PaginationStalled",
      evidence: { kind: "cursor-repeated" },
    })
    expect(first.error?.reading).toMatchObject({ records: 60, pages: 6, complete: false })
    isStuck = false
    const from: Checkpoint = JSON.parse(JSON.stringify(first.pages.at(-1)!.checkpoint))
    const rest = await it.run(readList(it.client.contracts.pages({ from })))
    expect(rest.error).toBeNull()
    expect(idsOf([...first.records, ...rest.records])).toEqual(idsOf(list))
  })
})

describe("pages that overlap", () => {
  const cursorsOf = async (list: Array<ListedRecord>, cursor: "position" | "last id", size: number) => {
    const service = pagedList(list, { cursor, size })
    const it = await world({ transport: service.send })
    await it.run(readList(it.client.contracts.pages({ prove: true, readAhead: 0 })))
    return service.asked.map((asked) => asked.cursor)
  }

  it("are asked for a twentieth further back, the second one as the service named it first", async () => {
    expect((await cursorsOf(records(260), "position", 100)).slice(0, 4)).toEqual([null, "100", "95", "190"])
    expect((await cursorsOf(records(260), "last id", 100)).slice(0, 4)).toEqual([null, "161", "166", "71"])
  })

  it.each([
    [1, ["1", "2", "3"]],
    [2, ["2", "1", "2"]],
    [10, ["10", "8", "16"]],
    [24, ["24", "20", "40"]],
  ])("of %i records overlap by a fifth, and by one at least where there is room", async (size, expected) => {
    expect((await cursorsOf(records(size * 4), "position", size)).slice(1, 4)).toEqual(expected)
  })

  it("are asked for four times further back each time, where nothing came again", async () => {
    const list = records(400)
    const service = pagedList(list, {
      cursor: "position",
      before: (_, count, current) => {
        if (count === 6) current.splice(0, 30)
      },
    })
    const it = await world({ transport: service.send })
    const { pages } = await it.run(readList(it.client.contracts.pages({ prove: true, readAhead: 0 })))
    expect(service.asked.slice(4, 9).map(({ cursor }) => Number(cursor))).toEqual([24, 32, 26, 2, 10])
    expect(pages.at(-1)!.summary.completeness.state).toBe("proven")
  })
})
