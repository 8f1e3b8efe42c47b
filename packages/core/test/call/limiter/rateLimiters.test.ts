import { make as makeEmulator } from "@deedkit/emulator"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import type { RateLimiter } from "../../../src/call/limiter/RateLimiter.ts"
import { RateLimiters } from "../../../src/call/limiter/rateLimiters.ts"
import type { RateLimiterOf } from "../../../src/call/limiter/rateLimiters.ts"
import * as PropertyClient from "../../../src/client/PropertyClient.ts"
import { createClient } from "../../../src/promise.ts"
import { Transport, viaFetch } from "../../../src/transport/Transport.ts"
import { baseUrl, failure } from "../../fixtures/Setup.ts"

/** One place for the rate of a key, which is asked for each turn and told what came of it. */
const elsewhere = (answers: Effect.Effect<void>) => {
  const told: Array<string> = []
  const tell = (what: string): void => void told.push(what)
  const limiter: RateLimiter = {
    tryTake: () => false,
    take: (priority) =>
      Effect.andThen(
        Effect.sync(() => tell(`take ${priority}`)),
        answers,
      ),
    pausedUntil: () => 0,
    clean: () => tell("clean"),
    limited: () => tell("limited"),
    rate: () => 1,
  }
  const rateLimiters: RateLimiterOf = (keyFingerprint, limits) => {
    tell(`${/^[0-9a-f]{16}$/.test(keyFingerprint)} ${JSON.stringify(limits)}`)
    return limiter
  }
  return { rateLimiters, told }
}

const asked = `true {"start":5,"burst":3,"ceiling":3}`

describe("rate limiters of one's own", () => {
  it("are asked for each turn, with its priority, and told what came of it", async () => {
    const emulator = makeEmulator({
      contracts: 3,
      faults: [{ name: "rate-limit", retryAfter: 0, when: { requests: [1] } }],
    })
    const { rateLimiters, told } = elsewhere(Effect.yieldNow)
    const client = await Effect.runPromise(
      PropertyClient.make({
        baseUrl,
        apiKey: emulator.apiKey,
        rate: 3,
        retry: { rateLimitBaseMillis: 1 },
      }).pipe(
        Effect.provideService(Transport, viaFetch(emulator.fetch)),
        Effect.provideService(RateLimiters, rateLimiters),
      ),
    )
    await Effect.runPromise(client.me())
    await Effect.runPromise(client.contracts.collect({ max: "all" }))
    expect(told).toEqual([
      asked,
      "take interactive",
      "limited",
      "take interactive",
      "clean",
      "take background",
      "clean",
    ])
  })

  it("that never answer end with the deadline of the call, without a request", async () => {
    const emulator = makeEmulator({ contracts: 3 })
    const { rateLimiters } = elsewhere(Effect.never)
    const client = await Effect.runPromise(
      PropertyClient.make({ baseUrl, apiKey: emulator.apiKey, timeLimits: { deadline: 20 } }).pipe(
        Effect.provideService(Transport, viaFetch(emulator.fetch)),
        Effect.provideService(RateLimiters, rateLimiters),
      ),
    )
    const error = await Effect.runPromise(failure(client.me()))
    expect(error.reason).toMatchObject({ _tag: "TimedOut", which: "deadline" })
    expect(emulator.journal.entries).toEqual([])
  })

  it("are an option of createClient", async () => {
    const emulator = makeEmulator({ contracts: 3 })
    const { rateLimiters, told } = elsewhere(Effect.void)
    await using client = createClient({
      baseUrl,
      apiKey: emulator.apiKey,
      fetch: emulator.fetch,
      rate: 3,
      rateLimiters,
    })
    await client.me()
    expect(told).toEqual([asked, "take interactive", "clean"])
  })
})
