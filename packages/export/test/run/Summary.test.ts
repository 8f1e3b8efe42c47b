import { describe, expect, it } from "vitest"
import type { Manifest } from "../../src/proof/Manifest.ts"
import { derived, rowsOf, summary } from "../../src/run/Summary.ts"
import { readSummary } from "../fixtures/summaries.ts"

const manifest: Parameters<typeof rowsOf>[0] = {
  verdict: "complete",
  reasons: [],
  startedAt: "2026-03-01T09:30:00.000Z",
  origin: "https://service.example.test",
  account: { profile: null, keyFingerprint: null, me: null, meReason: "it was not asked for" },
  timeZone: "UTC",
  tables: [
    {
      table: "contracts",
      title: "Contracts",
      columns: ["id"],
      filters: [],
      rows: 240,
      undocumented: { included: [], excluded: [] },
      reading: readSummary(),
    },
  ],
}

const cells = (...parameters: Parameters<typeof rowsOf>) =>
  rowsOf(...parameters).map((row) => summary.columns.map(({ get }) => get(row)))

describe("the summary", () => {
  it("says where the export is from, when it was taken and whether it is whole", () => {
    expect(cells(manifest, [])).toEqual([
      ["Export", "Source", "https://service.example.test"],
      ["Export", "Taken at (UTC)", "2026-03-01T09:30:00.000Z"],
      ["Export", "Times are in", "UTC"],
      ["Export", "Verdict", "complete"],
      ["Account", "What the service says of it", "not known: it was not asked for"],
      ["Contracts", "Rows", 240],
      ["Contracts", "Read from the service", 240],
      ["Contracts", "Skipped because they came twice", 2],
      ["Contracts", "Changed while they were read", 4],
    ])
  })

  it("says whose export it is", () => {
    const account = {
      profile: "office",
      keyFingerprint: "0123456789abcdef",
      me: { "account.name": "Portfolio & Söhne", "user.id": 7, active: true },
      meReason: null,
    }
    expect(cells({ ...manifest, account }, []).slice(4, 9)).toEqual([
      ["Account", "Profile", "office"],
      ["Account", "Key fingerprint", "0123456789abcdef"],
      ["Account", "account.name", "Portfolio & Söhne"],
      ["Account", "user.id", 7],
      ["Account", "active", true],
    ])
  })

  it("gives every reason of a verdict, and every filter of a table", () => {
    const [table] = manifest.tables
    const unproven: typeof manifest = {
      ...manifest,
      verdict: "unverified",
      reasons: ["First.", "Second."],
      tables: [{ ...table!, rows: 7, filters: ["status=active", "kind=rent"] }],
    }
    const rows = cells(unproven, [])
    expect(rows.slice(3, 6)).toEqual([
      ["Export", "Verdict", "unverified"],
      ["Export", "Because", "First."],
      ["Export", "Because", "Second."],
    ])
    expect(rows.slice(7, 11)).toEqual([
      ["Contracts", "Rows", 7],
      ["Contracts", "Only", "status=active"],
      ["Contracts", "Only", "kind=rent"],
      ["Contracts", "Read from the service", 240],
    ])
  })

  it("has the counts of each table behind it, also of a table that has none", () => {
    const [contracts] = manifest.tables
    const tables: Manifest["tables"] = [contracts!, { ...contracts!, table: "keys", title: "API keys" }]
    const counts = [
      [
        { label: "Status", value: "active", records: 200 },
        { label: "City", value: null, records: 40 },
      ],
    ]
    const rows = cells({ ...manifest, tables }, counts)
    expect(rows.slice(9, 11)).toEqual([
      ["Contracts by status", "active", 200],
      ["Contracts by city", "(none)", 40],
    ])
    expect(rows.slice(11).map(([section]) => section)).toEqual(Array.from({ length: 4 }, () => "API keys"))
  })

  it("has the counts of each account that shares a table", () => {
    const [contracts] = manifest.tables
    const tables = [
      { ...contracts!, account: "coast" },
      { ...contracts!, account: "hills" },
    ]
    const counts = [200, 40].map((records) => [{ label: "Status", value: "active", records }])
    const written = derived(counts).use(
      () => ({ ...manifest, tables }) as unknown as Manifest,
      (table, pages) => [...pages].flat().map((row) => table.columns.map(({ get }) => get(row))),
    )
    expect(written?.filter(([, item]) => item === "Account" || item === "active")).toEqual([
      ["Contracts", "Account", "coast"],
      ["Contracts by status", "active", 200],
      ["Contracts", "Account", "hills"],
      ["Contracts by status", "active", 40],
    ])
  })

  it("of a run that came to no table says so", () => {
    expect(cells({ ...manifest, verdict: "interrupted", tables: [] }, [])).toHaveLength(5)
  })
})
