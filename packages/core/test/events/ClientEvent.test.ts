import * as emulation from "@deedkit/emulator"
import type { EmulatorOptions } from "@deedkit/emulator"
import * as Cause from "effect/Cause"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Random from "effect/Random"
import { describe, expect, it, vi } from "vitest"
import { line } from "../../src/ClientEvent.ts"
import type { ClientEvent, Listener } from "../../src/ClientEvent.ts"
import { createClient } from "../../src/promise.ts"
import * as PropertyClient from "../../src/PropertyClient.ts"
import { baseUrl, idsOf, readList, startMillis, world } from "../fixtures/Setup.ts"

/** Every kind of event comes: failed attempts, waits, pages, an anomaly, an undocumented member. */
const emulator: EmulatorOptions = {
  faults: [
    { name: "rate-limit", retryAfter: 20, when: { requests: [1] } },
    { name: "server-error", status: 503, when: { requests: [3] } },
  ],
  assumptions: { unknownMember: true, endSentinel: 0, cursorParameter: "after" },
}

type Operation = (
  client: PropertyClient.Service,
  ids: ReadonlyArray<number>,
) => Effect.Effect<unknown, unknown>
const operations: Readonly<Record<string, Operation>> = {
  me: (client) => client.me(),
  get: (client, ids) => client.contracts.get(ids[0]!),
  "get of an unknown id": (client) => client.contracts.get(999_999),
  getMany: (client, ids) => client.contracts.getMany([...ids.slice(0, 4), 999_999], { concurrency: 1 }),
  collect: (client) => client.contracts.collect({ max: "all" }),
  pages: (client) => readList(client.contracts.pages({ limit: 40 })),
}

/** Runs the operation in a world of its own, with the same random numbers each time. */
const outcome = async (operation: Operation, failing: Listener | null) => {
  const it = await world({ emulator })
  const client = await it.run(
    PropertyClient.make({ baseUrl, apiKey: it.emulator.apiKey, rate: 0, cursorParam: "auto" }).pipe(
      Effect.provide(Logger.layer([])),
    ),
  )
  const before: Array<ClientEvent> = []
  const after: Array<ClientEvent> = []
  client.listen((event) => void before.push(event))
  if (failing !== null) client.listen(failing)
  client.listen((event) => void after.push(event))
  const ids = idsOf(it.emulator.store.contracts)
  const exit = await it.run(Effect.exit(Random.withSeed(operation(client, ids), "listeners")))
  return { exit: JSON.stringify(exit), before, after, elapsed: it.elapsed() }
}

/** Loggers that keep what they are given. */
const kept = () => {
  const lines: Array<{ readonly level: string; readonly message: string; readonly cause: string }> = []
  const logger = Logger.make(({ cause, logLevel, message }) => {
    lines.push({ level: logLevel, message: String(message), cause: Cause.pretty(cause) })
  })
  return { lines, layer: Logger.layer([logger]) }
}

const throwing: Listener = () => {
  throw new Error("mine")
}

describe("an event", () => {
  it("has the time at which an attempt began or a page was accepted", async () => {
    const it = await world({ emulator: { contracts: 5, faults: [{ name: "latency", ms: 5_000 }] } })
    await it.run(it.client.contracts.collect({ max: "all" }))
    const seconds = it.events.map(({ _tag, at }) => [_tag, (Date.parse(at) - startMillis) / 1_000])
    expect(seconds.filter(([tag]) => tag !== "SchemaDrift")).toEqual([
      ["Attempted", 0],
      ["PageRead", 5],
    ])
  })
})

describe("a listener that fails", () => {
  it.each(Object.keys(operations))("changes neither %s nor what other listeners hear", async (name) => {
    const expected = await outcome(operations[name]!, null)
    expect(expected.before.length).toBeGreaterThan(1)
    expect(await outcome(operations[name]!, throwing)).toEqual(expected)
    expect(await outcome(operations[name]!, async (event) => throwing(event))).toEqual(expected)
  })

  it("changes nothing when every kind of event came", async () => {
    const { before } = await outcome(operations["pages"]!, throwing)
    expect(new Set(before.map((event) => event._tag))).toEqual(
      new Set(["Attempted", "Waiting", "PageRead", "AnomalySeen", "SchemaDrift"]),
    )
  })

  it("is logged as a warning, with its error, by the loggers of the program that made the client", async () => {
    const { layer, lines } = kept()
    const it = await world()
    const client = await it.run(
      Effect.provide(PropertyClient.make({ baseUrl, apiKey: it.emulator.apiKey, rate: 0 }), layer),
    )
    client.listen(throwing)
    client.listen(async () => {
      throw new TypeError("late")
    })
    await it.run(client.me())
    expect(lines).toEqual([
      {
        level: "Warn",
        message: "A listener failed on Attempted. The call is not affected.",
        cause: expect.stringContaining("Error: mine"),
      },
      {
        level: "Warn",
        message: "A listener failed on Attempted. The call is not affected.",
        cause: expect.stringContaining("TypeError: late"),
      },
    ])
  })

  it("is written to standard error where no logger is set: standard output may be data", async () => {
    const written: Array<readonly [stream: string, text: string]> = []
    const recorder =
      (stream: string) =>
      (...values: ReadonlyArray<unknown>) =>
        void written.push([stream, values.join(" ")])
    const console = { ...globalThis.console, log: recorder("stdout"), error: recorder("stderr") }
    const it = await world()
    const client = await it.run(
      Effect.provideService(
        PropertyClient.make({ baseUrl, apiKey: it.emulator.apiKey, rate: 0 }),
        Console.Console,
        console,
      ),
    )
    client.listen(throwing)
    await it.run(client.me())
    expect(written).toEqual([
      ["stderr", expect.stringMatching(/WARN.*A listener failed on Attempted.*mine/s)],
    ])
  })

  it("does not fail the call when the logger fails too", async () => {
    const it = await world()
    const broken = Logger.layer([Logger.make(() => throwing({} as ClientEvent))])
    const client = await it.run(
      Effect.provide(PropertyClient.make({ baseUrl, apiKey: it.emulator.apiKey, rate: 0 }), broken),
    )
    client.listen(throwing)
    expect(await it.run(client.me())).toMatchObject({ ok: true })
  })
})

describe("a listener of the promise client that fails", () => {
  it("fails no call, ends no process and is written to standard error", async () => {
    const service = emulation.make({ contracts: 12, seed: 4_011 })
    const client = createClient({ baseUrl, apiKey: service.apiKey, rate: 0, fetch: service.fetch })
    const unhandled: Array<unknown> = []
    const note = (reason: unknown): void => void unhandled.push(reason)
    process.on("unhandledRejection", note)
    const stderr = vi.spyOn(console, "error").mockImplementation(() => {})
    const stdout = vi.spyOn(console, "log").mockImplementation(() => {})
    const heard: Array<ClientEvent["_tag"]> = []
    try {
      client.listen(throwing)
      client.listen(async () => {
        throw new Error("late")
      })
      client.listen((event) => void heard.push(event._tag))
      expect(await client.contracts.collect({ max: "all" })).toHaveLength(12)
      for await (const contract of client.contracts.list()) expect(contract.id).toBeGreaterThan(0)
      await new Promise((resolve) => setImmediate(resolve))
      const texts = stderr.mock.calls.map((values) => values.join(" "))
      expect(texts.filter((text) => text.includes("mine"))).toHaveLength(heard.length)
      expect(texts.filter((text) => text.includes("late"))).toHaveLength(heard.length)
      expect(heard.length).toBeGreaterThan(3)
      expect(stdout).not.toHaveBeenCalled()
      expect(unhandled).toEqual([])
    } finally {
      process.off("unhandledRejection", note)
      vi.restoreAllMocks()
    }
  })
})

const at = "2026-03-01T14:00:00.000Z"

describe("line", () => {
  it("tells of an attempt with time, target, status, duration and request id", () => {
    const attempted = {
      _tag: "Attempted",
      at,
      localId: 3,
      method: "GET",
      target: "/v1/contracts/?limit=5",
      attempt: 1,
      status: 200,
      requestId: "req_1",
      durationMillis: 12,
      outcome: "ok",
    } as const
    expect(line(attempted)).toBe(`${at} #3 GET /v1/contracts/?limit=5: 200 ok in 12 ms, request id req_1`)
    expect(
      line({ ...attempted, attempt: 2, status: null, requestId: null, outcome: "TransportFailed" }),
    ).toBe(
      `${at} #3 GET /v1/contracts/?limit=5: no status TransportFailed in 12 ms, no request id, attempt 2`,
    )
  })

  it("tells of a wait with its end, its reason and who named it", () => {
    const waiting = {
      _tag: "Waiting",
      at,
      until: "2026-03-01T14:00:02.000Z",
      waitMillis: 2_000,
      why: "rate-limited",
      reason: "RateLimited",
      source: "retry-after",
      target: "/v1/me/",
    } as const
    expect(line(waiting)).toBe(
      `${at} waiting 2000 ms until 2026-03-01T14:00:02.000Z: rate-limited (RateLimited), named by retry-after`,
    )
  })

  it.each([
    [10, 1, "slowed to 10 requests a second after 1 refusal"],
    [2.26, 3, "slowed to 2.3 requests a second after 3 refusals"],
    [1, 2, "slowed to a request a second after 2 refusals"],
    [0.5, 12, "slowed to a request in 2 seconds after 12 refusals"],
    [0.1, 2, "slowed to a request in 10 seconds after 2 refusals"],
  ])("tells that the rate fell to %s a second after %s refusals", (requestsPerSecond, refusals, words) => {
    expect(line({ _tag: "Slowed", at, requestsPerSecond, refusals })).toBe(`${at} ${words}`)
  })

  it("reports a page, an anomaly and schema drift, without a value of a record", () => {
    expect(
      line({ _tag: "AnomalySeen", at, collection: "contracts", anomaly: "end-sentinel", detail: "was 0" }),
    ).toBe(`${at} noted in contracts: end-sentinel: was 0`)
    expect(line({ _tag: "SchemaDrift", at, collection: "api-keys", path: "owner", found: "string" })).toBe(
      `${at} not in the specification: owner of api-keys (string)`,
    )
  })
})
