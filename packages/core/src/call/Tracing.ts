/**
 * The interface that makes spans of a client's work. The attempt loop and the operations call it; `events/spans` implements it. A client that is
 * made without it contains no code for spans.
 */
import type * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { ClientError } from "../error/ClientError.ts"
import type { Redact } from "../error/redaction.ts"
import type { Collection } from "../model/ServiceRequest.ts"
import type { ReadSummary } from "../pagination/ReadSummary.ts"
import type { Settled } from "./Attempt.ts"
import type { Call } from "./Call.ts"
import type { ClientConfig } from "./ClientConfig.ts"

/** A call in progress, known by its identity. */
export type TracedCall = Pick<Call<unknown>, "clock" | "request">

/** The part of a page that spans show. */
interface Summarized {
  readonly summary: ReadSummary
}

/** A read in progress: its next page, null after the last, and its end. */
interface Pulled<P> {
  readonly next: Effect.Effect<P | null, ClientError>
  readonly close: Effect.Effect<void>
}

/** Puts work into spans if the program has set a tracer; otherwise returns the work unchanged. */
export interface Tracing {
  /** `fiber` is the one that runs the call, and `start` begins it. */
  readonly call: <A, E>(
    call: TracedCall,
    fiber: Fiber.Fiber<unknown, unknown>,
    start: () => Effect.Effect<A, E>,
  ) => Effect.Effect<A, E>
  readonly attempt: <A>(call: TracedCall, sent: Effect.Effect<Settled<A>>) => Effect.Effect<Settled<A>>
  /** The wait of a caller for a call that another caller started. */
  readonly joined: <A, E>(call: TracedCall, waited: Effect.Effect<A, E>) => Effect.Effect<A, E>
  readonly getMany: <A, E>(collection: Collection, lookups: Effect.Effect<A, E>) => Effect.Effect<A, E>
  readonly read: <P extends Summarized>(
    collection: Collection,
    opened: Effect.Effect<Pulled<P>>,
  ) => Effect.Effect<Pulled<P>>
}

/** Makes the spans of one client. */
export type MakeTracing = (config: ClientConfig, redact: Redact) => Tracing
