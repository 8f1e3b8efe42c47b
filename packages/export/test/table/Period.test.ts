import { describe, expect, it } from "vitest"
import * as Period from "../../src/table/Period.ts"

/** A Saturday. */
const now = Date.parse("2026-10-31T12:00:00Z")
const iso = (millis: number): string => new Date(millis).toISOString().slice(0, 16)

describe("a span before now", () => {
  it.each([
    ["7d", "2026-10-24T12:00"],
    ["7 days", "2026-10-24T12:00"],
    ["7 days ago", "2026-10-24T12:00"],
    ["-7d", "2026-10-24T12:00"],
    ["now-7d", "2026-10-24T12:00"],
    ["now - 90 min", "2026-10-31T10:30"],
    ["36 Hours", "2026-10-30T00:00"],
    ["2wks", "2026-10-17T12:00"],
    ["1.5d", "2026-10-30T00:00"],
    ["1mo", "2026-09-30T12:00"],
    ["2mos", "2026-08-31T12:00"],
    ["8 months ago", "2026-02-28T12:00"],
    ["1y", "2025-10-31T12:00"],
    ["900000000w", "1970-01-01T00:00"],
    ["9999y", "1970-01-01T00:00"],
  ])("%s is the moment %s", (text, moment) => {
    const period = Period.of(text, now)!
    expect([iso(period.start), iso(period.end)]).toEqual([moment, moment])
  })
})

describe("a period", () => {
  it.each([
    ["now", "2026-10-31T12:00", "2026-10-31T12:00"],
    ["Today", "2026-10-31T00:00", "2026-11-01T00:00"],
    ["yesterday", "2026-10-30T00:00", "2026-10-31T00:00"],
    ["this week", "2026-10-26T00:00", "2026-11-02T00:00"],
    ["last week", "2026-10-19T00:00", "2026-10-26T00:00"],
    ["this-month", "2026-10-01T00:00", "2026-11-01T00:00"],
    ["lastmonth", "2026-09-01T00:00", "2026-10-01T00:00"],
    ["last_quarter", "2026-07-01T00:00", "2026-10-01T00:00"],
    ["previous year", "2025-01-01T00:00", "2026-01-01T00:00"],
    ["last 7 days", "2026-10-24T12:00", "2026-10-31T12:00"],
    ["past 1 month", "2026-09-30T12:00", "2026-10-31T12:00"],
    ["June 2026", "2026-06-01T00:00", "2026-07-01T00:00"],
    ["Sept 2026", "2026-09-01T00:00", "2026-10-01T00:00"],
    ["dec 2026", "2026-12-01T00:00", "2027-01-01T00:00"],
    ["2026", "2026-01-01T00:00", "2027-01-01T00:00"],
    ["2026-Q4", "2026-10-01T00:00", "2027-01-01T00:00"],
    ["2026q1", "2026-01-01T00:00", "2026-04-01T00:00"],
    ["2026-6", "2026-06-01T00:00", "2026-07-01T00:00"],
    ["2026/06/01", "2026-06-01T00:00", "2026-06-02T00:00"],
    ["2026-6-1", "2026-06-01T00:00", "2026-06-02T00:00"],
    ["2026-06-01 09:30", "2026-06-01T09:30", "2026-06-01T09:31"],
  ])("%s is from %s to %s", (text, start, end) => {
    const period = Period.of(text, now)!
    expect([iso(period.start), iso(period.end)]).toEqual([start, end])
  })

  it.each(["last month", "last quarter", "last year"])("%s has an end in January, too", (text) => {
    const period = Period.of(text, Date.parse("2026-01-15T00:00:00Z"))!
    expect(iso(period.end)).toBe("2026-01-01T00:00")
  })
})

describe("no period", () => {
  it.each([
    "",
    "soon",
    "tomorrow",
    "constructor",
    "0d",
    "7x",
    "1.5mo",
    "01.06.2026",
    "06/01/2026",
    "2026-06/01",
    "2026-13",
    "2026-02-30",
    "2026-Q5",
    "last decade",
    "marble 2026",
    "June",
    "1717200000",
  ])("%j", (text) => {
    expect(Period.of(text, now)).toBeNull()
  })
})

describe("a span", () => {
  it.each([
    ["90m", 5_400_000],
    ["36h", 129_600_000],
    ["1day", 86_400_000],
    ["2 weeks", 1_209_600_000],
    ["30 sec", 30_000],
    ["0d", null],
    ["1mo", null],
    ["24", null],
    ["-1d", null],
  ])("%s", (text, millis) => {
    expect(Period.span(text)).toBe(millis)
  })
})
