import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import type { EmulatorOptions } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import type { ClientError } from "../../src/ClientError.ts"
import type { RateLimits } from "../../src/RateLimiter.ts"
import { limitsOf } from "../../src/RateLimiter.ts"
import { idsOf, world } from "../fixtures/Setup.ts"
import type { World } from "../fixtures/Setup.ts"

type Fault = NonNullable<EmulatorOptions["faults"]>[number]
type Load = (it: World) => Effect.Effect<unknown, ClientError>

const defaults: RateLimits = { start: 5, burst: 40, ceiling: 20 }

describe("limitsOf", () => {
  it.each([
    [undefined, defaults],
    [20, { ...defaults, burst: 20 }],
    [100, { ...defaults, ceiling: 100 }],
    [2, { ...defaults, burst: 2, ceiling: 2 }],
    [0.1, { ...defaults, burst: 1, ceiling: 0.1 }],
    [0, { ...defaults, burst: 1, ceiling: Infinity }],
    [
      { start: 5, burst: 3, ceiling: 2 },
      { start: 5, burst: 3, ceiling: 2 },
    ],
  ])("of %o are %o", (rate, limits) => {
    expect(limitsOf(rate)).toEqual(limits)
  })
})

const together =
  (gets: number): Load =>
  (it) =>
    Effect.forEach(idsOf(it.emulator.store.contracts).slice(0, gets), (id) => it.client.contracts.get(id), {
      concurrency: "unbounded",
    })
const oneByOne =
  (gets: number): Load =>
  (it) =>
    Effect.forEach(idsOf(it.emulator.store.contracts).slice(0, gets), (id) => it.client.contracts.get(id))
const looking =
  (ids: number): Load =>
  (it) =>
    it.client.contracts.getMany(idsOf(it.emulator.store.contracts).slice(0, ids))
const listing: Load = (it) => Stream.runDrain(it.client.contracts.list({ limit: 1 }))

/** How many requests were refused, of how many, and how long all of them took. */
const outcome = async (
  load: Load,
  rate: RateLimits,
  millis: number,
  seed = 1,
  ...limits: ReadonlyArray<Fault>
) => {
  const it = await world({
    client: { rate, retry: "patient" },
    emulator: { contracts: 100, faults: [{ name: "latency", ms: millis }, ...limits] },
  })
  await it.run(Random.withSeed(load(it), seed))
  const { entries } = it.emulator.journal
  return {
    refused: entries.filter(({ status }) => status === 429).length,
    requests: entries.length,
    millis: it.elapsed(),
  }
}

describe("the default figures", () => {
  it.each([
    ["at once", together(40)],
    ["by getMany", looking(40)],
    ["one by one", oneByOne(40)],
  ])("let 40 lookups %s pass from cold in no more than 300 ms, at 1 ms an answer", async (_how, load) => {
    const { millis, requests } = await outcome(load, defaults, 1)
    expect(requests).toBe(40)
    expect(millis).toBeLessThanOrEqual(300)
  })

  const quota = (limit: number, windowMs: number, retryAfter: "window" | null): Fault => ({
    name: "quota",
    limit,
    windowMs,
    retryAfter,
  })
  const cautious: RateLimits = { start: 2, burst: 10, ceiling: 20 }

  describe.each([
    ["1 a second", quota(1, 1_000, "window")],
    ["1 a second, not documented", quota(1, 1_000, null)],
    ["2 a second, not documented", quota(2, 1_000, null)],
    ["5 a second", quota(5, 1_000, "window")],
    ["5 a second, not documented", quota(5, 1_000, null)],
    ["10 a second", quota(10, 1_000, "window")],
    ["20 a second, not documented", quota(20, 1_000, null)],
    ["30 in 10 seconds, not documented", quota(30, 10_000, null)],
    ["60 a minute", quota(60, 60_000, "window")],
  ])("at a server that allows %s", (_server, limit) => {
    it.each([
      ["40 lookups at once", together(40), 11, 100],
      ["40 lookups by getMany", looking(40), 4, 100],
      ["100 pages", listing, 2, 1],
    ])(
      "have few more refusals than a start of 2 a second and a burst of 10: %s",
      async (_what, load, more, millis) => {
        const means = [defaults, cautious].map(async (figures) => {
          const outcomes = [1, 2, 3, 4].map((seed) => outcome(load, figures, millis, seed, limit))
          const all = await Promise.all(outcomes)
          expect(new Set(all.map(({ refused, requests }) => requests - refused)).size).toBe(1)
          return all.reduce((sum, { refused }) => sum + refused, 0) / all.length
        })
        const [quick = Infinity, careful = 0] = await Promise.all(means)
        expect(quick).toBeLessThanOrEqual(careful + more)
      },
    )
  })
})
