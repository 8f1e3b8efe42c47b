import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as SingleRun from "../../../src/background/Sync.ts"

/** A job in two parts, each of which lasts until it is let go. */
const make = Effect.gen(function* () {
  const log: Array<string> = []
  const work = yield* Deferred.make<void>()
  const end = yield* Deferred.make<void>()
  const job: Effect.Effect<void> = Effect.gen(function* () {
    run.setEnding(false)
    log.push("work")
    yield* Deferred.await(work)
    run.setEnding(true)
    log.push("end")
    yield* Deferred.await(end)
  })
  const run: SingleRun.SingleRun = SingleRun.makeSingleRun(yield* Effect.scope, job, () => log.push("ended"))
  return { end, log, run, work }
})

const settled = Effect.yieldNow.pipe(Effect.repeat({ times: 5 }))

describe("SingleRun", () => {
  it.effect("is not started again while it runs", () =>
    Effect.gen(function* () {
      const { end, log, run, work } = yield* make
      yield* run.start
      yield* settled
      yield* run.start
      expect([log, run.isRunning()]).toEqual([["work"], true])
      yield* Deferred.succeed(work, undefined)
      yield* Deferred.succeed(end, undefined)
      yield* settled
      expect([log, run.isRunning()]).toEqual([["work", "end", "ended"], false])
    }),
  )

  it.effect("runs again, once, when it was asked for while it was ending", () =>
    Effect.gen(function* () {
      const { end, log, run, work } = yield* make
      yield* Deferred.succeed(work, undefined)
      yield* run.start
      yield* settled
      expect(log).toEqual(["work", "end"])
      yield* run.start
      yield* run.start
      yield* Deferred.succeed(end, undefined)
      yield* settled
      expect(log).toEqual(["work", "end", "ended", "work", "end", "ended"])
      expect(run.isRunning()).toBe(false)
    }),
  )

  it.effect("stays ended when it is interrupted, though it was asked for again", () =>
    Effect.gen(function* () {
      const { log, run, work } = yield* make
      yield* Deferred.succeed(work, undefined)
      yield* run.start
      yield* settled
      yield* run.start
      expect(yield* run.interrupt).toBe(true)
      expect([log, run.isRunning()]).toEqual([["work", "end", "ended"], false])
      expect(yield* run.interrupt).toBe(false)
    }),
  )
})
