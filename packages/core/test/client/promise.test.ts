import { getEventListeners } from "node:events"
import * as emulation from "@deedkit/emulator"
import type { Emulator, EmulatorOptions } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import type { Client, ClientEvent, CollectOptions, Contract, CreateClientOptions } from "../../src/promise.ts"
import { ClientError, createClient } from "../../src/promise.ts"
import { contract } from "../../src/testing/Fixtures.ts"
import { scripted } from "../../src/testing/index.ts"
import { baseUrl, idsOf } from "../fixtures/Setup.ts"

let seed = 0

/** Each test has keys of its own: clients of one key share its rate limiter, and a 429 would pause the tests that follow. */
const setUp = (emulator: EmulatorOptions = {}, options: Partial<CreateClientOptions> = {}) => {
  const service = emulation.make({ contracts: 130, seed: ++seed, ...emulator })
  const client = createClient({
    baseUrl,
    apiKey: service.apiKey,
    rate: 0,
    fetch: service.fetch,
    ...options,
  })
  return { client, emulator: service }
}

/** What a promise rejects with. */
const rejection = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => {
      throw new Error("was fulfilled")
    },
    (reason: unknown) => reason,
  )

const drain = async <A>(records: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const all: Array<A> = []
  for await (const record of records) all.push(record)
  return all
}

const firstId = (emulator: Emulator): number => emulator.store.contracts[0]!.id

describe("the promise client", () => {
  it("forwards every operation", async () => {
    const { client, emulator } = setUp()
    const ids = idsOf(emulator.store.contracts)
    expect(idsOf(await drain(client.contracts.list({ limit: 50 })))).toEqual(ids)
    const pages = await drain(client.contracts.pages({ limit: 50 }))
    expect(pages.map((page) => page.summary.complete)).toEqual([false, false, true])
    expect(idsOf(await client.contracts.collect({ max: 7 }))).toEqual(ids.slice(0, 7))
    expect(await drain(client.apiKeys.list())).toHaveLength(emulator.store.apiKeys.length)
    const id = firstId(emulator)
    expect((await client.contracts.get(id, { includeData: true })).id).toBe(id)
    expect(emulator.journal.entries.at(-1)?.query["include_data"]).toBe("1")
    const found = await client.contracts.getMany([999_999, id], { concurrency: 1 })
    expect(found.map((lookup) => lookup._tag)).toEqual(["Unknown", "Found"])
    expect(await client.me()).toMatchObject({ ok: true })
  })

  it("starts no request before an iterable is used", async () => {
    const { client, emulator } = setUp()
    const unused = client.contracts.list()
    await client.me()
    expect(emulator.journal.entries.map((entry) => entry.path)).toEqual(["/v1/me/"])
    expect(await drain(unused)).toHaveLength(130)
  })

  it("rejects with the ClientError of the page that failed, after the records before it", async () => {
    const { client } = setUp({ faults: [{ name: "ok-false", when: { page: 2 } }] })
    const seen: Array<Contract> = []
    const loop = async () => {
      for await (const contract of client.contracts.list()) seen.push(contract)
    }
    const error = await rejection(loop())
    expect(error).toBeInstanceOf(ClientError)
    expect(error).toMatchObject({ reason: { _tag: "NotOk" }, reading: { complete: false, records: 50 } })
    expect(seen).toHaveLength(50)
  })

  it("ends the read with its loop, by break or by an error", async () => {
    const { client, emulator } = setUp()
    for await (const _ of client.contracts.list({ limit: 10 })) break
    const loop = async () => {
      for await (const _ of client.contracts.list({ limit: 10 })) throw own
    }
    expect(await rejection(loop())).toBe(own)
    expect(emulator.journal.entries.length).toBeLessThanOrEqual(4)
  })
})

describe("collect", () => {
  it("takes a page of more records than a call has arguments", async () => {
    const many = Array.from({ length: 200_000 }, (_, at) => contract({ id: 200_000 - at }))
    const body = { ok: true, items: many, next_before_id: null }
    const { client } = setUp({}, { transport: scripted([{ body }]).send })
    expect(await client.contracts.collect({ max: "all" })).toHaveLength(200_000)
  })

  it.each([{}, { max: 0 }, { max: -1 }, { max: 1.5 }, { max: "some" }])(
    "needs a max that says how much: %j sends nothing",
    async (options) => {
      const { client, emulator } = setUp()
      const error = await rejection(client.contracts.collect(options as CollectOptions))
      expect(error).toMatchObject({ reason: { _tag: "ConfigInvalid", setting: "max" } })
      expect(emulator.journal.entries).toEqual([])
    },
  )
})

describe("arguments that a program without types can give", () => {
  it("reject, and never throw", async () => {
    const { client, emulator } = setUp()
    const { contracts } = client as unknown as {
      contracts: Record<"collect" | "get" | "getMany", (...args: ReadonlyArray<unknown>) => Promise<unknown>>
    }
    const operations: ReadonlyArray<readonly [setting: string, () => Promise<unknown>]> = [
      ["max", () => contracts.collect()],
      ["max", () => contracts.collect(null)],
      ["max", () => contracts.collect({ max: "5" })],
      ["contract id", () => contracts.get("1")],
      ["contract id", () => contracts.get()],
      ["contract id", () => contracts.getMany("123")],
      ["contract id", () => contracts.getMany()],
      ["contract id", () => contracts.getMany([1, "2"])],
      ["options", () => contracts.get(1, null)],
      ["signal", () => contracts.get(1, { signal: "stop" })],
      ["signal", () => contracts.getMany([1], { signal: null })],
      ["signal", () => contracts.collect({ max: 1, signal: {} })],
    ]
    for (const [setting, operation] of operations) {
      expect(await rejection(operation())).toMatchObject({ reason: { _tag: "ConfigInvalid", setting } })
    }
    expect(emulator.journal.entries).toEqual([])
  })

  it("end a loop with an error where the signal is none", async () => {
    const { client, emulator } = setUp()
    for (const signal of ["stop", null, {}] as unknown as ReadonlyArray<AbortSignal>) {
      const reason = { _tag: "ConfigInvalid", setting: "signal" }
      expect(await rejection(drain(client.contracts.list({ signal })))).toMatchObject({ reason })
      expect(await rejection(drain(client.apiKeys.pages({ signal })))).toMatchObject({ reason })
    }
    expect(emulator.journal.entries).toEqual([])
  })
})

describe("signals", () => {
  it("that are aborted already let nothing be sent", async () => {
    const { client, emulator } = setUp()
    const signal = AbortSignal.abort("never mind")
    const operations = [
      () => client.me({ signal }),
      () => client.contracts.get(1, { signal }),
      () => client.contracts.getMany([1], { signal }),
      () => client.contracts.collect({ max: "all", signal }),
      () => drain(client.contracts.list({ signal })),
      () => drain(client.apiKeys.pages({ signal })),
    ]
    for (const operation of operations) expect(await rejection(operation())).toBe("never mind")
    expect(emulator.journal.entries).toEqual([])
  })

  it("end a read between two pages with their reason, not as if it were complete", async () => {
    const controller = new AbortController()
    const { client } = setUp()
    const seen: Array<number> = []
    const loop = async () => {
      for await (const page of client.contracts.pages({ limit: 20, signal: controller.signal })) {
        seen.push(page.records.length)
        controller.abort("stop here")
      }
    }
    expect(await rejection(loop())).toBe("stop here")
    expect(seen.length).toBeLessThan(7)
  })
})

describe("close", () => {
  it("ends what is under way, and operations after it reject without a request", async () => {
    const sent: Array<AbortSignal> = []
    const { client } = setUp(
      {},
      {
        fetch: (request) => {
          sent.push(request.signal)
          return new Promise(() => {})
        },
      },
    )
    const underWay = rejection(client.me())
    const reading = rejection(drain(client.contracts.list()))
    while (sent.length < 2) await new Promise((resolve) => setImmediate(resolve))
    await client.close()
    expect(await underWay).toMatchObject({ name: "AbortError" })
    expect(await reading).toMatchObject({ name: "AbortError" })
    expect(sent.map((signal) => signal.aborted)).toEqual([true, true])
    expect(await rejection(client.me())).toMatchObject({ name: "AbortError" })
    expect(sent).toHaveLength(2)
  })

  it("happens at the end of await using, and twice is once", async () => {
    const { client } = setUp()
    {
      await using inner = client
      await inner.me()
    }
    expect(await rejection(client.me())).toMatchObject({ name: "AbortError" })
    await client.close()
  })
})

/** A client that is brought to a wait, and says whether anything of it is left after that. */
interface Waiting {
  readonly client: ReturnType<typeof createClient>
  /** Comes when the wait has begun. */
  readonly begun: Promise<unknown>
  /** Requests that are still under way, and those that were sent. */
  readonly requests: () => { readonly underWay: number; readonly sent: number }
  readonly sent: number
}

const event = (client: ReturnType<typeof createClient>, why: string): Promise<unknown> =>
  new Promise((resolve) => {
    client.listen((heard) => {
      if (heard._tag === "Waiting" && heard.why === why) resolve(heard)
    })
  })

/** Puts a client together whose requests are counted; `hangs` says which of them are never answered. */
const counted = (
  emulator: EmulatorOptions,
  options: Partial<CreateClientOptions>,
  hangs: (count: number) => boolean = () => false,
) => {
  const service = emulation.make({ contracts: 130, seed: ++seed, ...emulator })
  const signals: Array<AbortSignal> = []
  let answered = 0
  let tellHanging = (): void => {}
  const hanging = new Promise<void>((resolve) => (tellHanging = resolve))
  const client = createClient({
    baseUrl,
    apiKey: service.apiKey,
    rate: 0,
    fetch: async (request) => {
      signals.push(request.signal)
      if (hangs(signals.length)) {
        tellHanging()
        return new Promise(() => {})
      }
      const response = await service.fetch(request)
      answered += 1
      return response
    },
    ...options,
  })
  const requests = () => ({
    underWay: signals.filter((signal) => !signal.aborted).length - answered,
    sent: signals.length,
  })
  return { client, hanging, requests }
}

const waits: Readonly<Record<string, () => Promise<Waiting>>> = {
  "before the client is made": async () => ({ ...counted({}, {}), begun: Promise.resolve(), sent: 0 }),
  "while a request hangs": async () => {
    const { hanging, ...it } = counted({}, {}, () => true)
    return { ...it, begun: hanging, sent: 1 }
  },
  "during a wait of 20 s after a 429": async () => {
    const it = counted({ faults: [{ name: "rate-limit", retryAfter: 20 }] }, {})
    return { ...it, begun: event(it.client, "rate-limited"), sent: 1 }
  },
  "behind the rate limiter for 20 s": async () => {
    const it = counted({}, { rate: 0.05 })
    await it.client.me()
    return { ...it, begun: event(it.client, "throttled"), sent: 1 }
  },
  "while the request for the parameter of the cursor hangs": async () => {
    const { hanging, ...it } = counted(
      { assumptions: { cursorParameter: "after", unknownParameter: "ignore" } },
      { cursorParam: "auto" },
      (count) => count === 3,
    )
    return { ...it, begun: hanging, sent: 3 }
  },
}

type Leaving = (it: {
  readonly iterator: AsyncIterator<unknown, unknown, undefined>
  readonly controller: AbortController
  readonly client: ReturnType<typeof createClient>
}) => Promise<unknown>
const own = new Error("mine")
const end = { done: true, value: undefined }
const leavings: Readonly<Record<string, readonly [leave: Leaving, next: unknown, outcome: unknown]>> = {
  "return()": [({ iterator }) => iterator.return!(), end, end],
  "return() twice": [
    async ({ iterator }) => (await Promise.all([iterator.return!(), iterator.return!()]))[1],
    end,
    end,
  ],
  "throw()": [({ iterator }) => rejection(iterator.throw!(own)), end, own],
  "an abort": [async ({ controller }) => controller.abort(own), own, undefined],
  "close()": [({ client }) => client.close(), expect.objectContaining({ name: "AbortError" }), undefined],
}

describe.each(Object.entries(waits))("an iterator that is left %s", (_, wait) => {
  const pages = (client: ReturnType<typeof createClient>, signal: AbortSignal) =>
    client.contracts.pages({ limit: 50, readAhead: 0, signal })[Symbol.asyncIterator]()

  it.each(Object.entries(leavings))(
    "by %s settles at once, and nothing of it is left",
    async (_, leaving) => {
      const [leave, nextOutcome, outcome] = leaving
      const { begun, client, requests, sent } = await wait()
      const controller = new AbortController()
      const iterator = pages(client, controller.signal)
      // The next() that waits: the first one, or the one after the pages that come before the wait.
      const waiting = (async () => {
        for (;;) {
          const next = await iterator.next()
          if (next.done === true) return next
        }
      })().catch((reason: unknown) => reason)
      await begun
      const startedAt = performance.now()
      expect(await leave({ iterator, controller, client })).toEqual(outcome)
      expect(await waiting).toEqual(nextOutcome)
      expect(performance.now() - startedAt).toBeLessThan(5_000)
      expect(requests()).toEqual({ underWay: 0, sent })
      expect(getEventListeners(controller.signal, "abort")).toEqual([])
      expect(await iterator.next()).toEqual(end)
      expect(await iterator.return!()).toEqual(end)
    },
  )
})

describe.each(Object.entries(waits))("a call that is under way %s", (_, wait) => {
  it.each(["an abort", "close()"] as const)(
    "rejects at once at %s, and nothing of it is left",
    async (name) => {
      const { begun, client, requests, sent } = await wait()
      const controller = new AbortController()
      const call = client.contracts.collect({
        max: "all",
        limit: 50,
        readAhead: 0,
        signal: controller.signal,
      })
      const rejected = rejection(call)
      await begun
      const startedAt = performance.now()
      if (name === "an abort") controller.abort(own)
      else await client.close()
      expect(await rejected).toEqual(
        name === "an abort" ? own : expect.objectContaining({ name: "AbortError" }),
      )
      expect(performance.now() - startedAt).toBeLessThan(5_000)
      expect(requests()).toEqual({ underWay: 0, sent })
      expect(getEventListeners(controller.signal, "abort")).toEqual([])
    },
  )
})

describe("iterators", () => {
  it("of one list are reads of their own, one after the other and side by side", async () => {
    const { client, emulator } = setUp()
    const list = client.contracts.list({ limit: 50 })
    const ids = idsOf(emulator.store.contracts)
    const both = await Promise.all([drain(list), drain(list)])
    expect([...both, await drain(list)].map(idsOf)).toEqual([ids, ids, ids])
    for await (const { id } of list) {
      expect(id).toBe(ids[0])
      break
    }
    expect(await drain(list)).toHaveLength(130)
  })

  it("leave no listener on a signal that outlives them, however they ended", async () => {
    const { client, emulator } = setUp()
    const { signal } = new AbortController()
    for (let round = 0; round < 20; round++) {
      await drain(client.contracts.list({ limit: 100, signal }))
      for await (const _ of client.contracts.pages({ signal })) break
      await client.contracts.get(firstId(emulator), { signal })
      await rejection(client.contracts.get(999_999, { signal }))
      await rejection(client.contracts.collect({ max: 0, signal }))
    }
    expect(getEventListeners(signal, "abort")).toEqual([])
  })
})

describe("createClient", () => {
  it.each([
    ["a user name in the base URL", { baseUrl: "https://me:secret@api.example.test" }],
    ["a key with a line break", { apiKey: "dk_abc\n" }],
    ["an option of another name", Object.fromEntries([["baseURL", "https://api.example.test"]])],
    ["an undefined option of another name", Object.fromEntries([["transprt", undefined]])],
  ])("throws ConfigInvalid at once for %s", (_, options) => {
    const make = () => setUp({}, options)
    expect(make).toThrow(ClientError)
    expect(make).toThrow(/Nothing was sent/)
    expect(make).not.toThrow(/secret|dk_abc/)
  })

  it("sends through a transport of your own", async () => {
    const { client } = setUp(
      {},
      {
        transport: async () => ({ status: 200, header: () => null, text: '{"ok":true,"name":"mine"}' }),
      },
    )
    expect(await client.me()).toEqual({ ok: true, name: "mine" })
  })
})

describe("options of a call", () => {
  const typo = { limt: 50 } as object
  const calls: Readonly<Record<string, (client: Client, options?: object) => Promise<unknown>>> = {
    list: ({ contracts }, options) => drain(contracts.list(options)),
    pages: ({ contracts }, options) => drain(contracts.pages(options)),
    collect: ({ contracts }, options) => contracts.collect({ max: 1, ...options }),
    get: ({ contracts }, options) => contracts.get(1, options),
    getMany: ({ contracts }, options) => contracts.getMany([1], options),
    me: ({ me }, options) => me(options),
  }

  it.each(Object.entries(calls))("%s: an unknown one rejects with ConfigInvalid", async (_, call) => {
    const { client, emulator } = setUp()
    expect(await rejection(call(client, typo))).toMatchObject({
      reason: { _tag: "ConfigInvalid", setting: 'option "limt"' },
    })
    const { signal } = new AbortController()
    expect(await rejection(call(client, { ...typo, signal }))).toBeInstanceOf(ClientError)
    expect(emulator.journal.entries).toEqual([])
  })

  it.each(Object.entries(calls))("%s: limits, retries and a signal go together", async (_, call) => {
    let sent = 0
    const transport = async () => ((sent += 1), { status: 503, header: () => null, text: "" })
    const { client } = setUp({}, { transport })
    const { signal } = new AbortController()
    const options = {
      retry: { attempts: 2, baseMillis: 1, leastMillis: 0 },
      signal,
      timeLimits: { attempt: 500 },
    }
    expect(await rejection(call(client, options))).toMatchObject({ reason: { _tag: "ServerFault" } })
    expect(sent).toBe(2)
  })

  it("may be undefined, and the signal too", async () => {
    const { client, emulator } = setUp()
    const id = firstId(emulator)
    expect((await client.contracts.get(id, { signal: undefined, retry: undefined })).id).toBe(id)
    expect((await client.contracts.get(id, undefined)).id).toBe(id)
    expect(await rejection(client.contracts.get(id, null as never))).toBeInstanceOf(ClientError)
  })
})

describe("listen", () => {
  it("hears events from the moment it is called, until its end", async () => {
    const { client } = setUp()
    const heard: Array<ClientEvent["_tag"]> = []
    const late: Array<ClientEvent["_tag"]> = []
    const end = client.listen((event) => void heard.push(event._tag))
    await client.me()
    client.listen((event) => void late.push(event._tag))
    await client.me()
    end()
    await client.me()
    expect(heard).toEqual(["Attempted", "Attempted"])
    expect(late).toEqual(["Attempted", "Attempted"])
  })
})
