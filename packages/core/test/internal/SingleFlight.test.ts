import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { describe, expect, it } from "vitest"
import * as SingleFlight from "../../src/internal/SingleFlight.ts"
import { idsOf, world } from "../Setup.ts"

const counted = <A>(effect: Effect.Effect<A>) => {
  const state = { started: 0, interrupted: 0 }
  const flight = Effect.suspend(() => {
    state.started += 1
    return Effect.onInterrupt(effect, () => Effect.sync(() => void (state.interrupted += 1)))
  })
  return { state, flight }
}

describe("SingleFlight", () => {
  it("asks once for those who ask at the same time, and again for those who come later", async () => {
    const once = SingleFlight.make<string, never>()
    const { flight, state } = counted(Effect.as(Effect.yieldNow, "answer"))
    const both = Effect.all([once("key", flight), once("key", flight)], { concurrency: 2 })
    expect(await Effect.runPromise(both)).toEqual(["answer", "answer"])
    expect(state.started).toBe(1)
    expect(await Effect.runPromise(once("key", flight))).toBe("answer")
    expect(state.started).toBe(2)
  })

  it("keeps different keys apart", async () => {
    const once = SingleFlight.make<string, never>()
    const { flight, state } = counted(Effect.as(Effect.yieldNow, "answer"))
    await Effect.runPromise(Effect.all([once("a", flight), once("b", flight)], { concurrency: 2 }))
    expect(state.started).toBe(2)
  })

  it("gives a failure to all who asked, and keeps none", async () => {
    const once = SingleFlight.make<string, string>()
    let count = 0
    const failing = Effect.andThen(
      Effect.yieldNow,
      Effect.suspend(() => Effect.fail(`failure ${(count += 1)}`)),
    )
    const ask = Effect.flip(once("key", failing))
    expect(await Effect.runPromise(Effect.all([ask, ask], { concurrency: 2 }))).toEqual([
      "failure 1",
      "failure 1",
    ])
    expect(await Effect.runPromise(ask)).toBe("failure 2")
  })

  it("goes on for the others when the one who asked first goes, and is called off with the last", async () => {
    const program = Effect.gen(function* () {
      const once = SingleFlight.make<string, never>()
      const answer = yield* Deferred.make<string>()
      const { flight, state } = counted(Deferred.await(answer))
      const first = yield* Effect.forkChild(once("key", flight), { startImmediately: true })
      const second = yield* Effect.forkChild(once("key", flight), { startImmediately: true })
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      expect(state).toEqual({ started: 1, interrupted: 0 })
      yield* Deferred.succeed(answer, "answer")
      expect(yield* Fiber.join(second)).toBe("answer")

      const never = counted(Effect.never)
      const third = yield* Effect.forkChild(once("key", never.flight), { startImmediately: true })
      const fourth = yield* Effect.forkChild(once("key", never.flight), { startImmediately: true })
      yield* Effect.yieldNow
      yield* Fiber.interrupt(third)
      yield* Fiber.interrupt(fourth)
      expect(never.state).toEqual({ started: 1, interrupted: 1 })
    })
    await Effect.runPromise(program)
  })

  it("starts anew after a flight that was called off", async () => {
    const program = Effect.gen(function* () {
      const once = SingleFlight.make<string, never>()
      const stuck = yield* Effect.forkChild(once("key", Effect.never), { startImmediately: true })
      yield* Fiber.interrupt(stuck)
      expect(yield* once("key", Effect.succeed("answer"))).toBe("answer")
    })
    await Effect.runPromise(program)
  })

  it("passes a defect on to all who asked", async () => {
    const once = SingleFlight.make<string, never>()
    const exit = await Effect.runPromiseExit(once("key", Effect.die("broken")))
    expect(Exit.isFailure(exit)).toBe(true)
  })
})

describe("get", () => {
  it("with and without the payload are two requests", async () => {
    const { client, emulator, run } = await world()
    const [id] = idsOf(emulator.store.contracts)
    const both = [client.contracts.get(id!), client.contracts.get(id!, { includeData: true })]
    await run(Effect.all(both, { concurrency: 2 }))
    expect(emulator.journal.entries).toHaveLength(2)
  })
})
