import { describe, expect, it } from "vitest"
import type { RawPage } from "../../src/internal/answer.ts"
import { Figures, millisOf, ReadTime } from "../../src/internal/figures.ts"
import { SeenRecords } from "../../src/internal/seenRecords.ts"
import type { RejectedRecord } from "../../src/Page.ts"
import type { ListedRecord } from "../fixtures/PagedList.ts"
import { record } from "../fixtures/PagedList.ts"
import { model } from "../fixtures/ListedModel.ts"

const startedAt = "2026-03-01T14:00:00Z"
const second = (number: number) => `2026-03-01T14:00:${String(number).padStart(2, "0")}Z`

interface Given {
  readonly recent?: ReadonlyArray<number>
  readonly serviceAt?: string
  readonly tookMillis?: number
  readonly model?: typeof model
}

const readOf = (given: Given = {}) => {
  const figures = new Figures<ListedRecord>("contracts", 20, startedAt, null, () => {})
  const seen = new SeenRecords<ListedRecord>(startedAt, given.recent ?? [])
  if (given.serviceAt !== undefined) seen.startAt(Date.parse(given.serviceAt), given.tookMillis ?? 0)
  const give = (valid: ReadonlyArray<ListedRecord>, isOnPurpose = false) => {
    const page = { model: given.model ?? model, open: false, valid } as unknown as RawPage<ListedRecord>
    const separated = seen.separate(page)
    figures.add(page, separated, isOnPurpose)
    return separated
  }
  const reject = (...ids: ReadonlyArray<number | null>) => {
    const rejected = ids.map((id): RejectedRecord => ({ id, issues: [], raw: null }))
    const reported = seen.reject(rejected)
    figures.addRejected(rejected.length, reported.length)
    return reported.map(({ id }) => id)
  }
  return { figures, seen, give, reject }
}

describe("a newer version of a record", () => {
  /** The times of update that a record came with, one after the other, and those that were given out as newer. */
  const newer = (times: ReadonlyArray<string>, given: Given = {}) => {
    const { figures, give } = readOf(given)
    const given_ = times.flatMap((time) => give([record(1, time)], true).superseded)
    expect(figures.summary().supersededDuplicates).toBe(given_.length)
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
    const { give, seen } = readOf()
    seen.startAt(null, 0)
    give([record(1, "2025-01-01T00:00:00Z")])
    expect(give([record(1, "2026-03-01T13:59:59Z")]).superseded).toEqual([])
  })

  it("is told by the whole record where it says no time of update", () => {
    const keys = { ...model, updatedAt: () => "" }
    const { give } = readOf({ model: keys })
    const [one, other] = [record(1), record(1, second(1))]
    expect(give([one]).superseded).toEqual([])
    expect(give([one]).superseded).toEqual([])
    expect(give([other]).superseded).toEqual([other])
    expect(give([other]).superseded).toEqual([])
    expect(give([one]).superseded).toEqual([one])
    // What was given out before the read was resumed is not known any more.
    expect(readOf({ model: keys, recent: [1] }).give([one]).superseded).toEqual([])
  })
})

describe("records that changed during the read", () => {
  const old = "2025-01-01T00:00:00Z"
  interface GivenPage {
    readonly times: ReadonlyArray<string>
    readonly isOnPurpose?: boolean
  }

  it.each<[string, ReadonlyArray<GivenPage>, number]>([
    ["are counted when they come", [{ times: [second(1), old] }], 1],
    ["are none that came again unchanged", [{ times: [second(1)] }, { times: [second(1)] }], 1],
    ["are counted where they come again in a newer version", [{ times: [old] }, { times: [second(1)] }], 1],
    [
      "are counted where a further reading has a newer version",
      [{ times: [old, old] }, { times: [second(1), old], isOnPurpose: true }],
      1,
    ],
    [
      "are counted once each, however often they change",
      [{ times: [second(1)] }, { times: [second(2)] }, { times: [second(3)], isOnPurpose: true }],
      1,
    ],
  ])("%s", (_, given, expected) => {
    const { figures, give } = readOf()
    for (const { isOnPurpose, times } of given) {
      give(
        times.map((time, id) => record(id, time)),
        isOnPurpose,
      )
    }
    expect(figures.summary().changedDuringRead).toBe(expected)
  })
})

describe("records that are not as specified", () => {
  it("are rejected once each, and every time where their id cannot be read", () => {
    const { figures, reject } = readOf()
    expect(reject(3, null, 4)).toEqual([3, null, 4])
    expect(reject(4, null, 5, 5)).toEqual([null, 5])
    expect(figures.summary()).toMatchObject({ rejected: 5, duplicates: 2 })
  })

  it("are not lost where they came before as specified", () => {
    const { figures, give, reject } = readOf()
    give([record(3)])
    expect(reject(3, 4)).toEqual([4])
    expect(figures.summary()).toMatchObject({ rejected: 1, duplicates: 1 })
  })
})

const at = (minute: number, second = 0) => new Date(Date.UTC(2026, 2, 1, 14, minute, second)).toISOString()
describe("the moment of a Date header", () => {
  it.each([
    ["Sun, 01 Mar 2026 14:00:00 GMT", Date.UTC(2026, 2, 1, 14)],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["soon", null],
    ["Fri, 01 Jan 10000 00:00:00 GMT", null],
    ["Fri, 31 Dec 9999 23:59:59 GMT", null],
    ["Fri, 31 Dec -0001 23:59:59 GMT", null],
    ["Wed, 01 Jan 1000 00:00:00 GMT", Date.UTC(1000, 0, 1)],
    ["", null],
    [null, null],
  ])("of %j is %j", (date, expected) => {
    expect(millisOf(date)).toBe(expected)
  })
})

describe("a pause", () => {
  it("that follows another one makes it longer, and what was counted stays", () => {
    const time = new ReadTime(at(0), null)
    time.pause(at(10), 20, true)
    time.take({ answeredAt: at(11), serviceDate: null }, [record(1, at(3))], model)
    time.endedAt = at(11)
    time.pause(at(30), 40, false)
    expect(time.resumed).toEqual({
      pausedAt: at(0),
      resumedAt: at(30),
      records: 40,
      changed: 1,
      mayRepeat: true,
    })
  })
})
