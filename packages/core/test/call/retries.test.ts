import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Schedule from "effect/Schedule"
import { describe, expect, it } from "vitest"
import type { ClientOptions } from "../../src/ClientConfig.ts"
import type { Failure } from "../../src/RetryPolicy.ts"
import { ClientError } from "../../src/ClientError.ts"
import type { ScriptedAnswer } from "../../src/testing/index.ts"
import { scripted } from "../../src/testing/index.ts"
import { TransportFault } from "../../src/Transport.ts"
import { eventsOf, startMillis, world } from "../fixtures/Setup.ts"

const ok: ScriptedAnswer = { body: { ok: true, name: "mine" }, headers: { "x-request-id": "req_ok" } }
const down: ScriptedAnswer = { status: 503 }
const limited = (retryAfter?: number | string): ScriptedAnswer => ({
  status: 429,
  ...(retryAfter === undefined ? {} : { headers: { "retry-after": String(retryAfter) } }),
})

const nine = (answer: ScriptedAnswer) => Array.from({ length: 9 }, () => answer)

/** One call against these answers: what came of it, and everything that happened until then. */
const called = async (plan: ReadonlyArray<ScriptedAnswer>, client: Partial<ClientOptions>, seed = "seed") => {
  const { requests, send } = scripted((_, count) => plan[count - 1] ?? ok)
  const it = await world({ transport: send, client })
  const end = await it.run(
    Random.withSeed(
      Effect.match(it.client.me(), { onFailure: (error) => error, onSuccess: (value) => value }),
      seed,
    ),
  )
  const error = end instanceof ClientError ? end : null
  const waits = eventsOf(it.events, "Waiting").map(({ waitMillis }) => waitMillis)
  return { end, error, reason: error?.reason._tag ?? null, waits, requests: requests.length, it }
}

describe("a schedule", () => {
  it("says when and how often a failure that can go away is retried", async () => {
    const retry = Schedule.exponential("1 second").pipe(Schedule.upTo({ times: 3 }))
    const all = await called([down, { fault: "connect" }, down, down, down], { retry })
    expect(all).toMatchObject({ reason: "ServerFault", requests: 4, waits: [1_000, 2_000, 4_000] })
    expect(all.error?.attempts.map(({ waitedMillis, why }) => [waitedMillis, why])).toEqual([
      [1_000, "backoff"],
      [2_000, "backoff"],
      [4_000, "backoff"],
      [null, "attempts"],
    ])
    expect(await called([down, down], { retry })).toMatchObject({ reason: null, requests: 3 })
  })

  it("may retry more often, and wait longer, than any policy", async () => {
    const often = Schedule.upTo(Schedule.spaced("1 hour"), { times: 50 })
    const down51 = Array.from({ length: 51 }, () => down)
    const all = await called(down51, { retry: often, timeLimits: { deadline: null } })
    expect(all).toMatchObject({ reason: "ServerFault", requests: 51 })
    expect(all.it.elapsed()).toBe(50 * 3_600_000)
  })

  it.each<[string, ScriptedAnswer]>([
    ["Unauthenticated", { status: 401 }],
    ["NotFound", { status: 404 }],
    ["ServerFault", { status: 501 }],
    ["NotOk", { body: { ok: false } }],
    ["TransportFailed", { fault: "tls" }],
  ])("is not asked about %s that stays", async (reason, given) => {
    let asked = 0
    const retry = Schedule.tap(Schedule.forever, () => Effect.sync(() => (asked += 1)))
    expect(await called([given], { retry })).toMatchObject({ reason, requests: 1, waits: [] })
    expect(asked).toBe(0)
  })

  it("cannot shorten Retry-After, and may wait longer", async () => {
    const retry = Schedule.spaced("10 seconds")
    expect((await called([limited(30), limited(3), limited()], { retry })).waits).toEqual([
      30_000, 10_000, 10_000,
    ])
    const date = new Date(startMillis + 45_000).toUTCString()
    expect((await called([{ ...down, headers: { "retry-after": date } }], { retry })).waits).toEqual([45_000])
  })

  it("says what a wait is from: the server's time, or its own longer one", async () => {
    const retry = Schedule.spaced("10 seconds")
    const { it } = await called([limited(30), limited(3), limited()], { retry })
    const sources = eventsOf(it.events, "Waiting").map(({ source }) => source)
    expect(sources).toEqual(["retry-after", "backoff", "backoff"])
  })

  it("ends with the deadline of the call, before a wait beyond it", async () => {
    const retry = Schedule.spaced("50 seconds")
    const ended = await called(nine(down), { retry })
    expect(ended).toMatchObject({ reason: "ServerFault", requests: 3 })
    expect(ended.error?.attempts.at(-1)?.why).toBe("deadline")
    expect(ended.it.elapsed()).toBe(100_000)
    const told = await called([limited(600)], { retry })
    expect(told.error?.reason).toMatchObject({
      _tag: "RateLimited",
      retryAt: new Date(startMillis + 600_000).toISOString(),
      source: "retry-after",
    })
  })

  it("sees the failure: reason, attempt, Retry-After, time and a random number", async () => {
    const seen: Array<Failure> = []
    const retry = Schedule.spaced("2 seconds").pipe(
      Schedule.setInputType<Failure>(),
      Schedule.tap(({ input }) => Effect.sync(() => seen.push(input))),
    )
    await called([limited(7), { fault: "body" }], { retry })
    expect(seen).toMatchObject([
      { reason: { _tag: "RateLimited" }, attempt: 1, retryAfter: "7", now: startMillis },
      { reason: { _tag: "TransportFailed" }, attempt: 2, retryAfter: null, now: startMillis + 7_000 },
    ])
    expect(seen.every(({ random }) => random >= 0 && random < 1)).toBe(true)
  })

  it("begins anew with each call", async () => {
    const { send } = scripted((_, count) => (count % 3 === 0 ? ok : down))
    const retry = Schedule.exponential("1 second").pipe(Schedule.upTo({ times: 2 }))
    const it = await world({ transport: send, client: { retry } })
    await it.run(Effect.all([it.client.me(), it.client.me(), it.client.me()]))
    const waits = eventsOf(it.events, "Waiting").map(({ waitMillis }) => waitMillis)
    expect(waits).toEqual([1_000, 2_000, 1_000, 2_000, 1_000, 2_000])
  })

  it("is composed as the documentation shows", async () => {
    const capped = Schedule.min([Schedule.exponential("250 millis"), Schedule.spaced("20 seconds")]).pipe(
      Schedule.jittered,
      Schedule.upTo({ times: 5, duration: "2 minutes" }),
    )
    const retry = capped.pipe(
      Schedule.setInputType<Failure>(),
      Schedule.while(({ input }) => input.reason._tag === "RateLimited"),
    )
    const { requests, waits } = await called(nine(limited()), { retry: capped })
    expect(requests).toBe(6)
    for (const [at, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(250 * 2 ** at * 0.8)
      expect(wait).toBeLessThanOrEqual(Math.ceil(250 * 2 ** at * 1.2))
    }
    expect(await called([limited(), limited(), down], { retry })).toMatchObject({
      reason: "ServerFault",
      requests: 3,
    })
  })

  it.each<[string, Duration.Duration]>([
    ["an endless", Duration.infinity],
    ["a negative", Duration.millis(-5)],
    ["a fractional", Duration.nanos(1_500_000n)],
  ])("may name %s delay", async (_, delay) => {
    const retry = Schedule.forever.pipe(
      Schedule.modifyDelay(() => Effect.succeed(delay)),
      Schedule.upTo({ times: 1 }),
    )
    const millis = Math.ceil(Duration.toMillis(delay))
    const { it, reason } = await called([down], { retry })
    expect(reason).toBe(millis === Infinity ? "ServerFault" : null)
    expect(it.elapsed()).toBe(millis === Infinity ? 0 : Math.max(0, millis))
    const longest = 10 * 365 * 86_400_000
    const waiting = await called([limited()], { retry, timeLimits: { deadline: null } })
    expect(waiting.reason).toBeNull()
    expect(waiting.it.elapsed()).toBe(Math.min(longest, Math.max(0, millis)))
  })

  it("that fails itself ends the call with its defect, and nothing else", async () => {
    const retry = Schedule.tap(Schedule.forever, () => Effect.die(new Error("a bug in the schedule")))
    const { send } = scripted([down, ok])
    const it = await world({ transport: send, client: { retry } })
    await expect(it.run(it.client.me())).rejects.toThrow("a bug in the schedule")
    expect(await it.run(it.client.me())).toEqual(ok.body)
  })

  it("leaves the pause of the key after the last 429 to the usual backoff", async () => {
    const retry = Schedule.recurs(0)
    const { error, it } = await called([limited()], { retry })
    expect(error?.reason).toMatchObject({ _tag: "RateLimited", source: "backoff" })
    await it.run(it.client.me())
    expect(it.elapsed()).toBeGreaterThanOrEqual(1_000)
    expect(it.elapsed()).toBeLessThanOrEqual(2_000)
  })
})

describe("a 429 whose body breaks off", () => {
  it("pauses the key for its Retry-After", async () => {
    const { requests, send } = scripted([ok])
    const header = (name: string) => (name === "retry-after" ? "60" : null)
    const cut = new TransportFault("body", "cut", { code: "ECONNRESET", head: { status: 429, header } })
    let sent = 0
    const it = await world({
      transport: (outgoing, cancellation) =>
        ++sent === 1 ? Promise.reject(cut) : send(outgoing, cancellation),
    })
    expect(await it.run(it.client.me())).toEqual(ok.body)
    expect(requests).toHaveLength(1)
    expect(it.elapsed()).toBeGreaterThanOrEqual(60_000)
    expect(eventsOf(it.events, "Waiting")).toMatchObject([{ why: "rate-limited", source: "retry-after" }])
  })
})
