import { describe, expect, it } from "vitest"
import type { Checkpoint } from "../../../src/pagination/Checkpoint.ts"
import type { Cursor } from "../../../src/pagination/Cursor.ts"
import { Evidence } from "../../../src/pagination/proof/Evidence.ts"
import type { PassOptions } from "../../../src/pagination/proof/Pass.ts"
import type { PassState } from "../../../src/pagination/ProofState.ts"
import { Pass } from "../../../src/pagination/proof/Pass.ts"
import { PageLinks } from "../../../src/pagination/proof/PageLinks.ts"
import { SeenIds } from "../../../src/pagination/proof/SeenIds.ts"
import { Window } from "../../../src/pagination/proof/Window.ts"
import type { ListOptions } from "../../../src/client/Records.ts"
import type { ScriptedAnswer } from "../../../src/testing/index.ts"
import { scripted } from "../../../src/testing/index.ts"
import type { ListedRecord } from "../../fixtures/PagedList.ts"
import { pagedList, pageOf, record, records } from "../../fixtures/PagedList.ts"
import { idsOf, readList, world } from "../../fixtures/Setup.ts"
import { model } from "../../fixtures/ListedModel.ts"

const reading = async (
  answer: (cursor: string | null, limit: number | null, count: number) => ScriptedAnswer,
  list: ListOptions = {},
) => {
  const { requests, send } = scripted(({ target }, count) => {
    const query = new URL(target, "http://localhost").searchParams
    const limit = query.get("limit")
    return answer(query.get("before_id"), limit === null ? null : Number(limit), count)
  })
  const it = await world({ transport: send, client: { retry: { attempts: 1 } } })
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
      client: { retry: { attempts: 1 } },
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

/** One reading, and a hand that gives it pages. */
const passOf = (options: Partial<PassOptions<ListedRecord>> = {}, seen = new SeenIds()) => {
  const evidence = options.evidence ?? new Evidence()
  const pass = new Pass({
    model,
    evidence,
    limit: null,
    observes: true,
    overlaps: true,
    links: null,
    from: null,
    ...options,
  })
  pass.mayShift = true
  const take = (
    page: ReadonlyArray<number | ListedRecord>,
    next: Cursor | null,
    { isEnough = false, settledAt = null }: { isEnough?: boolean; settledAt?: string | null } = {},
  ) => {
    const items = page.map((one) => (typeof one === "number" ? record(one) : one))
    const known = items.filter(({ id }) => !seen.add(id))
    const lastId = items.at(-1)?.id ?? null
    return pass.take(pass.ask!, {
      records: items,
      known,
      size: items.length,
      lastId,
      next,
      isEnough,
      settledAt,
    })
  }
  return { pass, evidence, take }
}

const changed = (id: number) => record(id, "2026-02-01T00:00:00Z")
/** Ids in no order, so that none of them is a position. */
const mixed = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => 500 + (((from + at) * 37) % 1_009))

describe("a reading that is resumed", () => {
  const state: PassState = {
    isConnected: true,
    isContradicted: false,
    overlaps: true,
    pages: 3,
    largest: 5,
    behind: 0,
  }
  const ids = [59, 31, 47, 22, 38]
  const resumed = (change: Partial<PassState> = {}) => {
    const evidence = new Evidence()
    for (const next of [22, 38]) {
      const records = [record(next + 1), record(next)]
      evidence.add({ sent: 99, limit: null, records, size: 2, lastId: next, next }, model.updatedAt)
    }
    const seen = new SeenIds()
    for (const id of ids) seen.add(id)
    const window = new Window(
      ids,
      ids.map((id) => model.version(record(id))),
    )
    const from = { cursor: 38, window, state: { ...state, ...change }, records: 15, ahead: [] }
    return passOf({ evidence, from }, seen)
  }

  it("asks for what the service named last, and keeps its state", () => {
    const { pass } = resumed({ behind: 2, isContradicted: true })
    expect(pass.ask).toEqual({ cursor: 38, limit: null, back: 0, isRetry: false })
    expect(pass.state).toEqual({ ...state, behind: 2, isContradicted: true })
    expect([pass.pages, pass.largest, pass.cursor, pass.isContradicted]).toEqual([3, 5, 38, true])
  })

  it.each([
    [0, 22],
    [2, 31],
  ])(
    "goes back from the end of the page that named the cursor, %i records before the last",
    (behind, cursor) => {
      const { pass, take } = resumed({ behind })
      take([11, 13], 13)
      expect(pass.ask).toEqual({ cursor, limit: null, back: 1, isRetry: true })
    },
  )

  it("does not go back beyond the records that it holds: they are not the first ones", () => {
    const { pass, take } = resumed()
    take([11, 13], 13)
    take([15, 17], 17)
    expect(pass.ask).toEqual({ cursor: 59, limit: null, back: 4, isRetry: true })
    take([14, 19], 19)
    expect([pass.ask?.isRetry, pass.state.isConnected]).toEqual([false, false])
  })

  it("is connected by a record that it holds as it was", () => {
    const { pass, take } = resumed()
    take([38, 13], null)
    expect([pass.isEnded, pass.isGapless]).toEqual([true, true])
    const other = resumed()
    other.take([changed(38), 13], null)
    expect(other.pass.ask).toMatchObject({ isRetry: true })
  })

  it("ends where the service names the cursor again that it was resumed from", () => {
    expect(resumed({ overlaps: false }).take([11, 13], 38)).toMatchObject({ kind: "cursor-repeated" })
  })

  it("stays unconnected, and contradicted, where it was", () => {
    const { pass, take } = resumed({ isConnected: false })
    take([38, 13], null)
    expect([pass.isGapless, pass.state.isConnected]).toEqual([false, false])
  })
})

describe("records of pages that are not connected", () => {
  it("stand apart until a page that is connected brings them", () => {
    const { pass, take } = passOf()
    take([59, 31, 47, 22, 38], 5)
    take([changed(59), 61, 62], 7)
    expect([...pass.aside]).toEqual([61, 62])
    expect(pass.ask).toEqual({ cursor: 1, limit: null, back: 4, isRetry: true })
    take([31, 61], 3)
    expect([...pass.aside]).toEqual([62])
    expect(pass.ask).toMatchObject({ isRetry: false })
  })

  it("count as a gap where nothing can be asked for from further back", () => {
    const { pass, take } = passOf({ overlaps: false })
    take([59, 31], 2)
    expect(pass.ask).toEqual({ cursor: 2, limit: null, back: 0, isRetry: false })
    take([47, 22], null)
    expect([pass.isGapless, pass.state.isConnected]).toEqual([false, false])
  })
})

describe("a cursor that names a record", () => {
  const ids = mixed(10)
  /** A first page of ten, and the second one asked for from two records further back. */
  const second = (page: ReadonlyArray<number | ListedRecord>) => {
    const it = passOf()
    it.take(ids, ids[9]!)
    expect(it.pass.ask).toEqual({ cursor: ids[7], limit: null, back: 2, isRetry: false })
    it.take(page, page.length === 0 ? null : 3)
    return it.pass
  }

  it.each<[string, ReadonlyArray<number | ListedRecord>, boolean]>([
    ["comes itself", [ids[7]!, ids[8]!, ids[9]!, 11], false],
    ["is followed by those that followed it", [ids[8]!, ids[9]!, 11, 12], false],
    ["is followed by the one before it", [ids[6]!, ids[8]!, ids[9]!, 11], true],
    ["is followed by the first one", [ids[0]!, ids[8]!, ids[9]!, 11], true],
    [
      "is followed by one that stood before it, and has changed",
      [changed(ids[6]!), ids[8]!, ids[9]!, 11],
      false,
    ],
  ])("is contradicted where it %s: %o", (_, page, expected) => {
    expect(second(page).isContradicted).toBe(expected)
  })

  it.each<[string, ReadonlyArray<number>, ReadonlyArray<number>]>([
    ["none where all came", [ids[8]!, ids[9]!, 11], []],
    ["those that should have come", [ids[8]!, 11, 12], [ids[9]!]],
    ["no more than the page has records", [ids[9]!], [ids[8]!]],
    ["none where the page is contradicted already", [ids[6]!, ids[8]!, 11], []],
    ["none where the page is not connected", [11, 12], []],
  ])("has suspects: %s", (_, page, expected) => {
    const pass = second(page)
    expect(pass.suspects).toEqual(expected)
    expect(expected.map((id) => pass.versionOf(id))).toEqual(expected.map((id) => model.version(record(id))))
    pass.settleSuspects(false)
    expect([pass.suspects, pass.isContradicted]).toEqual([[], page[0] === ids[6]])
  })

  it("is contradicted by a suspect that is there, and stays so", () => {
    const pass = second([ids[8]!, 11, 12])
    pass.settleSuspects(true)
    pass.settleSuspects(false)
    expect(pass.isContradicted).toBe(true)
  })

  it("has no suspects in a list by id: they are gone", () => {
    const it = passOf()
    const down = Array.from({ length: 25 }, (_, at) => 900 - at)
    const edited = (id: number) =>
      record(id, `2026-01-${String(1 + ((id * 7) % 28)).padStart(2, "0")}T00:00:00Z`)
    it.take(down.map(edited), 876)
    expect(it.pass.ask).toMatchObject({ cursor: 881, back: 5 })
    it.take([880, 879, 878, 877, 875].map(edited), 875)
    expect([it.evidence.orderedBy, it.pass.suspects]).toEqual(["id", []])
  })

  it("has no suspects where it is one that the service named", () => {
    const { pass, take } = passOf({ overlaps: false })
    take(ids, ids[9]!)
    take([ids[9]!, 11], null)
    expect([pass.suspects, pass.isContradicted]).toEqual([[], false])
  })

  it("says nothing where its record is not held", () => {
    const { pass, take } = passOf({ overlaps: false })
    take([], 400)
    take(ids, ids[9]!)
    expect([pass.suspects, pass.isContradicted]).toEqual([[], false])
  })

  it("is the first one where all records before it are asked for", () => {
    const { pass, take } = passOf()
    take([59, 31], 31)
    expect(pass.ask).toEqual({ cursor: 59, limit: null, back: 1, isRetry: false })
    take([47, 22], 22)
    expect(pass.ask).toEqual({ cursor: null, limit: null, back: 2, isRetry: true })
    take([59, 22], 22)
    expect([pass.suspects, pass.isContradicted]).toEqual([[], false])
  })

  it("has suspects also where it is the first record of the list", () => {
    const { pass, take } = passOf()
    take([59, 31, 47, 22, 38], 38)
    take([11, 12], 12)
    expect(pass.ask).toEqual({ cursor: 59, limit: null, back: 4, isRetry: true })
    take([31, 22, 11], 11)
    expect(pass.suspects).toEqual([47])
  })

  it("is as the service named it where the records before are not held any more", () => {
    const { pass, take } = passOf()
    const up = Array.from({ length: 2_001 }, (_, at) => 5_000 + at * 2)
    take(up, up[2_000]!)
    take([...up.slice(1_996), 3, up[1_002]!], up[1_002]!)
    expect(pass.ask).toEqual({ cursor: up[1_002], limit: null, back: 5, isRetry: false })
  })
})

describe("pages that overlap, and bring nothing", () => {
  it("are given up for the service's cursors: what was read is not connected any more", () => {
    const { pass, take } = passOf()
    const ids = mixed(40)
    take(ids.slice(0, 10), 10)
    expect(pass.ask).toMatchObject({ cursor: 8, back: 2 })
    // It takes the cursor for the one before: nothing comes that is new, and the same one is named.
    take(ids.slice(0, 10), 10)
    expect(pass.ask).toEqual({ cursor: 10, limit: null, back: 0, isRetry: true })
    take(ids.slice(10, 20), 20)
    expect(pass.ask).toEqual({ cursor: 20, limit: null, back: 0, isRetry: false })
    take(ids.slice(20, 30), null)
    expect([pass.isEnded, pass.isGapless]).toEqual([true, false])
  })

  it("may be given up for a page that names its own cursor again, once", () => {
    const { take } = passOf()
    const ids = mixed(40)
    take(ids.slice(0, 10), 10)
    take(ids.slice(0, 10), 10)
    expect(take(ids.slice(10, 20), 10)).toBeNull()
    expect(take(ids.slice(20, 30), 10)).toMatchObject({ kind: "cursor-repeated" })
  })

  it("end the reading where the page that was new last had named no further one", () => {
    const { pass, take } = passOf()
    const ids = mixed(12)
    take(ids.slice(0, 10), 10)
    // The end, and not connected: the same boundary from further back.
    take([changed(ids[8]!), changed(ids[9]!), ...ids.slice(10)], null)
    expect(pass.ask).toMatchObject({ back: 8, isRetry: true })
    take(ids.slice(2, 10), 10)
    expect([pass.isEnded, pass.ask, pass.isGapless]).toEqual([true, null, false])
  })

  it("are followed eight times in a row, and not for ever", () => {
    const { pass, take } = passOf()
    const ids = mixed(200)
    take(ids.slice(0, 100), 100)
    for (let at = 1; at <= 8; at++) {
      take(ids.slice(at, at + 10), 100 + at)
      expect(pass.ask).toMatchObject({ isRetry: false })
    }
    take(ids.slice(9, 19), 109)
    expect(pass.ask).toEqual({ cursor: 100, limit: null, back: 0, isRetry: true })
  })
})

describe("how far pages overlap", () => {
  it.each([
    [1, 0],
    [2, 1],
    [9, 1],
    [10, 2],
    [24, 4],
    [25, 5],
    [200, 5],
  ])("is a fifth, and five at most: of %i records %i", (size, back) => {
    const { pass, take } = passOf()
    take(mixed(size), size)
    expect(pass.ask).toMatchObject({ back, cursor: size - back })
  })

  it("is what the largest page calls for, as long as the last one is larger", () => {
    const { pass, take } = passOf()
    const ids = mixed(200)
    take(ids.slice(0, 100), 100)
    take(ids.slice(95, 101), 101)
    expect(pass.ask).toMatchObject({ back: 5, cursor: 96 })
    const small = passOf()
    small.take(ids.slice(0, 100), 100)
    small.pass.mayShift = false
    small.take(ids.slice(100, 105), 105)
    small.pass.mayShift = true
    expect(small.pass.ask).toMatchObject({ back: 1, cursor: 104 })
  })

  it("is nothing where cursors say nothing, or may not be changed yet", () => {
    const opaque = passOf()
    opaque.take(mixed(10), "t10")
    expect(opaque.pass.ask).toMatchObject({ cursor: "t10", back: 0 })
    const { pass, take } = passOf()
    pass.mayShift = false
    take(mixed(10), 10)
    expect(pass.ask).toMatchObject({ cursor: 10, back: 0 })
    take(mixed(10, 10), 20)
    expect(pass.ask).toMatchObject({ cursor: 20, back: 0, isRetry: false })
  })

  it("is nothing any more once a cursor was refused", () => {
    const { pass, take } = passOf()
    take(mixed(10), 10)
    pass.stopOverlapping()
    expect(pass.ask).toMatchObject({ cursor: 10, back: 0 })
    expect(pass.state.overlaps).toBe(false)
    take(mixed(10, 10), 20)
    expect(pass.ask).toMatchObject({ cursor: 20, back: 0, isRetry: false })
  })

  it("is counted to the record that a cursor of the next one names", () => {
    const { pass, take } = passOf()
    const ids = mixed(40)
    take(ids.slice(0, 10), ids[10]!)
    take(ids.slice(10, 20), ids[20]!)
    expect(pass.ask).toEqual({ cursor: ids[8], limit: null, back: 2, isRetry: true })
  })
})

describe("pages of several readings", () => {
  it("are gapless where they lead to a first page, not where each of them came before", () => {
    const links = new PageLinks()
    for (const from of [20, 21]) {
      const { pass, take } = passOf({ links, overlaps: false })
      take([from, 19], `a${from}`)
      take([17, 16], null)
      expect([pass.state.isConnected, pass.isGapless]).toEqual([from === 21, false])
    }
    const { pass, take } = passOf({ links, overlaps: false })
    take([19, 17], "c")
    take([16], null)
    expect(pass.isGapless).toBe(true)
  })
})

describe("a list whose pages are sorted by id one by one", () => {
  it("is not ordered by id", () => {
    const edited = (id: number) => record(id, `2026-01-${String(1 + (id % 27)).padStart(2, "0")}T00:00:00Z`)
    const { evidence, take } = passOf({ overlaps: false })
    take(
      Array.from({ length: 25 }, (_, at) => edited(900 - at * 10)),
      "a",
    )
    expect(evidence.orderedBy).toBe("id")
    take([edited(885), edited(600)], "b")
    expect(evidence.orderedBy).toBe("unknown")
  })
})

describe("a page that is not connected", () => {
  /** Gives pages of unknown records until the same boundary is not asked for any more; tells how far back each was asked for. */
  const backs = ({ pass, take }: ReturnType<typeof passOf>) => {
    const asked: Array<number> = []
    for (let id = 9_000; asked.length === 0 || pass.ask?.isRetry; id += 2) {
      asked.push(pass.ask!.back)
      take([id, id + 1], Number(pass.ask!.cursor) + 2)
    }
    return asked
  }

  it("is asked for from four times further back each time, as far as the first record", () => {
    const it = passOf()
    it.take([59, 31, 47, 22, 38], 5)
    expect(backs(it)).toEqual([1, 4, 5])
    expect(it.pass.state.isConnected).toBe(false)
  })

  it("is asked for from two hundred times the overlap at most", () => {
    const it = passOf()
    const ids = mixed(300)
    for (let at = 0; at < 240; at += 3) it.take(ids.slice(at, at + 4), at + 4)
    expect(it.pass.ask).toMatchObject({ cursor: 240, back: 1, isRetry: false })
    expect(backs(it)).toEqual([1, 4, 16, 64])
  })
})

describe("a first page that has its first record twice", () => {
  it("does not count as a round of a list that leads in a circle", () => {
    const { take } = passOf({ overlaps: false })
    take([59, 59, 31], "a")
    expect(take([59, 47], "b")).toBeNull()
    expect(take([59, 22], "c")).toMatchObject({ kind: "no-new-records" })
  })
})

describe("the end of a reading", () => {
  it("is a page that is enough, though it names another one", () => {
    const { pass, take } = passOf()
    take(mixed(10), 10, { isEnough: true })
    expect([pass.isEnded, pass.ask, pass.cursor, pass.isGapless]).toEqual([true, null, null, true])
  })

  it("is not looked at where nothing is observed: its pages show nothing", () => {
    const { evidence, pass, take } = passOf({ observes: false, overlaps: false })
    take(mixed(10), 10)
    take(mixed(10, 10), null)
    expect([evidence.meaning, pass.window.end, pass.isGapless]).toEqual(["none", 0, true])
  })
})

describe("a record whose update is not settled", () => {
  const settledAt = "2026-01-01T09:30:00"
  const late = (id: number) => record(id, "2026-01-01T09:30:01Z")

  it.each([
    ["does not connect the page after", late, false],
    ["does where it is", (id: number) => record(id), true],
  ])("%s", (_, one, expected) => {
    const { pass, take } = passOf({ overlaps: false })
    take([59, one(31)], "a", { settledAt })
    take([one(31), 22], null, { settledAt })
    expect(pass.isGapless).toBe(expected)
  })
})
