import { kinds } from "@deedkit/emulator"
import type { Fault, When } from "@deedkit/emulator"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { reasonTags } from "../../src/ClientError.ts"
import { arrivals, eventsOf, flawsOf, idsOf, startMillis, readList, world } from "../fixtures/Setup.ts"
import type { World, WorldOptions } from "../fixtures/Setup.ts"

/** Sizes that a test can bear; every other attribute keeps its default. */
const bearable: Readonly<Record<string, object>> = { huge: { bytes: 200_000 }, mutate: { update: 2 } }
const faultOf = (name: Fault["name"], when: When): Fault =>
  ({ name, when, ...bearable[name] }) as unknown as Fault

describe.each(kinds.map(({ name }) => name))("the fault %s", (name) => {
  it("on page 2 gives a complete list, or a typed error and an incomplete summary", async () => {
    const { client, emulator, run } = await world({
      client: { cursorParam: "auto", maxBodyBytes: 100_000 },
      emulator: { contracts: 100, faults: [faultOf(name, { page: 2 })] },
    })
    const pages = client.contracts.pages({ limit: 20, onRejected: "collect" })
    expect(flawsOf(await run(readList(pages)), idsOf(emulator.store.contracts))).toEqual([])
  })

  it("gives the record that was asked for, or a typed error", async () => {
    const { client, emulator, run } = await world({
      client: { maxBodyBytes: 100_000 },
      emulator: { contracts: 20, faults: [faultOf(name, {})] },
    })
    const { id } = emulator.store.contracts[3]!
    const outcome = await run(
      Effect.match(client.contracts.get(id), {
        onFailure: ({ reason }) => reason._tag,
        onSuccess: (contract) => contract.id,
      }),
    )
    expect([id, ...reasonTags]).toContain(outcome)
  })
})

describe("faults that go away by themselves", () => {
  it.each<Fault>([
    { name: "burst", count: 3 },
    { name: "storm", ms: 5_000 },
    { name: "quota", limit: 2, windowMs: 10_000 },
    { name: "drop", when: { every: 2 } },
    { name: "cut", when: { every: 2 } },
    { name: "truncated-json", when: { every: 3 } },
    { name: "stall", when: { requests: [2] } },
    { name: "server-error", status: 502, when: { requests: [1, 2, 5] } },
    { name: "rate-limit", retryAfter: "date", when: { every: 2 } },
    { name: "html-error", status: 503, when: { requests: [3] } },
    { name: "latency", ms: 5_000 },
    { name: "slow", bytesPerSecond: 5_000 },
  ])("$name loses no record", async (fault) => {
    const { client, emulator, run } = await world({ emulator: { faults: [fault] } })
    const { error, pages, records } = await run(readList(client.contracts.pages()))
    expect(error).toBeNull()
    expect(idsOf(records)).toEqual(idsOf(emulator.store.contracts))
    const { entries } = emulator.journal
    expect(pages.at(-1)?.summary).toMatchObject({
      complete: true,
      requests: entries.length,
      retries: entries.length - pages.length,
    })
  })
})

const firstId = ({ emulator }: World): number => emulator.store.contracts[0]!.id

/** Looks up the newest contract; the second request of it is the retry. */
const lookup = async (options: WorldOptions) => {
  const it = await world(options)
  const contract = await it.run(it.client.contracts.get(firstId(it)))
  return { ...it, contract, times: arrivals(it.emulator.journal.entries) }
}

describe("a 429", () => {
  const limited = (retryAfter: string | number | null): WorldOptions => ({
    emulator: { faults: [{ name: "rate-limit", retryAfter, when: { requests: [1] } }] },
  })

  it("with Retry-After in seconds waits at least that long, and hardly longer", async () => {
    const { events, times } = await lookup(limited(30))
    expect(times[1]).toBeGreaterThanOrEqual(30_000)
    expect(times[1]).toBeLessThanOrEqual(30_600)
    expect(eventsOf(events, "Waiting")).toMatchObject([
      { why: "rate-limited", reason: "RateLimited", source: "retry-after" },
    ])
  })

  it("backs off longer each time, and gives up after four attempts", async () => {
    const it = await world({ emulator: { faults: [{ name: "rate-limit", retryAfter: null }] } })
    const error = await it.fails(it.client.me())
    const times = arrivals(it.emulator.journal.entries)
    expect(times).toHaveLength(4)
    expect(times[1]).toBeGreaterThanOrEqual(1_000)
    expect(times[2]! - times[1]!).toBeGreaterThanOrEqual(2_000)
    expect(times[3]! - times[2]!).toBeGreaterThanOrEqual(4_000)
    expect(error).toMatchObject({ retryable: true, documented: true })
    expect(error.reason).toMatchObject({ _tag: "RateLimited", source: "backoff" })
    expect(error.attempts.map(({ status, why }) => [status, why])).toEqual([
      [429, "backoff"],
      [429, "backoff"],
      [429, "backoff"],
      [429, "attempts"],
    ])
  })

  it("with a Retry-After of an hour fails at once and names the time", async () => {
    const it = await world(limited(3_600))
    const error = await it.fails(it.client.me())
    expect(it.elapsed()).toBe(0)
    const { reason } = error
    expect(reason).toMatchObject({ _tag: "RateLimited", status: 429, source: "retry-after" })
    const retryAt = reason._tag === "RateLimited" ? Date.parse(reason.retryAt!) - startMillis : 0
    expect(retryAt).toBeGreaterThanOrEqual(3_600_000)
    expect(retryAt).toBeLessThanOrEqual(3_600_600)
  })

  it("pauses later calls of the key, which fail without a request", async () => {
    const it = await world(limited(3_600))
    await it.fails(it.client.me())
    const error = await it.fails(it.client.contracts.get(firstId(it)))
    expect(error.reason).toMatchObject({ _tag: "RateLimited", retryAt: expect.stringMatching(/T15:00:00/) })
    expect(it.emulator.journal.entries).toHaveLength(1)
  })

  it("pauses every other call of the key, in any client of this process, and no other key", async () => {
    const it = await world({
      emulator: { faults: [{ name: "rate-limit", retryAfter: 20, when: { requests: [1], path: "me" } }] },
    })
    const same = await it.another({})
    const other = await it.another({ apiKey: it.emulator.secrets.contractsOnly })
    const id = firstId(it)
    const after = <A, E>(effect: Effect.Effect<A, E>) => Effect.delay(effect, "1 second")
    await it.run(
      Effect.all([it.client.me(), after(same.contracts.get(id)), after(other.contracts.get(id))], {
        concurrency: 3,
      }),
    )
    const times = arrivals(it.emulator.journal.entries)
    expect(times.slice(0, 2)).toEqual([0, 1_000])
    expect(times.slice(2).every((at) => at >= 20_000)).toBe(true)
    expect(times).toHaveLength(4)
  })

  it.each([
    ["with the rate limiter of the key", undefined, "patient"],
    ["without a limit", 0, "patient"],
  ] as const)("in a storm lets none of 500 lookups start during a pause, %s", async (_, rate, retry) => {
    const [latency, retryAfter] = [200, 3]
    const it = await world({
      client: { rate, retry },
      emulator: {
        contracts: 500,
        faults: [
          { name: "latency", ms: latency },
          { name: "storm", ms: 12_000, retryAfter, when: { requests: [20] } },
        ],
      },
    })
    const gets = idsOf(it.emulator.store.contracts).map((id) => it.client.contracts.get(id))
    const contracts = await it.run(Effect.all(gets, { concurrency: "unbounded" }))
    expect(contracts).toHaveLength(500)
    const { entries } = it.emulator.journal
    const times = arrivals(entries)
    const refusedAt = times.filter((_at, index) => entries[index]?.status === 429).map((at) => at + latency)
    expect(refusedAt.length).toBeGreaterThan(0)
    for (const at of refusedAt) {
      expect(times.filter((time) => time > at && time < at + retryAfter * 1_000)).toEqual([])
    }
  })
})

describe("what is tried again", () => {
  it.each([408, 425, 429, 500, 502, 503, 504])("%d is, and then succeeds", async (code) => {
    const { events, times } = await lookup({
      emulator: { faults: [{ name: "status", code, when: { requests: [1, 2] } }] },
    })
    expect(times).toHaveLength(3)
    expect(times[1]).toBeGreaterThanOrEqual(100)
    expect(eventsOf(events, "Attempted").map((event) => [event.attempt, event.status])).toEqual([
      [1, code],
      [2, code],
      [3, 200],
    ])
  })

  it.each([
    [400, "Rejected"],
    [401, "Unauthenticated"],
    [403, "Forbidden"],
    [404, "NotFound"],
    [409, "Rejected"],
    [410, "NotFound"],
    [418, "Rejected"],
    [422, "Rejected"],
    [501, "ServerFault"],
    [508, "ServerFault"],
  ] as const)("%d is not: %s after one request", async (code, reason) => {
    const it = await world({ emulator: { faults: [{ name: "status", code }] } })
    const error = await it.fails(it.client.contracts.get(1))
    expect(error.reason).toMatchObject({ _tag: reason, status: code, serverSays: "As asked for." })
    expect(it.emulator.journal.entries).toHaveLength(1)
    expect(error.documented).toBe(false)
  })

  it.each(["drop", "cut", "truncated-json", "invalid-json"])("%s is, up to four attempts", async (fault) => {
    const it = await world({ emulator: { faults: [fault] } })
    const error = await it.fails(it.client.contracts.get(firstId(it)))
    expect(["TransportFailed", "BodyInvalid"]).toContain(error.reason._tag)
    expect(it.emulator.journal.entries).toHaveLength(4)
    expect(error.attempts).toHaveLength(4)
    expect(error.retryable).toBe(true)
  })

  it.each([
    ["ok-false", "NotOk"],
    ["not-json", "NotTheApi"],
    ["wrong-record", "IdentityMismatch"],
    ["wrong-form", "ShapeMismatch"],
    ["wrong-type", "RecordInvalid"],
    ["redirect", "Redirected"],
  ])("%s is not: %s after one request", async (fault, reason) => {
    const it = await world({ emulator: { faults: [fault] } })
    const error = await it.fails(it.client.contracts.get(firstId(it)))
    expect(error.reason._tag).toBe(reason)
    expect(it.emulator.journal.entries).toHaveLength(1)
    expect(error.retryable).toBe(false)
  })
})

describe("time limits", () => {
  it("the attempt's covers a body that never ends", async () => {
    const it = await world({ emulator: { faults: [{ name: "stall", bytes: 20, when: { requests: [1] } }] } })
    const contract = await it.run(it.client.contracts.get(firstId(it)))
    expect(contract.id).toBe(firstId(it))
    const times = arrivals(it.emulator.journal.entries)
    expect(times[1]).toBeGreaterThanOrEqual(30_000)
    expect(times[1]).toBeLessThanOrEqual(30_600)
  })

  it("the attempt's covers a body that arrives too slowly", async () => {
    const it = await world({
      client: { timeLimits: { attempt: Duration.seconds(5) }, retry: { attempts: 1 } },
      emulator: { faults: [{ name: "slow", bytesPerSecond: 10 }] },
    })
    const error = await it.fails(it.client.contracts.collect({ max: "all" }))
    expect(error.reason).toEqual({ _tag: "TimedOut", which: "attempt", afterMillis: 5_000 })
    expect(it.elapsed()).toBe(5_000)
  })

  it("the deadline covers attempts and waits, and is named", async () => {
    const it = await world({
      client: { timeLimits: { attempt: "3 seconds", deadline: "5 seconds" } },
      emulator: { faults: [{ name: "stall", head: false }] },
    })
    const error = await it.fails(it.client.me())
    expect(error.reason).toEqual({ _tag: "TimedOut", which: "deadline", afterMillis: 5_000 })
    expect(it.elapsed()).toBe(5_000)
  })

  it("a wait beyond the deadline is not begun", async () => {
    const it = await world({
      client: { timeLimits: { deadline: "5 seconds" } },
      emulator: { faults: [{ name: "rate-limit", retryAfter: 30 }] },
    })
    const error = await it.fails(it.client.me())
    expect(error.reason).toMatchObject({ _tag: "RateLimited", source: "retry-after" })
    expect(error.attempts).toMatchObject([{ why: "deadline", waitedMillis: null }])
    expect(it.elapsed()).toBe(0)
  })

  it("the deadline ends a wait for the rate limiter", async () => {
    const it = await world({ client: { rate: 0.1, timeLimits: { deadline: "4 seconds" } } })
    await it.run(it.client.me())
    const error = await it.fails(it.client.me())
    expect(error.reason).toMatchObject({ _tag: "TimedOut", which: "deadline" })
    expect(it.emulator.journal.entries).toHaveLength(1)
    expect(it.elapsed()).toBe(4_000)
  })

  it("a read has the deadline anew for each page", async () => {
    const it = await world({
      client: { timeLimits: { deadline: "10 seconds" } },
      emulator: { faults: [{ name: "latency", ms: 9_000 }] },
    })
    const { error, pages } = await it.run(readList(it.client.contracts.pages()))
    expect(error).toBeNull()
    expect(pages).toHaveLength(3)
    expect(it.elapsed()).toBe(27_000)
  })
})
