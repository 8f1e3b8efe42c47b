import { make } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import { formulas, texts, unitIds } from "../src/Hurting.ts"
import { ask, read, reading } from "./asking.ts"

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const expectText = (value: unknown) => expect(typeof value).toBe("string")
const expectId = (value: unknown) => expect(Number.isSafeInteger(value) && Number(value) > 0).toBe(true)

describe("contracts", () => {
  it("hold the specification's tables for a thousand records", async () => {
    const emulator = make({ contracts: 1000 })
    const items = (await reading(emulator, { limit: 100 })).flatMap((page) => page.items)
    expect(items).toHaveLength(1000)
    expect(items).toEqual(emulator.store.contracts)
    for (const item of items) {
      expect(Object.keys(item)).toEqual([
        "id",
        "listing_id",
        "kind",
        "status",
        "created_at",
        "updated_at",
        "unit_id",
        "unit_label",
        "template_id",
        "listing",
      ])
      expectId(item.id)
      expectText(item["kind"])
      expectText(item["status"])
      expectText(item["unit_label"])
      expectId(item["template_id"])
      expect(item["created_at"]).toMatch(timestamp)
      expect(item["updated_at"]).toMatch(timestamp)
      expect(String(item["updated_at"]) >= String(item["created_at"])).toBe(true)
    }
    const [listed, unlisted] = [true, false].map((has) =>
      items.filter((item) => (item["listing_id"] !== null) === has),
    )
    expect(unlisted?.length).toBeGreaterThan(0)
    for (const item of unlisted ?? []) expect(item["listing"]).toBeNull()
    for (const item of listed ?? []) {
      const listing = item["listing"] as Record<string, unknown>
      expect(Object.keys(listing)).toEqual(["id", "slug", "title", "city", "area"])
      expect(listing["id"]).toBe(item["listing_id"])
      for (const name of ["slug", "title", "city", "area"]) expectText(listing[name])
    }
  })

  it("look like a portfolio: named and unnamed values, gaps, cells that spreadsheets misread", () => {
    const { contracts } = make({ contracts: 1000 }).store
    const values = (of: (contract: (typeof contracts)[number]) => unknown) => new Set(contracts.map(of))
    expect(values(({ kind }) => kind)).toEqual(new Set(["rent", "sale", "seasonal"]))
    expect(values(({ status }) => status)).toEqual(new Set(["draft", "active", "ended", "on_hold"]))
    expect(values(({ unit_id }) => (unit_id === null ? "null" : typeof unit_id))).toEqual(
      new Set(["null", "number", "string"]),
    )
    expect(values(({ listing }) => listing?.city).size).toBeGreaterThan(5)
    for (const label of ["=1+1", "-5", "+49 30 901820", "@SUM(A1:A9)", "Penthouse ", "  3B"]) {
      expect(values(({ unit_label }) => unit_label)).toContain(label)
    }
    const ids = contracts.map(({ id }) => id)
    expect((ids[0] ?? 0) - (ids.at(-1) ?? 0)).toBeGreaterThan(1000)
  })

  it("embed the same summary wherever the same listing appears", () => {
    const seen = new Map<number, string>()
    for (const { listing } of make({ contracts: 1000 }).store.contracts) {
      if (listing === null || listing === undefined) continue
      const text = JSON.stringify(listing)
      expect(seen.get(listing.id) ?? text).toBe(text)
      seen.set(listing.id, text)
    }
    expect(seen.size).toBeLessThan(900)
  })
})

describe("API keys", () => {
  it("hold the specification's table and no secret", async () => {
    const emulator = make({ keys: 40 })
    const text = await (await ask(emulator, "/v1/api-keys/?limit=100")).text()
    expect(text).not.toContain("dk_emulator")
    const { items } = await read(emulator, "/v1/api-keys/?limit=100")
    expect(items).toEqual(emulator.store.apiKeys)
    expect(items).toHaveLength(40)
    for (const item of items) {
      expect(Object.keys(item)).toEqual(["id", "name", "scopes", "created_at", "last_used_at", "revoked_at"])
      expectId(item.id)
      expectText(item["name"])
      expect(Array.isArray(item["scopes"])).toBe(true)
      expect(item["created_at"]).toMatch(timestamp)
      for (const name of ["last_used_at", "revoked_at"]) {
        expect(item[name] ?? item["created_at"]).toMatch(timestamp)
      }
    }
  })

  it("are at least the five that secrets name", () => {
    expect(make({ keys: 0 }).store.apiKeys).toHaveLength(5)
  })
})

describe("the seed", () => {
  const bytes = async (seed: number, clockNow: number) => {
    const emulator = make({ seed, contracts: 60, clock: { now: () => clockNow, sleep: async () => {} } })
    const answers = await Promise.all(
      ["/v1/contracts/?limit=100", "/v1/api-keys/", "/v1/me/"].map(async (path) =>
        (await ask(emulator, path)).text(),
      ),
    )
    return [...answers, emulator.apiKey].join("\n")
  }

  it("gives the same bytes today and in ten years, and other bytes for another seed", async () => {
    expect(await bytes(1, Date.UTC(2026, 0, 1))).toBe(await bytes(1, Date.UTC(2036, 0, 1)))
    expect(await bytes(1, 0)).not.toBe(await bytes(2, 0))
  })
})

describe("hurting", () => {
  it("carries every text through, JSON escapes included", async () => {
    const emulator = make({ hurting: true, contracts: 100 })
    const { items } = await read(emulator, "/v1/contracts/?limit=100")
    const titles = items.map((item) => (item["listing"] as { title: string } | null)?.title)
    for (const text of texts) expect(titles).toContain(text)
    for (const formula of formulas) expect(items.map((item) => item["unit_label"])).toContain(formula)
    expect(texts.some((text) => text.length === 33_000)).toBe(true)
    expect(texts.some((text) => text.length === 500)).toBe(true)
  })

  it("writes numbers that no double holds with all their digits", async () => {
    const emulator = make({ hurting: true, contracts: 100 })
    const text = await (await ask(emulator, "/v1/contracts/?limit=100")).text()
    expect(text).toContain('"unit_id":9007199254740993,')
    expect(text).toContain('"unit_id":123456789012345678901234567890,')
    expect(text).toContain('"unit_id":1.10,')
    expect(text).toContain('"unit_id":{"formula":"1+1"},')
    for (const value of unitIds) expect(text).toContain(`"unit_id":${JSON.stringify(value)},`)
    expect(text).toContain("lone \\ud800 high")
    expect(text).toContain("\\u0000=1+1")
  })

  it("leaves the documented types in place", async () => {
    const emulator = make({ hurting: true, contracts: 60 })
    for (const contract of emulator.store.contracts) {
      expectText(contract.unit_label)
      expectText(contract.kind)
      expect(contract.listing?.id ?? null).toBe(contract.listing_id)
    }
  })
})
