/**
 * The option `retry` and its values: presets, parts of a policy, and schedules of Effect, which decide instead of a policy.
 *
 * A schedule decides only about failures that can go away. `Retry-After` is a minimum for each of its delays.
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Schedule from "effect/Schedule"
import type { CallOptions } from "./ClientOptions.ts"
import type { Priority } from "./RateLimiter.ts"
import type { Decision, Failure, RetryPolicy } from "./RetryPolicy.ts"
import {
  interactive,
  interactiveDeadlineMillis,
  longestNamedMillis,
  patient,
  retryAfterMillis,
} from "./RetryPolicy.ts"

/** Checked settings of a call. Times are in milliseconds. */
export interface CallConfig {
  readonly retry: RetryPolicy
  /** Decides instead of `retry`; null for none. */
  readonly schedule: Schedule.Schedule<unknown, Failure> | null
  readonly connectMillis: number
  readonly attemptMillis: number
  readonly idleMillis: number
  /** `Infinity` for no deadline. */
  readonly deadlineMillis: number
  /** Whether an option has set the deadline, so that no preset does. */
  readonly hasOwnDeadline: boolean
  /** Null for the priority of the operation. */
  readonly priority: Priority | null
}

/** Whether a value of the option `retry` is a schedule. */
export const isSchedule = (retry: unknown): retry is Schedule.Schedule<unknown, Failure> =>
  Schedule.isSchedule(retry)

const presets = {
  interactive: { retry: interactive, schedule: null, deadlineMillis: interactiveDeadlineMillis },
  patient: { retry: patient, schedule: null, deadlineMillis: Infinity },
}

/** The schedule limits the attempts and the time between them. */
const unlimited: RetryPolicy = { ...interactive, attempts: Infinity, longestWaitMillis: Infinity }

/** The settings that these options change, except the time limits. A preset also sets its deadline if no option has set one. */
export const over = (config: CallConfig, options: CallOptions): Partial<CallConfig> => {
  const { priority = config.priority, retry, timeLimits } = options
  const hasOwnDeadline = config.hasOwnDeadline || timeLimits?.deadline !== undefined
  const others = { priority, hasOwnDeadline }
  if (retry === undefined) return others
  if (isSchedule(retry)) return { ...others, retry: unlimited, schedule: retry }
  if (typeof retry === "string") {
    const { deadlineMillis, ...preset } = presets[retry]
    return hasOwnDeadline ? { ...others, ...preset } : { ...others, ...preset, deadlineMillis }
  }
  const changed = config.schedule === null ? config.retry : interactive
  const parts = Object.entries(retry).filter(([, value]) => value !== undefined)
  return { ...others, retry: { ...changed, ...Object.fromEntries(parts) }, schedule: null }
}

/** The steps of one call through its schedule. */
export type Steps = Effect.Success<ReturnType<typeof Schedule.toStep<unknown, Failure, never, never>>>

/**
 * The decision of the schedule after a failed attempt. `planned` is the decision of a policy without limits: its delay is how long a 429 pauses
 * the key once the schedule has ended and the server named no time.
 */
export const decide = (
  schedule: Schedule.Schedule<unknown, Failure>,
  call: { steps: Steps | null },
  failure: Failure,
  planned: Decision,
): Effect.Effect<Decision> => {
  if (planned._tag === "GiveUp") return Effect.succeed(planned)
  const begun =
    call.steps === null
      ? Effect.map(Schedule.toStep(schedule), (steps) => (call.steps = steps))
      : Effect.succeed(call.steps)
  return Effect.flatMap(begun, (step) =>
    Pull.matchEffect(step(failure.now, failure), {
      onSuccess: ([, delay]) => {
        const own = Math.min(Math.ceil(Duration.toMillis(delay)), longestNamedMillis)
        const asked = retryAfterMillis(failure) ?? 0
        return Effect.succeed<Decision>({ ...planned, delayMillis: Math.max(own, asked) })
      },
      onFailure: Effect.failCause,
      onDone: () => Effect.succeed<Decision>({ ...planned, _tag: "GiveUp", why: "attempts" }),
    }),
  )
}
