/**
 * Decisions about retries by a `Schedule` of Effect, instead of by a policy. Reached only where the option `retry` is one.
 *
 * The schedule decides about failures that can go away, and no others. `Retry-After` is a minimum for each of its delays.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Schedule from "effect/Schedule"
import type { Decision, Failure } from "./RetryPolicy.ts"
import { longestNamedMillis, retryAfterMillis } from "./RetryPolicy.ts"

/** Whether a value of the option `retry` is a schedule. */
export const isSchedule = (retry: unknown): retry is Schedule.Schedule<unknown, Failure> =>
  Schedule.isSchedule(retry)

/**
 * The decisions of one call, which steps through the schedule on its own. `planned` is what a policy without limits would do: its delay is how
 * long a 429 pauses the key once the schedule has ended, if the server did not say.
 */
export type Scheduled = (failure: Failure, planned: Decision) => Effect.Effect<Decision>

/** Begins the schedule for one call. */
export const make = (schedule: Schedule.Schedule<unknown, Failure>): Scheduled => {
  let begun: Effect.Success<ReturnType<typeof Schedule.toStep<unknown, Failure, never, never>>> | null = null
  return (failure, planned) => {
    if (planned._tag === "GiveUp") return Effect.succeed(planned)
    const step =
      begun === null
        ? Effect.map(Schedule.toStep(schedule), (made) => (begun = made))
        : Effect.succeed(begun)
    return Effect.flatMap(step, (next) =>
      Pull.matchEffect(next(failure.now, failure), {
        onSuccess: ([, delay]) => {
          const own = Math.min(Math.ceil(Duration.toMillis(delay)), longestNamedMillis)
          const asked = retryAfterMillis(failure.retryAfter, failure.now) ?? 0
          return Effect.succeed<Decision>({ ...planned, delayMillis: Math.max(own, asked) })
        },
        onFailure: Effect.failCause,
        onDone: () => Effect.succeed<Decision>({ ...planned, _tag: "GiveUp", why: "attempts" }),
      }),
    )
  }
}
