/**
 * The events of a client as values: one typed stream on which logs, progress displays and traces are built. Events hold
 * no key, no header and no value of a record.
 */
import type { ReasonTag } from "./ClientError.ts"
import type { CollectionName } from "./internal/serviceRequest.ts"
import type { Anomaly, ReadSummary } from "./Page.ts"

/** One attempt was answered or failed. `attempt` counts from 1 within its call; `localId` is unique within the client. */
export interface Attempted {
  readonly _tag: "Attempted"
  readonly at: string
  readonly localId: number
  readonly method: string
  /** Path and query, redacted; the key is never part of it. */
  readonly target: string
  readonly attempt: number
  readonly status: number | null
  readonly requestId: string | null
  readonly durationMillis: number
  readonly outcome: "ok" | ReasonTag
}

export interface Waiting {
  readonly _tag: "Waiting"
  readonly at: string
  /** When the wait ends, ISO 8601 UTC. */
  readonly until: string
  readonly waitMillis: number
  /** `retry`: after a failed attempt. `rate-limited`: after a 429 of this or another call of the key. `throttled`: by the key's rate limiter. */
  readonly why: "retry" | "rate-limited" | "throttled"
  /** How the attempt before the wait failed; null if none did. */
  readonly reason: ReasonTag | null
  /** What set the time: the server by Retry-After, the retry policy, or the rate limiter. */
  readonly source: "retry-after" | "backoff" | "rate-limiter"
  readonly target: string
}

/** After a 429 the rate limiter of the key admits fewer requests than before, from all clients of the key in this process. */
export interface Slowed {
  readonly _tag: "Slowed"
  readonly at: string
  readonly requestsPerSecond: number
  /** The 429s since the rate was last at what it is without them, this one included. */
  readonly refusals: number
}

export interface PageRead {
  readonly _tag: "PageRead"
  readonly at: string
  readonly collection: CollectionName
  /** Records of this page that the read returned. */
  readonly records: number
  /** Records of this page that the read rejected. */
  readonly rejected: number
  readonly summary: ReadSummary
}

/** Something that the specification leaves open or that contradicts it, once per kind and read. */
export interface AnomalySeen {
  readonly _tag: "AnomalySeen"
  readonly at: string
  readonly collection: CollectionName
  readonly anomaly: Anomaly
  readonly detail: string
}

/** A member or value that the specification does not name, once per client: by path and type, never by value of a record. */
export interface SchemaDrift {
  readonly _tag: "SchemaDrift"
  readonly at: string
  readonly collection: CollectionName
  readonly path: string
  readonly found: string
}

/** Every event of a client. `at` is ISO 8601 UTC. */
export type ClientEvent = Attempted | Waiting | Slowed | PageRead | AnomalySeen | SchemaDrift

type WithoutTime<Event> = Event extends ClientEvent ? Omit<Event, "at"> : never

/** An event without its time. @internal */
export type UnstampedEvent = WithoutTime<ClientEvent>

/** Sends the event to the listeners. An event without a time gets that of the client's clock. @internal */
export type Emit = (event: UnstampedEvent | ClientEvent) => void

/**
 * Takes events as they happen. The client continues when the listener returns, so it should be quick.
 *
 * A listener that throws, or returns a promise that rejects, changes no call and keeps no event from other listeners. Its error is logged as a
 * warning through the Effect loggers of the program that made the client; Effect's default logger then writes it to standard error. A function
 * that was added twice gets each event once.
 */
export type Listener = (event: ClientEvent) => void

/** What 429s made of the rate: `slowed to 2.5 requests a second after 3 refusals`, `slowed to a request in 10 seconds after 1 refusal`. */
export const slowedText = ({ refusals, requestsPerSecond }: Slowed): string => {
  const rounded = (figure: number): number => Math.round(figure * 10) / 10
  const rate =
    requestsPerSecond > 1
      ? `${rounded(requestsPerSecond)} requests a second`
      : requestsPerSecond === 1
        ? "a request a second"
        : `a request in ${rounded(1 / requestsPerSecond)} seconds`
  return `slowed to ${rate} after ${refusals} ${refusals === 1 ? "refusal" : "refusals"}`
}

/** An event as a log line: UTC timestamps and request ids, as the specification advises (Spec: Events). */
export const line = (event: ClientEvent): string => {
  switch (event._tag) {
    case "Attempted": {
      const status = event.status === null ? "no status" : String(event.status)
      const again = event.attempt === 1 ? "" : `, attempt ${event.attempt}`
      const id = event.requestId === null ? "no request id" : `request id ${event.requestId}`
      return `${event.at} #${event.localId} ${event.method} ${event.target}: ${status} ${event.outcome} in ${event.durationMillis} ms, ${id}${again}`
    }
    case "Waiting": {
      const reason = event.reason === null ? "" : ` (${event.reason})`
      return `${event.at} waiting ${event.waitMillis} ms until ${event.until}: ${event.why}${reason}, named by ${event.source}`
    }
    case "Slowed":
      return `${event.at} ${slowedText(event)}`
    case "PageRead":
      return `${event.at} page ${event.summary.pages} of ${event.collection} read, ${event.summary.records} records so far`
    case "AnomalySeen":
      return `${event.at} noted in ${event.collection}: ${event.anomaly}: ${event.detail}`
    case "SchemaDrift":
      return `${event.at} not in the specification: ${event.path} of ${event.collection} (${event.found})`
  }
}
