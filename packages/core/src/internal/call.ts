/**
 * One call: a turn of the key's rate limiter, an attempt, and after a failure a wait by a schedule, until there is an answer, the schedule ends or
 * the deadline has passed. The error of a failed call lists its attempts.
 *
 * `RetryPolicy` makes the schedule, by default from `RetryPolicy.interactive`, and reads `Retry-After`. The loop stands here and not in
 * `Effect.retry`, because a 429 makes all calls of the key wait, at `RateLimiter.ofKey`, and because the error and the events say of each attempt why
 * it was the last or what set the wait after it.
 */
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Pull from "effect/Pull"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Schedule from "effect/Schedule"
import type { Check, Settled } from "./answer.ts"
import { makeReader } from "./answer.ts"
import type { CallOptions, ClientConfig } from "../ClientConfig.ts"
import { over } from "../ClientConfig.ts"
import type { Operation } from "../ClientOptions.ts"
import { problemOfCall, problemOfOptions } from "../ClientOptions.ts"
import type { Priority, RateLimiter } from "../RateLimiter.ts"
import * as RetryPolicy from "../RetryPolicy.ts"
import type { Asked } from "./singleFlight.ts"
import type { AttemptRecord, Reason } from "../ClientError.ts"
import { ClientError } from "../ClientError.ts"
import type { Redact } from "./redaction.ts"
import type { Attempted, Emit, Waiting } from "../ClientEvent.ts"
import type { Listeners } from "./listeners.ts"
import type { ServiceRequest } from "./serviceRequest.ts"
import { target } from "./serviceRequest.ts"
import type { Cancellation, Send } from "../Transport.ts"
import { runAfter } from "./timer.ts"

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
    sent: Effect.Effect<Settled<A>>,
  ) => Effect.Effect<Settled<A>>
}

export type MakeSpans = (config: ClientConfig, redact: Redact) => Spans

/** A call in progress. The loop updates its last four members. */
interface Call<A> {
  readonly request: ServiceRequest
  readonly check: Check<A>
  readonly priority: Priority
  readonly clock: Clock.Clock
  /** Milliseconds for which a caller still waits. No longer wait is started. */
  readonly remainingMillis: () => number
  /** Whether several callers wait. Each leaves at its own deadline, and the call is cancelled when the last has left; it has no deadline itself. */
  readonly isShared: boolean
  readonly attempts: Array<AttemptRecord>
  waitedMillis: number
  step: Step | null
  /** The attempt in progress, with its start in epoch milliseconds. */
  attempting: { readonly at: number; readonly localId: number } | null
}

/** The schedule of one call, which begins with its first failure. */
type Step = Effect.Success<ReturnType<typeof Schedule.toStep<unknown, RetryPolicy.Failure, never, never>>>

type NewCall<A> = Pick<Call<A>, "request" | "check" | "priority" | "clock" | "remainingMillis" | "isShared">

const begin = <A>(asked: NewCall<A>): Call<A> => ({
  ...asked,
  attempts: [],
  waitedMillis: 0,
  step: null,
  attempting: null,
})

const iso = (millis: number): string => new Date(millis).toISOString()

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

/** What follows a failed attempt. */
interface Plan {
  /** How long to wait before the next attempt; where there is none, the wait that it would have needed, 0 if that is not known. */
  readonly waitMillis: number
  /** What set that wait. */
  readonly source: "retry-after" | "backoff"
  /** Why there is no further attempt; null if there is one. */
  readonly ended: "not-retryable" | "attempts" | "too-long" | "deadline" | null
}

/**
 * Plans by the schedule of the call: the user's own, or that of `RetryPolicy.toSchedule`, which waits as the policy decides. `Retry-After` is the
 * least that is waited, whatever the schedule says.
 */
const planOf = Effect.fnUntraced(function* <A>(
  call: Call<A>,
  { retry, schedule }: ClientConfig,
  failed: RetryPolicy.Failure,
): Effect.fn.Return<Plan> {
  const policy = RetryPolicy.decide(retry, failed)
  const { source } = policy
  const end = policy._tag === "GiveUp" ? policy.why : "attempts"
  if (end === "not-retryable") return { waitMillis: 0, source, ended: end }
  call.step ??= yield* Schedule.toStep(schedule)
  const own = yield* Pull.matchEffect(call.step(failed.now, failed), {
    onSuccess: ([, delay]) => Effect.succeed(Math.ceil(Duration.toMillis(delay))),
    onFailure: Effect.failCause,
    onDone: () => Effect.succeed(null),
  })
  if (own === null) return { waitMillis: policy.delayMillis ?? 0, source, ended: end }
  const asked = RetryPolicy.retryAfterMillis(failed) ?? 0
  const waitMillis = Math.max(Math.min(own, RetryPolicy.longestNamedMillis), asked)
  return {
    waitMillis,
    // A schedule of the user may wait longer than the policy.
    source: own > (policy.delayMillis ?? 0) ? "backoff" : source,
    ended: waitMillis < call.remainingMillis() ? null : "deadline",
  }
})

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
  const { once, redact } = makeSender(config, send)
  const spans = makeSpans?.(config, redact)
  const deadline: Reason = { _tag: "TimedOut", which: "deadline", afterMillis: config.deadlineMillis }

  const isObserved = () => !listeners.isEmpty()
  const emit: Emit = (event) => {
    if (isObserved()) listeners.tell({ at: iso(clock.currentTimeMillisUnsafe()), ...event })
  }

  /** Path and query for events. The query can hold cursors, which come from the server, so it is redacted. */
  const shown = (request: ServiceRequest): string =>
    request.path + redact(target(request).slice(request.path.length))

  const tellWait = <A>(
    call: Call<A>,
    waitMillis: number,
    details: Pick<Waiting, "why" | "reason" | "source">,
  ): void => {
    if (!isObserved()) return
    const now = call.clock.currentTimeMillisUnsafe()
    const until = iso(now + waitMillis)
    emit({ _tag: "Waiting", at: iso(now), until, waitMillis, target: shown(call.request), ...details })
  }

  const tellAttempt = <A>(
    call: Call<A>,
    ended: Pick<Attempted, "status" | "requestId" | "outcome">,
  ): void => {
    const { attempting, attempts, clock, request } = call
    call.attempting = null
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

  /** Waits for a turn. Fails without a request when a pause of the key takes longer than this call may wait. */
  const turn = <A>(call: Call<A>): Effect.Effect<void, ClientError> => {
    const now = call.clock.currentTimeMillisUnsafe()
    if (rateLimiter.tryTake(now, call.priority)) return Effect.void
    const pausedMillis = Math.max(0, rateLimiter.pausedUntil(now) - now)
    // A pause is as long as its `Retry-After` and up to `baseMillis` more, so that calls do not all go at once.
    const longestMillis = config.retry.longestWaitMillis + config.retry.baseMillis
    if (pausedMillis > Math.min(longestMillis, call.remainingMillis())) {
      const retryAt = iso(now + pausedMillis)
      const reason: Reason = {
        _tag: "RateLimited",
        status: 429,
        serverSays: null,
        retryAt,
        source: rateLimiter.pausedBy(),
      }
      return Effect.fail(failure(call, reason, null))
    }
    if (call.attempts.length === 0) {
      const isPaused = pausedMillis > 0
      tellWait(call, isPaused ? pausedMillis : Math.ceil(1_000 / rateLimiter.rate()), {
        why: isPaused ? "rate-limited" : "throttled",
        reason: null,
        source: isPaused ? rateLimiter.pausedBy() : "rate-limiter",
      })
    }
    const taken = Effect.map(rateLimiter.take(call.priority), () => {
      call.waitedMillis += call.clock.currentTimeMillisUnsafe() - now
    })
    if (call.isShared) return taken
    return Effect.timeoutOrElse(taken, {
      duration: Math.max(0, call.remainingMillis()),
      orElse: () => Effect.fail(failure(call, deadline, null)),
    })
  }

  const attempt = <A>(call: Call<A>): Effect.Effect<Settled<A>, ClientError> => {
    const leftMillis = call.isShared ? Infinity : call.remainingMillis()
    if (leftMillis <= 0) return Effect.fail(failure(call, deadline, null))
    call.attempting = { at: call.clock.currentTimeMillisUnsafe(), localId: ++ids.last }
    const sent = once(call.request, call.check, call.clock, Math.min(config.attemptMillis, leftMillis))
    return spans?.attempt(call.request, call.attempts.length, sent) ?? sent
  }

  /** Records a failed attempt. Succeeds with the milliseconds to sleep before the next one; fails if there is none. */
  const afterFailure = Effect.fnUntraced(function* <A>(
    call: Call<A>,
    at: number,
    { phase, requestId, retryAfter, serviceDate, status }: Settled<A>,
    reason: Reason,
  ) {
    const now = call.clock.currentTimeMillisUnsafe()
    const attempt = call.attempts.length + 1
    const random = yield* Random.next
    const failed: RetryPolicy.Failure = { reason, attempt, retryAfter, serviceDate, now, random }
    const { ended, source, waitMillis } = yield* planOf(call, config, failed)
    call.attempts.push({
      at: iso(at),
      status,
      requestId,
      reason: reason._tag,
      phase,
      waitedMillis: ended === null ? waitMillis : null,
      why: ended ?? source,
    })
    const isLimited = reason._tag === "RateLimited"
    if (isLimited) {
      const asked = RetryPolicy.retryAfterMillis(failed)
      const slowing = rateLimiter.refused(now, now + waitMillis, asked, source)
      if (slowing !== null) emit({ _tag: "Slowed", at: iso(now), ...slowing })
    } else if (status !== null && status < 500) rateLimiter.admitted(now)
    if (ended !== null) {
      const last = isLimited ? { ...reason, retryAt: iso(now + waitMillis), source } : reason
      return yield* failure(call, last, requestId)
    }
    tellWait(call, waitMillis, { why: isLimited ? "rate-limited" : "retry", reason: reason._tag, source })
    // After a 429 the rate limiter holds back this call with all others of the key.
    if (isLimited) return 0
    call.waitedMillis += waitMillis
    return waitMillis
  })

  const loop = Effect.fnUntraced(function* <A>(call: Call<A>) {
    while (true) {
      yield* turn(call)
      const at = call.clock.currentTimeMillisUnsafe()
      const settled = yield* attempt(call)
      const { checked, requestId, serviceDate, status } = settled
      tellAttempt(call, {
        status,
        requestId,
        outcome: checked._tag === "Value" ? "ok" : checked.reason._tag,
      })
      if (checked._tag === "Value") {
        const now = call.clock.currentTimeMillisUnsafe()
        rateLimiter.admitted(now)
        return {
          value: checked.value,
          requestId,
          attempts: call.attempts.length + 1,
          waitedMillis: call.waitedMillis,
          answeredAt: iso(now),
          tookMillis: now - at,
          serviceDate,
        } satisfies Answer<A>
      }
      const sleepMillis = yield* afterFailure(call, at, settled, checked.reason)
      if (sleepMillis > 0) yield* Effect.sleep(sleepMillis)
    }
  })

  const traced = <A>(call: Call<A>): Effect.Effect<Answer<A>, ClientError> =>
    spans?.call(call.request, loop(call)) ?? loop(call)

  return {
    emit,
    redact,
    config,
    having: (other) => make(other, send, rateLimiter, clock, listeners, makeSpans, ids),
    call: (request, check, usual) =>
      Effect.clockWith((clock) => {
        const until = clock.currentTimeMillisUnsafe() + config.deadlineMillis
        const remainingMillis = () => until - clock.currentTimeMillisUnsafe()
        const priority = config.priority ?? usual
        return traced(begin({ request, check, priority, clock, remainingMillis, isShared: false }))
      }),
    share: (request, check, clock, remainingMillis) => {
      const call = begin({
        request,
        check,
        priority: "interactive",
        clock,
        remainingMillis,
        isShared: true,
      })
      return {
        answer: traced(call),
        timedOut: (isLast) => {
          const { attempting, attempts } = call
          if (isLast) tellAttempt(call, { status: null, requestId: null, outcome: "TimedOut" })
          if (attempting === null) return failure(call, deadline, null)
          const cut: AttemptRecord = {
            at: iso(attempting.at),
            status: null,
            requestId: null,
            reason: "TimedOut",
            phase: "deadline",
            waitedMillis: null,
            why: "not-retryable",
          }
          return failure({ ...call, attempts: [...attempts, cut] }, deadline, null)
        },
      }
    },
  }
}

/**
 * Makes the attempts: head, body, parse and check within one time limit (Spec: Limits 3). The only place that sends the key.
 *
 * An attempt is one callback and one timer, not a race of fibres: that keeps the cost of a request near that of the bare transport.
 */
export const makeSender = (config: ClientConfig, send: Send) => {
  const key = Redacted.value(config.apiKey)
  const { answered, broken, redact, timedOut } = makeReader(config, key)
  const headers = { authorization: `Bearer ${key}`, accept: "application/json" }

  /** A transport can also throw where it should reject. */
  const sendSafely: Send = async (outgoing, cancellation) => send(outgoing, cancellation)

  /** Sends once. It never fails: a failure is part of its outcome. */
  const once = <A>(request: ServiceRequest, check: Check<A>, clock: Clock.Clock, limitMillis: number) =>
    Effect.callback<Settled<A>>((resume) => {
      const cancellation = new LazyCancellation()
      let settled = false
      const finish = (outcome: () => Settled<A>): void => {
        if (settled) return
        settled = true
        cancelTimer()
        try {
          resume(Effect.succeed(outcome()))
        } catch (defect) {
          resume(Effect.die(defect))
        }
      }
      const cancelTimer = runAfter(clock, limitMillis, () => {
        finish(() => timedOut(limitMillis))
        cancellation.cancel()
      })
      const outgoing = {
        url: config.base + target(request),
        headers,
        connectMillis: config.connectMillis,
        idleMillis: config.idleMillis,
        maxBodyBytes: config.maxBodyBytes,
      }
      // Sent in a microtask, so that a transport can cancel the whole operation synchronously.
      queueMicrotask(() => {
        if (settled) return
        sendSafely(outgoing, cancellation).then(
          (response) => finish(() => answered(response, request, check)),
          (cause: unknown) => finish(() => broken(cause, request, check)),
        )
      })
      return Effect.sync(() => {
        settled = true
        cancelTimer()
        cancellation.cancel()
      })
    })
  return { once, redact }
}

/** The cancellation of one attempt. It makes an `AbortSignal` only for a transport that asks for one. */
class LazyCancellation implements Cancellation {
  #cancelled = false
  #controller: AbortController | null = null
  #listener: (() => void) | null = null

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#cancelled) this.#controller.abort()
    return this.#controller.signal
  }

  readonly onCancel = (listener: () => void): void => {
    this.#listener = listener
    if (this.#cancelled) listener()
  }

  cancel(): void {
    if (this.#cancelled) return
    this.#cancelled = true
    try {
      this.#listener?.()
    } catch {
      // The attempt has ended. The error of a transport that fails to stop must not end the process from a timer.
    }
    this.#controller?.abort()
  }
}

/**
 * Runs `use` with the caller, which is the same one if none of the options is an option of calls. Fails with `ConfigInvalid` for an option that
 * cannot work, or that the operation does not have.
 */
export const withCaller = <A>(
  caller: Caller,
  of: Operation,
  options: CallOptions | undefined,
  use: (caller: Caller) => Effect.Effect<A, ClientError>,
): Effect.Effect<A, ClientError> => {
  const problem = problemOfOptions(of, options)
  if (problem !== null) return Effect.fail(problem)
  if (options?.priority === undefined && options?.retry === undefined && options?.timeLimits === undefined)
    return use(caller)
  const bad = problemOfCall(options)
  return bad === null ? use(caller.having(over(caller.config, options))) : Effect.fail(bad)
}
