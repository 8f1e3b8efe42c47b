/** What a client cannot show of shared requests, because its own are cancelled at once; see `client/Lookup.test.ts` for all else. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect, it } from "vitest"
import * as SingleFlight from "../../src/internal/singleFlight.ts"
import { startMillis } from "../fixtures/Setup.ts"
import { virtualClock } from "../fixtures/VirtualClock.ts"

/** Shared requests for one answer, which are never timed out. */
const sharing = (answer: Effect.Effect<string>): Effect.Effect<string> =>
  SingleFlight.make<string, never>(Infinity)("key", () => ({ answer, timedOut: () => expect.unreachable() }))

describe("callers that wait for the same answer", () => {
  it("ask anew at once, although others have not been told the answer yet", async () => {
    let started = 0
    const asked = sharing(
      Effect.suspend(() => {
        started += 1
        return Effect.as(Effect.yieldNow, "answer")
      }),
    )
    await Effect.runPromise(Effect.all([Effect.andThen(asked, asked), asked, asked], { concurrency: 3 }))
    expect(started).toBe(2)
  })

  it("do not join a request that is being cancelled, and do not lose the one after it", async () => {
    const clock = virtualClock(startMillis)
    let started = 0
    const answer = Effect.suspend(() => {
      started += 1
      const slow = started === 1 ? Effect.never : Effect.as(Effect.sleep(20_000), "second answer")
      return Effect.onInterrupt(slow, () => Effect.sleep(10_000))
    })
    const asked = sharing(answer)
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
    expect(started).toBe(2)
  })
})
