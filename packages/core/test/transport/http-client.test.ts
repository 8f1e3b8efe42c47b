import * as emulation from "@deedkit/emulator"
import type { EmulatorOptions } from "@deedkit/emulator"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { listen } from "@deedkit/emulator/node"
import { describe, expect, it } from "vitest"
import type { ClientOptions } from "../../src/call/ClientConfig.ts"
import * as adapter from "../../src/http-client.ts"
import * as PropertyClient from "../../src/client/PropertyClient.ts"
import { Transport } from "../../src/transport/Transport.ts"
import * as Fixtures from "../../src/testing/Fixtures.ts"
import { baseUrl, failure } from "../fixtures/Setup.ts"
import { attributesOf, named, recorder } from "../fixtures/Spans.ts"

const setUp = async (emulator: EmulatorOptions = {}, options: Partial<ClientOptions> = {}) => {
  const service = emulation.make({ contracts: 130, ...emulator })
  const headers: Array<ReadonlyArray<string>> = []
  const caches: Array<RequestCache> = []
  const customFetch = Layer.succeed(FetchHttpClient.Fetch, (input, init) => {
    const request = new Request(input, init)
    headers.push([...request.headers.keys()])
    caches.push(request.cache)
    return service.fetch(request)
  })
  const http = Layer.provide(FetchHttpClient.layer, customFetch)
  const settings = {
    baseUrl,
    apiKey: service.apiKey,
    rate: 0,
    retry: { baseMillis: 1, leastMillis: 1 },
    ...options,
  }
  const client = await Effect.runPromise(
    PropertyClient.make(settings).pipe(Effect.provide(Layer.provide(adapter.layer, http))),
  )
  return { caches, client, emulator: service, headers }
}

describe("a transport on Effect's HttpClient", () => {
  it("reads, looks up and reports as every other", async () => {
    const { client, emulator } = await setUp()
    expect(await Effect.runPromise(client.contracts.collect({ max: "all" }))).toEqual(
      emulator.store.contracts,
    )
    const { id } = emulator.store.contracts[0]!
    expect((await Effect.runPromise(client.contracts.get(id))).id).toBe(id)
    const error = await Effect.runPromise(failure(client.contracts.get(999_999)))
    expect(error).toMatchObject({ reason: { _tag: "NotFound", status: 404 }, requestId: expect.anything() })
  })

  it("says where characters of an answer are not known, and reads the charset that one declares", async () => {
    const types = ["application/json", "application/json; charset=iso-8859-1"]
    const answers = types.map(async (type) => {
      const answer = new Response(new Uint8Array(Buffer.from('{"city":"Café"}', "latin1")), {
        headers: { "content-type": type },
      })
      const http = Layer.provide(
        FetchHttpClient.layer,
        Layer.succeed(FetchHttpClient.Fetch, async () => answer),
      )
      const send = await Effect.runPromise(Effect.provide(adapter.make, http))
      const request = { url: `${baseUrl}/`, headers: {}, connectMillis: 1, idleMillis: 1, maxBodyBytes: 99 }
      return send(request, { signal: new AbortController().signal, onCancel: () => {} })
    })
    expect(await Promise.all(answers)).toMatchObject([
      { text: '{"city":"Caf\ufffd"}', wellEncoded: false },
      { text: '{"city":"Café"}', wellEncoded: true },
    ])
  })

  it("sends no tracing headers", async () => {
    const { client, headers } = await setUp()
    await Effect.runPromise(client.me())
    expect(headers).toEqual([["accept", "authorization"]])
  })

  it("sends requests that no cache may answer or keep", async () => {
    const { caches, client } = await setUp()
    await Effect.runPromise(client.me())
    expect(caches).toEqual(["no-store"])
  })

  it("sends through the middleware of the client that it is given", async () => {
    const seen: Array<string> = []
    const service = emulation.make({ contracts: 3 })
    const send = await Effect.runPromise(
      adapter.make.pipe(
        Effect.provide(
          Layer.effect(
            HttpClient.HttpClient,
            Effect.map(
              HttpClient.HttpClient,
              HttpClient.tapRequest((request) => Effect.sync(() => void seen.push(request.url))),
            ),
          ).pipe(Layer.provide(FetchHttpClient.layer)),
        ),
        Effect.provideService(FetchHttpClient.Fetch, service.fetch),
      ),
    )
    const client = await Effect.runPromise(
      Effect.provideService(
        PropertyClient.make({ baseUrl, apiKey: service.apiKey, rate: 0 }),
        Transport,
        send,
      ),
    )
    await Effect.runPromise(client.contracts.get(service.store.contracts[0]!.id))
    expect(seen).toEqual([`${baseUrl}/v1/contracts/?id=${service.store.contracts[0]!.id}`])
  })

  it.each([
    [{ name: "drop" }, "TransportFailed"],
    [{ name: "cut" }, "TransportFailed"],
    [{ name: "not-json" }, "NotTheApi"],
    [{ name: "truncated-json" }, "BodyInvalid"],
    [{ name: "redirect", to: "other-host" }, "Redirected"],
    [{ name: "huge", bytes: 100_000 }, "BodyTooLarge"],
    [{ name: "server-error", status: 503 }, "ServerFault"],
  ] as const)("turns the fault %o into %s", async (fault, reason) => {
    const { client } = await setUp({ faults: [fault] }, { maxBodyBytes: 50_000 })
    const error = await Effect.runPromise(failure(client.me()))
    expect(error.reason._tag).toBe(reason)
  })

  it("is cancelled with the operation", async () => {
    const signals: Array<AbortSignal> = []
    const http = Layer.provide(
      FetchHttpClient.layer,
      Layer.succeed(FetchHttpClient.Fetch, (_input, init) => {
        signals.push(init!.signal!)
        return new Promise(() => {})
      }),
    )
    const client = await Effect.runPromise(
      PropertyClient.make({
        baseUrl,
        apiKey: "dk_key",
        timeLimits: { attempt: 20 },
        retry: { attempts: 1 },
      }).pipe(Effect.provide(Layer.provide(adapter.layer, http))),
    )
    const error = await Effect.runPromise(failure(client.me()))
    expect(error.reason).toMatchObject({ _tag: "TimedOut", which: "attempt" })
    expect(signals.map((signal) => signal.aborted)).toEqual([true])
  })
})

describe("redirects", () => {
  it("are not followed by Effect's fetch client over a real port: the other host hears nothing", async () => {
    const other = emulation.make({ contracts: 3 })
    const otherServer = await listen(other)
    const service = emulation.make({
      contracts: 3,
      faults: [{ name: "redirect", to: `${otherServer.url}/v1/me/` }],
    })
    const server = await listen(service)
    const client = await Effect.runPromise(
      PropertyClient.make({ baseUrl: server.url, apiKey: service.apiKey, rate: 0 }).pipe(
        Effect.provide(Layer.provide(adapter.layer, FetchHttpClient.layer)),
      ),
    )
    const error = await Effect.runPromise(failure(client.me()))
    await Promise.all([server.close(), otherServer.close()])
    expect(other.journal.entries).toEqual([])
    expect(error.reason).toMatchObject({ _tag: "Redirected", status: 302, sameOrigin: false })
  })
})

describe("a transport on Effect's HttpClient in a program with a tracer", () => {
  it("makes no spans beside those of the attempts, which redact the URL", async () => {
    const { spans, traced } = recorder()
    const key = "dk_live_0123456789abcdef"
    const page = { ok: true, items: [Fixtures.contract()], next_before_id: key }
    const http = Layer.provide(
      FetchHttpClient.layer,
      Layer.succeed(FetchHttpClient.Fetch, async () => Response.json(page)),
    )
    const program = Effect.gen(function* () {
      const client = yield* PropertyClient.make({ baseUrl, apiKey: key, rate: 0 })
      yield* Effect.exit(client.contracts.collect({ max: "all" }))
    })
    await Effect.runPromise(traced(Effect.provide(program, Layer.provide(adapter.layer, http))))
    const attempts = named(spans, "GET /v1/contracts/")
    expect(attempts.length).toBeGreaterThan(1)
    expect(new Set(spans.map(({ name }) => name))).toEqual(
      new Set(["contracts.list", "contracts.page", "GET /v1/contracts/"]),
    )
    expect(attributesOf(attempts[1])["url.full"]).toBe(`${baseUrl}/v1/contracts/?before_id=[API key]`)
  })
})
