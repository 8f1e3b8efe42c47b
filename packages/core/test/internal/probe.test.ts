import { describe, expect, it } from "vitest"
import { candidates } from "../../src/internal/probe.ts"
import { world } from "../fixtures/Setup.ts"

const queries = (entries: ReadonlyArray<{ readonly query: Readonly<Record<string, string>> }>) =>
  entries.map(({ query }) => Object.keys(query).filter((name) => name !== "limit"))

describe("probing", () => {
  it.each(candidates)("finds ?%s=, with requests of one record each", async (cursorParameter) => {
    const { client, emulator, run } = await world({ emulator: { assumptions: { cursorParameter } } })
    const finding = await run(client.contracts.probeCursor)
    const requests = candidates.indexOf(cursorParameter) + 2
    expect(finding).toMatchObject({ _tag: "Verified", parameter: cursorParameter, requests })
    expect(emulator.journal.entries).toHaveLength(requests)
    expect(emulator.journal.entries.every((entry) => entry.query["limit"] === "1")).toBe(true)
  })

  it.each(candidates)("finds ?%s= where other names are refused", async (cursorParameter) => {
    const { client, run } = await world({
      emulator: { assumptions: { cursorParameter, unknownParameter: "reject", malformedStatus: 422 } },
    })
    expect(await run(client.contracts.probeCursor)).toMatchObject({ parameter: cursorParameter })
  })

  it("tries each name once, at most 7, and says so when none works", async () => {
    const { client, emulator, run } = await world({ emulator: { faults: ["cursor-ignored"] } })
    const finding = await run(client.contracts.probeCursor)
    expect(finding).toEqual({ _tag: "NoneWorks", tried: candidates, requests: 8, records: 1 })
    expect(queries(emulator.journal.entries)).toEqual([[], ...candidates.map((name) => [name])])
  })

  it.each([0, 1])("fewer than 2 records: cannot tell yet, with %i", async (contracts) => {
    const { client, emulator, run } = await world({ emulator: { contracts } })
    expect(await run(client.contracts.probeCursor)).toMatchObject({ _tag: "CannotTell", requests: 1 })
    expect(emulator.journal.entries).toHaveLength(1)
  })

  it("2 records are enough: the end is another cursor", async () => {
    const { client, run } = await world({ emulator: { contracts: 2 } })
    expect(await run(client.contracts.probeCursor)).toMatchObject({
      _tag: "Verified",
      evidence: expect.stringContaining("the end"),
    })
  })

  it("asks for what comes after the first record where all that there is comes at once", async () => {
    const { client, emulator, run } = await world({
      emulator: {
        contracts: 3,
        assumptions: {
          limitSupported: false,
          defaultLimit: 3,
          trailingEmptyPage: true,
          cursorParameter: "after",
        },
      },
    })
    expect(await run(client.contracts.probeCursor)).toMatchObject({ _tag: "Verified", parameter: "after" })
    const [first] = emulator.store.contracts.toSorted((one, other) => other.id - one.id)
    expect(emulator.journal.entries.at(-1)?.query).toMatchObject({ after: String(first?.id) })
  })

  it("does not believe another record under the same cursor", async () => {
    const { client, run } = await world({ emulator: { faults: ["cursor-constant"] } })
    expect(await run(client.contracts.probeCursor)).toMatchObject({ _tag: "NoneWorks" })
  })

  it("reads key records as well", async () => {
    const { client, run } = await world({ emulator: { assumptions: { cursorParameter: "after" } } })
    expect(await run(client.apiKeys.probeCursor)).toMatchObject({ parameter: "after" })
  })

  it("fails when its first page cannot be read", async () => {
    const { client, emulator, fails } = await world({ emulator: { faults: ["key-revoked"] } })
    expect((await fails(client.contracts.probeCursor)).reason._tag).toBe("Unauthenticated")
    expect(emulator.journal.entries).toHaveLength(1)
  })

  it("ends at the first failure that is no refusal of a parameter", async () => {
    const { client, emulator, fails } = await world({
      emulator: { faults: [{ name: "key-revoked", from: 3 }, "cursor-ignored"] },
    })
    expect((await fails(client.contracts.probeCursor)).reason._tag).toBe("Unauthenticated")
    expect(emulator.journal.entries).toHaveLength(3)
  })

  it("waits out a 429 like every other call", async () => {
    const { client, elapsed, emulator, run } = await world({
      emulator: { faults: [{ name: "rate-limit", retryAfter: 7, when: { requests: [2] } }] },
    })
    expect(await run(client.contracts.probeCursor)).toMatchObject({ _tag: "Verified" })
    expect(elapsed()).toBeGreaterThanOrEqual(7_000)
    expect(emulator.journal.entries).toHaveLength(3)
  })

  it("changes the reads of a client only where the cursor is auto", async () => {
    const { another, client, fails, run } = await world({
      emulator: { assumptions: { cursorParameter: "after" } },
    })
    const auto = await another({ cursorParam: "auto" })
    await run(client.contracts.probeCursor)
    await run(auto.contracts.probeCursor)
    expect((await fails(client.contracts.collect({ max: "all" }))).reason._tag).toBe("CursorIgnored")
    expect(await run(auto.contracts.collect({ max: "all" }))).toHaveLength(130)
  })

  it("goes through the rate limiter like every other call", async () => {
    const { client, elapsed, emulator, run } = await world({
      client: { rate: 1 },
      emulator: { faults: ["cursor-ignored"] },
    })
    await run(client.contracts.probeCursor)
    expect(emulator.journal.entries).toHaveLength(8)
    expect(elapsed()).toBeGreaterThanOrEqual(7_000)
  })
})
