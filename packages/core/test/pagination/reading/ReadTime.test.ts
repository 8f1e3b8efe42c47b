import { describe, expect, it } from "vitest"
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

describe("a pause", () => {
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
