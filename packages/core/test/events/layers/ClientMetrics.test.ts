import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import { describe, expect, it } from "vitest"
import * as PropertyClient from "../../../src/client/PropertyClient.ts"
import * as ClientMetrics from "../../../src/events/layers/ClientMetrics.ts"
import { idsOf, world } from "../../fixtures/Setup.ts"
import type { WorldOptions } from "../../fixtures/Setup.ts"

/** A world whose programs have metrics of their own. */
const setUp = async (options: WorldOptions = {}) => {
  const it = await world(options)
  const registry: Metric.MetricRegistry = new Map()
  const layer = ClientMetrics.layer.pipe(
    Layer.provide(Layer.succeed(PropertyClient.PropertyClient, it.client)),
  )
  const measured = <A, E>(program: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    program.pipe(Effect.provide(layer), Effect.provideService(Metric.MetricRegistry, registry))
  /** All that was measured: one entry for each metric and set of attributes. */
  const snapshot = () => it.run(Effect.provideService(Metric.snapshot, Metric.MetricRegistry, registry))
  /** What a counter counts, by its attributes. */
  const counts = async (id: string) =>
    (await snapshot())
      .filter((each) => each.id === id)
      .map(({ attributes, state }) => [attributes, "count" in state ? Number(state.count) : 0] as const)
  return { ...it, measured, snapshot, counts }
}

const server = {
  "http.request.method": "GET",
  "server.address": "api.example.test",
  "server.port": "443",
}

const duration = "http.client.request.duration"

describe("ClientMetrics.layer", () => {
  it("measures requests in seconds, in the buckets of the convention", async () => {
    const it = await setUp({ emulator: { faults: [{ name: "latency", ms: 300 }] } })
    await it.run(it.measured(it.client.contracts.get(idsOf(it.emulator.store.contracts)[0]!)))
    const measured = (await it.snapshot()).find(({ id }) => id === duration)
    expect(measured?.attributes).toEqual({
      ...server,
      "http.response.status_code": "200",
      "url.template": "/v1/contracts/?id={id}",
      unit: "s",
    })
    expect(measured?.state).toMatchObject({ count: 1, sum: 0.3 })
    const buckets = measured?.type === "Histogram" ? measured.state.buckets : []
    expect(buckets.map(([boundary]) => boundary)).toEqual([
      0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
    ])
    expect(buckets.find(([, count]) => count === 1)?.[0]).toBe(0.5)
  })

  it("counts failed attempts by status and reason, retries and waits", async () => {
    const it = await setUp({
      emulator: {
        faults: [
          { name: "rate-limit", retryAfter: 20, when: { requests: [1] } },
          { name: "server-error", status: 503, when: { requests: [2] } },
        ],
      },
    })
    await it.run(it.measured(it.client.me()))
    const me = { ...server, "url.template": "/v1/me/" }
    const attempts = [
      { ...me, "http.response.status_code": "429", "error.type": "RateLimited" },
      { ...me, "http.response.status_code": "503", "error.type": "ServerFault" },
      { ...me, "http.response.status_code": "200" },
    ]
    expect(await it.counts(duration)).toEqual(attempts.map((each) => [{ ...each, unit: "s" }, 1]))
    expect(await it.counts("deedkit.retries")).toEqual(attempts.slice(1).map((each) => [each, 1]))
    const limited = { "deedkit.wait.why": "rate-limited", "deedkit.wait.source": "retry-after" }
    const retried = { "deedkit.wait.why": "retry", "deedkit.wait.source": "backoff" }
    expect(await it.counts("deedkit.waits")).toEqual([
      [limited, 1],
      [retried, 1],
    ])
    const [long, short] = await it.counts("deedkit.wait.time")
    expect(long?.[0]).toEqual({ ...limited, unit: "s" })
    expect(long?.[1]).toBeGreaterThanOrEqual(20)
    expect(short?.[1]).toBeGreaterThan(0)
    expect(short?.[1]).toBeLessThan(20)
  })

  it("counts an attempt that was not answered, without a status", async () => {
    const it = await setUp({ transport: () => Promise.reject(new Error("refused")) })
    await it.fails(it.measured(it.client.me()))
    expect(await it.counts(duration)).toEqual([
      [{ ...server, "url.template": "/v1/me/", "error.type": "TransportFailed", unit: "s" }, 4],
    ])
  })

  it("counts pages, records and rejected records of each collection", async () => {
    const it = await setUp({ emulator: { faults: [{ name: "wrong-type", when: { requests: [2] } }] } })
    const { apiKeys, contracts } = it.client
    const reads = Effect.all(
      [contracts.collect({ max: "all", onRejected: "collect" }), apiKeys.collect({ max: "all" })],
      { concurrency: 1 },
    )
    const [read, keys] = await it.run(it.measured(reads))
    const of = (name: string) => ({ "deedkit.collection": name })
    expect(await it.counts("deedkit.pages")).toEqual([
      [of("contracts"), 3],
      [of("api-keys"), 1],
    ])
    expect(await it.counts("deedkit.records")).toEqual([
      [of("contracts"), read.length],
      [of("api-keys"), keys.length],
    ])
    expect(read.length).toBeLessThan(130)
    expect(await it.counts("deedkit.rejected_records")).toEqual([
      [of("contracts"), 130 - read.length],
      [of("api-keys"), 0],
    ])
  })

  it("counts each page of reads at the same time", async () => {
    const it = await setUp()
    const { contracts } = it.client
    const both = Effect.all([contracts.collect({ max: "all" }), contracts.collect({ max: "all" })], {
      concurrency: 2,
    })
    await it.run(it.measured(both))
    expect(await it.counts("deedkit.records")).toEqual([[{ "deedkit.collection": "contracts" }, 260]])
  })

  it("has no more series after a thousand lookups and pages than after one", async () => {
    const it = await setUp({ emulator: { contracts: 400 } })
    const { contracts } = it.client
    const ids = idsOf(it.emulator.store.contracts)
    const once = Effect.andThen(contracts.get(ids[0]!), contracts.collect({ max: "all", limit: 200 }))
    await it.run(it.measured(once))
    const before = (await it.snapshot()).length
    const many = Effect.andThen(contracts.getMany(ids), contracts.collect({ max: "all", limit: 2 }))
    await it.run(it.measured(many))
    expect(await it.snapshot()).toHaveLength(before)
  })

  it("measures nothing once its scope is closed, and nothing without it", async () => {
    const it = await setUp()
    await it.run(it.measured(Effect.void))
    await it.run(it.client.me())
    expect(await it.snapshot()).toEqual([])
  })

  it("has values that programs can read", async () => {
    const it = await setUp()
    const program = Effect.gen(function* () {
      yield* it.client.contracts.collect({ max: "all" })
      return yield* Metric.value(
        Metric.withAttributes(ClientMetrics.pages, { "deedkit.collection": "contracts" }),
      )
    })
    expect(await it.run(it.measured(program))).toMatchObject({ count: 3 })
  })
})
