import { describe, expect, it } from "vitest"
import * as Since from "../../src/sync/Since.ts"

const now = Date.parse("2026-11-22T12:00:00Z")

describe("since", () => {
  it.each([
    ["36h", "2026-11-21T00:00:00.000Z"],
    ["today", "2026-11-22T00:00:00.000Z"],
    ["yesterday", "2026-11-21T00:00:00.000Z"],
    ["7d", "2026-11-15T12:00:00.000Z"],
    ["2026-11-01", "2026-11-01T00:00:00.000Z"],
    ["2026-11-01T06:30Z", "2026-11-01T06:30:00.000Z"],
    ["2026-11-01T06:30:15.250Z", "2026-11-01T06:30:15.250Z"],
    ["900000000w", "1970-01-01T00:00:00.000Z"],
  ])("%s is %s", (text, moment) => {
    expect([Since.isSince(text), Since.moment(text, now)]).toEqual([true, moment])
  })

  it.each([
    "",
    "tomorrow",
    "constructor",
    "2026",
    "2026-02-30",
    "2026-13-01",
    "0000-01-01",
    "2026-11-01T06:30",
    "2026-11-01T25:00Z",
    "0d",
    "-1d",
  ])("%j is none", (text) => {
    expect(Since.isSince(text)).toBe(false)
  })
})
