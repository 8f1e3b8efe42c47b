import { describe, expect, it } from "vitest"
import { candidates } from "../src/Probe.ts"
import { arrivals, world } from "./Setup.ts"
import type { WorldOptions } from "./Setup.ts"

const probe = async (options: WorldOptions) => {
  const it = await world(options)
  return { ...it, finding: await it.run(it.client.contracts.probeCursor) }
}

const namesSent = (entries: ReadonlyArray<{ readonly query: Readonly<Record<string, string>> }>) =>
  entries.map((entry) => Object.keys(entry.query).find((name) => name !== "limit"))

describe("probing", () => {
  it.each(candidates)("finds %s with one small request for each name before it", async (parameter) => {
    const { emulator, finding } = await probe({ emulator: { assumptions: { cursorParameter: parameter } } })
    const requests = candidates.indexOf(parameter) + 2
    expect(finding).toMatchObject({ _tag: "Verified", parameter, requests })
    expect(emulator.journal.entries).toHaveLength(requests)
    expect(emulator.journal.entries.every((entry) => entry.query["limit"] === "1")).toBe(true)
  })

  it("goes on after a name that the server refuses", async () => {
    const { finding } = await probe({
      emulator: { assumptions: { cursorParameter: "cursor", unknownParameter: "reject" } },
    })
    expect(finding).toMatchObject({ _tag: "Verified", parameter: "cursor" })
  })

  it("believes a name that leads to the end", async () => {
    const { finding } = await probe({ emulator: { contracts: 2 } })
    expect(finding).toMatchObject({ _tag: "Verified", parameter: "before_id" })
  })

  it.each([0, 1])("cannot tell yet with %d records, after one request", async (contracts) => {
    const { emulator, finding } = await probe({ emulator: { contracts } })
    expect(finding).toMatchObject({ _tag: "CannotTell", requests: 1 })
    expect(emulator.journal.entries).toHaveLength(1)
  })

  it("tries each name once and no more than seven, then says that none works", async () => {
    const { emulator, finding } = await probe({ emulator: { faults: ["cursor-ignored"] } })
    expect(finding).toEqual({ _tag: "NoneWorks", tried: candidates, requests: 8 })
    expect(namesSent(emulator.journal.entries)).toEqual([undefined, ...candidates])
    expect(candidates).toHaveLength(7)
  })

  it("believes no name of a server whose cursor stands still", async () => {
    const { finding } = await probe({ emulator: { faults: ["cursor-constant"] } })
    expect(finding._tag).toBe("NoneWorks")
  })

  it("waits out a 429 like every other call", async () => {
    const { elapsed, emulator, finding } = await probe({
      emulator: { faults: [{ name: "rate-limit", retryAfter: 7, when: { requests: [2] } }] },
    })
    expect(finding._tag).toBe("Verified")
    expect(elapsed()).toBeGreaterThanOrEqual(7_000)
    expect(emulator.journal.entries).toHaveLength(3)
  })

  it("keeps to the pace of the key", async () => {
    const { emulator } = await probe({
      client: { rate: 1 },
      emulator: { assumptions: { cursorParameter: "after" } },
    })
    const times = arrivals(emulator.journal.entries)
    expect(times.slice(1).every((at, index) => at - times[index]! >= 999)).toBe(true)
  })

  it("fails when its first page cannot be read, or a later one for another reason than the name", async () => {
    const first = await world({ emulator: { faults: ["key-revoked"] } })
    expect((await first.fails(first.client.contracts.probeCursor)).reason._tag).toBe("Unauthenticated")
    const later = await world({
      emulator: { faults: ["cursor-ignored", { name: "key-revoked", from: 3 }] },
    })
    expect((await later.fails(later.client.contracts.probeCursor)).reason._tag).toBe("Unauthenticated")
  })

  it("works on the key records as well", async () => {
    const { client, run } = await world({ emulator: { assumptions: { cursorParameter: "after" } } })
    expect(await run(client.apiKeys.probeCursor)).toMatchObject({ _tag: "Verified", parameter: "after" })
  })

  it("changes the walks of a client only where the cursor is auto", async () => {
    const { another, client, fails, run } = await world({
      emulator: { assumptions: { cursorParameter: "after" } },
    })
    const auto = await another({ cursorParam: "auto" })
    await run(client.contracts.probeCursor)
    await run(auto.contracts.probeCursor)
    expect((await fails(client.contracts.collect({ max: "all" }))).reason._tag).toBe("CursorIgnored")
    expect(await run(auto.contracts.collect({ max: "all" }))).toHaveLength(130)
  })
})
