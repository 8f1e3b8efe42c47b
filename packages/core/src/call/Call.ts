/**
 * One call in progress: its request, its attempts so far and its deadline. A call of one caller ends at its deadline. A shared call has no
 * deadline: each caller that waits for it has one, and the call is cancelled when the last of them leaves.
 */
import type * as Clock from "effect/Clock"
import type { AttemptRecord, Reason } from "../error/ClientError.ts"
import { ClientError } from "../error/ClientError.ts"
import type { Priority } from "./RateLimiter.ts"
import type { Steps } from "./RetryOption.ts"
import type { ServiceRequest } from "../model/ServiceRequest.ts"
import type { Check } from "../answer/answer.ts"

/** A call in progress. Mutable: the attempt loop updates it. */
export interface Call<A> {
  readonly request: ServiceRequest
  readonly check: Check<A>
  readonly priority: Priority
  readonly clock: Clock.Clock
  /** Milliseconds for which at least one caller still waits. No longer wait is started. */
  readonly remainingMillis: () => number
  /** Milliseconds until the call's own deadline; `Infinity` for a shared one. */
  readonly leftMillis: () => number
  readonly attempts: Array<AttemptRecord>
  waitedMillis: number
  /** Null until a schedule has decided about a failed attempt. */
  steps: Steps | null
  /** The attempt in progress, with its start in epoch milliseconds. */
  attempting: { readonly at: number; readonly localId: number } | null
}

const fresh = () => ({ attempts: [], waitedMillis: 0, steps: null, attempting: null })

type Asked<A> = Pick<Call<A>, "request" | "check" | "priority" | "clock">

/** A call for one caller, with this deadline. */
export const own = <A>(asked: Asked<A>, deadlineMillis: number): Call<A> => {
  const startedAt = asked.clock.currentTimeMillisUnsafe()
  const remainingMillis = () => deadlineMillis - (asked.clock.currentTimeMillisUnsafe() - startedAt)
  return { ...asked, remainingMillis, leftMillis: remainingMillis, ...fresh() }
}

/** A call for several callers; `remainingMillis` is that of the caller with the latest deadline. */
export const shared = <A>(asked: Asked<A>, remainingMillis: () => number): Call<A> => ({
  ...asked,
  remainingMillis,
  leftMillis: () => Infinity,
  ...fresh(),
})

/** The error of a call, with the attempts that it made so far. */
export const failure = <A>(
  { attempts, request: { method, path, subject } }: Call<A>,
  reason: Reason,
  requestId: string | null,
): ClientError =>
  new ClientError({
    reason,
    request: { method, path, subject },
    requestId,
    attempts: [...attempts],
    reading: null,
  })

/** The attempt in progress, recorded as cut off by the deadline; empty between attempts. */
const cut = <A>({ attempting }: Call<A>): ReadonlyArray<AttemptRecord> =>
  attempting === null
    ? []
    : [
        {
          at: new Date(attempting.at).toISOString(),
          status: null,
          requestId: null,
          reason: "TimedOut",
          phase: "deadline",
          waitedMillis: null,
          why: "not-retryable",
        },
      ]

/** The error of a caller whose deadline passed while it waited for a shared call. */
export const timedOut = <A>(call: Call<A>, deadlineMillis: number): ClientError => {
  const reason: Reason = { _tag: "TimedOut", which: "deadline", afterMillis: deadlineMillis }
  return failure({ ...call, attempts: [...call.attempts, ...cut(call)] }, reason, null)
}
