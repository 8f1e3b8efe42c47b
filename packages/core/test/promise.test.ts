import * as emulation from "@deedkit/emulator"
import type { Emulator, EmulatorOptions } from "@deedkit/emulator"
import { describe, expect, it } from "vitest"
import type { ClientEvent, Contract, CreateClientOptions } from "../src/promise.ts"
import { ClientError, createClient } from "../src/promise.ts"
import type { CollectOptions } from "../src/Records.ts"
import { baseUrl, idsOf } from "./Setup.ts"

let seed = 0

/** Each test has keys of its own: clients of one key share its gate, and a 429 would close it for the tests that follow. */
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

describe("walks", () => {
  it("list gives every contract once to for await", async () => {
    const { client, emulator } = setUp()
    expect(idsOf(await drain(client.contracts.list()))).toEqual(idsOf(emulator.store.contracts))
    expect(await drain(client.apiKeys.list({ limit: 5 }))).toHaveLength(emulator.store.apiKeys.length)
  })

  it("pages gives the pages, the last of which is complete", async () => {
    const { client } = setUp()
    const pages = await drain(client.contracts.pages({ limit: 50 }))
    expect(pages.map((page) => page.summary.complete)).toEqual([false, false, true])
    expect(pages.map((page) => page.records.length)).toEqual([50, 50, 30])
  })

  it("the same iterable starts no request before it is used", async () => {
    const { client, emulator } = setUp()
    const unused = client.contracts.list()
    await client.me()
    expect(emulator.journal.entries.map((entry) => entry.path)).toEqual(["/v1/me/"])
    expect(await drain(unused)).toHaveLength(130)
  })

  it("break ends the walk and calls the page that is under way off", async () => {
    const signals: Array<AbortSignal> = []
    const service = emulation.make({ contracts: 130, seed: ++seed })
    const { client } = setUp(
      {},
      {
        apiKey: service.apiKey,
        fetch: (request) => {
          signals.push(request.signal)
          return signals.length > 1 ? new Promise(() => {}) : service.fetch(request)
        },
      },
    )
    for await (const contract of client.contracts.list()) {
      expect(contract.id).toBe(firstId(service))
      break
    }
    expect(signals.map((signal) => signal.aborted)).toEqual([false, true])
  })

  it("an error of the loop's body ends the walk too", async () => {
    const { client, emulator } = setUp()
    const own = new Error("mine")
    const loop = async () => {
      for await (const _ of client.contracts.list({ limit: 10 })) throw own
    }
    expect(await rejection(loop())).toBe(own)
    expect(emulator.journal.entries.length).toBeLessThanOrEqual(2)
  })

  it("rejects with the ClientError of the page that failed, after the records before it", async () => {
    const { client } = setUp({ faults: [{ name: "ok-false", when: { page: 2 } }] })
    const seen: Array<Contract> = []
    const loop = async () => {
      for await (const contract of client.contracts.list()) seen.push(contract)
    }
    const error = await rejection(loop())
    expect(error).toBeInstanceOf(ClientError)
    expect(error).toMatchObject({ reason: { _tag: "NotOk" }, walk: { complete: false, records: 50 } })
    expect(seen).toHaveLength(50)
  })
})

describe("collect", () => {
  it("gives all, or the first max", async () => {
    const { client, emulator } = setUp()
    expect(await client.contracts.collect({ max: "all" })).toHaveLength(130)
    const few = await client.contracts.collect({ max: 7 })
    expect(idsOf(few)).toEqual(idsOf(emulator.store.contracts).slice(0, 7))
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

describe("look-ups", () => {
  it("get, getMany, includeData and me", async () => {
    const { client, emulator } = setUp()
    const id = firstId(emulator)
    expect((await client.contracts.get(id, { includeData: true })).id).toBe(id)
    expect(emulator.journal.entries[0]?.query["include_data"]).toBe("1")
    const found = await client.contracts.getMany([999_999, id], { concurrency: 1 })
    expect(found.map((lookUp) => lookUp._tag)).toEqual(["Unknown", "Found"])
    expect(await client.me()).toMatchObject({ ok: true })
  })

  it("reject with a ClientError that says what to do", async () => {
    const { client } = setUp()
    const error = await rejection(client.contracts.get(999_999))
    expect(error).toBeInstanceOf(ClientError)
    expect(error).toBeInstanceOf(Error)
    expect(String(error)).toContain("Check the id")
  })
})

describe("signals", () => {
  const limited: EmulatorOptions = { faults: [{ name: "rate-limit", retryAfter: 30 }] }
  const aborting = (
    client: ReturnType<typeof createClient>,
    run: (signal: AbortSignal) => Promise<unknown>,
  ): Promise<unknown> => {
    const controller = new AbortController()
    client.listen((event) => {
      if (event._tag === "Waiting") controller.abort("enough")
    })
    return rejection(run(controller.signal))
  }

  it("end a wait at once, and reject with their reason", async () => {
    const { client, emulator } = setUp(limited)
    const startedAt = performance.now()
    const id = firstId(emulator)
    expect(await aborting(client, (signal) => client.contracts.get(id, { signal }))).toBe("enough")
    expect(await aborting(client, (signal) => client.contracts.getMany([id], { signal }))).toBe("enough")
    expect(performance.now() - startedAt).toBeLessThan(5_000)
  })

  it("end the wait of a walk at once", async () => {
    const { client } = setUp(limited)
    expect(await aborting(client, (signal) => drain(client.contracts.list({ signal })))).toBe("enough")
  })

  it("call a request that is under way off", async () => {
    const controller = new AbortController()
    const signals: Array<AbortSignal> = []
    const { client } = setUp(
      {},
      {
        fetch: (request) => {
          signals.push(request.signal)
          controller.abort(new Error("changed my mind"))
          return new Promise(() => {})
        },
      },
    )
    const reason = await rejection(client.me({ signal: controller.signal }))
    expect(reason).toMatchObject({ message: "changed my mind" })
    expect(signals.map((signal) => signal.aborted)).toEqual([true])
  })

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

  it("leave the walk to its end when they abort afterwards", async () => {
    const controller = new AbortController()
    const { client } = setUp()
    expect(await drain(client.contracts.list({ signal: controller.signal }))).toHaveLength(130)
    controller.abort()
    expect(await client.contracts.collect({ max: 1 })).toHaveLength(1)
  })

  it("end a walk between two pages with their reason, not as if it were complete", async () => {
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
    const walking = rejection(drain(client.contracts.list()))
    while (sent.length < 2) await new Promise((resolve) => setImmediate(resolve))
    await client.close()
    expect(await underWay).toMatchObject({ name: "AbortError" })
    expect(await walking).toMatchObject({ name: "AbortError" })
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

describe("createClient", () => {
  it.each([
    ["no base URL", { baseUrl: "" }],
    ["plain http to a host", { baseUrl: "http://api.example.test" }],
    ["a user name in it", { baseUrl: "https://me:secret@api.example.test" }],
    ["no key", { apiKey: "" }],
    ["a key with a line break", { apiKey: "dk_abc\n" }],
    ["a cursor parameter that is id", { cursorParam: "id" }],
    ["a negative rate", { rate: -1 }],
    ["no attempts", { policy: { attempts: 0 } }],
  ])("throws ConfigInvalid at once for %s", (_, options) => {
    const make = () => setUp({}, options)
    expect(make).toThrow(ClientError)
    expect(make).toThrow(/Nothing was sent/)
    expect(make).not.toThrow(/secret|dk_abc/)
  })

  it("sends through a transport of one's own", async () => {
    const { client } = setUp(
      {},
      {
        transport: async () => ({ status: 200, header: () => null, text: '{"ok":true,"name":"mine"}' }),
      },
    )
    expect(await client.me()).toEqual({ ok: true, name: "mine" })
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

  it("hears events when it comes after the first operation", async () => {
    const { client } = setUp()
    await client.me()
    const heard: Array<ClientEvent["_tag"]> = []
    client.listen((event) => void heard.push(event._tag))
    await client.me()
    expect(heard).toEqual(["Attempted"])
  })

  it("hears each event once when it ends and begins again", async () => {
    const { client } = setUp()
    const heard: Array<ClientEvent["_tag"]> = []
    const listener = (event: ClientEvent) => void heard.push(event._tag)
    client.listen(listener)()
    client.listen(listener)
    await client.me()
    client.listen(listener)()
    client.listen(listener)
    await client.me()
    expect(heard).toEqual(["Attempted", "Attempted"])
  })
})
