import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as References from "effect/References"
import * as Stream from "effect/Stream"
import { describe, expect, it, vi } from "vitest"
import * as PropertyClient from "../../../src/client/PropertyClient.ts"
import * as EventLog from "../../../src/events/layers/EventLog.ts"
import { world } from "../../fixtures/Setup.ts"
import type { World, WorldOptions } from "../../fixtures/Setup.ts"

/** A world, and what its program logs. `logged` runs a program with the log, which ends with it. */
const setUp = async (options: WorldOptions = {}) => {
  const it = await world(options)
  const lines: Array<string> = []
  const logger = Logger.layer([
    Logger.make(({ logLevel, message }) => {
      lines.push(`${logLevel} ${String(message)}`)
    }),
  ])
  const client = Layer.succeed(PropertyClient.PropertyClient, it.client)
  const log = EventLog.layer.pipe(Layer.provide(client), Layer.provideMerge(logger))
  const logged = <A, E>(program: Effect.Effect<A, E>): Effect.Effect<A, E> =>
    program.pipe(Effect.provide(log), Effect.provideService(References.MinimumLogLevel, "Debug"))
  return { ...it, lines, logged }
}

const requestIds = ({ emulator }: World) => emulator.journal.entries.map((entry) => entry.requestId)

describe("EventLog.layer", () => {
  it("writes each event of a client at debug level", async () => {
    const it = await setUp()
    await it.run(it.logged(Effect.andThen(it.client.me(), it.client.contracts.collect({ max: "all" }))))
    expect(it.lines).toEqual(it.events.map((event) => `Debug ${EventLog.line(event)}`))
    expect(it.lines.filter((line) => line.includes("page "))).toHaveLength(3)
    for (const id of requestIds(it))
      expect(it.lines.some((line) => line.includes(`request id ${id}`))).toBe(true)
  })

  it("has the line of a failure when the scope closes", async () => {
    const it = await setUp({
      emulator: { faults: [{ name: "server-error", status: 500 }] },
    })
    await it.fails(it.logged(it.client.me()))
    expect(it.lines.at(-1)).toMatch(/^Debug .* GET \/v1\/me\/: 500 ServerFault .*, attempt 4$/)
  })

  it("has each line before the call continues", async () => {
    const it = await setUp()
    const seen = it.client.contracts.pages({ readAhead: 0 }).pipe(
      Stream.mapEffect(() => Effect.sync(() => it.lines.filter((line) => line.includes(" page ")).length)),
      Stream.runCollect,
    )
    expect(await it.run(it.logged(seen))).toEqual([1, 2, 3])
  })

  it("has all lines so far when it is interrupted", async () => {
    const it = await setUp({
      emulator: { faults: [{ name: "rate-limit", retryAfter: 60, when: { requests: [1] } }] },
    })
    const program = Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(it.logged(it.client.me()), { startImmediately: true })
      yield* Effect.sleep("1 second")
      yield* Fiber.interrupt(fiber)
    })
    await it.run(program)
    expect(it.lines).toHaveLength(2)
    expect(it.lines[0]).toContain("429 RateLimited")
    expect(it.lines[1]).toContain("rate-limited (RateLimited), named by retry-after")
  })

  it("writes nothing once its scope is closed", async () => {
    const it = await setUp()
    await it.run(it.logged(Effect.void))
    await it.run(it.client.me())
    expect(it.events).toHaveLength(1)
    expect(it.lines).toEqual([])
  })

  it("fails no call when a logger fails", async () => {
    const it = await setUp()
    const broken = Logger.layer([
      Logger.make(() => {
        throw new Error("disk full")
      }),
    ])
    const program = Effect.andThen(EventLog.toLogger(it.client), it.client.me())
    const failing = program.pipe(
      Effect.scoped,
      Effect.provide(broken),
      Effect.provideService(References.MinimumLogLevel, "Debug"),
    )
    const written = vi.spyOn(console, "error").mockImplementation(() => {})
    try {
      expect(await it.run(failing)).toMatchObject({ ok: true })
      expect(written.mock.calls.flat().join(" ")).toContain("disk full")
    } finally {
      vi.restoreAllMocks()
    }
  })

  it("shows nothing at Effect's default level", async () => {
    const it = await setUp()
    const quiet = Effect.provideService(it.logged(it.client.me()), References.MinimumLogLevel, "Info")
    await it.run(quiet)
    expect(it.events).toHaveLength(1)
  })
})
