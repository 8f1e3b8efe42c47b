import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as RateLimiter from "../../src/RateLimiter.ts"
import type { Priority, RateLimits } from "../../src/RateLimiter.ts"
import { virtualClock } from "../fixtures/VirtualClock.ts"
import type { VirtualClock } from "../fixtures/VirtualClock.ts"
import { eventsOf, startMillis, world } from "../fixtures/Setup.ts"

/** Starts at 2 a second with at most 10 at once; a ceiling of 0 is none. */
const limiterOf = (ceiling: number): RateLimiter.RateLimiter => RateLimiter.make(limitsUpTo(ceiling))

const limitsUpTo = (ceiling: number): RateLimits => ({
  start: 2,
  burst: ceiling === 0 ? 10 : Math.min(10, Math.max(1, ceiling)),
  ceiling: ceiling === 0 ? Infinity : ceiling,
})

const on = <A, E>(clock: Clock.Clock, effect: Effect.Effect<A, E>): Promise<A> =>
  Effect.runPromise(Effect.provideService(effect, Clock.Clock, clock))

/** Milliseconds since the start at which each of so many calls passed, all asked for at once. */
const passes = async (
  limiter: RateLimiter.RateLimiter,
  count: number,
  clock: VirtualClock = virtualClock(startMillis),
): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  const one = Effect.tap(limiter.take("background"), () =>
    Effect.sync(() => void times.push(clock.plain.now() - startMillis)),
  )
  await on(
    clock,
    Effect.all(
      Array.from({ length: count }, () => one),
      { concurrency: "unbounded" },
    ),
  )
  return times
}

/** A virtual clock that knows how many wait for it, and for how many milliseconds they asked. */
const countedClock = () => {
  const inner = virtualClock(startMillis)
  let sleeping = 0
  let most = 0
  const asked: Array<number> = []
  const clock: VirtualClock = {
    ...inner,
    sleep: (duration) =>
      Effect.suspend(() => {
        sleeping += 1
        most = Math.max(most, sleeping)
        asked.push(Duration.toMillis(duration))
        return Effect.ensuring(
          inner.sleep(duration),
          Effect.sync(() => void (sleeping -= 1)),
        )
      }),
  }
  return { asked, clock, sleeping: () => sleeping, most: () => most }
}

/** Takes at most so many turns, of those that there are at this moment. */
const drainUpTo = (limiter: RateLimiter.RateLimiter, now: number, most: number): number => {
  let taken = 0
  while (taken < most && limiter.tryTake(now, "interactive")) taken += 1
  return taken
}

/** Takes as many turns as there are at this moment. */
const drain = (limiter: RateLimiter.RateLimiter, now: number): number => drainUpTo(limiter, now, 1_000)

describe("the rate limiter of one key", () => {
  it("bucket of 10, then 2 a second", async () => {
    expect(await passes(limiterOf(20), 14)).toEqual([...Array(10).fill(0), 500, 1_000, 1_500, 2_000])
  })

  it("keeps its rate on a clock that begins at 0, as test clocks do", () => {
    const limiter = limiterOf(20)
    expect([0, 499, 500].map((now) => drain(limiter, now))).toEqual([10, 0, 1])
  })

  it("keeps its rate where the clock is set back, also after a pause that had ended", async () => {
    const limiter = limiterOf(20)
    const later = startMillis + 3_600_000
    drain(limiter, later)
    expect(await passes(limiter, 3)).toEqual([500, 1_000, 1_500])
    limiter.refused(later + 2_000, later + 3_000)
    drain(limiter, later + 4_000)
    expect(await passes(limiter, 2)).toEqual([1_000, 2_000])
  })

  /** A clock that is set back by so many milliseconds, that many after its start, and the time that it would show without. */
  const setBackClock = (at: number, millis: number) => {
    const inner = virtualClock(startMillis)
    const read = () => {
      const now = inner.plain.now()
      return now - startMillis < at ? now : now - millis
    }
    const clock: VirtualClock = {
      ...inner,
      currentTimeMillisUnsafe: read,
      currentTimeMillis: Effect.sync(read),
    }
    return {
      clock,
      read,
      wait: (until: number) => inner.plain.sleep(startMillis + until - inner.plain.now()),
    }
  }

  it.each([20, 0])("a clock that is set back in a pause does not extend it, ceiling %i", async (ceiling) => {
    const limiter = limiterOf(ceiling)
    const { clock, read, wait } = setBackClock(30_000, 3_600_000)
    limiter.refused(startMillis, startMillis + 60_000, 60_000)
    const waiting = passes(limiter, 1, clock)
    await wait(40_000)
    // For a call that comes now, the pause is at most as long as it was.
    expect(limiter.tryTake(read(), "interactive")).toBe(false)
    expect(limiter.pausedUntil(read()) - read()).toBe(60_000)
    expect(await waiting).toEqual([60_000])
    expect(limiter.pausedUntil(read())).toBe(0)
  })

  it("a pause that begins after the clock was set back is as long as it was named", async () => {
    const limiter = limiterOf(20)
    const { clock, read, wait } = setBackClock(30_000, 3_600_000)
    drain(limiter, startMillis)
    await wait(29_000)
    drain(limiter, read())
    await wait(31_000)
    expect(await passes(limiter, 1, clock)).toEqual([31_500])
    limiter.refused(read(), read() + 60_000, 60_000)
    expect(await passes(limiter, 1, clock)).toEqual([91_500])
  })

  it("one more a second after each 10 clean answers, up to the ceiling", () => {
    const limiter = limiterOf(5)
    const rates = Array.from({ length: 50 }, () => (limiter.admitted(startMillis), limiter.rate()))
    expect([rates[8], rates[9], rates[19], rates[29], rates[39], rates[49]]).toEqual([2, 3, 4, 5, 5, 5])
  })

  it("a 429 halves it, and from then on it rises by a tenth", () => {
    const limiter = limiterOf(20)
    for (let count = 0; count < 20; count++) limiter.admitted(startMillis)
    limiter.refused(startMillis, startMillis + 1_000)
    expect(limiter.rate()).toBe(2)
    for (let count = 0; count < 10; count++) limiter.admitted(startMillis)
    expect(limiter.rate()).toBeCloseTo(2.2)
  })

  it("several 429 to calls that were under way together halve it once", () => {
    const limiter = limiterOf(20)
    for (let count = 0; count < 4; count++) limiter.refused(startMillis + count, startMillis + 1_000)
    expect(limiter.rate()).toBe(1)
  })

  it("never falls to nothing", () => {
    const limiter = limiterOf(20)
    for (let count = 0; count < 100; count++)
      limiter.refused(startMillis + 2 * count, startMillis + 2 * count + 1)
    expect(limiter.rate()).toBeGreaterThan(0)
  })

  /** A limiter after so many 429s, each with this `Retry-After` in milliseconds and just after the pause of the last. */
  const slowedBy = (refusals: number, askedMillis: number | null): RateLimiter.RateLimiter => {
    const limiter = limiterOf(20)
    for (let count = 0; count < refusals; count++) {
      const now = startMillis + count * ((askedMillis ?? 0) + 1)
      limiter.refused(now, now + (askedMillis ?? 0), askedMillis)
    }
    return limiter
  }

  it.each([
    [1_000, 0.5],
    [250, 2],
    [3_000, 1 / 6],
    [3_600_000, 0.1],
    [null, 0.1],
    [10, 2],
  ])(
    "is never slower than one request in twice the longest Retry-After, %s ms: %s a second",
    (asked, rate) => {
      expect(slowedBy(40, asked).rate()).toBeCloseTo(rate)
    },
  )

  it("a shorter Retry-After does not raise the lowest rate again", () => {
    const limiter = slowedBy(1, 4_000)
    for (let count = 1; count < 40; count++)
      limiter.refused(startMillis + count * 5_000, startMillis + count * 5_000 + 1, 1)
    expect(limiter.rate()).toBeCloseTo(0.125)
  })

  it.each([1, 2, 40])("is back at its rate a minute after the last of %s refusals", (refusals) => {
    const limiter = slowedBy(refusals, 1_000)
    const last = startMillis + refusals * 1_001 - 1
    const rates = [0, 30_000, 59_999, 60_000].map((later) => (limiter.admitted(last + later), limiter.rate()))
    expect(rates).toEqual(rates.toSorted((one, other) => one - other))
    expect(rates[1]).toBeLessThan(2)
    expect(rates[3]).toBe(2)
  })

  it("says to what 429s slow it, after how many, and nothing when they do not", () => {
    const limiter = limiterOf(20)
    const told = [0, 500, 1_000, 2_000, 3_000].map((later) =>
      limiter.refused(startMillis + later, startMillis + later + 1_000, 1_000),
    )
    expect(told).toEqual([
      { requestsPerSecond: 1, refusals: 1 },
      null,
      null,
      { requestsPerSecond: 0.5, refusals: 4 },
      null,
    ])
    limiter.admitted(startMillis + 64_000)
    const later = startMillis + 70_000
    expect(limiter.refused(later, later + 1)).toEqual({ requestsPerSecond: 1, refusals: 1 })
    const unlimited = limiterOf(0)
    expect(unlimited.refused(startMillis, startMillis + 1_000, 1_000)).toBeNull()
  })

  it("a 429 pauses every call until the time it names, and a later, shorter one does not end it", async () => {
    const clock = virtualClock(startMillis)
    const limiter = limiterOf(20)
    limiter.refused(startMillis, startMillis + 5_000)
    limiter.refused(startMillis, startMillis + 1_000)
    expect(limiter.pausedUntil(startMillis)).toBe(startMillis + 5_000)
    expect(drain(limiter, startMillis + 4_999)).toBe(0)
    expect(await passes(limiter, 3, clock)).toEqual([5_000, 6_000, 7_000])
    expect(limiter.pausedUntil(clock.plain.now())).toBe(0)
  })

  it("a pause that comes while calls wait holds for them too", async () => {
    const clock = virtualClock(startMillis)
    const limiter = limiterOf(20)
    drain(limiter, startMillis)
    const waiting = passes(limiter, 1, clock)
    limiter.refused(startMillis, startMillis + 30_000)
    expect(await waiting).toEqual([30_000])
  })

  it("is never faster than its ceiling, also below one request a second", async () => {
    expect(await passes(limiterOf(1), 3)).toEqual([0, 1_000, 2_000])
    expect(await passes(limiterOf(0.5), 2)).toEqual([0, 2_000])
  })

  it("has no limit with a ceiling of 0, and still pauses on a 429", async () => {
    const limiter = limiterOf(0)
    expect(limiter.rate()).toBe(Infinity)
    expect(drain(limiter, startMillis)).toBe(1_000)
    limiter.refused(startMillis, startMillis + 2_000)
    expect(await passes(limiter, 2)).toEqual([2_000, 2_000])
  })

  it("a new ceiling holds at once", () => {
    const limiter = limiterOf(20)
    for (let count = 0; count < 100; count++) limiter.admitted(startMillis)
    limiter.setLimits(limitsUpTo(3))
    expect(limiter.rate()).toBe(3)
    limiter.setLimits(limitsUpTo(0))
    expect(limiter.rate()).toBe(Infinity)
  })

  it("a new ceiling below one request a second holds at once, too", async () => {
    const limiter = limiterOf(20)
    limiter.setLimits(limitsUpTo(0.5))
    expect(limiter.rate()).toBe(0.5)
    expect(await passes(limiter, 3)).toEqual([0, 2_000, 4_000])
  })

  it("lets interactive calls go before background reads, and each kind in its order", async () => {
    const clock = virtualClock(startMillis)
    const limiter = limiterOf(20)
    drain(limiter, startMillis)
    const order: Array<string> = []
    const take = (priority: Priority, name: string) =>
      Effect.tap(limiter.take(priority), () => Effect.sync(() => void order.push(name)))
    const all = [
      take("background", "read 1"),
      take("background", "read 2"),
      take("interactive", "lookup 1"),
      take("interactive", "lookup 2"),
    ]
    await on(clock, Effect.all(all, { concurrency: "unbounded" }))
    expect(order).toEqual(["lookup 1", "lookup 2", "read 1", "read 2"])
  })

  it("does not let a background call pass by others that wait", async () => {
    const clock = virtualClock(startMillis)
    const limiter = limiterOf(20)
    drain(limiter, startMillis)
    const waiting = passes(limiter, 1, clock)
    expect(limiter.tryTake(startMillis + 600, "background")).toBe(false)
    await waiting
  })

  it("gives the place of an interrupted call to the next", async () => {
    const clock = virtualClock(startMillis)
    const limiter = limiterOf(20)
    drain(limiter, startMillis)
    const program = Effect.gen(function* () {
      const first = yield* Effect.forkChild(limiter.take("background"), { startImmediately: true })
      const second = yield* Effect.forkChild(limiter.take("background"), { startImmediately: true })
      yield* Fiber.interrupt(first)
      yield* Fiber.join(second)
    })
    await on(clock, program)
    expect(clock.plain.now() - startMillis).toBe(500)
  })

  it("keeps no timer once the last waiting call has been interrupted", async () => {
    const { clock, sleeping } = countedClock()
    const limiter = limiterOf(20)
    limiter.refused(startMillis, startMillis + Duration.toMillis("15 minutes"))
    const program = Effect.gen(function* () {
      const fiber = yield* Effect.forkChild(limiter.take("background"), { startImmediately: true })
      yield* Fiber.interrupt(fiber)
      yield* Effect.yieldNow
    })
    await on(clock, program)
    expect(sleeping()).toBe(0)
  })

  it("keeps one timer, however many calls wait and whatever they ask for when they pass", async () => {
    const { clock, most, sleeping } = countedClock()
    const limiter = limiterOf(20)
    const twice = Effect.andThen(limiter.take("background"), limiter.take("interactive"))
    await on(
      clock,
      Effect.all(
        Array.from({ length: 12 }, () => twice),
        { concurrency: "unbounded" },
      ),
    )
    expect([most(), sleeping()]).toEqual([1, 0])
  })

  it("waits once for each turn, exactly as long as the rest of a turn takes", async () => {
    const { asked, clock } = countedClock()
    const limiter = limiterOf(20)
    expect(drain(limiter, startMillis - 250)).toBe(10)
    // Half a turn has come since then.
    expect(await passes(limiter, 3, clock)).toEqual([250, 750, 1_250])
    expect(asked).toEqual([250, 500, 500])
  })

  it("waits once for the end of a pause, and lets one pass in the millisecond in which it ends", async () => {
    const { asked, clock } = countedClock()
    const limiter = limiterOf(20)
    limiter.refused(startMillis, startMillis + 5_000)
    expect(await passes(limiter, 2, clock)).toEqual([5_000, 6_000])
    expect(asked).toEqual([5_000, 1_000])
    expect(limiterOf(20).pausedUntil(0)).toBe(0)
    expect([4_999, 5_000].map((later) => limiter.pausedUntil(startMillis + later))).toEqual([
      startMillis + 5_000,
      0,
    ])
  })

  it("makes calls wait again after all that waited have passed", async () => {
    const { clock, sleeping } = countedClock()
    const limiter = limiterOf(20)
    drain(limiter, startMillis)
    expect(await passes(limiter, 1, clock)).toEqual([500])
    expect(sleeping()).toBe(0)
    expect(await passes(limiter, 2, clock)).toEqual([1_000, 1_500])
  })

  it("lets an interactive call pass by background calls that wait, but not by one of its own kind", async () => {
    const clock = virtualClock(startMillis)
    const limiter = limiterOf(20)
    drain(limiter, startMillis)
    const reading = passes(limiter, 2, clock)
    expect(limiter.tryTake(startMillis + 499, "interactive")).toBe(false)
    expect(limiter.tryTake(startMillis + 500, "interactive")).toBe(true)
    const looking = on(clock, limiter.take("interactive"))
    expect(limiter.tryTake(startMillis + 1_000, "interactive")).toBe(false)
    await Promise.all([reading, looking])
  })

  it("leaves the others in the queue when one of them is interrupted, also the second time", async () => {
    const clock = virtualClock(startMillis)
    const limiter = limiterOf(20)
    drain(limiter, startMillis)
    const order: Array<number> = []
    const program = Effect.gen(function* () {
      const fibers = yield* Effect.forEach([1, 2, 3, 4], (number) =>
        Effect.forkChild(
          Effect.tap(limiter.take("background"), () => Effect.sync(() => void order.push(number))),
          { startImmediately: true },
        ),
      )
      yield* Fiber.interrupt(fibers[1]!)
      yield* Fiber.interrupt(fibers[1]!)
      yield* Effect.sleep(600)
      yield* Fiber.interrupt(fibers[0]!)
      yield* Fiber.interrupt(fibers[3]!)
      yield* Fiber.join(fibers[2]!)
    })
    await on(clock, program)
    expect(order).toEqual([1, 3])
    expect(clock.plain.now() - startMillis).toBe(1_000)
  })

  it("gives nothing for time that stands still or goes back, and takes nothing for it", () => {
    const limiter = limiterOf(20)
    expect(drain(limiter, startMillis)).toBe(10)
    expect(drain(limiter, startMillis)).toBe(0)
    expect(drain(limiter, startMillis + 500)).toBe(1)
    expect(drain(limiter, startMillis - 60_000)).toBe(0)
    expect(drain(limiter, startMillis + 999)).toBe(0)
    expect(drain(limiter, startMillis + 1_000)).toBe(1)
  })

  it("counts the time before a faster rate at the rate that it had", () => {
    const limiter = limiterOf(20)
    drain(limiter, startMillis)
    for (let count = 0; count < 10; count++) limiter.admitted(startMillis + 400)
    expect(limiter.rate()).toBe(3)
    // 0.8 of a turn in 400 ms at 2 a second, the rest in 66.7 ms at 3 a second.
    expect([466, 467].map((later) => limiter.tryTake(startMillis + later, "interactive"))).toEqual([
      false,
      true,
    ])
  })

  it("halves again on a 429 that comes in the millisecond in which the pause ends", () => {
    const limiter = limiterOf(20)
    limiter.refused(startMillis, startMillis + 1_000)
    limiter.refused(startMillis + 999, startMillis + 1_000)
    expect(limiter.rate()).toBe(1)
    limiter.refused(startMillis + 1_000, startMillis + 2_000)
    expect(limiter.rate()).toBe(0.5)
  })

  it("a 429 does not make it faster than a ceiling that is very low", () => {
    const limiter = limiterOf(0.05)
    limiter.refused(startMillis, startMillis + 1_000)
    expect(limiter.rate()).toBe(0.05)
  })

  it("several 429 to calls that were under way together do not add up to a turn", () => {
    const limiter = limiterOf(0.2)
    expect(drain(limiter, startMillis)).toBe(1)
    for (let count = 0; count < 50; count++) limiter.refused(startMillis + count, startMillis + 1_000)
    // Half of 0.2 a second for one second, and 9 seconds more for the rest of a turn.
    expect([9_990, 10_010].map((later) => limiter.tryTake(startMillis + later, "interactive"))).toEqual([
      false,
      true,
    ])
  })

  it("a 429 whose time has passed already gives no turn either", () => {
    const limiter = limiterOf(20)
    drain(limiter, startMillis)
    limiter.refused(startMillis + 400, startMillis + 100)
    expect(limiter.pausedUntil(startMillis + 400)).toBe(0)
    expect([990, 1_010].map((later) => limiter.tryTake(startMillis + later, "interactive"))).toEqual([
      false,
      true,
    ])
  })

  it("admits no call in a pause and never more than bucket and rate allow", () => {
    const step = fc.record({
      wait: fc.integer({ min: 0, max: 3_000 }),
      calls: fc.integer({ min: 0, max: 15 }),
      pause: fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: null }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), fc.integer({ min: 1, max: 20 }), (steps, ceiling) => {
        const limiter = limiterOf(ceiling)
        let now = startMillis
        let closed = 0
        let passed = 0
        for (const { calls, pause, wait } of steps) {
          now += wait
          const before = passed
          for (let call = 0; call < calls; call++) if (limiter.tryTake(now, "background")) passed += 1
          expect(passed).toBeLessThanOrEqual(now < closed ? before : Infinity)
          if (pause !== null) {
            limiter.refused(now, now + pause)
            closed = Math.max(closed, now + pause)
          }
        }
        expect(passed).toBeLessThanOrEqual(10 + ((now - startMillis) / 1_000) * ceiling)
      }),
    )
  })
})

describe("the burst", () => {
  const limits: RateLimits = { start: 1, burst: 25, ceiling: 1 }

  /** So many calls on a limiter, each answered `millis` after it passed; milliseconds at which each passed. */
  const answered = async (limiter: RateLimiter.RateLimiter, calls: number, millis: number) => {
    const clock = virtualClock(startMillis)
    const times: Array<number> = []
    const one = Effect.gen(function* () {
      yield* limiter.take("interactive")
      times.push(clock.plain.now() - startMillis)
      yield* Effect.sleep(millis)
      limiter.admitted(clock.plain.now())
    })
    await on(
      clock,
      Effect.all(
        Array.from({ length: calls }, () => one),
        { concurrency: "unbounded" },
      ),
    )
    return times
  }

  it("is 10 at once and one more for each clean answer, then the rate", async () => {
    const times = await answered(RateLimiter.make(limits), 28, 100)
    expect(times).toEqual([
      ...Array(10).fill(0),
      ...Array(10).fill(100),
      ...Array(5).fill(200),
      1_000,
      2_000,
      3_000,
    ])
  })

  it("is not used by calls that do not wait, and is there for those that come later", async () => {
    const limiter = RateLimiter.make({ ...limits, burst: 40 })
    for (let second = 0; second < 60; second++) {
      const now = startMillis - (60 - second) * 1_000
      expect(limiter.tryTake(now, "background")).toBe(true)
      limiter.admitted(now)
    }
    expect(drain(limiter, startMillis)).toBe(10)
  })

  it("returns with time, once clean answers have shown that the server takes it", async () => {
    const limiter = RateLimiter.make(limits)
    await answered(limiter, 25, 1)
    expect(drain(limiter, startMillis + 10_000)).toBe(10)
    expect(drain(limiter, startMillis + 60_000)).toBe(25)
  })

  it("ends with the first 429, for good: 10 at once are the most from then on", async () => {
    const limiter = RateLimiter.make(limits)
    await answered(limiter, 20, 1)
    limiter.refused(startMillis + 10, startMillis + 1_000)
    const times = await answered(limiter, 3, 1)
    // One turn was free; half of 1 a second from then on.
    expect(times).toEqual([1_000, 3_000, 5_000])
    expect(drain(limiter, startMillis + 600_000)).toBe(10)
  })

  it("leaves no timer behind when a clean answer admits the last call that waits, and stops none before", async () => {
    const { clock, sleeping } = countedClock()
    const limiter = RateLimiter.make(limits)
    drain(limiter, startMillis)
    const program = Effect.gen(function* () {
      const take = Effect.forkChild(limiter.take("background"), { startImmediately: true })
      yield* Effect.all([take, take])
      const timers: Array<number> = []
      for (let answer = 0; answer < 2; answer++) {
        limiter.admitted(startMillis)
        yield* Effect.yieldNow
        timers.push(sleeping())
      }
      return timers
    })
    expect(await on(clock, program)).toEqual([1, 0])
  })

  it("of fewer than 10 is all there is at once", () => {
    expect(drain(RateLimiter.make({ ...limits, burst: 3 }), startMillis)).toBe(3)
  })

  it("that is made smaller or larger holds at once", () => {
    const limiter = RateLimiter.make(limits)
    limiter.setLimits({ ...limits, burst: 2 })
    expect(drain(limiter, startMillis)).toBe(2)
    limiter.setLimits(limits)
    expect(drain(limiter, startMillis + 60_000)).toBe(10)
  })
})

describe("the rate limiter of a key", () => {
  const rateLimited = { name: "rate-limit", retryAfter: 10, when: { requests: [1] } } as const

  it("a 429 pauses every call of that key, those of another client too", async () => {
    const { another, client, elapsed, emulator, run } = await world({ emulator: { faults: [rateLimited] } })
    const other = await another({})
    await run(Effect.all([client.me(), Effect.delay(other.me(), "1 second")], { concurrency: 2 }))
    const times = emulator.journal.entries.map((entry) => Date.parse(entry.at) - startMillis)
    expect(times[0]).toBe(0)
    expect(times.slice(1).every((time) => time >= 10_000)).toBe(true)
    expect(times).toHaveLength(3)
    expect(elapsed()).toBeLessThan(11_000)
  })

  it("does not hold back another key", async () => {
    const { another, client, emulator, run } = await world({ emulator: { faults: [rateLimited] } })
    const other = await another({ apiKey: emulator.secrets.contractsOnly })
    await run(
      Effect.all([client.me(), Effect.delay(other.contracts.collect({ max: 1 }), "1 second")], {
        concurrency: 2,
      }),
    )
    const second = emulator.journal.entries[1]!
    expect(second.path).toBe("/v1/contracts/")
    expect(Date.parse(second.at) - startMillis).toBe(1_000)
  })

  it("closed for longer than a call may wait fails it at once, without a request", async () => {
    const { client, emulator, fails } = await world({
      emulator: { faults: [{ name: "rate-limit", retryAfter: 3_600 }] },
    })
    await fails(client.me())
    const error = await fails(client.contracts.collect({ max: "all" }))
    expect(error.reason).toMatchObject({ _tag: "RateLimited", source: "retry-after" })
    expect(error.attempts).toEqual([])
    expect(emulator.journal.entries).toHaveLength(1)
  })

  it.each([
    ["a Retry-After", { retryAfter: 3 }, "retry-after"],
    ["no Retry-After", { retryAfter: null }, "backoff"],
  ] as const)("tells every call of the key what its pause is from: %s", async (_, limit, source) => {
    const { client, events, run } = await world({
      emulator: { faults: [{ name: "rate-limit", ...limit, when: { requests: [1] } }] },
    })
    await run(
      Effect.all([client.me(), Effect.delay(client.contracts.get(1), "100 millis")], {
        concurrency: 2,
        mode: "result",
      }),
    )
    expect(eventsOf(events, "Waiting").map((event) => event.source)).toEqual([source, source])
  })

  it("reads a list at which every second request is refused in little more than the waits asked for", async () => {
    const refused = { name: "rate-limit", retryAfter: 1, when: { every: 2 } } as const
    const { client, elapsed, emulator, events, run } = await world({
      emulator: { contracts: 300, faults: [refused] },
      client: { retry: "patient", rate: 20 },
    })
    await run(client.contracts.collect({ max: "all", limit: 10 }))
    const requests = emulator.journal.entries.length
    expect(requests).toBeGreaterThan(55)
    // Two seconds a request is the slowest, and a pause of a second to a second and a half before half of them.
    expect(elapsed()).toBeLessThan(requests * 2_750)
    const rates = eventsOf(events, "Slowed").map(({ requestsPerSecond }) => requestsPerSecond)
    expect(rates.length).toBeGreaterThan(2)
    expect(Math.min(...rates)).toBeCloseTo(0.5, 1)
  })
})
