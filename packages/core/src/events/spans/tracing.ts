/**
 * Spans of a client, in programs that set a tracer, by OpenTelemetry's conventions for HTTP clients: one `client` span for each attempt,
 * and around it `internal` spans of the call, and of the read or lookup that it is part of. They hold ids and cursors, redacted, but no key
 * and nothing of an answer; the README lists them.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import type { Settled } from "../../call/Attempt.ts"
import type { MakeTracing, TracedCall, Tracing } from "../../call/Tracing.ts"
import type { ClientError } from "../../error/ClientError.ts"
import { target } from "../../model/ServiceRequest.ts"
import type { ReadSummary } from "../../pagination/ReadSummary.ts"
import * as HttpAttributes from "../HttpAttributes.ts"
import * as Span from "./Span.ts"

/** The state of a traced call in progress. */
interface State {
  readonly span: Tracer.Span
  readonly startedAt: number
  attempts: number
  /** The end of the previous attempt, or the start of the call, in epoch milliseconds. */
  idleSince: number
  waitedMillis: number
  requestId: string | null
}

/** Whether the program set a tracer. */
const isTraced = (fiber: Fiber.Fiber<unknown, unknown>): boolean =>
  fiber.getRef(Tracer.Tracer) !== Tracer.Tracer.defaultValue()

const whereTraced = <A, E>(
  plain: Effect.Effect<A, E>,
  traced: () => Effect.Effect<A, E>,
): Effect.Effect<A, E> => Effect.withFiber((fiber) => (isTraced(fiber) ? traced() : plain))

const byExit = (exit: Exit.Exit<unknown, unknown>): Span.Ending => ({
  errorType: Span.errorTypeOf(exit),
  attributes: {},
})

const settledAs = ({ checked, requestId, status }: Settled<unknown>): Span.Ending => ({
  errorType: checked._tag === "Failed" ? checked.reason._tag : null,
  attributes: { "http.response.status_code": status, "deedkit.request_id": requestId },
})

const readAttributes = (summary: ReadSummary): Span.Attributes => ({
  "deedkit.pages": summary.pages,
  "deedkit.records": summary.records,
  "deedkit.rejected": summary.rejected,
  "deedkit.requests": summary.requests,
  "deedkit.retries": summary.retries,
  "deedkit.waited_ms": summary.waitedMillis,
  "deedkit.complete": summary.complete,
})

/** Makes the spans of one client. */
export const make: MakeTracing = (config, redact) => {
  const { server, templateOf } = HttpAttributes.make(config.base)
  const states = new WeakMap<TracedCall, State>()

  /** The class of error of a call or its attempt. A shared call is cancelled when its callers' deadlines have passed, and has no deadline itself. */
  const errorTypeIn = ({ startedAt }: State, exit: Exit.Exit<unknown, unknown>, now: number): string | null =>
    Exit.hasInterrupts(exit) && now - startedAt >= config.deadlineMillis ? "TimedOut" : Span.errorTypeOf(exit)

  const call: Tracing["call"] = (call, fiber, start) => {
    if (!isTraced(fiber)) return start()
    const now = () => call.clock.currentTimeMillisUnsafe()
    return Span.within(
      HttpAttributes.operationOf(call.request),
      { kind: "internal" },
      (span) => {
        const startedAt = now()
        const begun = { attempts: 0, idleSince: startedAt, waitedMillis: 0, requestId: null }
        states.set(call, { span, startedAt, ...begun })
        return start()
      },
      (exit) => {
        const state = states.get(call)!
        const attributes = {
          "deedkit.attempts": state.attempts,
          "deedkit.waited_ms": state.waitedMillis + now() - state.idleSince,
          "deedkit.request_id": state.requestId,
        }
        return { errorType: errorTypeIn(state, exit, now()), attributes }
      },
    )
  }

  const attempt: Tracing["attempt"] = (call, sent) => {
    const state = states.get(call)
    return state === undefined ? sent : Effect.suspend(() => attemptIn(call, state, sent))
  }

  const attemptIn = <A>({ clock, request }: TracedCall, state: State, sent: Effect.Effect<Settled<A>>) => {
    const waitedMillis = clock.currentTimeMillisUnsafe() - state.idleSince
    const resends = state.attempts
    state.attempts += 1
    state.waitedMillis += waitedMillis
    const template = templateOf(target(request))
    const attributes = {
      "http.request.method": request.method,
      ...server,
      "url.full": config.base + redact(target(request)),
      "url.template": template,
      "http.request.resend_count": resends === 0 ? null : resends,
    }
    const name = template === null ? request.method : `${request.method} ${template}`
    return Span.within(
      name,
      { kind: "client", attributes },
      () => sent,
      (exit) => {
        const now = clock.currentTimeMillisUnsafe()
        // An attempt never fails: a failure is part of its value.
        const ending = Exit.isSuccess(exit)
          ? settledAs(exit.value)
          : { errorType: errorTypeIn(state, exit, now), attributes: {} }
        state.idleSince = now
        if (Exit.isSuccess(exit)) state.requestId = exit.value.requestId
        const facts = {
          "deedkit.attempt": resends + 1,
          "deedkit.waited_ms": waitedMillis,
          ...ending.attributes,
          "error.type": ending.errorType,
        }
        state.span.event("deedkit.attempt", clock.currentTimeNanosUnsafe(), Span.present(facts))
        return ending
      },
    )
  }

  const joined: Tracing["joined"] = (call, waited) =>
    whereTraced(waited, () => {
      const state = states.get(call)
      const links = state === undefined ? [] : [{ span: state.span, attributes: {} }]
      const options = { kind: "internal", attributes: { "deedkit.shared": true }, links } as const
      return Span.within(HttpAttributes.operationOf(call.request), options, () => waited, byExit)
    })

  const getMany: Tracing["getMany"] = ({ name }, lookups) =>
    whereTraced(lookups, () =>
      Span.within(`${HttpAttributes.listNameOf(name)}.getMany`, { kind: "internal" }, () => lookups, byExit),
    )

  const read: Tracing["read"] = ({ name }, opened) =>
    whereTraced(opened, () =>
      Effect.gen(function* () {
        const span = yield* Effect.makeSpan(`${HttpAttributes.listNameOf(name)}.list`, { kind: "internal" })
        const clock = yield* Clock.Clock
        const { close, next } = yield* opened
        let summary: ReadSummary | null = null
        let failed: Exit.Exit<unknown, ClientError> | null = null
        const noted = Effect.onExit(next, (exit) =>
          Effect.sync(() => {
            if (Exit.isSuccess(exit)) summary = exit.value?.summary ?? summary
            else failed = exit
          }),
        )
        const end = Effect.sync(() => {
          const error = failed === null ? null : Option.getOrNull(Exit.findErrorOption(failed))
          const last = error?.reading ?? summary
          const attributes = last === null ? {} : readAttributes(last)
          const exit = failed ?? Exit.void
          Span.end(span, clock, exit, { errorType: Span.errorTypeOf(exit), attributes })
        })
        return {
          next: Effect.provideService(noted, Tracer.ParentSpan, span),
          close: Effect.ensuring(close, end),
        }
      }),
    )

  return { call, attempt, joined, getMany, read }
}
