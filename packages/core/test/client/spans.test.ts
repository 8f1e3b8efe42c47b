/** The spans of calls and attempts: names, attributes, and how they end. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Tracer from "effect/Tracer"
import { describe, expect, it } from "vitest"
import { scripted } from "../../src/testing/index.ts"
import { baseUrl, idsOf, world } from "../fixtures/Setup.ts"
import type { World } from "../fixtures/Setup.ts"
import { attributesOf, recorder, tree } from "../fixtures/Spans.ts"
import type { RecordedSpan } from "../fixtures/Spans.ts"

const firstId = ({ emulator }: World): number => idsOf(emulator.store.contracts)[0]!

/** The error with which a span ended, as exporters see it; null for none. */
const errorOf = (span: RecordedSpan | undefined) =>
  span?.status._tag === "Ended" && Exit.isFailure(span.status.exit) ? span.status.exit.cause : null

const get = "GET /v1/contracts/?id={id}"

describe("a call", () => {
  it("has a span, and one below it by the conventions for HTTP clients", async () => {
    const it = await world()
    const { spans, traced } = recorder()
    const id = firstId(it)
    await it.run(traced(Effect.withSpan(it.client.contracts.get(id), "nightly")))
    expect(tree(spans)).toEqual(["nightly", "  contracts.get", `    ${get}`])
    const [, call, attempt] = spans
    const { requestId } = it.emulator.journal.entries[0]!
    expect([call?.kind, attempt?.kind]).toEqual(["internal", "client"])
    expect(attributesOf(attempt)).toEqual({
      "http.request.method": "GET",
      "server.address": "api.example.test",
      "server.port": 443,
      "url.full": `${baseUrl}/v1/contracts/?id=${id}`,
      "url.template": "/v1/contracts/?id={id}",
      "http.response.status_code": 200,
      "deedkit.request_id": requestId,
    })
    expect(attributesOf(call)).toEqual({
      "deedkit.attempts": 1,
      "deedkit.waited_ms": 0,
      "deedkit.request_id": requestId,
    })
    expect(spans.map(errorOf)).toEqual([null, null, null])
  })

  it("is named by what it asks for, and never by an id, a cursor or a path of the program's own", async () => {
    const it = await world({ emulator: { contracts: 130 } })
    const { spans, traced } = recorder()
    const { apiKeys, contracts, me } = it.client
    await it.run(traced(Effect.all([me(), apiKeys.collect({ max: "all" }), contracts.collect({ max: 101 })])))
    const pages = ["contracts.page", "  GET /v1/contracts/"]
    const keys = ["api-keys.page", "  GET /v1/api-keys/"]
    expect(tree(spans).slice(0, 8)).toEqual(["me", "  GET /v1/me/", ...keys, ...pages, ...pages])
    const own = recorder()
    const { send } = scripted([{ body: { ok: true, count: 3 } }])
    const other = await world({ transport: send })
    await other.run(own.traced(other.client.request("/v1/listings/4711/count/")))
    expect(tree(own.spans)).toEqual(["request", "  GET"])
    expect(attributesOf(own.spans[1])).not.toHaveProperty("url.template")
  })

  it("has the port of the base URL, its path in the template, and an IPv6 address without brackets", async () => {
    const it = await world({
      client: { baseUrl: "http://[::1]:8080/api" },
      transport: scripted([{ body: { ok: true } }]).send,
    })
    const { spans, traced } = recorder()
    await it.run(traced(it.client.me()))
    expect(attributesOf(spans[1])).toMatchObject({
      "server.address": "::1",
      "server.port": 8080,
      "url.template": "/api/v1/me/",
    })
  })

  it("gives samplers the server, method and URL when its span begins", async () => {
    const it = await world()
    const seen: Array<ReadonlyArray<string>> = []
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        queueMicrotask(() => seen.push([...span.attributes.keys()]))
        return span
      },
    })
    await it.run(Effect.provideService(it.client.me(), Tracer.Tracer, tracer))
    expect(seen[1]).toEqual(
      expect.arrayContaining(["http.request.method", "server.address", "server.port", "url.full"]),
    )
  })

  it("shows each attempt", async () => {
    const it = await world({
      emulator: {
        faults: [
          { name: "rate-limit", retryAfter: 20, when: { requests: [1] } },
          { name: "server-error", status: 503, when: { requests: [2] } },
        ],
      },
    })
    const { spans, traced } = recorder()
    await it.run(traced(it.client.contracts.get(firstId(it))))
    const [call, ...attempts] = spans
    expect(tree(spans)).toEqual(["contracts.get", `  ${get}`, `  ${get}`, `  ${get}`])
    const shown = attempts.map(attributesOf)
    expect(shown.map((each) => each["http.request.resend_count"])).toEqual([undefined, 1, 2])
    expect(shown.map((each) => each["http.response.status_code"])).toEqual([429, 503, 200])
    expect(shown.map((each) => each["error.type"])).toEqual(["RateLimited", "ServerFault", undefined])
    expect(attributesOf(call)).toMatchObject({ "deedkit.attempts": 3 })
    expect(attributesOf(call)["deedkit.waited_ms"]).toBeGreaterThanOrEqual(20_000)
  })

  it("ends with the class of its error, and nothing that the server said", async () => {
    const it = await world({
      around: () => async () =>
        Response.json(
          { message: "Maria Papadaki is unknown" },
          { status: 404, headers: { "x-request-id": "r1" } },
        ),
    })
    const { spans, traced } = recorder()
    const error = await it.fails(traced(it.client.contracts.get(77)))
    expect(error.reason).toMatchObject({ _tag: "NotFound", serverSays: "Maria Papadaki is unknown" })
    const [call, attempt] = spans
    expect(attributesOf(attempt)).toMatchObject({
      "http.response.status_code": 404,
      "error.type": "NotFound",
      "deedkit.request_id": "r1",
    })
    expect(attributesOf(call)).toEqual({
      "deedkit.attempts": 1,
      "deedkit.waited_ms": 0,
      "deedkit.request_id": "r1",
      "error.type": "NotFound",
    })
    for (const span of spans) {
      const [shown] = Cause.prettyErrors(errorOf(span)!)
      expect([shown?.name, shown?.message, String(shown?.stack).includes("Papadaki")]).toEqual([
        "NotFound",
        "NotFound",
        false,
      ])
    }
  })

  it("has no status where no answer came", async () => {
    const it = await world({ transport: () => Promise.reject(new Error("refused")) })
    const { spans, traced } = recorder()
    await it.fails(traced(it.client.me()))
    expect(spans).toHaveLength(5)
    for (const span of spans) {
      expect(attributesOf(span)["error.type"]).toBe("TransportFailed")
      expect(attributesOf(span)).not.toHaveProperty("http.response.status_code")
    }
  })

  it("that is cancelled ends its spans without an error", async () => {
    const it = await world({ transport: () => new Promise(() => {}) })
    const { spans, traced } = recorder()
    const program = Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(traced(it.client.me()), { startImmediately: true })
      yield* Effect.sleep(500)
      yield* Fiber.interrupt(fiber)
    })
    await it.run(program)
    expect(tree(spans)).toEqual(["me", "  GET /v1/me/"])
    for (const span of spans) {
      expect(Cause.hasInterruptsOnly(errorOf(span)!)).toBe(true)
      expect(attributesOf(span)).not.toHaveProperty("error.type")
    }
  })
})
