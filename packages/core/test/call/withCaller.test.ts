import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import type { CallOptions } from "../../src/ClientConfig.ts"
import type { Service } from "../../src/PropertyClient.ts"
import type { ClientError } from "../../src/ClientError.ts"
import { scripted } from "../../src/testing/index.ts"
import { eventsOf, idsOf, world } from "../fixtures/Setup.ts"

type Operation = (client: Service, options?: CallOptions) => Effect.Effect<unknown, ClientError>

/** Every operation, with an id that exists. */
const operations: Readonly<Record<string, Operation>> = {
  list: ({ contracts }, options) => Stream.runCollect(contracts.list(options)),
  pages: ({ contracts }, options) => Stream.runCollect(contracts.pages(options)),
  collect: ({ contracts }, options) => contracts.collect({ ...options, max: 5 }),
  get: ({ contracts }, options) => contracts.get(7, options),
  getMany: ({ contracts }, options) => contracts.getMany([7], options),
  me: ({ me }, options) => me(options),
}

describe.each(Object.entries(operations))("the options of %s", (_, operation) => {
  const down = async (options?: CallOptions) => {
    const { requests, send } = scripted(() => ({ status: 503 }))
    const it = await world({ transport: send, client: { retry: { baseMillis: 1, leastMillis: 1 } } })
    const error = await it.fails(operation(it.client, options))
    return { error, requests: requests.length, it }
  }

  it("say how often it is retried, over the policy of the client", async () => {
    expect((await down()).requests).toBe(4)
    const once = await down({ retry: { attempts: 2 } })
    expect(once.requests).toBe(2)
    // The delays are still those of the client.
    expect(once.it.elapsed()).toBeLessThan(10)
    expect((await down({ retry: "patient" })).requests).toBe(6)
    expect((await down({ retry: Schedule.recurs(2) })).requests).toBe(3)
  })

  it("limit its time, over the limits of the client", async () => {
    const it = await world({ transport: () => new Promise(() => {}) })
    const error = await it.fails(
      operation(it.client, { timeLimits: { attempt: "3 seconds" }, retry: { attempts: 1 } }),
    )
    expect(error.reason).toEqual({ _tag: "TimedOut", which: "attempt", afterMillis: 3_000 })
    const late = await it.fails(operation(it.client, { timeLimits: { deadline: "5 seconds" } }))
    expect(late.reason).toEqual({ _tag: "TimedOut", which: "deadline", afterMillis: 5_000 })
    expect(it.elapsed()).toBe(8_000)
  })

  it("hold for it alone", async () => {
    const it = await world({ transport: scripted(() => ({ status: 503 })).send })
    await it.fails(operation(it.client, { retry: { attempts: 1 }, timeLimits: { deadline: "1 second" } }))
    expect((await it.fails(operation(it.client))).attempts).toHaveLength(4)
  })

  it("leave each attempt a number of its own", async () => {
    const it = await world({ transport: scripted(() => ({ status: 503 })).send })
    const twice = { retry: { attempts: 2, baseMillis: 1 } } as const
    await it.fails(operation(it.client, twice))
    await it.fails(operation(it.client))
    await it.fails(operation(it.client, twice))
    const ids = eventsOf(it.events, "Attempted").map(({ localId }) => localId)
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
  })
})

describe("a deadline", () => {
  const spent = async (client: CallOptions, call?: CallOptions) => {
    const it = await world({ transport: () => new Promise(() => {}), client })
    return (await it.fails(it.client.me({ timeLimits: { attempt: "1 hour" }, ...call }))).reason
  }
  const deadline = (afterMillis: number) => ({ _tag: "TimedOut", which: "deadline", afterMillis })
  const attempt = { _tag: "TimedOut", which: "attempt", afterMillis: 3_600_000 }

  it("is that of the nearest option, and that of the preset where none sets it", async () => {
    expect(await spent({})).toEqual(deadline(120_000))
    expect(await spent({}, { retry: "patient" })).toEqual(attempt)
    expect(await spent({ retry: "patient" })).toEqual(attempt)
    expect(await spent({ retry: "patient" }, { retry: "interactive" })).toEqual(deadline(120_000))
    const tenSeconds = { timeLimits: { deadline: "10 seconds" } } as const
    expect(await spent(tenSeconds, { retry: "patient" })).toEqual(deadline(10_000))
    expect(await spent({ ...tenSeconds, retry: "patient" })).toEqual(deadline(10_000))
    expect(
      await spent(tenSeconds, { retry: "patient", timeLimits: { attempt: "1 hour", deadline: null } }),
    ).toEqual(attempt)
  })
})

describe("parts of a policy", () => {
  it("change the preset of the client, and stand beside the usual figures where it has a schedule", async () => {
    const { client } = await world({ client: { retry: "patient" } })
    expect(client.config.retry.attempts).toBe(6)
    const down = scripted(() => ({ status: 503 })).send
    const scheduled = await world({ transport: down, client: { retry: Schedule.recurs(9) } })
    expect((await scheduled.fails(scheduled.client.me({ retry: { baseMillis: 1 } }))).attempts).toHaveLength(
      4,
    )
    const patient = await world({ transport: down, client: { retry: "patient" } })
    expect((await patient.fails(patient.client.me({ retry: { baseMillis: 1 } }))).attempts).toHaveLength(6)
  })

  it("that are undefined change nothing", async () => {
    const undefinedPart = { attempts: undefined } as unknown as Partial<{ attempts: number }>
    const { client } = await world({ client: { retry: undefinedPart } })
    expect(client.config.retry.attempts).toBe(4)
  })
})

describe("priority", () => {
  /** The order in which calls that wait for the rate limiter are answered. */
  const order = async (
    calls: (client: Service) => Readonly<Record<string, Effect.Effect<unknown, ClientError>>>,
  ) => {
    const it = await world({ client: { rate: 1 } })
    await it.run(it.client.me())
    const done: Array<string> = []
    const named = Object.entries(calls(it.client)).map(([name, call]) =>
      Effect.tap(call, () => Effect.sync(() => done.push(name))),
    )
    await it.run(Effect.all(named, { concurrency: "unbounded" }))
    return done
  }

  it("is interactive for single records and background for lists, where no option names it", async () => {
    expect(await order(({ contracts, me }) => ({ list: contracts.collect({ max: 1 }), me: me() }))).toEqual([
      "me",
      "list",
    ])
  })

  it("of a call moves it ahead, or behind", async () => {
    expect(
      await order(({ contracts, me }) => ({
        me: me({ priority: "background" }),
        list: contracts.collect({ max: 1, priority: "interactive" }),
      })),
    ).toEqual(["list", "me"])
  })
})

describe("callers of one record", () => {
  it("share a request without options of their own, and none with them", async () => {
    const it = await world()
    const id = idsOf(it.emulator.store.contracts)[0]!
    const { contracts } = it.client
    const together = (calls: ReadonlyArray<CallOptions | undefined>) =>
      it.run(Effect.forEach(calls, (options) => contracts.get(id, options), { concurrency: "unbounded" }))
    await together([undefined, {}, { retry: undefined }])
    expect(it.emulator.journal.entries).toHaveLength(1)
    await together([undefined, { priority: "background" }, { timeLimits: { attempt: 5_000 } }])
    expect(it.emulator.journal.entries).toHaveLength(4)
  })
})

describe("a search for the cursor's parameter", () => {
  it("takes the options of its list", async () => {
    const it = await world({
      client: { cursorParam: "auto" },
      emulator: { assumptions: { cursorParameter: "page_token" } },
    })
    const all = it.client.contracts.collect({ max: "all", limit: 50, timeLimits: { attempt: "1 second" } })
    expect(await it.run(all)).toHaveLength(130)
    const slow = await world({
      client: { cursorParam: "auto" },
      emulator: {
        assumptions: { cursorParameter: "page_token" },
        faults: [{ name: "latency", ms: 2_000, when: { requests: [4] } }],
      },
    })
    const error = await slow.fails(
      slow.client.contracts.collect({
        max: "all",
        limit: 50,
        timeLimits: { attempt: "1 second" },
        retry: { attempts: 1 },
      }),
    )
    expect(error.reason._tag).toBe("CursorIgnored")
  })
})
