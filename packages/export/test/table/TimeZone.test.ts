import { describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import type { Table } from "../../src/table/Table.ts"
import { apply } from "../../src/table/TimeZone.ts"

interface Event {
  readonly at: string | null
}

const events: Table<Event> = {
  name: "events",
  title: "Events",
  columns: [{ name: "at", label: "At (UTC)", kind: "timestamp", get: (event) => event.at }],
  onDemand: [],
}

const shown = (zone: string, at: string | null) => {
  const [column] = Result.getOrThrow(apply(events, zone)).columns
  return column?.get({ at })
}

describe("times in a zone", () => {
  it.each([
    ["Europe/Athens", "2026-03-01T09:30:00Z", "2026-03-01T11:30:00"],
    ["Europe/Athens", "2026-07-01T09:30:00.123456Z", "2026-07-01T12:30:00.123"],
    ["Europe/Athens", "2026-03-29T03:30:00+02:00", "2026-03-29T04:30:00"],
    ["America/St_Johns", "2026-01-01T00:00:00Z", "2025-12-31T20:30:00"],
    ["Etc/GMT", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00"],
  ])("in %s %s is %s", (zone, at, local) => {
    expect(shown(zone, at)).toBe(local)
  })

  it.each([
    ["Europe/Athens", "0001-01-01T00:00:00Z", "0001-01-01T01:34:52"],
    ["America/New_York", "0001-01-01T00:00:00Z", "0000-12-31T19:03:58"],
    ["Europe/Athens", "0099-12-31T23:59:59Z", "0100-01-01T01:34:51"],
    ["Europe/Athens", "9999-12-31T21:59:59Z", "9999-12-31T23:59:59"],
  ])("keep their year, however early or late: in %s %s is %s", (zone, at, local) => {
    expect(shown(zone, at)).toBe(local)
  })

  it.each([
    ["Europe/Athens", "2025-10-26T00:30:00Z", "2025-10-26T03:30:00+03:00"],
    ["Europe/Athens", "2025-10-26T01:30:00Z", "2025-10-26T03:30:00+02:00"],
    ["America/St_Johns", "2026-01-01T00:00:00.5Z", "2025-12-31T20:30:00.500-03:30"],
    ["Etc/GMT", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00+00:00"],
    ["Europe/Athens", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
    ["Europe/Athens", "2026-02-30T00:00:00Z", "2026-02-30T00:00:00Z"],
    ["Europe/Athens", null, null],
  ])("are instants for formats that write an offset: in %s %s is %s", (zone, at, instant) => {
    const [column] = Result.getOrThrow(apply(events, zone)).columns
    expect(column?.instant?.({ at })).toBe(instant)
  })

  it.each([
    "2026-02-30T00:00:00Z",
    "2026-04-31T00:00:00+01:00",
    "9999-12-31T23:59:59Z",
    "0000-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-23:59",
    "soon",
    "",
    null,
  ])("stay as they came where the zone has no such time: %j", (at) => {
    expect(shown("Europe/Athens", at)).toBe(at)
  })

  it("have their zone in the heading", () => {
    expect(Result.getOrThrow(apply(events, "Europe/Athens")).columns[0]?.label).toBe("At (Europe/Athens)")
    expect(Result.getOrThrow(apply(events, "UTC"))).toBe(events)
  })

  it("are refused for an unknown zone", () => {
    expect(Result.getFailure(apply(events, "Europe/Atlantis"))).toMatchObject({
      value: { reason: { _tag: "TimeZoneUnknown", name: "Europe/Atlantis" } },
    })
  })
})
