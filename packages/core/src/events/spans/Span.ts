/**
 * Spans that hold no part of an answer. A tracer sees the value or the error with which a span ends, and exporters write the error down: both
 * are replaced here, because records hold personal data and the text of an error can quote the server.
 */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Tracer from "effect/Tracer"
import { ClientError } from "../../error/ClientError.ts"

/** Attributes of a span. Those that are null are left out. */
export type Attributes = Readonly<Record<string, string | number | boolean | null>>

/** How work in a span ended: its class of error, null for none, and its last attributes. */
export interface Ending {
  readonly errorType: string | null
  readonly attributes: Attributes
}

/** The attributes that are not null. */
export const present = (attributes: Attributes): Record<string, string | number | boolean> =>
  Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  )

/** The class of an error (`error.type`): the reason of a `ClientError`, else `_OTHER`. Null for success and for an interruption. */
export const errorTypeOf = (exit: Exit.Exit<unknown, unknown>): string | null => {
  if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return null
  const error = Cause.squash(exit.cause)
  return error instanceof ClientError ? error.reason._tag : "_OTHER"
}

/** An error that shows only its class: no text of the server, no stack. */
const classOnly = (errorType: string): Error =>
  Object.assign(new Error(errorType), { name: errorType, stack: errorType })

/** Ends a span. A failure without a class of error ends it as interrupted. */
export const end = (
  span: Tracer.Span,
  clock: Clock.Clock,
  exit: Exit.Exit<unknown, unknown>,
  { attributes, errorType }: Ending,
): void => {
  const last = present({ ...attributes, "error.type": errorType })
  for (const [name, value] of Object.entries(last)) span.attribute(name, value)
  const shown =
    errorType !== null ? Exit.fail(classOnly(errorType)) : Exit.isSuccess(exit) ? Exit.void : Exit.interrupt()
  span.end(clock.currentTimeNanosUnsafe(), shown)
}

/** Runs work in a span, which is the parent of the spans in it. `attributes` are known at its start, when samplers see them. */
export const within = <A, E>(
  name: string,
  options: {
    readonly kind: Tracer.SpanKind
    readonly attributes?: Attributes
    readonly links?: Array<Tracer.SpanLink>
  },
  work: (span: Tracer.Span) => Effect.Effect<A, E>,
  endingOf: (exit: Exit.Exit<A, E>) => Ending,
): Effect.Effect<A, E> =>
  Effect.clockWith((clock) =>
    Effect.useSpan(name, { ...options, attributes: present(options.attributes ?? {}) }, (span) =>
      Effect.onExit(Effect.withParentSpan(work(span), span, { captureStackTrace: false }), (exit) =>
        Effect.sync(() => end(span, clock, exit, endingOf(exit))),
      ),
    ),
  )
