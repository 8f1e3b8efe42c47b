import { describe, expect, it } from "@effect/vitest"
import * as Diff from "../src/Diff.ts"
import { apiKeys } from "../src/tables/ApiKeys.ts"
import { contracts } from "../src/tables/Contracts.ts"

const tables = [contracts, apiKeys]

describe("the zone of an export", () => {
  it.each([
    [["Contract", "Created (UTC)"], "UTC"],
    [["Contract", "Updated (Europe/Athens)", "Status"], "Europe/Athens"],
    [["Key", "Last used (America/Argentina/Buenos_Aires)"], "America/Argentina/Buenos_Aires"],
    [["id", "created_at"], null],
    [["Contract", "Created"], null],
    [["Age (days)", "Other members (JSON)"], null],
  ])("stands in the headings of its times: %j say %j", (headings, zone) => {
    expect(Diff.zoneInHeadings(headings, tables)).toBe(zone)
  })

  it.each([
    [["2026-03-01T09:30:00Z"], "UTC"],
    [["2026-03-01T09:30:00", "2026-03-01T11:30:00+02:00"], "UTC"],
    [["2026-03-01T11:30:00", "2026-03-01T11:30:00.250"], "unnamed"],
    [["", "soon"], null],
    [[], null],
  ])("shows in its times: %j are in %j", (times, zone) => {
    const rows = times.map((created_at, id) => ({ id: String(id), created_at, unit_label: "1:00Z" }))
    expect(Diff.zoneOfTimes(rows, tables)).toBe(zone)
  })

  it.each([
    ["UTC", "Europe/Athens", true],
    ["Europe/Athens", "Europe/Berlin", true],
    ["UTC", "unnamed", true],
    ["unnamed", "UTC", true],
    ["unnamed", "Europe/Athens", false],
    ["unnamed", "unnamed", false],
    ["UTC", "UTC", false],
    ["Europe/Athens", null, false],
    [null, "UTC", false],
  ])("%j and %j cannot be compared: %j", (before, after, isApart) => {
    expect(Diff.zonesApart(before, after)).toEqual(isApart ? { before, after } : null)
  })
})

describe("names of columns", () => {
  it("are found by labels in any zone, and by themselves", () => {
    const headings = ["Contract", "Created (Europe/Athens)", "listing.city", "Rent"]
    expect(Diff.namesOf(headings, tables)).toEqual(["id", "created_at", "listing.city", "Rent"])
  })
})
