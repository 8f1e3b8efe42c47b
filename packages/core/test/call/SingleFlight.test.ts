import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as SingleFlight from "../../src/call/SingleFlight.ts"
import { virtualClock } from "../fixtures/VirtualClock.ts"
import { idsOf, startMillis, world } from "../fixtures/Setup.ts"

type Ask<A, E> = SingleFlight.Ask<A, E>

/** A request whose callers have no deadline. */
const asking =
  <A, E>(answer: Effect.Effect<A, E>): Ask<A, E> =>
  () => ({ answer, timedOut: () => expect.unreachable() })

const counted = <A>(effect: Effect.Effect<A>) => {
  const state = { started: 0, interrupted: 0 }
  const answer = Effect.suspend(() => {
    state.started += 1
    return Effect.onInterrupt(effect, () => Effect.sync(() => void (state.interrupted += 1)))
  })
  return { state, flight: asking(answer) }
}

describe("SingleFlight", () => {
  it("sends one request for callers at the same time, and another one for later callers", async () => {
    const once = SingleFlight.make<string, never>(Infinity)
    const { flight, state } = counted(Effect.as(Effect.yieldNow, "answer"))
    const both = Effect.all([once("key", flight), once("key", flight)], { concurrency: 2 })
    expect(await Effect.runPromise(both)).toEqual(["answer", "answer"])
    expect(state.started).toBe(1)
    expect(await Effect.runPromise(once("key", flight))).toBe("answer")
    expect(state.started).toBe(2)
  })

  it("keeps different keys apart", async () => {
    const once = SingleFlight.make<string, never>(Infinity)
    const { flight, state } = counted(Effect.as(Effect.yieldNow, "answer"))
    await Effect.runPromise(Effect.all([once("a", flight), once("b", flight)], { concurrency: 2 }))
    expect(state.started).toBe(2)
  })

  it("gives a failure to all callers, and caches none", async () => {
    const once = SingleFlight.make<string, string>(Infinity)
    let count = 0
    const failing = Effect.andThen(
      Effect.yieldNow,
      Effect.suspend(() => Effect.fail(`failure ${(count += 1)}`)),
    )
    const ask = Effect.flip(once("key", asking(failing)))
    expect(await Effect.runPromise(Effect.all([ask, ask], { concurrency: 2 }))).toEqual([
      "failure 1",
      "failure 1",
    ])
    expect(await Effect.runPromise(ask)).toBe("failure 2")
  })

  it("continues for the others when the first caller leaves, and is cancelled with the last", async () => {
    const program = Effect.gen(function* () {
      const once = SingleFlight.make<string, never>(Infinity)
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

  it("starts again after a flight that was cancelled", async () => {
    const program = Effect.gen(function* () {
      const once = SingleFlight.make<string, never>(Infinity)
      const stuck = yield* Effect.forkChild(once("key", asking(Effect.never)), { startImmediately: true })
      yield* Fiber.interrupt(stuck)
      expect(yield* once("key", asking(Effect.succeed("answer")))).toBe("answer")
    })
    await Effect.runPromise(program)
  })

  it("passes a defect to all callers", async () => {
    const once = SingleFlight.make<string, never>(Infinity)
    const exit = await Effect.runPromiseExit(once("key", asking(Effect.die("broken"))))
    expect(Exit.isFailure(exit)).toBe(true)
  })
})

const minute = 60_000

/** Requests an answer that takes so long. Each caller waits for two minutes, on this clock unless it names another. */
const patient = (takesMillis: number) => {
  const clock = virtualClock(startMillis)
  const once = SingleFlight.make<string, string>(2 * minute)
  const state = { started: 0, interrupted: 0, timedOut: [] as Array<boolean>, remaining: () => 0 }
  const ask: Ask<string, string> = (_, remaining) => {
    state.started += 1
    state.remaining = remaining
    const answer = Effect.onInterrupt(Effect.as(Effect.sleep(takesMillis), "answer"), () =>
      Effect.sync(() => void (state.interrupted += 1)),
    )
    const timedOut = (isLast: boolean): string => {
      state.timedOut.push(isLast)
      return "out of time"
    }
    return { answer, timedOut }
  }
  /** Asks after a while; says what came, and when. */
  const comes = (afterMillis: number, until: number | null = null) => {
    const asked = Effect.delay(once("key", ask), afterMillis)
    const left =
      until === null
        ? asked
        : Effect.timeoutOrElse(asked, { duration: until, orElse: () => Effect.succeed("left") })
    return Effect.map(
      Effect.catch(left, Effect.succeed),
      (what) => [what, (clock.plain.now() - startMillis) / 1_000] as const,
    )
  }
  const run = <A>(effect: Effect.Effect<A>) =>
    Effect.runPromise(Effect.provideService(effect, Clock.Clock, clock))
  const all = (...several: ReadonlyArray<Effect.Effect<readonly [string, number]>>) =>
    run(Effect.all(several, { concurrency: "unbounded" }))
  return { all, ask, clock, comes, once, run, state }
}

describe("callers that wait for the same answer", () => {
  it("wait until a deadline of their own each: a late one gets what an early one does not", async () => {
    const { all, comes, state } = patient(150_000)
    expect(await all(comes(0), comes(110_000))).toEqual([
      ["out of time", 120],
      ["answer", 150],
    ])
    expect(state).toMatchObject({ started: 1, interrupted: 0, timedOut: [false] })
  })

  it("leave one by one, and the last one cancels", async () => {
    const { all, comes, state } = patient(60 * minute)
    expect(await all(comes(0), comes(30_000), comes(119_999), comes(30_000))).toEqual([
      ["out of time", 120],
      ["out of time", 150],
      ["out of time", 239.999],
      ["out of time", 150],
    ])
    expect(state).toMatchObject({ started: 1, interrupted: 1, timedOut: [false, false, false, true] })
  })

  it("keep their own deadline when one who would have waited longer leaves", async () => {
    const { all, comes, state } = patient(60 * minute)
    expect(await all(comes(0), comes(60_000, 90_000))).toEqual([
      ["out of time", 120],
      ["left", 90],
    ])
    expect(state).toMatchObject({ started: 1, interrupted: 1, timedOut: [true] })
  })

  it("ask anew after the deadline of the last", async () => {
    const { all, comes, state } = patient(150_000)
    expect(await all(comes(0), comes(120_001))).toEqual([
      ["out of time", 120],
      ["out of time", 240.001],
    ])
    expect(state).toMatchObject({ started: 2, interrupted: 2 })
  })

  it("give the latest deadline of the callers", async () => {
    const { comes, run, state } = patient(60 * minute)
    const seen: Array<number> = []
    const look = (afterMillis: number) =>
      Effect.delay(
        Effect.sync(() => void seen.push(state.remaining() / 1_000)),
        afterMillis,
      )
    await run(
      Effect.all([comes(0), comes(50_000, 70_000), look(0), look(40_000), look(60_000), look(80_000)], {
        concurrency: "unbounded",
      }),
    )
    expect(seen).toEqual([120, 80, 110, 40])
  })

  it("leave no timer behind, neither with an answer nor without one", async () => {
    const { ask, clock, once, run } = patient(1_000)
    let sleeping = 0
    const counted: Clock.Clock = {
      ...clock,
      sleep: (duration) =>
        Effect.suspend(() => {
          sleeping += 1
          return Effect.ensuring(
            clock.sleep(duration),
            Effect.sync(() => void (sleeping -= 1)),
          )
        }),
    }
    const asked = Effect.ignore(Effect.provideService(once("key", ask), Clock.Clock, counted))
    const look = Effect.delay(
      Effect.sync(() => sleeping),
      600,
    )
    const [, , before] = await run(
      Effect.all([asked, Effect.timeoutOption(asked, 500), look], { concurrency: 3 }),
    )
    // The answer's own wait, and the deadline of the one who stayed.
    expect(before).toBe(2)
    expect([clock.plain.now() - startMillis, sleeping]).toEqual([1_000, 0])
  })

  it("ask anew at once, although others have not been told the answer yet", async () => {
    const once = SingleFlight.make<string, never>(Infinity)
    const { flight, state } = counted(Effect.as(Effect.yieldNow, "answer"))
    const asked = once("key", flight)
    const twice = Effect.andThen(asked, asked)
    await Effect.runPromise(Effect.all([twice, asked, asked], { concurrency: 3 }))
    expect(state.started).toBe(2)
  })

  it("do not join a request that is being cancelled, and do not lose the one after it", async () => {
    const clock = virtualClock(startMillis)
    const once = SingleFlight.make<string, never>(Infinity)
    const state = { started: 0 }
    const answer = Effect.suspend(() => {
      state.started += 1
      const slow = state.started === 1 ? Effect.never : Effect.as(Effect.sleep(20_000), "second answer")
      return Effect.onInterrupt(slow, () => Effect.sleep(10_000))
    })
    const asked = once("key", asking(answer))
    const program = Effect.gen(function* () {
      const first = yield* Effect.forkChild(asked, { startImmediately: true })
      const leaving = yield* Effect.forkChild(Fiber.interrupt(first), { startImmediately: true })
      const second = yield* Effect.forkChild(asked, { startImmediately: true })
      yield* Effect.sleep(11_000)
      yield* Fiber.join(leaving)
      const third = yield* Effect.forkChild(asked, { startImmediately: true })
      return [yield* Fiber.join(second), yield* Fiber.join(third)]
    })
    const answers = await Effect.runPromise(Effect.provideService(program, Clock.Clock, clock))
    expect(answers).toEqual(["second answer", "second answer"])
    expect(state.started).toBe(2)
  })

  it("may be on different clocks: one that stands still does not delay the others", async () => {
    const { ask, clock, once } = patient(150_000)
    const still = { ...clock, sleep: () => Effect.never, currentTimeMillisUnsafe: () => startMillis }
    const asked = Effect.exit(once("key", ask))
    const first = Effect.runFork(Effect.provideService(asked, Clock.Clock, still))
    const second = await Effect.runPromise(Effect.provideService(asked, Clock.Clock, clock))
    expect(second).toEqual(Exit.fail("out of time"))
    expect(clock.plain.now() - startMillis).toBe(120_000)
    expect(first.pollUnsafe()).toBeUndefined()
    first.interruptUnsafe()
  })

  it("wait for an answer that runs in the context of the first", async () => {
    const once = SingleFlight.make<string, Cause.NoSuchElementError>(Infinity)
    const spanName = asking(
      Effect.delay(
        Effect.map(Effect.currentSpan, ({ name }) => name),
        1,
      ),
    )
    const both = Effect.all(
      [Effect.withSpan(once("key", spanName), "first"), Effect.withSpan(once("key", spanName), "second")],
      { concurrency: 2 },
    )
    expect(await Effect.runPromise(both)).toEqual(["first", "first"])
  })

  it("get it although the first has asked in a way that cannot wait", async () => {
    const { clock, once } = patient(0)
    const never = asking(
      Effect.as(
        Effect.promise(() => new Promise((resolve) => setImmediate(resolve))),
        "answer",
      ),
    )
    const asked = Effect.provideService(once("key", never), Clock.Clock, clock)
    expect(Exit.isFailure(Effect.runSyncExit(asked))).toBe(true)
    expect(await Effect.runPromise(asked)).toBe("answer")
  })

  it("leave nothing under way when the one who asks is interrupted while asking", async () => {
    const { state, flight } = counted(Effect.never)
    const once = SingleFlight.make<never, never>(Infinity)
    const program = Effect.withFiber((fiber) =>
      once("key", (clock, remaining) => {
        const asked = flight(clock, remaining)
        const answer = Effect.andThen(
          Effect.sync(() => fiber.interruptUnsafe()),
          asked.answer,
        )
        return { ...asked, answer }
      }),
    )
    expect(Exit.hasInterrupts(await Effect.runPromiseExit(program))).toBe(true)
    expect(state).toEqual({ started: 1, interrupted: 1 })
  })
})

describe("any number of callers, who come and leave at any time", () => {
  interface Visit {
    readonly comes: number
    readonly leaves: number
  }
  const deadline = 2 * minute + 50

  /** What becomes of each caller, worked out without fibres: they share the request that is under way when they come. */
  const expected = (visits: ReadonlyArray<Visit>, takes: number) => {
    const inOrder = visits.map((visit, at) => ({ ...visit, at })).toSorted((a, b) => a.comes - b.comes)
    const outcomes: Array<readonly [what: string, at: number]> = []
    let requests = 0
    let answers = 0
    let request = { answer: -1, ends: -1 }
    for (const { at, comes, leaves } of inOrder) {
      if (comes > request.ends) {
        requests += 1
        request = { answer: comes + takes, ends: -1 }
      }
      const patience = comes + deadline
      const [what, when] = [
        ["answer", request.answer] as const,
        ["out of time", patience] as const,
        ["left", leaves] as const,
      ].reduce((first, other) => (other[1] < first[1] ? other : first))
      outcomes[at] = [what, when]
      if (what === "answer" && request.ends < request.answer) answers += 1
      request.ends = Math.max(request.ends, when)
    }
    return { outcomes, requests, answers }
  }

  // Each fifth of a tenth of a second has events of one kind only, and each caller milliseconds of its own: no two happen at once.
  const visits = fc.array(fc.record({ comes: fc.nat(4_000), stays: fc.nat(3_000) }), {
    minLength: 1,
    maxLength: 20,
  })

  it("share a request while one of them waits, and each gets what is theirs at their own time", async () => {
    await fc.assert(
      fc.asyncProperty(visits, fc.nat(3_000), async (raw, tenths) => {
        const all = raw.map(({ comes, stays }, at) => ({
          comes: comes * 100 + at,
          leaves: (comes + stays) * 100 + at + 25,
        }))
        const takes = tenths * 100 + 75
        const { outcomes, requests, answers } = expected(all, takes)
        const clock = virtualClock(startMillis)
        const now = () => clock.plain.now() - startMillis
        const once = SingleFlight.make<string, string>(deadline)
        const state = { started: 0, answered: 0, cancelled: 0 }
        const answer = Effect.onInterrupt(
          Effect.as(
            Effect.tap(Effect.sleep(takes), () => Effect.sync(() => void (state.answered += 1))),
            "answer",
          ),
          () => Effect.sync(() => void (state.cancelled += 1)),
        )
        const ask: Ask<string, string> = () => {
          state.started += 1
          return { answer, timedOut: () => "out of time" }
        }
        const one = ({ comes, leaves }: Visit) =>
          Effect.catch(Effect.delay(once("key", ask), comes), Effect.succeed).pipe(
            Effect.timeoutOrElse({ duration: leaves, orElse: () => Effect.succeed("left") }),
            Effect.map((what) => [what, now()] as const),
          )
        const seen = await Effect.runPromise(
          Effect.provideService(Effect.forEach(all, one, { concurrency: "unbounded" }), Clock.Clock, clock),
        )
        expect(seen).toEqual(outcomes)
        expect(state).toEqual({ started: requests, answered: answers, cancelled: requests - answers })
      }),
      { numRuns: 150 },
    )
  })
})

describe("asking again from the code that is being asked", () => {
  it("is a request of its own, and each is cancelled with the callers that wait for it", async () => {
    const once = SingleFlight.make<never, never>(Infinity)
    const inner = counted(Effect.never)
    const outer = counted(Effect.never)
    let asked: Fiber.Fiber<never> | null = null
    const asking = (): Effect.Effect<never> =>
      once("key", (clock, remaining) => {
        const { answer, timedOut } = outer.flight(clock, remaining)
        const again = Effect.sync(() => void (asked ??= Effect.runFork(once("key", inner.flight))))
        return { answer: Effect.andThen(again, answer), timedOut }
      })
    const fiber = Effect.runFork(asking())
    expect([inner.state.started, outer.state.started]).toEqual([1, 1])
    await Effect.runPromise(Fiber.interrupt(asked!))
    expect([inner.state.interrupted, outer.state.interrupted]).toEqual([1, 0])
    const late = Effect.runFork(once("key", inner.flight))
    expect(inner.state.started).toBe(1)
    await Effect.runPromise(Fiber.interrupt(late))
    await Effect.runPromise(Fiber.interrupt(fiber))
    expect(outer.state.interrupted).toBe(1)
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
