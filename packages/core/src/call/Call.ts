/**
 * One call under way: what is asked, what it went through, and how long somebody waits for it. A call of its own ends at its deadline. A
 * shared one has none: those who wait for it have a deadline each, and it is cancelled when the last of them leaves.
 */
import type * as Clock from "effect/Clock"
import type { AttemptRecord, Reason } from "../error/ClientError.ts"
import { ClientError } from "../error/ClientError.ts"
import type { Priority } from "./RateLimiter.ts"
import type { ServiceRequest } from "../model/ServiceRequest.ts"
import type { Check } from "../answer/Check.ts"

export interface Call<A> {
  readonly request: ServiceRequest
  readonly check: Check<A>
  readonly priority: Priority
  readonly clock: Clock.Clock
  /** How much longer somebody waits for the answer. No wait that takes longer is begun. */
  readonly remainingMillis: () => number
  /** How much longer the call may take before it ends itself; `Infinity` for a shared one. */
  readonly leftMillis: () => number
  readonly attempts: Array<AttemptRecord>
  waitedMillis: number
  /** The attempt that is under way, with its start in epoch milliseconds. */
  attempting: { readonly at: number; readonly localId: number } | null
}

const fresh = () => ({ attempts: [], waitedMillis: 0, attempting: null })

type Asked<A> = Pick<Call<A>, "request" | "check" | "priority" | "clock">

/** A call for one caller, with this deadline. */
export const own = <A>(asked: Asked<A>, deadlineMillis: number): Call<A> => {
  const startedAt = asked.clock.currentTimeMillisUnsafe()
  const remainingMillis = () => deadlineMillis - (asked.clock.currentTimeMillisUnsafe() - startedAt)
  return { ...asked, remainingMillis, leftMillis: remainingMillis, ...fresh() }
}

/** A call for several callers; `remainingMillis` says how long the most patient of them waits. */
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

/** The attempt under way as one that the deadline has cut; nothing between attempts. */
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

/** The error of one who waited for a shared call until their deadline. */
export const timedOut = <A>(call: Call<A>, deadlineMillis: number): ClientError => {
  const reason: Reason = { _tag: "TimedOut", which: "deadline", afterMillis: deadlineMillis }
  return failure({ ...call, attempts: [...call.attempts, ...cut(call)] }, reason, null)
}
