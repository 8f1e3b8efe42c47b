import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import * as Tracer from "effect/Tracer"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ClientError } from "../../../src/error/ClientError.ts"
import { scripted } from "../../../src/testing/index.ts"
import { baseUrl, idsOf, world } from "../../fixtures/Setup.ts"
import type { World } from "../../fixtures/Setup.ts"
import { attributesOf, named, recorder, tree } from "../../fixtures/Spans.ts"
import type { RecordedSpan } from "../../fixtures/Spans.ts"

const firstId = ({ emulator }: World): number => idsOf(emulator.store.contracts)[0]!

const eventsOf = (span: RecordedSpan | undefined) =>
  span?.events.map(([name, , facts]) => [name, facts] as const)

/** The error with which a span ended, as exporters see it; null for none. */
const errorOf = (span: RecordedSpan | undefined): Exit.Exit<unknown, unknown> | null =>
  span?.status._tag === "Ended" && Exit.isFailure(span.status.exit) ? span.status.exit : null

const isEnded = (span: RecordedSpan): boolean => span.status._tag === "Ended"

const get = "GET /v1/contracts/?id={id}"
const list = "GET /v1/contracts/"

describe("a call in a program with a tracer", () => {
  it("has a span, and one below it by the conventions for HTTP clients", async () => {
    const it = await world()
    const { spans, traced } = recorder()
    const id = firstId(it)
    await it.run(traced(it.client.contracts.get(id)))
    expect(tree(spans)).toEqual(["contracts.get", `  ${get}`])
    const { requestId } = it.emulator.journal.entries[0]!
    expect(spans.map(({ kind }) => kind)).toEqual(["internal", "client"])
    expect(attributesOf(spans[1])).toEqual({
      "http.request.method": "GET",
      "server.address": "api.example.test",
      "server.port": 443,
      "url.full": `${baseUrl}/v1/contracts/?id=${id}`,
      "url.template": "/v1/contracts/?id={id}",
      "http.response.status_code": 200,
      "deedkit.request_id": requestId,
    })
    expect(attributesOf(spans[0])).toEqual({
      "deedkit.attempts": 1,
      "deedkit.waited_ms": 0,
      "deedkit.request_id": requestId,
    })
    expect(spans.map(errorOf)).toEqual([null, null])
    expect(spans.every(isEnded)).toBe(true)
  })

  it("is named by what it asks for, and never by an id or a cursor", async () => {
    const it = await world()
    const { spans, traced } = recorder()
    const { apiKeys, contracts, me } = it.client
    await it.run(traced(Effect.all([contracts.get(firstId(it)), me(), apiKeys.collect({ max: "all" })])))
    expect(tree(spans)).toEqual([
      "contracts.get",
      `  ${get}`,
      "me",
      "  GET /v1/me/",
      "api-keys.list",
      "  api-keys.page",
      "    GET /v1/api-keys/",
    ])
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

  it("shows each attempt with the wait before it, on success", async () => {
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
    const ids = it.emulator.journal.entries.map(({ requestId }) => requestId)
    const [, retried] = it.events.filter(({ _tag }) => _tag === "Waiting")
    const wait = retried?._tag === "Waiting" ? retried.waitMillis : 0
    const limited = { "http.response.status_code": 429, "error.type": "RateLimited" }
    const failed = { "http.response.status_code": 503, "error.type": "ServerFault" }
    const waited = (attempt: number, millis: number) => ({
      "deedkit.attempt": attempt,
      "deedkit.waited_ms": millis,
      "deedkit.request_id": ids[attempt - 1],
    })
    const first = Number(eventsOf(call)?.[1]?.[1]?.["deedkit.waited_ms"])
    expect(first).toBeGreaterThanOrEqual(20_000)
    expect(wait).toBeGreaterThan(0)
    expect(eventsOf(call)).toEqual([
      ["deedkit.attempt", { ...waited(1, 0), ...limited }],
      ["deedkit.attempt", { ...waited(2, first), ...failed }],
      ["deedkit.attempt", { ...waited(3, wait), "http.response.status_code": 200 }],
    ])
    expect(attributesOf(call)).toEqual({
      "deedkit.attempts": 3,
      "deedkit.waited_ms": first + wait,
      "deedkit.request_id": ids[2],
    })
  })

  it("shows status, request id and the class of the error on failure, and nothing that the server said", async () => {
    const it = await world({
      around: () => async () =>
        Response.json(
          { message: "Maria Papadaki is unknown" },
          { status: 404, headers: { "x-request-id": "r1" } },
        ),
    })
    const { spans, traced } = recorder()
    await it.fails(traced(it.client.contracts.get(77)))
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
      const error = Option.getOrNull(Exit.getCause(errorOf(span)!))
      const text = JSON.stringify(error) + String(error)
      expect(text).toContain("NotFound")
      expect(text).not.toContain("Papadaki")
    }
  })

  it("has no status where no answer came", async () => {
    const it = await world({ transport: () => Promise.reject(new Error("refused")) })
    const { spans, traced } = recorder()
    await it.fails(traced(it.client.me()))
    const attempts = named(spans, "GET /v1/me/")
    expect(attempts).toHaveLength(4)
    for (const attempt of attempts) {
      expect(attributesOf(attempt)["error.type"]).toBe("TransportFailed")
      expect(attributesOf(attempt)).not.toHaveProperty("http.response.status_code")
    }
    expect(attributesOf(spans[0])).toMatchObject({ "deedkit.attempts": 4, "error.type": "TransportFailed" })
  })

  it("has a span where nothing is sent, because the key has to wait for too long", async () => {
    const it = await world({
      emulator: { faults: [{ name: "rate-limit", retryAfter: 600, when: { requests: [1] } }] },
    })
    await it.fails(it.client.me())
    const { spans, traced } = recorder()
    await it.fails(traced(it.client.me()))
    expect(tree(spans)).toEqual(["me"])
    expect(attributesOf(spans[0])).toMatchObject({ "deedkit.attempts": 0, "error.type": "RateLimited" })
  })

  it("ends its spans when it is cancelled, without an error", async () => {
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
      expect(Exit.hasInterrupts(errorOf(span)!)).toBe(true)
      expect(attributesOf(span)).not.toHaveProperty("error.type")
    }
    expect(eventsOf(spans[0])).toEqual([
      ["deedkit.attempt", { "deedkit.attempt": 1, "deedkit.waited_ms": 0 }],
    ])
  })

  it("shows how long it had waited when it is cancelled in a wait", async () => {
    const it = await world({
      emulator: { faults: [{ name: "rate-limit", retryAfter: 20, when: { requests: [1] } }] },
    })
    const { spans, traced } = recorder()
    await it.run(Effect.timeoutOption(traced(it.client.me()), 5_000))
    expect(attributesOf(spans[0])).toMatchObject({ "deedkit.attempts": 1, "deedkit.waited_ms": 5_000 })
  })

  it("is a child of the program's own span", async () => {
    const it = await world()
    const { spans, traced } = recorder()
    await it.run(traced(Effect.withSpan(it.client.me(), "nightly")))
    expect(tree(spans)).toEqual(["nightly", "  me", "    GET /v1/me/"])
  })

  it("ends at the time of its clock", async () => {
    const it = await world({
      emulator: { faults: [{ name: "rate-limit", retryAfter: 20, when: { requests: [1] } }] },
    })
    const { spans, traced } = recorder()
    await it.run(traced(it.client.me()))
    const took = spans.map(({ status }) =>
      status._tag === "Ended" ? Math.round(Number(status.endTime - status.startTime) / 1e6) : Number.NaN,
    )
    expect(took[0]).toBe(it.elapsed())
    expect(took.slice(1)).toEqual([0, 0])
  })

  it("with options of its own has the same spans", async () => {
    const it = await world()
    const { spans, traced } = recorder()
    await it.run(traced(it.client.contracts.get(firstId(it), { retry: { attempts: 1 } })))
    expect(tree(spans)).toEqual(["contracts.get", `  ${get}`])
  })

  it("has no span where the program switched spans off", async () => {
    const it = await world()
    const { spans, traced } = recorder()
    await it.run(traced(Effect.withTracerEnabled(it.client.me(), false)))
    expect(spans).toEqual([])
  })
})

describe("a request of the program's own", () => {
  it("has spans without its path in the name, which may hold ids", async () => {
    const it = await world({ transport: scripted([{ body: { ok: true, count: 3 } }]).send })
    const { spans, traced } = recorder()
    await it.run(traced(it.client.request("/v1/listings/4711/count/")))
    expect(tree(spans)).toEqual(["request", "  GET"])
    expect(attributesOf(named(spans, "GET")[0])).not.toHaveProperty("url.template")
  })
})

describe("a program without a tracer", () => {
  it("makes no span, and adds nothing to one of its own", async () => {
    const it = await world()
    const own = Effect.withSpan(Effect.andThen(it.client.me(), Effect.currentSpan), "own")
    const span = (await it.run(own)) as RecordedSpan
    expect(attributesOf(span)).toEqual({})
    expect(span.events).toEqual([])
    const inside = await it.run(
      Effect.withSpan(Effect.andThen(Stream.runDrain(it.client.contracts.list()), Effect.currentSpan), "own"),
    )
    expect(attributesOf(inside as RecordedSpan)).toEqual({})
  })

  it("begins no span that nobody sees: only spans ask a clock for nanoseconds", async () => {
    const it = await world()
    const count = async (run: <A, E>(effect: Effect.Effect<A, E>) => Effect.Effect<A, E>) => {
      let asked = 0
      const currentTimeNanosUnsafe = (): bigint => {
        asked += 1
        return it.clock.currentTimeNanosUnsafe()
      }
      const { contracts, me } = it.client
      const lookups = contracts.getMany([...idsOf(it.emulator.store.contracts).slice(0, 3), 999_999])
      const all = Effect.all([me(), lookups, Stream.runDrain(contracts.list())], { concurrency: 3 })
      await it.run(Effect.provideService(run(all), Clock.Clock, { ...it.clock, currentTimeNanosUnsafe }))
      return asked
    }
    expect(await count(recorder().traced)).toBeGreaterThan(20)
    expect(await count((effect) => effect)).toBe(0)
  })
})

describe("lookups at the same time of the same record", () => {
  it("have a span each; the ones who join have a link to that of the request", async () => {
    const it = await world()
    const { spans, traced } = recorder()
    const lookup = it.client.contracts.get(firstId(it))
    const asked = (name: string) => Effect.withSpan(lookup, name)
    await it.run(traced(Effect.all([asked("first"), asked("second"), asked("third")], { concurrency: 3 })))
    expect(it.emulator.journal.entries).toHaveLength(1)
    expect(tree(spans)).toEqual([
      "first",
      "  contracts.get",
      `    ${get}`,
      "second",
      "  contracts.get",
      "third",
      "  contracts.get",
    ])
    const [request, ...joined] = named(spans, "contracts.get")
    for (const span of joined) {
      expect(attributesOf(span)).toEqual({ "deedkit.shared": true })
      expect(span.links.map((link) => link.span.spanId)).toEqual([request!.spanId])
    }
    expect(attributesOf(request)).not.toHaveProperty("deedkit.shared")
    expect(spans.every(isEnded)).toBe(true)
  })

  it("continue when the first one leaves, and the request's span shows how it ended", async () => {
    const it = await world({ emulator: { faults: [{ name: "latency", ms: 5_000 }] } })
    const { spans, traced } = recorder()
    const lookup = it.client.contracts.get(firstId(it))
    const program = Effect.gen(function* () {
      const first = yield* Effect.forkChild(Effect.withSpan(lookup, "first"), { startImmediately: true })
      const second = yield* Effect.forkChild(Effect.withSpan(lookup, "second"), { startImmediately: true })
      yield* Effect.sleep(10)
      yield* Fiber.interrupt(first)
      return yield* Fiber.join(second)
    })
    expect(await it.run(traced(program))).toMatchObject({ id: firstId(it) })
    const [request] = named(spans, "contracts.get")
    expect(attributesOf(request)).toMatchObject({ "deedkit.attempts": 1 })
    expect(errorOf(request)).toBeNull()
    expect(spans.every(isEnded)).toBe(true)
  })

  it("each show an error of the one request", async () => {
    const it = await world()
    const { spans, traced } = recorder()
    const lookup = Effect.exit(it.client.contracts.get(999_999))
    await it.run(traced(Effect.all([lookup, lookup], { concurrency: 2 })))
    expect(named(spans, "contracts.get").map((span) => attributesOf(span)["error.type"])).toEqual([
      "NotFound",
      "NotFound",
    ])
  })

  it("that take longer than a deadline show it in each span, with the attempt that was cut off", async () => {
    const it = await world({
      transport: () => new Promise(() => {}),
      client: { timeLimits: { deadline: "20 seconds", attempt: "1 minute" } },
    })
    const { spans, traced } = recorder()
    const lookup = Effect.exit(it.client.contracts.get(12))
    await it.run(traced(Effect.all([lookup, lookup], { concurrency: 2 })))
    expect(spans.map(({ name }) => name)).toEqual(["contracts.get", get, "contracts.get"])
    expect(spans.map((span) => attributesOf(span)["error.type"])).toEqual([
      "TimedOut",
      "TimedOut",
      "TimedOut",
    ])
  })

  it("of many ids are below one span", async () => {
    const it = await world()
    const { spans, traced } = recorder()
    const ids = [firstId(it), 999_999]
    await it.run(traced(it.client.contracts.getMany(ids, { concurrency: 1 })))
    expect(tree(spans)).toEqual([
      "contracts.getMany",
      "  contracts.get",
      `    ${get}`,
      "  contracts.get",
      `    ${get}`,
    ])
    expect(errorOf(spans[0])).toBeNull()
  })
})

describe("a read in a program with a tracer", () => {
  it("has one span, with its pages below it and its summary on it", async () => {
    const it = await world()
    const { spans, traced } = recorder()
    await it.run(traced(it.client.contracts.collect({ max: "all" })))
    const page = ["  contracts.page", `    ${list}`]
    expect(tree(spans)).toEqual(["contracts.list", ...page, ...page, ...page])
    expect(attributesOf(spans[0])).toEqual({
      "deedkit.pages": 3,
      "deedkit.records": 130,
      "deedkit.rejected": 0,
      "deedkit.requests": 3,
      "deedkit.retries": 0,
      "deedkit.waited_ms": 0,
      "deedkit.complete": true,
    })
    expect(spans.map(errorOf)).toEqual(spans.map(() => null))
    expect(spans.every(isEnded)).toBe(true)
  })

  it("gives the consumer's work no other parent", async () => {
    const it = await world()
    const { spans, traced } = recorder()
    const work = Effect.withSpan(Effect.void, "work")
    await it.run(
      traced(
        Effect.withSpan(
          Stream.runForEach(it.client.contracts.pages(), () => work),
          "own",
        ),
      ),
    )
    const own = named(spans, "own")[0]!
    const parents = named(spans, "work").map(({ parent }) => Option.getOrThrow(parent).spanId)
    expect(parents).toEqual([own.spanId, own.spanId, own.spanId])
  })

  it("has spans of its own in each run of the stream", async () => {
    const it = await world({ emulator: { contracts: 5 } })
    const { spans, traced } = recorder()
    const stream = it.client.contracts.list()
    await it.run(traced(Effect.all([Stream.runDrain(stream), Stream.runDrain(stream)], { concurrency: 2 })))
    const once = ["contracts.list", "  contracts.page", `    ${list}`]
    expect(tree(spans)).toEqual([...once, ...once])
  })

  it("shows no error when its consumer has enough, or fails", async () => {
    const it = await world()
    const { spans, traced } = recorder()
    await it.run(traced(it.client.contracts.collect({ max: 3 })))
    expect(errorOf(spans[0])).toBeNull()
    expect(attributesOf(spans[0])).toMatchObject({ "deedkit.pages": 1, "deedkit.complete": false })
    expect(spans.every(isEnded)).toBe(true)
    const failing = Stream.runForEach(it.client.contracts.list(), () => Effect.fail("my own error"))
    const again = recorder()
    await it.run(Effect.exit(again.traced(failing)))
    expect(attributesOf(again.spans[0])).not.toHaveProperty("error.type")
    expect(
      JSON.stringify(again.spans[0]!.status, (_, value: unknown) => (typeof value === "bigint" ? "" : value)),
    ).not.toContain("my own error")
    expect(again.spans.every(isEnded)).toBe(true)
  })

  it("shows how far it came when it fails", async () => {
    const it = await world({
      emulator: { faults: [{ name: "server-error", status: 500, when: { requests: [2, 3, 4, 5, 6, 7] } }] },
    })
    const { spans, traced } = recorder()
    await it.fails(traced(it.client.contracts.collect({ max: "all" })))
    expect(attributesOf(spans[0])).toMatchObject({
      "deedkit.pages": 1,
      "deedkit.retries": 3,
      "deedkit.complete": false,
      "error.type": "ServerFault",
    })
    const failed = named(spans, "contracts.page").at(-1)
    expect(attributesOf(failed)).toMatchObject({ "deedkit.attempts": 4, "error.type": "ServerFault" })
  })

  it("is ended by an interruption, with the page that was read ahead", async () => {
    const it = await world({ emulator: { faults: [{ name: "latency", ms: 50 }] } })
    const { spans, traced } = recorder()
    const program = Effect.gen(function* () {
      const busy = Stream.runForEach(it.client.contracts.pages(), () => Effect.never)
      const fiber = yield* Effect.forkChild(traced(busy), { startImmediately: true })
      yield* Effect.sleep(60)
      yield* Fiber.interrupt(fiber)
    })
    await it.run(program)
    expect(named(spans, "contracts.page")).toHaveLength(2)
    expect(spans.every(isEnded)).toBe(true)
    expect(spans.filter((span) => attributesOf(span)["error.type"] !== undefined)).toEqual([])
  })

  it("of many pages has spans of few names", async () => {
    const it = await world({ emulator: { contracts: 400 } })
    const { spans, traced } = recorder()
    await it.run(traced(it.client.contracts.pages({ limit: 10, prove: true }).pipe(Stream.runDrain)))
    expect(spans.length).toBeGreaterThan(80)
    expect(new Set(spans.map(({ name }) => name))).toEqual(
      new Set(["contracts.list", "contracts.page", list]),
    )
  })
})

describe("whatever callers ask for, and whenever they leave", () => {
  it("every span ends, and there is one for each answer", async () => {
    const visit = fc.record({
      what: fc.constantFrom("get", "getMany", "list", "me"),
      comes: fc.nat(3_000),
      stays: fc.nat(8_000),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(visit, { minLength: 1, maxLength: 12 }), async (visits) => {
        const it = await world({
          emulator: {
            faults: [
              { name: "latency", ms: 700 },
              { name: "rate-limit", retryAfter: 2, when: { every: 5 } },
              { name: "server-error", status: 503, when: { every: 3 } },
            ],
          },
          client: { timeLimits: { deadline: "5 seconds" } },
        })
        const { spans, traced } = recorder()
        const { contracts, me } = it.client
        const [one, two] = idsOf(it.emulator.store.contracts)
        const operations: Record<string, Effect.Effect<unknown, ClientError>> = {
          get: contracts.get(one!),
          getMany: contracts.getMany([one!, two!, 999_999]),
          list: contracts.collect({ max: "all", limit: 50 }),
          me: me(),
        }
        const visited = visits.map(({ comes, stays, what }) =>
          Effect.exit(Effect.timeoutOption(Effect.delay(operations[what]!, comes), comes + stays)),
        )
        await it.run(traced(Effect.all(visited, { concurrency: "unbounded" })))
        expect(spans.filter((span) => !isEnded(span)).map(({ name }) => name)).toEqual([])
        const attempts = spans.filter(({ kind }) => kind === "client")
        const answered = attempts.filter((span) => "http.response.status_code" in attributesOf(span))
        const heard = it.events.filter((event) => event._tag === "Attempted" && event.status !== null)
        expect(answered).toHaveLength(heard.length)
        const counted = spans.map((span) => Number(attributesOf(span)["deedkit.attempts"] ?? 0))
        expect(counted.reduce((sum, count) => sum + count, 0)).toBe(attempts.length)
      }),
      { numRuns: 60 },
    )
  })
})
