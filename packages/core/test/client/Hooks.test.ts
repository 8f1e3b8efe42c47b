import { inspect } from "node:util"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { Hooks, SeenRequest, SeenResponse } from "../../src/client/Hooks.ts"
import { layer, withHooks } from "../../src/client/Hooks.ts"
import * as PropertyClient from "../../src/client/PropertyClient.ts"
import { createClient } from "../../src/promise.ts"
import type { ScriptedAnswer } from "../../src/testing/index.ts"
import { scripted } from "../../src/testing/index.ts"
import type { Send } from "../../src/transport/Transport.ts"
import { Transport, TransportFault } from "../../src/transport/Transport.ts"
import { baseUrl, idsOf, readList, world } from "../fixtures/Setup.ts"
import * as emulation from "@deedkit/emulator"

const seen = () => {
  const requests: Array<SeenRequest> = []
  const responses: Array<SeenResponse> = []
  const hooks: Hooks = {
    onRequest: (request) => void requests.push(request),
    onResponse: (response) => void responses.push(response),
  }
  return { hooks, requests, responses }
}

/** A client whose hooks see these answers. */
const seeing = async (
  answers: ReadonlyArray<ScriptedAnswer>,
  hooks: Hooks,
  apiKey = "dk_hooks_4711_0123456789",
) => {
  const { requests, send } = scripted(answers)
  const it = await world({
    transport: withHooks(hooks, send),
    client: { apiKey, userAgent: "nightly/2.1", retry: { baseMillis: 1, leastMillis: 1 } },
  })
  return { ...it, sent: requests }
}

const me: ScriptedAnswer = { body: { ok: true }, headers: { "x-request-id": "req_1" } }

describe("hooks", () => {
  it("see each request, and the head of each answer", async () => {
    const { hooks, requests, responses } = seen()
    const { client, run } = await seeing([{ status: 503 }, me], hooks)
    await run(client.me())
    const request = {
      method: "GET",
      url: `${baseUrl}/v1/me/`,
      headers: { accept: "application/json", "user-agent": "nightly/2.1" },
    }
    expect(requests).toEqual([request, request])
    expect(responses.map(({ status }) => status)).toEqual([503, 200])
    expect(responses.map(({ header }) => header("x-request-id"))).toEqual([null, "req_1"])
    expect(responses.map((response) => response.request)).toEqual(requests)
  })

  it("see the pages of a list, its search for the cursor included", async () => {
    const { hooks, requests } = seen()
    const emulator = emulation.make({ contracts: 130, assumptions: { cursorParameter: "page_token" } })
    await using client = createClient({
      baseUrl,
      apiKey: emulator.apiKey,
      rate: 0,
      cursorParam: "auto",
      transport: withHooks(hooks, async (request) => {
        const response = await emulator.fetch(new Request(request.url, { headers: request.headers }))
        return {
          status: response.status,
          header: (name) => response.headers.get(name),
          text: await response.text(),
        }
      }),
    })
    expect(await client.contracts.collect({ max: "all" })).toHaveLength(130)
    expect(requests.map(({ url }) => url.slice(baseUrl.length))).toEqual(
      emulator.journal.entries.map(({ path, query }) => {
        const search = new URLSearchParams(query).toString()
        return search === "" ? path : `${path}?${search}`
      }),
    )
  })

  it("see the head of an answer that breaks off, and no answer where none came", async () => {
    const { hooks, requests, responses } = seen()
    const head = { status: 200, header: () => null }
    const faults = [
      new TransportFault("body", "cut", { head }),
      new TransportFault("connect", "refused"),
      new Error("anything"),
    ]
    const send: Send = () => Promise.reject(faults[requests.length - 1] ?? new Error("none left"))
    const it = await world({ transport: withHooks(hooks, send), client: { retry: { attempts: 3 } } })
    expect((await it.fails(it.client.me())).attempts).toHaveLength(3)
    expect(responses.map(({ status }) => status)).toEqual([200])
  })

  it("may be one alone, or none", async () => {
    for (const hooks of [{}, { onRequest: undefined }, { onResponse: () => {} }]) {
      const { client, run } = await seeing([me], hooks)
      expect(await run(client.me())).toEqual({ ok: true })
    }
  })

  it("change neither request nor answer", async () => {
    const hooks: Hooks = {
      onRequest: (request) => {
        const open = request as { url: string; headers: Record<string, string> }
        expect(() => (open.url = "https://else.example")).toThrow(TypeError)
        expect(() => (open.headers["accept"] = "text/html")).toThrow(TypeError)
        expect(() => (open.headers["x-more"] = "1")).toThrow(TypeError)
      },
      onResponse: (response) => {
        expect(() => ((response as { status: number }).status = 500)).toThrow(TypeError)
      },
    }
    const { client, run, sent } = await seeing([me], hooks)
    expect(await run(client.me())).toEqual({ ok: true })
    expect(sent).toEqual([{ target: "/v1/me/", accept: "application/json" }])
  })

  it("are refused for another name", async () => {
    expect(() => withHooks({ onRequst: () => {} } as Hooks)).toThrow(
      'Invalid input: option "onRequst" is unknown; the options are onRequest, onResponse. Nothing was sent.',
    )
    const made = Effect.flip(Effect.provide(Effect.void, layer({ on: 1 } as Hooks)))
    expect(await Effect.runPromise(made)).toMatchObject({ reason: { _tag: "ConfigInvalid" } })
  })
})

describe("a hook that throws, or rejects", () => {
  afterEach(() => void vi.restoreAllMocks())
  const broken: ReadonlyArray<[string, Hooks]> = [
    [
      "throws before a request",
      {
        onRequest: () => {
          throw new Error("a bug in the hook")
        },
      },
    ],
    [
      "throws after an answer",
      {
        onResponse: () => {
          throw new Error("a bug in the hook")
        },
      },
    ],
    [
      "rejects before a request",
      {
        onRequest: async () => {
          throw new Error("a bug in the hook")
        },
      },
    ],
    [
      "rejects after an answer",
      {
        onResponse: async () => {
          throw new Error("a bug in the hook")
        },
      },
    ],
  ]

  it.each(broken)("fails no call and is written to standard error: %s", async (_, hooks) => {
    const errors = vi.spyOn(console, "error").mockImplementation(() => {})
    const { client, run } = await seeing([{ status: 503 }, me], hooks)
    expect(await run(client.me())).toEqual({ ok: true })
    await expect.poll(() => errors.mock.calls.length).toBe(2)
    expect(inspect(errors.mock.calls)).toMatch(/A listener failed on on(?:Request|Response)/)
  })

  it.each(broken)("is logged by the loggers of the program with the layer: %s", async (_, hooks) => {
    const logged: Array<unknown> = []
    const logger = Logger.make(({ message }) => void logged.push(message))
    const program = Effect.gen(function* () {
      const client = yield* PropertyClient.make({ baseUrl, apiKey: "dk_4711", rate: 0 })
      return yield* client.me()
    })
    const answered = program.pipe(
      Effect.provide(layer(hooks)),
      Effect.provideService(Transport, scripted([me]).send),
      Effect.provide(Logger.layer([logger])),
    )
    expect(await Effect.runPromise(answered)).toEqual({ ok: true })
    await expect.poll(() => logged.length).toBe(1)
    expect(inspect(logged)).toContain("The call is not affected.")
  })
})

describe("the key", () => {
  const keys = [
    "dk_live_0123456789abcdef0123456789abcdef",
    "a+b/c==d+e/f==0123456789ABCDEF+/=",
    "k%20e%2Fy%25with%41percent0123456789",
    "short",
  ]

  it.each(keys)("is in nothing that a hook sees, even where the service echoes it: %s", async (key) => {
    const texts: Array<string> = []
    const names = ["x-request-id", "location", "set-cookie", "content-type", "authorization"]
    const see = (value: unknown) =>
      texts.push(inspect(value, { depth: null, showHidden: true }), JSON.stringify(value))
    const hooks: Hooks = {
      onRequest: see,
      onResponse: (response) => {
        see(response)
        see(names.map(response.header))
      },
    }
    const { send } = scripted((_, count) => ({
      headers: Object.fromEntries(
        names.map((name) => [
          name,
          name === "content-type" ? "application/json" : `${key} ${encodeURIComponent(key)}`,
        ]),
      ),
      body: { ok: true, items: [], next_before_id: count > 3 ? null : `${key}${count}` },
    }))
    const it = await world({
      transport: withHooks(hooks, send),
      client: { apiKey: key, userAgent: `mine ${key}`.replaceAll(" ", "/"), cursorVerified: true },
    })
    await it.run(readList(it.client.contracts.pages()))
    expect(texts.length).toBeGreaterThan(6)
    const parts =
      key.length < 8 ? [key] : Array.from({ length: key.length - 7 }, (_, at) => key.slice(at, at + 8))
    for (const part of [...parts, encodeURIComponent(key)]) expect(texts.join("\n")).not.toContain(part)
  })

  it("is not shown by a header of another spelling", async () => {
    const { hooks, requests } = seen()
    const send = withHooks(hooks, scripted([me]).send)
    const limits = { connectMillis: 1, idleMillis: 1, maxBodyBytes: 1 }
    const cancellation = { signal: new AbortController().signal, onCancel: () => {} }
    await send(
      { url: baseUrl, headers: { Authorization: "Bearer dk_0123456789", Accept: "x" }, ...limits },
      cancellation,
    )
    expect(requests).toEqual([{ method: "GET", url: baseUrl, headers: { accept: "x" } }])
  })

  it("reaches the service all the same", async () => {
    const { hooks } = seen()
    const emulator = emulation.make({ contracts: 3 })
    const send: Send = async ({ headers, url }) => {
      const response = await emulator.fetch(new Request(url, { headers }))
      return {
        status: response.status,
        header: (name) => response.headers.get(name),
        text: await response.text(),
      }
    }
    await using client = createClient({ baseUrl, apiKey: emulator.apiKey, transport: withHooks(hooks, send) })
    expect(idsOf(await client.contracts.collect({ max: "all" }))).toHaveLength(3)
  })
})
