/**
 * A span for each call, in programs that set a tracer. Like the log, it holds no key and no value of a record.
 */
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Tracer from "effect/Tracer"
import type { ServiceRequest } from "../model/ServiceRequest.ts"
import { target } from "../model/ServiceRequest.ts"
import type { Redact } from "../error/redaction.ts"

/** Puts a call into a span. */
export type Trace = <A extends Answered, E>(
  request: ServiceRequest,
  redact: Redact,
  called: Effect.Effect<A, E>,
  fiber: Fiber.Fiber<unknown, unknown>,
) => Effect.Effect<A, E>

/** Whether the program set a tracer. */
const isTraced = (fiber: Fiber.Fiber<unknown, unknown>): boolean =>
  fiber.getRef(Tracer.Tracer) !== Tracer.Tracer.defaultValue()

interface Answered {
  readonly attempts: number
  readonly requestId: string | null
}

/** The call in a span that names its method and path, and the attempts and request id of its answer; where no tracer is set, the call. */
export const trace: Trace = (request, redact, called, fiber) => {
  if (!isTraced(fiber)) return called
  const { method, path } = request
  const annotated = Effect.tap(called, ({ attempts, requestId }) =>
    Effect.annotateCurrentSpan({ "deedkit.attempts": attempts, "deedkit.request_id": requestId ?? "" }),
  )
  const attributes = {
    "http.request.method": method,
    "url.path": path,
    "url.query": redact(target(request).slice(path.length + 1)),
  }
  return Effect.withSpan(annotated, `${method} ${path}`, {
    attributes,
    kind: "client",
    captureStackTrace: false,
  })
}
