import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { align, alignToRecords, zoneInHeadings } from "../../src/diff/Times.ts"
import type { Timed } from "../../src/diff/Times.ts"
import { apiKeys } from "../../src/tables/ApiKeys.ts"
import { contracts } from "../../src/tables/Contracts.ts"

const tables = [contracts, apiKeys]
const timed = (zone: string | null, ...times: ReadonlyArray<string>) => ({
  zone,
  rows: times.map((created_at, id) => ({ id: String(id), created_at, unit_label: "2026-03-01T09:30:00Z" })),
})
const records = (time: string) => ({ ...timed(null, time), isRecords: true })
const aligned = (before: Timed, after: Timed) =>
  Result.map(align(before, after, tables), (both) =>
    [both.before, both.after].map((rows) => rows.map((row) => row["created_at"])),
  )

describe("the zone of an export", () => {
  it.each([
    [["Contract", "Created (UTC)"], "UTC"],
    [["Contract", "Updated (Europe/Athens)", "Status"], "Europe/Athens"],
    [["Key", "Last used (America/Argentina/Buenos_Aires)"], "America/Argentina/Buenos_Aires"],
    [["id", "created_at"], null],
    [["Contract", "Created"], null],
    [["Age (days)", "Other members (JSON)"], null],
  ])("stands in the headings of its times: %j say %j", (headings, zone) => {
    expect(zoneInHeadings(headings, tables)).toBe(zone)
  })
})

describe("times of two exports", () => {
  const utc = timed("UTC", "2026-03-01T09:30:00Z")

  it.each([
    [
      "instants in any zone",
      utc,
      timed("Europe/Athens", "2026-03-01T11:30:00+02:00"),
      "2026-03-01T09:30:00Z",
    ],
    ["a fraction that is none", utc, timed("UTC", "2026-03-01T09:30:00.000Z"), "2026-03-01T09:30:00Z"],
    ["clocks in UTC", utc, timed("UTC", "2026-03-01 09:30:00"), "2026-03-01T09:30:00Z"],
    [
      "clocks and what they were cut from",
      timed(null, "2026-03-01T09:30:00.9Z"),
      timed("UTC", "2026-03-01T09:30:00"),
      "2026-03-01T09:30:00Z",
    ],
    [
      "clocks of Excel and of LibreOffice",
      timed("UTC", "2026-03-01 09:30:00"),
      timed("UTC", "2026-03-01T09:30:00"),
      "2026-03-01T09:30:00Z",
    ],
    [
      "clocks of a zone and instants",
      timed("Europe/Athens", "2026-03-01 11:30:00"),
      utc,
      "2026-03-01T11:30:00",
    ],
    [
      "clocks of one zone",
      timed("Europe/Athens", "2026-03-01 11:30:00"),
      timed("Europe/Athens", "2026-03-01T11:30:00"),
      "2026-03-01T11:30:00",
    ],
    [
      "clocks of zones that are not said",
      timed(null, "2026-03-01 11:30:00"),
      timed("Europe/Athens", "2026-03-01T11:30:00"),
      "2026-03-01T11:30:00",
    ],
  ])("are the same in one form: %s", (_name, before, after, time) => {
    expect(aligned(before, after)).toEqual(Result.succeed([[time], [time]]))
    expect(aligned(after, before)).toEqual(Result.succeed([[time], [time]]))
  })

  it("stay apart where a fraction, an hour or the text differs", () => {
    const before = timed(null, "2026-03-01T09:30:00.5Z", "2026-03-01T09:30:00Z", "2026-02-30T09:30:00Z", "")
    const after = timed(null, "2026-03-01T09:30:00Z", "2026-03-01T09:30:00+01:00", "soon", "")
    expect(aligned(before, after)).toEqual(
      Result.succeed([
        ["2026-03-01T09:30:00.500Z", "2026-03-01T09:30:00Z", "2026-02-30T09:30:00Z", ""],
        ["2026-03-01T09:30:00Z", "2026-03-01T08:30:00Z", "soon", ""],
      ]),
    )
  })

  it.each(["Europe/Athens", "UTC"])("are told by most of them in %s: some fit no clock", (zone) => {
    const odd = ["2026-02-30T09:30:00Z", "9999-12-31T23:59:59Z", "1850-01-01T00:00:00.5Z"]
    const clock = zone === "UTC" ? "2026-03-01 09:30:00" : "2026-03-01 11:30:00"
    const before = timed(zone, ...odd, clock, clock, clock)
    const after = timed(null, ...odd, "2026-03-01T09:30:00.9Z", "2026-03-01T09:30:00Z", "2026-03-01 09:30Z")
    const [left, right] = Result.getOrThrow(aligned(before, after))
    expect(left).toEqual(right)
    expect(left!.slice(0, 2)).toEqual(odd.slice(0, 2))
    expect(Result.isFailure(aligned(before, timed("Asia/Tokyo", "2026-03-01 18:30:00")))).toBe(zone !== "UTC")
  })

  it.each(["2026-03-01t09:30:00z", "2026-03-01 09:30Z", "2026-03-01T11:30:00+0200", "2026-03-01T09:30"])(
    "are the same however the service writes them: %s",
    (time) => {
      const [left] = Result.getOrThrow(aligned(records(time), utc))
      expect(left).toEqual(["2026-03-01T09:30:00Z"])
      const clocks = timed("Europe/Athens", "2026-03-01 11:30:00")
      const [local] = Result.getOrThrow(aligned(records(time), clocks))
      expect(local).toEqual(["2026-03-01T11:30:00"])
    },
  )

  it("keep fractions of records without an offset", () => {
    const both = aligned(records("2026-03-01T09:30:00.5"), records("2026-03-01T09:30:00"))
    expect(both).toEqual(Result.succeed([["2026-03-01T09:30:00.500Z"], ["2026-03-01T09:30:00Z"]]))
  })

  it("leave other cells as they are", () => {
    const both = Result.getOrThrow(align(utc, timed("Europe/Athens", "2026-03-01 11:30:00"), tables))
    expect(both.before[0]).toMatchObject({ id: "0", unit_label: "2026-03-01T09:30:00Z" })
  })

  it.each([
    [
      timed("Europe/Athens", "2026-03-01 11:30:00"),
      timed("Europe/Berlin", "2026-03-01 10:30:00"),
      "Europe/Athens",
      "Europe/Berlin",
    ],
    [timed(null, "2026-03-01 11:30:00"), utc, "unnamed", "UTC"],
    [utc, timed(null, "2026-03-01 11:30:00"), "UTC", "unnamed"],
    [timed("Europe/Atlantis", "2026-03-01 11:30:00"), utc, "Europe/Atlantis", "UTC"],
  ])("cannot be compared, and both zones are said", (before, after, left, right) => {
    expect(aligned(before, after)).toEqual(Result.fail({ before: left, after: right }))
  })

  it("do not matter where one export has none", () => {
    expect(Result.isSuccess(aligned(timed(null, "2026-03-01 11:30:00"), timed(null, "")))).toBe(true)
    expect(Result.isSuccess(aligned(timed(null), timed("Europe/Athens", "2026-03-01 11:30:00")))).toBe(true)
  })
})

describe("times of an earlier export and of records that come page by page", () => {
  const records = timed("UTC", "2026-03-01T09:30:00.5Z", "2026-03-01T09:30:00")

  it.each([
    [timed("Europe/Athens", "2026-03-01 11:30:00"), "Europe/Athens"],
    [timed("UTC", "2026-03-01 09:30:00"), "UTC"],
    [timed(null, "2026-03-01T09:30:00Z"), "UTC"],
  ])("are in the same form as those of two exports", (before, zone) => {
    const both = Result.getOrThrow(align(before, records, tables))
    const paged = Result.getOrThrow(alignToRecords(before, tables))
    expect([paged.before, paged.after(records.rows), paged.zone]).toEqual([both.before, both.after, zone])
  })

  it("cannot be compared with clocks of a zone that is not said", () => {
    expect(alignToRecords(timed(null, "2026-03-01 11:30:00"), tables)).toEqual(
      Result.fail({ before: "unnamed", after: "UTC" }),
    )
  })
})
