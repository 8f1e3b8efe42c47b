import { describe, expect, it } from "vitest"
import type { Json, WalkSummary } from "@deedkit/core"
import { interruptedPathOf, isManifest, judge, pathOf } from "../src/Manifest.ts"
import { walkSummary } from "./summaries.ts"

const singlePage: WalkSummary["cursor"] = { parameter: "before_id", state: "single-page", evidence: null }
const unverified: WalkSummary["cursor"] = { parameter: "before_id", state: "unverified", evidence: null }
const keysWalk = { collection: "api-keys" } as const

describe("the verdict", () => {
  it.each([
    ["of a walk whose cursor was verified", [walkSummary()]],
    ["of a walk of a single page", [walkSummary({ pages: 1, cursor: singlePage })]],
    ["of several walks", [walkSummary(), walkSummary(keysWalk)]],
    ["of no walk", []],
  ])("is complete %s", (_, walks) => {
    expect(judge({ walks, rejected: 0, failure: null })).toEqual({ verdict: "complete", reasons: [] })
  })

  it.each([
    [1, "1 record not as specified: set aside in a file of their own."],
    [2, "2 records not as specified: set aside in a file of their own."],
  ])("is partial when %i were set aside", (rejected, reason) => {
    expect(judge({ walks: [walkSummary()], rejected, failure: null })).toEqual({
      verdict: "partial",
      reasons: [reason],
    })
  })

  it.each([
    [1, "1 record without data: not known any more when it was asked for."],
    [12, "12 records without data: not known any more when it was asked for."],
  ])("is partial when %i lack their data", (withoutData, reason) => {
    expect(judge({ walks: [walkSummary()], rejected: 0, withoutData, failure: null })).toEqual({
      verdict: "partial",
      reasons: [reason],
    })
  })

  it("is unverified when one of the cursors was never seen to work", () => {
    const walks = [walkSummary(), walkSummary({ ...keysWalk, cursor: unverified })]
    expect(judge({ walks, rejected: 0, failure: null })).toEqual({
      verdict: "unverified",
      reasons: ["That the cursor ?before_id= reaches all API keys could not be verified."],
    })
  })

  it("says why a cursor could not be seen to work, where that is known", () => {
    const cursor = { ...unverified, evidence: "the second page was empty and the last" }
    const { reasons } = judge({ walks: [walkSummary({ cursor })], rejected: 0, failure: null })
    expect(reasons).toEqual([
      "That the cursor ?before_id= reaches all contracts could not be verified: the second page was empty and the last.",
    ])
  })

  it("is unverified rather than partial when it is both, with both reasons", () => {
    const { reasons, verdict } = judge({
      walks: [walkSummary({ cursor: unverified })],
      rejected: 1,
      failure: null,
    })
    expect(verdict).toBe("unverified")
    expect(reasons).toHaveLength(2)
  })

  it.each([
    [1, "The list of contracts broke off after 1 page."],
    [3, "The list of contracts broke off after 3 pages."],
  ])("is never complete when a walk broke off after page %i", (pages, reason) => {
    expect(judge({ walks: [walkSummary({ pages, complete: false })], rejected: 0, failure: null })).toEqual({
      verdict: "unverified",
      reasons: [reason],
    })
  })

  it("is interrupted when the run failed, whatever else there is, and says so first", () => {
    expect(judge({ walks: [walkSummary()], rejected: 0, failure: "No room." })).toEqual({
      verdict: "interrupted",
      reasons: ["No room."],
    })
    const { reasons, verdict } = judge({
      walks: [walkSummary(), walkSummary({ ...keysWalk, complete: false })],
      rejected: 3,
      failure: "No room.",
    })
    expect(verdict).toBe("interrupted")
    expect(reasons).toEqual(["No room.", "The list of API keys broke off after 3 pages."])
  })
})

it("stands beside its file, under another name as long as there is no whole file", () => {
  expect(pathOf("/out/a.csv")).toBe("/out/a.csv.manifest.json")
  expect(interruptedPathOf("/out/a.csv")).toBe("/out/a.csv.interrupted.json")
})

describe("a value", () => {
  const file = { name: "a.csv", bytes: 3, sha256: "00", format: "csv", tables: {} }
  const said = { origin: "https://service.example.test", startedAt: "2026-03-01T09:30:00Z", reasons: ["why"] }
  const tables = [{ table: "contracts", rows: 3 }]
  const manifest = { version: 1, verdict: "complete", files: [file], tables, ...said }

  it("with what a check of files and its words need is a manifest", () => {
    expect(isManifest(manifest)).toBe(true)
    expect(isManifest({ ...manifest, files: [] })).toBe(true)
    expect(isManifest({ ...manifest, files: [file, file], more: null })).toBe(true)
  })

  it.each<Json.Json>([
    null,
    1,
    "manifest",
    [manifest],
    {},
    { ...manifest, version: 2 },
    { ...manifest, version: "1" },
    { ...manifest, verdict: null },
    { ...manifest, origin: 1 },
    { ...manifest, startedAt: null },
    { ...manifest, reasons: "why" },
    { ...manifest, reasons: [{}] },
    { ...manifest, tables: null },
    { ...manifest, tables: [{ table: "contracts" }] },
    { ...manifest, files: null },
    { ...manifest, files: {} },
    { ...manifest, files: [null] },
    { ...manifest, files: ["a.csv"] },
    { ...manifest, files: [[]] },
    { ...manifest, files: [file, { ...file, name: 1 }] },
    { ...manifest, files: [{ ...file, bytes: "3" }] },
    { ...manifest, files: [{ ...file, sha256: null }] },
    { ...manifest, files: [{ name: "a.csv", bytes: 3 }] },
  ])("such as %j is none", (value) => {
    expect(isManifest(value)).toBe(false)
  })
})
