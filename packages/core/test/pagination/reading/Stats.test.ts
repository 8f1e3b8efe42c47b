import { describe, expect, it } from "vitest"
import type { Emit } from "../../../src/events/ClientEvent.ts"
import type { RawPage } from "../../../src/answer/envelope.ts"
import { Stats } from "../../../src/pagination/reading/Stats.ts"
import type { RejectedRecord } from "../../../src/pagination/Page.ts"
import type { ReadSummary } from "../../../src/pagination/ReadSummary.ts"
import type { ListedRecord } from "../../fixtures/PagedList.ts"
import { record, records } from "../../fixtures/PagedList.ts"
import { idsOf } from "../../fixtures/Setup.ts"
import { model } from "../../fixtures/ListedModel.ts"

const startedAt = "2026-03-01T14:00:00Z"
const second = (number: number) => `2026-03-01T14:00:${String(number).padStart(2, "0")}Z`

interface Given {
  readonly before?: ReadSummary
  readonly recent?: ReadonlyArray<number>
  readonly serviceAt?: string
  readonly tookMillis?: number
  readonly model?: typeof model
}

const statsOf = (given: Given = {}) => {
  const events: Array<Parameters<Emit>[0]> = []
  const emit: Emit = (event) => void events.push(event)
  const stats = new Stats<ListedRecord>(
    "contracts",
    20,
    startedAt,
    given.before ?? null,
    given.recent ?? [],
    emit,
  )
  if (given.serviceAt !== undefined) stats.startAt(Date.parse(given.serviceAt), given.tookMillis ?? 0)
  const give = (valid: ReadonlyArray<ListedRecord>, isOnPurpose = false) => {
    const page = { model: given.model ?? model, open: false, valid }
    return stats.give(page as unknown as RawPage<ListedRecord>, isOnPurpose)
  }
  const reject = (...ids: ReadonlyArray<number | null>) => {
    const rejected = ids.map((id): RejectedRecord => ({ id, issues: [], raw: null }))
    return stats.reject({ rejected } as unknown as RawPage<ListedRecord>).map(({ id }) => id)
  }
  return { stats, events, give, reject }
}

describe("records", () => {
  it("are given out once each, and those that come again are counted", () => {
    const { give, stats } = statsOf()
    const [nine, eight, seven, six] = records(9)
    expect(give([nine!, eight!])).toEqual({ records: [nine, eight], repeated: [], superseded: [] })
    expect(give([eight!, seven!, eight!, six!])).toEqual({
      records: [seven, six],
      repeated: [eight, eight],
      superseded: [],
    })
    expect(stats.summary()).toMatchObject({ records: 4, duplicates: 2, repeats: 0 })
    give([six!], true)
    expect(stats.summary()).toMatchObject({ records: 4, duplicates: 2, repeats: 1 })
  })

  it("of a page that is new as a whole are given out as they are", () => {
    const page = records(9)
    expect(statsOf().give(page).records).toBe(page)
  })

  it("that came before the read was resumed are not given out again", () => {
    const { give, reject } = statsOf({ recent: [9, 8] })
    expect(idsOf(give(records(9)).records)).toEqual([7, 6, 5, 4, 3, 2, 1])
    expect(reject(8, 20)).toEqual([20])
  })

  it.each<[string, ReadonlyArray<ReadonlyArray<number>>, string]>([
    ["a single one", [[5]], "unknown"],
    ["down over two pages", [[9, 8], [7]], "descending"],
    ["up", [[1, 2], [3]], "ascending"],
    ["down, then up, then down", [[9, 8], [10], [2, 1]], "mixed"],
    [
      "down with one that comes again",
      [
        [9, 8],
        [9, 7],
      ],
      "descending",
    ],
  ])("are ordered as their ids came: %s", (_, pages, ordering) => {
    const { give, stats } = statsOf()
    for (const page of pages) give(page.map((id) => record(id)))
    expect(stats.summary().idOrder).toBe(ordering)
  })

  it("that were updated after the start are counted, those asked for again only once", () => {
    const { give, stats } = statsOf()
    give([record(1, second(0)), record(2, second(1)), record(3, "2026-03-01T13:59:59Z")])
    expect(stats.summary().changedDuringRead).toBe(1)
    give([record(4, second(2)), record(2, second(3))], true)
    expect(stats.summary().changedDuringRead).toBe(2)
    give([record(2, second(3))])
    expect(stats.summary().changedDuringRead).toBe(3)
  })
})

describe("a newer version of a record", () => {
  /** The times of update that a record came with, one after the other, and those that were given out as newer. */
  const newer = (times: ReadonlyArray<string>, given: Given = {}) => {
    const { give, stats } = statsOf(given)
    const given_ = times.flatMap((time) => give([record(1, time)], true).superseded)
    expect(stats.summary().supersededDuplicates).toBe(given_.length)
    return given_.map(({ updated_at }) => updated_at)
  }

  it.each<[string, ReadonlyArray<string>, ReadonlyArray<string>]>([
    ["was updated since", ["2025-01-01T00:00:00Z", second(1)], [second(1)]],
    ["was updated at the start", ["2025-01-01T00:00:00Z", second(0)], [second(0)]],
    ["is given out once", [second(1), second(2), second(2), second(3)], [second(2), second(3)]],
    ["is not the same one", [second(1), second(1)], []],
    ["is not the same one, updated at the start", [second(0), second(0)], []],
    ["is not an older one", [second(2), second(1)], []],
    ["is not the one given out last, after an older one", [second(2), second(1), second(2)], []],
    ["is none that was updated before the start", ["2025-01-01T00:00:00Z", "2025-06-01T00:00:00Z"], []],
  ])("%s", (_, times, expected) => {
    expect(newer(times)).toEqual(expected)
  })

  it.each<[string, string, number, string, boolean]>([
    [
      "at the moment of the request, less a second",
      "2026-03-01T13:00:10Z",
      5_000,
      "2026-03-01T13:00:04Z",
      true,
    ],
    ["before it", "2026-03-01T13:00:10Z", 5_000, "2026-03-01T13:00:03.999Z", false],
    ["at the start, where the service's clock is ahead", "2026-03-01T15:00:00Z", 0, second(0), true],
  ])("is told by the service's clock: %s", (_, serviceAt, tookMillis, time, isNewer) => {
    expect(newer(["2025-01-01T00:00:00Z", time], { serviceAt, tookMillis })).toEqual(isNewer ? [time] : [])
  })

  it("is told by the client's clock where the service tells none", () => {
    const { give, stats } = statsOf()
    stats.startAt(null, 0)
    give([record(1, "2025-01-01T00:00:00Z")])
    expect(give([record(1, "2026-03-01T13:59:59Z")]).superseded).toEqual([])
  })

  it("is told by the whole record where it says no time of update", () => {
    const keys = { ...model, updatedAt: () => "" }
    const { give } = statsOf({ model: keys })
    const [one, other] = [record(1), record(1, second(1))]
    expect(give([one]).superseded).toEqual([])
    expect(give([one]).superseded).toEqual([])
    expect(give([other]).superseded).toEqual([other])
    expect(give([other]).superseded).toEqual([])
    expect(give([one]).superseded).toEqual([one])
    // What was given out before the read was resumed is not known any more.
    expect(statsOf({ model: keys, recent: [1] }).give([one]).superseded).toEqual([])
  })
})

describe("records that are not as specified", () => {
  it("are rejected once each, and every time where their id cannot be read", () => {
    const { reject, stats } = statsOf()
    expect(reject(3, null, 4)).toEqual([3, null, 4])
    expect(reject(4, null, 5, 5)).toEqual([null, 5])
    expect(stats.summary()).toMatchObject({ rejected: 5, duplicates: 2 })
  })

  it("are not lost where they came before as specified", () => {
    const { give, reject, stats } = statsOf()
    give([record(3)])
    expect(reject(3, 4)).toEqual([4])
    expect(stats.summary()).toMatchObject({ rejected: 1, duplicates: 1 })
  })
})

describe("calls", () => {
  it("are counted with their retries and waits, answered or not", () => {
    const { stats } = statsOf()
    stats.count({ attempts: 3, waitedMillis: 500 })
    stats.count({ attempts: 1, waitedMillis: 0 })
    stats.count({ attempts: 0, waitedMillis: 20 })
    expect(stats.summary()).toMatchObject({ requests: 4, retries: 2, waitedMillis: 520 })
  })
})

describe("what the specification leaves open", () => {
  it("is looked for in every record that came, also in those that came before", () => {
    const seen: Array<number> = []
    const observe: typeof model.observe = ({ id }, note) => {
      seen.push(id)
      note("timestamp-form", "odd")
    }
    const { give, stats } = statsOf({ model: { ...model, observe } })
    give(records(2))
    give(records(1))
    expect([seen, stats.summary().anomalies]).toEqual([[2, 1, 1], { "timestamp-form": 3 }])
  })

  it("is counted, and an event when it is seen first", () => {
    const { events, stats } = statsOf()
    stats.note("empty-page", "a")
    stats.note("empty-page", "b")
    stats.note("end-sentinel", "c")
    expect(stats.summary().anomalies).toEqual({ "empty-page": 2, "end-sentinel": 1 })
    expect(events).toEqual([
      { _tag: "AnomalySeen", collection: "contracts", anomaly: "empty-page", detail: "a" },
      { _tag: "AnomalySeen", collection: "contracts", anomaly: "end-sentinel", detail: "c" },
    ])
  })

  it.each<[string, number, number | null, boolean, number | null]>([
    ["fewer than asked for, with more to come", 10, 20, true, 10],
    ["as many as asked for", 20, 20, true, null],
    ["more than asked for", 30, 20, true, null],
    ["no limit was sent", 10, null, true, null],
    ["the last page", 10, 20, false, null],
    ["an empty page", 0, 20, true, null],
  ])("is the largest page: %s", (_, size, limit, hasMore, clampedTo) => {
    const { stats } = statsOf()
    stats.observeSize(size, limit, hasMore)
    expect(stats.summary().clampedTo).toBe(clampedTo)
    expect(stats.summary().anomalies).toEqual(clampedTo === null ? {} : { "limit-clamped": 1 })
    stats.observeSize(7, 20, true)
    expect(stats.summary()).toMatchObject({ clampedTo: clampedTo ?? 7, anomalies: { "limit-clamped": 1 } })
  })
})

describe("a read that is resumed", () => {
  const before = {
    startedAt: "2026-03-01T12:00:00Z",
    endedAt: "2026-03-01T13:00:00Z",
    pages: 2,
    records: 40,
    duplicates: 3,
    repeats: 4,
    supersededDuplicates: 1,
    rejected: 5,
    changedDuringRead: 6,
    requests: 9,
    retries: 7,
    waitedMillis: 800,
    clampedTo: 15,
    idOrder: "descending",
    anomalies: { "empty-page": 1 },
  } as unknown as ReadSummary

  it("counts on from there", () => {
    const { events, give, stats } = statsOf({ before })
    const { endedAt: _, ...counted } = before
    expect(stats.summary()).toEqual({ ...counted, collection: "contracts", limit: 20 })
    stats.note("empty-page", "again")
    give([record(100), record(99)])
    expect(stats.summary()).toMatchObject({
      records: 42,
      idOrder: "descending",
      anomalies: { "empty-page": 2 },
    })
    expect(events).toEqual([])
  })

  it("takes for newer what was updated since the last answer", () => {
    const { give } = statsOf({ before, recent: [1, 2] })
    const [changed, old] = [record(1, "2026-03-01T13:00:00Z"), record(2, "2026-03-01T12:59:59Z")]
    expect(give([changed, old]).superseded).toEqual([changed])
  })
})
