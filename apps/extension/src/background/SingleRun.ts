/**
 * A job that runs at most once at a time. If it is started while a run is ending, it runs again afterwards: the work of the ending run was
 * decided before.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type * as Scope from "effect/Scope"

export interface SingleRun {
  /** Runs the job, unless it runs already. */
  readonly start: Effect.Effect<void>
  /** Ends the run. Returns whether there was one. */
  readonly interrupt: Effect.Effect<boolean>
  readonly isRunning: () => boolean
  /** Called by the job: whether all that is left of the run is to save how it ended. */
  readonly setEnding: (isEnding: boolean) => void
}

/** `onEnd` is called after each run, before the next one starts. */
export const make = (scope: Scope.Scope, job: Effect.Effect<void>, onEnd: () => void): SingleRun => {
  let phase: "idle" | "running" | "ending" = "idle"
  let isWanted = false
  let runs = 0
  let running: Fiber.Fiber<void> | null = null
  const ended = Effect.suspend(() => {
    phase = "idle"
    running = null
    onEnd()
    return isWanted ? start : Effect.void
  })
  const start: Effect.Effect<void> = Effect.suspend(() => {
    isWanted = phase === "ending"
    if (phase !== "idle") return Effect.void
    phase = "running"
    const run = (runs += 1)
    return Effect.map(Effect.forkIn(Effect.ensuring(job, ended), scope), (fiber) => {
      if (phase !== "idle" && run === runs) running = fiber
    })
  })
  return {
    start,
    interrupt: Effect.suspend(() => {
      isWanted = false
      return running === null ? Effect.succeed(false) : Effect.as(Fiber.interrupt(running), true)
    }),
    isRunning: () => phase !== "idle",
    setEnding: (isEnding) => {
      phase = isEnding ? "ending" : "running"
    },
  }
}
