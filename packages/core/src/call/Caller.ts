/**
 * One call: its attempts, the rate limiter before each, the waits between them and the deadline over all. The only place that retries;
 * `RetryPolicy` decides when. The error of a failed call lists its attempts.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { ClientConfig } from "./ClientConfig.ts"
import type { AttemptRecord, Reason } from "../error/ClientError.ts"
import { ClientError } from "../error/ClientError.ts"
import type { Check } from "../answer/answer.ts"
import type { ClientEvent, Emit } from "../events/ClientEvent.ts"
import type { Priority, RateLimiter } from "./RateLimiter.ts"
import * as RetryPolicy from "./RetryPolicy.ts"
import type { Steps } from "./RetryOption.ts"
import * as RetryOption from "./RetryOption.ts"
import type { ServiceRequest } from "../model/ServiceRequest.ts"
import { target } from "../model/ServiceRequest.ts"
import type { Send } from "../transport/Transport.ts"
import * as Attempt from "./Attempt.ts"
import type { Listeners } from "../events/Listeners.ts"
import type { Redact } from "../error/redaction.ts"
import type { Asked } from "./SingleFlight.ts"
import type { CallOptions } from "./ClientOptions.ts"
import { over } from "./ClientConfig.ts"
import type { Operation } from "./optionCheck.ts"
import { problemOfCall, problemOfOptions } from "./optionCheck.ts"

/** The checked value of a call, and how it was obtained. */
export interface Answer<A> {
  readonly value: A
  readonly requestId: string | null
  /** Attempts that this call took, and how long it waited between them and for the rate limiter. */
  readonly attempts: number
  readonly waitedMillis: number
  /** When the answer arrived, ISO 8601 UTC, and how long its attempt took. */
  readonly answeredAt: string
  readonly tookMillis: number
  /** The answer's `Date` header: the service's clock. */
  readonly serviceDate: string | null
}

/** Makes calls with one key: the attempt loop of a client. */
export interface Caller {
  readonly call: <A>(
    request: ServiceRequest,
    check: Check<A>,
    priority: Priority,
  ) => Effect.Effect<Answer<A>, ClientError>
  /** The same for several callers; `remainingMillis` is that of the caller with the latest deadline. The call itself has no deadline. */
  readonly share: <A>(
    request: ServiceRequest,
    check: Check<A>,
    clock: Clock.Clock,
    remainingMillis: () => number,
  ) => Asked<Answer<A>, ClientError>
  readonly config: ClientConfig
  /** The same caller with other settings and the same rate limiter. */
  readonly having: (config: ClientConfig) => Caller
  readonly emit: Emit
  /** Removes the key and its parts from a text of the server. */
  readonly redact: Redact
}

/** Puts calls and attempts into spans of the program's tracer. Without it, the promise client contains no code for spans. */
interface Spans {
  readonly call: <A>(
    request: ServiceRequest,
    answer: Effect.Effect<Answer<A>, ClientError>,
  ) => Effect.Effect<Answer<A>, ClientError>
  /** `resends` counts the attempts of the call before this one. */
  readonly attempt: <A>(
    request: ServiceRequest,
    resends: number,
    sent: Effect.Effect<Attempt.Settled<A>>,
  ) => Effect.Effect<Attempt.Settled<A>>
}

/** Makes the spans of one client. */
export type MakeSpans = (config: ClientConfig, redact: Redact) => Spans

/**
 * A call in progress: its request, its attempts so far and its deadline. Mutable: the attempt loop updates it. A call of one caller ends at its
 * deadline. A shared call has no deadline: each caller that waits for it has one, and the call is cancelled when the last of them leaves.
 */
interface Call<A> {
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

type NewCall<A> = Pick<Call<A>, "request" | "check" | "priority" | "clock">

/** A call for one caller, with this deadline. */
const ownCall = <A>(asked: NewCall<A>, deadlineMillis: number): Call<A> => {
  const startedAt = asked.clock.currentTimeMillisUnsafe()
  const remainingMillis = () => deadlineMillis - (asked.clock.currentTimeMillisUnsafe() - startedAt)
  return { ...asked, remainingMillis, leftMillis: remainingMillis, ...fresh() }
}

/** A call for several callers; `remainingMillis` is that of the caller with the latest deadline. */
const sharedCall = <A>(asked: NewCall<A>, remainingMillis: () => number): Call<A> => ({
  ...asked,
  remainingMillis,
  leftMillis: () => Infinity,
  ...fresh(),
})

/** The error of a call, with the attempts that it made so far. */
const failure = <A>(
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
const timedOut = <A>(call: Call<A>, deadlineMillis: number): ClientError => {
  const reason: Reason = { _tag: "TimedOut", which: "deadline", afterMillis: deadlineMillis }
  return failure({ ...call, attempts: [...call.attempts, ...cut(call)] }, reason, null)
}

const iso = (millis: number): string => new Date(millis).toISOString()

/**
 * Makes the caller of a client. `clock` stamps events outside of calls; without `makeSpans`, nothing has a span; `ids` holds the number of the
 * last attempt.
 */
export const make = (
  config: ClientConfig,
  send: Send,
  rateLimiter: RateLimiter,
  clock: Clock.Clock,
  listeners: Listeners,
  makeSpans: MakeSpans | null,
  ids: { last: number } = { last: 0 },
): Caller => {
  const { once: attempt, redact } = Attempt.make(config, send)
  const spans = makeSpans?.(config, redact)

  /** Path and query for events. The query can hold cursors, which come from the server, so it is redacted. */
  const shown = (request: ServiceRequest): string =>
    request.path + redact(target(request).slice(request.path.length))

  const isObserved = () => !listeners.isEmpty()
  const emit: Emit = (event) => {
    if (isObserved()) listeners.tell({ at: iso(clock.currentTimeMillisUnsafe()), ...event })
  }

  const fail = <A>(call: Call<A>, reason: Reason, requestId: string | null) =>
    Effect.fail(failure(call, reason, requestId))

  const deadline: Reason = { _tag: "TimedOut", which: "deadline", afterMillis: config.deadlineMillis }

  const waiting = <A>(
    call: Call<A>,
    waitMillis: number,
    details: Pick<Extract<ClientEvent, { _tag: "Waiting" }>, "why" | "reason" | "source">,
  ): void => {
    const now = call.clock.currentTimeMillisUnsafe()
    const until = iso(now + waitMillis)
    emit({
      _tag: "Waiting",
      at: iso(now),
      until,
      waitMillis,
      target: shown(call.request),
      ...details,
    })
  }

  const attempted = <A>(
    { attempting, attempts, clock, request }: Call<A>,
    ended: Pick<Extract<ClientEvent, { _tag: "Attempted" }>, "status" | "requestId" | "outcome">,
  ): void => {
    if (attempting === null || !isObserved()) return
    emit({
      _tag: "Attempted",
      at: iso(attempting.at),
      localId: attempting.localId,
      method: request.method,
      target: shown(request),
      attempt: attempts.length + 1,
      durationMillis: clock.currentTimeMillisUnsafe() - attempting.at,
      ...ended,
    })
  }

  /** Waits for the rate limiter. Fails without a request when a pause takes longer than this call may wait. */
  const enter = <A>(call: Call<A>): Effect.Effect<void, ClientError> => {
    const now = call.clock.currentTimeMillisUnsafe()
    if (rateLimiter.tryTake(now, call.priority)) return Effect.void
    const pausedMillis = Math.max(0, rateLimiter.pausedUntil(now) - now)
    if (
      pausedMillis >
      Math.min(config.retry.longestWaitMillis + config.retry.baseMillis, call.remainingMillis())
    ) {
      const retryAt = iso(now + pausedMillis)
      return fail(
        call,
        { _tag: "RateLimited", status: 429, serverSays: null, retryAt, source: "retry-after" },
        null,
      )
    }
    if (isObserved() && call.attempts.length === 0) {
      const source = pausedMillis > 0 ? "retry-after" : "rate-limiter"
      const waitMillis = pausedMillis > 0 ? pausedMillis : Math.ceil(1_000 / rateLimiter.rate())
      waiting(call, waitMillis, {
        why: pausedMillis > 0 ? "rate-limited" : "throttled",
        reason: null,
        source,
      })
    }
    const taken = Effect.map(rateLimiter.take(call.priority), () => {
      call.waitedMillis += call.clock.currentTimeMillisUnsafe() - now
    })
    const leftMillis = call.leftMillis()
    return leftMillis === Infinity
      ? taken
      : Effect.timeoutOrElse(taken, {
          duration: Math.max(0, leftMillis),
          orElse: () => fail(call, deadline, null),
        })
  }

  const once = <A>(call: Call<A>): Effect.Effect<Answer<A>, ClientError> => {
    const at = call.clock.currentTimeMillisUnsafe()
    const limitMillis = Math.min(config.attemptMillis, call.leftMillis())
    if (limitMillis <= 0) return fail(call, deadline, null)
    call.attempting = { at, localId: ++ids.last }
    const sent = attempt(call.request, call.check, call.clock, limitMillis)
    return Effect.flatMap(spans?.attempt(call.request, call.attempts.length, sent) ?? sent, (settled) => {
      const { checked, requestId, status } = settled
      attempted(call, { status, requestId, outcome: checked._tag === "Value" ? "ok" : checked.reason._tag })
      call.attempting = null
      if (checked._tag === "Value") {
        const now = call.clock.currentTimeMillisUnsafe()
        rateLimiter.clean(now)
        return Effect.succeed({
          value: checked.value,
          requestId,
          attempts: call.attempts.length + 1,
          waitedMillis: call.waitedMillis,
          answeredAt: iso(now),
          tookMillis: now - at,
          serviceDate: settled.serviceDate,
        })
      }
      return recover(call, settled, checked.reason, at)
    })
  }

  const recover = <A>(
    call: Call<A>,
    settled: Attempt.Settled<A>,
    reason: Reason,
    at: number,
  ): Effect.Effect<Answer<A>, ClientError> =>
    Effect.flatMap(Random.next, (random) => {
      const now = call.clock.currentTimeMillisUnsafe()
      const { phase, requestId, retryAfter, serviceDate, status } = settled
      const failed = { reason, attempt: call.attempts.length + 1, retryAfter, serviceDate, now, random }
      const planned = RetryPolicy.decide(config.retry, failed)
      const decided =
        config.schedule === null
          ? Effect.succeed(planned)
          : RetryOption.decide(config.schedule, call, failed, planned)
      return Effect.flatMap(decided, (decision) => {
        const delayMillis = decision.delayMillis ?? 0
        const retries = decision._tag === "Retry" && delayMillis < call.remainingMillis()
        call.attempts.push({
          at: iso(at),
          status,
          requestId,
          reason: reason._tag,
          phase,
          waitedMillis: retries ? delayMillis : null,
          why: retries ? decision.source : decision._tag === "Retry" ? "deadline" : decision.why,
        })
        if (reason._tag === "RateLimited") rateLimiter.limited(now, now + delayMillis)
        else if (status !== null && status < 500) rateLimiter.clean(now)
        if (!retries) {
          const { source } = decision
          const retryAt = iso(now + delayMillis)
          return fail(
            call,
            reason._tag === "RateLimited" ? { ...reason, retryAt, source } : reason,
            requestId,
          )
        }
        if (isObserved())
          waiting(call, delayMillis, { why: decision.why, reason: reason._tag, source: decision.source })
        if (reason._tag === "RateLimited") return Effect.flatMap(enter(call), () => once(call))
        call.waitedMillis += delayMillis
        return Effect.flatMap(Effect.sleep(delayMillis), () => Effect.flatMap(enter(call), () => once(call)))
      })
    })

  const started = <A>(call: Call<A>): Effect.Effect<Answer<A>, ClientError> => {
    const answer = Effect.suspend(() =>
      rateLimiter.tryTake(call.clock.currentTimeMillisUnsafe(), call.priority)
        ? once(call)
        : Effect.flatMap(enter(call), () => once(call)),
    )
    return spans?.call(call.request, answer) ?? answer
  }

  return {
    emit,
    redact,
    config,
    having: (other) => make(other, send, rateLimiter, clock, listeners, makeSpans, ids),
    call: (request, check, usual) =>
      Effect.withFiber((fiber) => {
        const clock = fiber.getRef(Clock.Clock)
        const priority = config.priority ?? usual
        return started(ownCall({ request, check, priority, clock }, config.deadlineMillis))
      }),
    share: (request, check, clock, remainingMillis) => {
      const call = sharedCall({ request, check, priority: "interactive", clock }, remainingMillis)
      return {
        answer: started(call),
        timedOut: (isLast) => {
          if (isLast) attempted(call, { status: null, requestId: null, outcome: "TimedOut" })
          return timedOut(call, config.deadlineMillis)
        },
      }
    },
  }
}

/**
 * Returns the result of `use` with the caller, which is the same one if none of the options is an option of calls. Returns the result of
 * `refuse` with `ConfigInvalid` for an option that cannot work, or that the operation does not have.
 */
export const withCaller = <Result>(
  caller: Caller,
  of: Operation,
  options: CallOptions | undefined,
  use: (caller: Caller) => Result,
  refuse: (error: ClientError) => Result,
): Result => {
  const problem = problemOfOptions(of, options)
  if (problem !== null) return refuse(problem)
  if (options?.priority === undefined && options?.retry === undefined && options?.timeLimits === undefined)
    return use(caller)
  const bad = problemOfCall(options)
  return bad === null ? use(caller.having(over(caller.config, options))) : refuse(bad)
}
