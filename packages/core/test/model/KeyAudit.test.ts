import { describe, expect, it } from "vitest"
import { apiKey } from "../../src/testing/Fixtures.ts"
import type { ApiKey } from "../../src/ApiKey.ts"
import type { AuditOptions, Finding } from "../../src/KeyAudit.ts"
import { audit, sentence } from "../../src/KeyAudit.ts"

const now = new Date("2026-06-30T12:00:00Z")

/** A key that no rule has anything to say about. */
const good = apiKey({
  id: 1,
  name: "Accounting",
  created_at: "2026-06-01T12:00:00Z",
  last_used_at: "2026-06-30T09:00:00Z",
})

const of = (change: Partial<ApiKey>, options: Partial<AuditOptions> = {}): ReadonlyArray<Finding> =>
  audit([{ ...good, ...change }], { now, ...options })

const rules = (...args: Parameters<typeof of>): ReadonlyArray<string> => of(...args).map(({ rule }) => rule)

describe("an audit of keys", () => {
  it("finds nothing about a key in use with one scope", () => {
    expect(of({})).toEqual([])
    expect(audit([], { now })).toEqual([])
  })

  it("names rule, key, severity, evidence and advice", () => {
    expect(of({ id: 9, name: "Old CRM", last_used_at: "2026-01-04T08:00:00Z" })).toEqual([
      {
        rule: "unused",
        keyId: 9,
        keyName: "Old CRM",
        severity: "medium",
        evidence: { lastUsedAt: "2026-01-04T08:00:00Z", days: 177 },
        advice: "If its integration is gone, revoke it in the dashboard.",
      },
    ])
  })

  it.each([
    ["2026-04-01T12:00:01Z", 90, []],
    ["2026-04-01T12:00:00Z", 90, ["unused"]],
    ["2026-06-29T12:00:00Z", 1, ["unused"]],
    ["2026-06-29T12:00:01Z", 1, []],
    ["2027-01-01T00:00:00Z", 90, []],
  ])(
    "calls a key unused from the last day of the limit on: %s, %d days",
    (last_used_at, unusedDays, found) => {
      expect(rules({ last_used_at }, { unusedDays })).toEqual(found)
    },
  )

  it.each([
    ["2026-06-24T12:00:00Z", {}, []],
    ["2026-06-23T12:00:00Z", {}, ["low"]],
    ["2026-04-01T12:00:00Z", {}, ["medium"]],
    ["2026-06-29T12:00:00Z", { graceDays: 0 }, ["low"]],
    ["2026-06-28T12:00:00Z", { unusedDays: 2 }, ["medium"]],
  ])("gives a new key a week until its first use: made at %s, %j", (created_at, options, found) => {
    const findings = of({ created_at, last_used_at: null }, options)
    expect(findings.map(({ severity }) => severity)).toEqual(found)
    expect(findings.every(({ rule }) => rule === "never-used")).toBe(true)
  })

  it.each([
    ["2026-06-01T00:00:01Z", "2026-06-01T00:00:00Z", ["used-after-revocation"]],
    ["2026-06-01T00:00:00Z", "2026-06-01T00:00:00Z", []],
    ["2026-06-01T01:30:00+02:00", "2026-06-01T00:00:00Z", []],
    [null, "2026-06-01T00:00:00Z", []],
  ])(
    "sees a use after the revocation, whatever the zone: %s, revoked %s",
    (last_used_at, revoked_at, found) => {
      expect(rules({ last_used_at, revoked_at })).toEqual(found)
    },
  )

  it("judges a revoked key by nothing else", () => {
    const scopes = ["read:me", "read:listings", "write:all", "read:contracts"]
    const revoked_at = "2024-02-01T00:00:00Z"
    expect(of({ created_at: "2020-01-01T00:00:00Z", last_used_at: null, revoked_at, scopes })).toEqual([])
  })

  it("counts each scope once, and compares with the limit", () => {
    const three = ["read:me", "read:me", "read:listings", "read:contracts"]
    expect(rules({ scopes: three })).toEqual([])
    expect(of({ scopes: three }, { maxScopes: 2 })).toMatchObject([
      { rule: "many-scopes", evidence: { scopes: ["read:me", "read:listings", "read:contracts"], limit: 2 } },
    ])
  })

  it("names the scopes that the specification does not name, and only these", () => {
    expect(of({ scopes: ["read:contact_messages", "write:contracts", "READ:ME"] })).toMatchObject([
      { rule: "unknown-scopes", severity: "low", evidence: { scopes: ["write:contracts", "READ:ME"] } },
    ])
  })

  it.each([
    ["2025-06-30T12:00:00Z", 365, []],
    ["2025-06-29T12:00:00Z", 365, ["old"]],
    ["2026-06-28T12:00:00Z", 1, ["old"]],
  ])("calls a key old after the limit: made at %s, %d days", (created_at, maxAgeDays, found) => {
    expect(rules({ created_at }, { maxAgeDays })).toEqual(found)
  })

  it("finds everything about one key, the highest priority first", () => {
    const worst = {
      ...good,
      id: 2,
      created_at: "2020-01-01T00:00:00Z",
      last_used_at: null,
      scopes: ["a", "b", "c", "d"],
    }
    const revoked = { ...good, id: 3, revoked_at: "2026-06-29T00:00:00Z" }
    expect(audit([worst, good, revoked], { now }).map(({ keyId, rule }) => [keyId, rule])).toEqual([
      [3, "used-after-revocation"],
      [2, "never-used"],
      [2, "many-scopes"],
      [2, "unknown-scopes"],
      [2, "old"],
    ])
  })

  it("puts the evidence into words", () => {
    const keys = [
      { ...good, revoked_at: "2026-06-29T00:00:00Z" },
      { ...good, created_at: "2025-06-29T12:00:00Z", last_used_at: null },
      { ...good, last_used_at: "2026-06-29T12:00:00Z", scopes: ["read:me", "x:y"] },
    ]
    expect(audit(keys, { now, unusedDays: 1, maxScopes: 1 }).map(sentence)).toEqual([
      "used 2026-06-30T09:00:00Z, revoked 2026-06-29T00:00:00Z",
      "never used in 366 days, since 2025-06-29",
      "not used for 1 day, since 2026-06-29",
      "2 scopes, more than 1: read:me, x:y",
      "366 days old, made on 2025-06-29",
      "scopes that are not specified: x:y",
    ])
  })
})
