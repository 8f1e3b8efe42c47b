import { describe, expect, it } from "vitest"
import type { Checkpoint } from "../../../src/pagination/Checkpoint.ts"
import type { Answer } from "../../../src/call/Caller.ts"
import type { RawPage } from "../../../src/answer/envelope.ts"
import { millisOf, ReadTime } from "../../../src/pagination/reading/ReadTime.ts"
import type { ListedRecord } from "../../fixtures/PagedList.ts"
import { record } from "../../fixtures/PagedList.ts"
import { model } from "../../fixtures/ListedModel.ts"

const at = (minute: number, second = 0) => new Date(Date.UTC(2026, 2, 1, 14, minute, second)).toISOString()
const answer = (
  answeredAt: string,
  serviceDate: string | null = null,
  valid: ReadonlyArray<ListedRecord> = [],
) => ({ answeredAt, serviceDate, value: { model, valid } }) as unknown as Answer<RawPage<ListedRecord>>

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

describe("the time of a read", () => {
  it("ends with its last answer, and with its start before there is one", () => {
    const time = new ReadTime(at(0), null)
    expect([time.endedAt, time.resumed]).toEqual([at(0), null])
    time.take(answer(at(5)))
    expect([time.endedAt, time.resumed]).toEqual([at(5), null])
  })

  it("resumes from what a checkpoint says", () => {
    const resumed = { pausedAt: at(1), resumedAt: at(2), records: 10, changed: 3, mayRepeat: true }
    const from = { summary: { endedAt: at(4), resumed } } as unknown as Checkpoint
    const time = new ReadTime(at(0), from)
    expect([time.endedAt, time.resumed]).toEqual([at(4), resumed])
  })
})

describe("a pause", () => {
  it("lasts from the last answer to the moment at which the read is resumed", () => {
    const time = new ReadTime(at(0), null)
    time.take(answer(at(5)))
    time.pause(at(30), 40, false)
    expect(time.resumed).toEqual({
      pausedAt: at(5),
      resumedAt: at(30),
      records: 40,
      changed: 0,
      mayRepeat: false,
    })
  })

  it("that follows another one makes it longer, and what was counted stays", () => {
    const time = new ReadTime(at(0), null)
    time.pause(at(10), 20, true)
    time.take(answer(at(11), null, [record(1, at(3))]))
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

describe("records that were created or updated during a pause", () => {
  /** The read paused from minute 5 to minute 10. */
  const changed = (serviceDate: string | null, ...pages: ReadonlyArray<ReadonlyArray<ListedRecord>>) => {
    const time = new ReadTime(at(5), null)
    time.pause(at(10), 0, false)
    for (const page of pages) time.take(answer(at(12), serviceDate, page))
    return time.resumed!.changed
  }
  const created = (moment: string) => ({ ...record(1), created_at: moment })

  it.each([
    ["before it", at(4, 59), 0],
    ["as it began", at(5), 1],
    ["in it", at(7), 1],
    ["as it ended", at(10), 1],
    ["after it", at(10, 1), 0],
  ])("are counted: %s", (_, moment, expected) => {
    expect(changed(null, [record(1, moment)])).toBe(expected)
    expect(changed(null, [created(moment)])).toBe(expected)
  })

  it.each([
    ["to the second, in the second in which it began", null, at(5), 1],
    ["to the second, in the second before", null, at(4, 59), 0],
    ["as it ended, by a clock without fractions", at(12), "2026-03-01T14:10:00.700Z", 1],
    ["in the second after, by a clock without fractions", at(12), "2026-03-01T14:10:01.700Z", 0],
  ])("are counted where times have no fractions: %s", (_, date, moment, expected) => {
    const time = new ReadTime("2026-03-01T14:05:00.700Z", null)
    time.pause("2026-03-01T14:10:00.700Z", 0, false)
    time.take(answer("2026-03-01T14:12:00.700Z", date, [record(1, moment)]))
    expect(time.resumed!.changed).toBe(expected)
  })

  it("are counted once, over all pages", () => {
    const both = { ...record(1, at(7)), created_at: at(6) }
    expect(changed(null, [both, record(2, at(7))], [record(3)], [record(4, at(8))])).toBe(3)
  })

  it("are told by the service's clock, where it is known", () => {
    const anHourBehind = new Date(Date.parse(at(12)) - 3_600_000).toUTCString()
    expect(changed(anHourBehind, [record(1, at(7))])).toBe(0)
    expect(changed(anHourBehind, [record(1, "2026-03-01T13:07:00Z")])).toBe(1)
  })
})
