/** Ten thousand lookups at once while the service answers 429: the rate limiter of the key delays all of them, and none is lost. */
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { idsOf, world } from "../fixtures/Setup.ts"

const lookups = 10_000

/** The policy of work that may take its time: the storm is longer than one wait. */
const patient = { retry: "patient", rate: 20 } as const

describe("a storm of 429 over ten thousand concurrent lookups", () => {
  it("lets no request start during a pause, and answers every lookup in the order asked", async () => {
    const { client, emulator, run } = await world({
      emulator: {
        contracts: lookups,
        faults: [{ name: "storm", ms: 20_000, retryAfter: 6, when: { requests: [40] } }],
      },
      client: patient,
    })
    const ids = idsOf(emulator.store.contracts)
    const found = await run(client.contracts.getMany(ids, { concurrency: lookups }))
    expect(found.map((lookup) => (lookup._tag === "Found" ? lookup.record.id : null))).toEqual(ids)

    const { entries } = emulator.journal
    const limited = entries.filter((entry) => entry.status === 429)
    expect(limited.length).toBeGreaterThan(3)
    for (const refusal of limited) {
      const closedFrom = Date.parse(refusal.at)
      const during = entries.filter((entry) => {
        const at = Date.parse(entry.at)
        return at > closedFrom && at < closedFrom + 6_000
      })
      expect(during).toEqual([])
    }
    expect(entries.filter((entry) => entry.status === 200)).toHaveLength(lookups)
  }, 60_000)

  it("fails every lookup at once where the service names a time that is too far away, with a single request", async () => {
    const { client, emulator, fails, run } = await world({
      emulator: { faults: [{ name: "rate-limit", retryAfter: 3_600 }] },
    })
    const [first, ...others] = idsOf(emulator.store.contracts)
    const error = await fails(client.contracts.get(first!))
    expect(error.reason).toMatchObject({ _tag: "RateLimited", source: "retry-after" })
    const exits = await run(
      Effect.forEach(others, (id) => Effect.flip(client.contracts.get(id)), { concurrency: 100 }),
    )
    expect(exits.every(({ reason }) => reason._tag === "RateLimited" && reason.retryAt !== null)).toBe(true)
    expect(emulator.journal.entries).toHaveLength(1)
  })
})
