/**
 * Events as Effect metrics, for programs that ask for them: the duration of requests by OpenTelemetry's conventions for HTTP clients, and, under
 * `deedkit.`, the metrics for which these have no name. Attributes have few values: no id, no cursor, no text of the server.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import type * as Scope from "effect/Scope"
import type { Service } from "../../client/PropertyClient.ts"
import { PropertyClient } from "../../client/PropertyClient.ts"
import type { ClientEvent } from "../ClientEvent.ts"
import * as HttpAttributes from "../HttpAttributes.ts"

/**
 * Seconds from the start of an attempt to the last byte of its answer, or to its failure; its count is the number of attempts. Attributes:
 * method, server, status, `error.type` (the reason of a failure) and `url.template`, which is in development.
 */
export const requestDuration = Metric.histogram("http.client.request.duration", {
  description: "Duration of HTTP client requests.",
  attributes: { unit: "s" },
  boundaries: [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10],
})

/** Attempts after the first of a call. Attributes: those of `requestDuration`. */
export const retries = Metric.counter("deedkit.retries", {
  description: "Attempts after the first of a call.",
  incremental: true,
})

/**
 * Waits for a retry or for the rate limiter. Attributes: `deedkit.wait.why` and `deedkit.wait.source`, those of the event `Waiting`.
 */
export const waits = Metric.counter("deedkit.waits", {
  description: "Waits before an attempt.",
  incremental: true,
})

/** Planned seconds of these waits. Attributes: those of `waits`. */
export const waitTime = Metric.counter("deedkit.wait.time", {
  description: "Time that calls wait before an attempt.",
  attributes: { unit: "s" },
  incremental: true,
})

/** Pages that reads accepted. Attribute: `deedkit.collection`, as for the two below; `other` is a list of the program's own. */
export const pages = Metric.counter("deedkit.pages", {
  description: "Pages that reads accepted.",
  incremental: true,
})

/** Records that reads returned, each id once. */
export const records = Metric.counter("deedkit.records", {
  description: "Records that reads returned.",
  incremental: true,
})

/** Records that reads rejected, because they are not as specified. */
export const rejectedRecords = Metric.counter("deedkit.rejected_records", {
  description: "Records that reads rejected.",
  incremental: true,
})

/** Updates the metrics of this program with the events of a client, until the scope closes. */
export const update = (client: Pick<Service, "config" | "listen">): Effect.Effect<void, never, Scope.Scope> =>
  Effect.gen(function* () {
    const context = yield* Effect.context()
    const { server, templateOf } = HttpAttributes.make(client.config.base)
    const add = (metric: Metric.Metric<number, unknown>, input: number, attributes: Record<string, string>) =>
      Metric.withAttributes(metric, attributes).updateUnsafe(input, context)

    const listener = (event: ClientEvent): void => {
      switch (event._tag) {
        case "Attempted": {
          const { method, outcome, status } = event
          const template = templateOf(event.target)
          const attributes = {
            "http.request.method": method,
            "server.address": server["server.address"],
            "server.port": String(server["server.port"]),
            ...(template === null ? {} : { "url.template": template }),
            ...(status === null ? {} : { "http.response.status_code": String(status) }),
            ...(outcome === "ok" ? {} : { "error.type": outcome }),
          }
          add(requestDuration, event.durationMillis / 1_000, attributes)
          if (event.attempt > 1) add(retries, 1, attributes)
          return
        }
        case "Waiting": {
          const attributes = { "deedkit.wait.why": event.why, "deedkit.wait.source": event.source }
          add(waits, 1, attributes)
          return add(waitTime, event.waitMillis / 1_000, attributes)
        }
        case "PageRead": {
          const attributes = { "deedkit.collection": HttpAttributes.listNameOf(event.collection) }
          add(pages, 1, attributes)
          add(records, event.records, attributes)
          return add(rejectedRecords, event.rejected, attributes)
        }
        default:
      }
    }
    yield* Effect.acquireRelease(
      Effect.sync(() => client.listen(listener)),
      (unlisten) => Effect.sync(unlisten),
    )
  })

/** Updates the metrics of this program with the events of the client, as `update` does. */
export const layer: Layer.Layer<never, never, PropertyClient> = Layer.effectDiscard(
  Effect.flatMap(PropertyClient, update),
)
