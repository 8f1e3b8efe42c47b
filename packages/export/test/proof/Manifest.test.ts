import { describe, expect, it } from "vitest"
import type { Json } from "@deedkit/core"
import { interruptedPathOf, isManifest, pathOf } from "../../src/proof/Manifest.ts"

it("is beside its file, under another name as long as there is no whole file", () => {
  expect(pathOf("/out/a.csv")).toBe("/out/a.csv.manifest.json")
  expect(interruptedPathOf("/out/a.csv")).toBe("/out/a.csv.interrupted.json")
})

describe("a value", () => {
  const file = { name: "a.csv", bytes: 3, sha256: "00", format: "csv", tables: {} }
  const members = {
    origin: "https://service.example.test",
    startedAt: "2026-03-01T09:30:00Z",
    reasons: ["why"],
  }
  const tables = [{ table: "contracts", rows: 3 }]
  const manifest = { version: 1, verdict: "complete", files: [file], tables, ...members }

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
