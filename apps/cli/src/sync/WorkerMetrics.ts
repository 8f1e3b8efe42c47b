/** `/healthz` and `/metrics` of a worker: sums of its own work and of the queue, none of them by account. */
import { createServer } from "node:http"
import type { ClientEvent } from "@deedkit/core"
import type { QueueState, WorkerEvent } from "@deedkit/sync-postgres/worker"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { isComplete } from "@deedkit/sync"
import type { Failure } from "../failure/Failure.ts"
import { codeOf, usageError } from "../failure/Failure.ts"

/** A worker whose queue has not answered for so long is not healthy. */
const mostMillis = 60_000

export interface Metrics {
  /** Counts what the client of an account does, for as long as the account has a slot. */
  readonly slot: Effect.Effect<ClientEvent.Listener, never, Scope.Scope>
  readonly listen: (event: WorkerEvent) => void
  readonly observe: (state: QueueState) => void
}

/** Host and port of `--metrics`: a port alone is one of this machine. Null for anything else. */
const addressOf = (text: string): { readonly host: string; readonly port: number } | null => {
  const [, host = "127.0.0.1", port = ""] = /^(?:\[?([\w.:-]+?)\]?:)?(\d{1,5})$/.exec(text) ?? []
  const number = Number(port)
  return port !== "" && number > 0 && number < 65_536 ? { host, port: number } : null
}

interface Figures {
  slotsInUse: number
  pages: number
  requests: number
  retries: number
  limited: number
  readonly accounts: { complete: number; incomplete: number; delayed: number; failed: number }
  queue: QueueState | null
}

const textOf = ({ accounts, queue, ...own }: Figures, slots: number): string => {
  const lines = (
    name: string,
    kind: "counter" | "gauge",
    help: string,
    values: { readonly [labels: string]: number },
  ) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${kind}`,
    ...Object.entries(values).map(([labels, value]) => `${name}${labels} ${value}`),
  ]
  const counter = (name: string, help: string, value: number) =>
    lines(`deedkit_worker_${name}_total`, "counter", help, { "": value })
  const gauge = (name: string, help: string, value: number) =>
    lines(`deedkit_${name}`, "gauge", help, { "": value })
  const outcomes = Object.entries(accounts).map(([name, value]) => [`{outcome="${name}"}`, value])
  return [
    ...gauge("worker_slots", "Accounts that this worker reads at once, at most", slots),
    ...gauge("worker_slots_in_use", "Accounts that this worker reads", own.slotsInUse),
    ...lines(
      "deedkit_worker_accounts_total",
      "counter",
      "Accounts that this worker has tried, by how that ended",
      Object.fromEntries(outcomes),
    ),
    ...counter("pages", "Pages that this worker has read", own.pages),
    ...counter("requests", "Requests that this worker has sent, each attempt", own.requests),
    ...counter("retries", "Attempts after a failed one", own.retries),
    ...counter("rate_limited", "Answers with status 429", own.limited),
    ...(queue === null
      ? []
      : [
          ...gauge("queue_reading", "Accounts that all workers read", queue.reading),
          ...gauge("queue_waiting", "Accounts that wait for a slot", queue.waiting),
          ...gauge("queue_again", "Accounts that are tried again later", queue.again),
          ...gauge("queue_failed", "Dead letters: accounts that failed for good", queue.failed),
          ...gauge(
            "queue_oldest_seconds",
            "How long an account has waited for a slot, at most",
            queue.oldestSeconds,
          ),
        ]),
    "",
  ].join("\n")
}

/** Counts, and serves the figures at an address until its scope closes; null counts for nobody. */
export const serve = Effect.fnUntraced(function* (
  text: string | undefined,
  slots: number,
): Effect.fn.Return<Metrics, Failure, Scope.Scope> {
  const figures: Figures = {
    slotsInUse: 0,
    pages: 0,
    requests: 0,
    retries: 0,
    limited: 0,
    accounts: { complete: 0, incomplete: 0, delayed: 0, failed: 0 },
    queue: null,
  }
  let seenMillis: number | null = null
  const metrics: Metrics = {
    slot: Effect.as(
      Effect.acquireRelease(
        Effect.sync(() => {
          figures.slotsInUse += 1
        }),
        () =>
          Effect.sync(() => {
            figures.slotsInUse -= 1
          }),
      ),
      (event) => {
        if (event._tag === "PageRead") figures.pages += 1
        if (event._tag !== "Attempted") return
        figures.requests += 1
        if (event.attempt > 1) figures.retries += 1
        if (event.status === 429) figures.limited += 1
      },
    ),
    listen: (event) => {
      const { accounts } = figures
      if (event._tag === "Synced") accounts[event.rows.every(isComplete) ? "complete" : "incomplete"] += 1
      if (event._tag === "Delayed") accounts.delayed += 1
      if (event._tag === "Failed") accounts.failed += 1
    },
    observe: (state) => {
      figures.queue = state
      seenMillis = performance.now()
    },
  }
  if (text === undefined) return metrics
  const address = addressOf(text)
  if (address === null)
    return yield* usageError(`--metrics ${text} is not an address`, "Write it as 9464 or 0.0.0.0:9464.")
  const server = createServer((request, response) => {
    const isHealthy = seenMillis !== null && performance.now() - seenMillis < mostMillis
    const [status, body]: readonly [number, string] =
      request.method !== "GET"
        ? [405, "Only GET\n"]
        : request.url === "/metrics"
          ? [200, textOf(figures, slots)]
          : request.url === "/healthz"
            ? isHealthy
              ? [200, "ok\n"]
              : [503, `The queue has not answered for ${mostMillis / 1_000} s\n`]
            : [404, "/healthz or /metrics\n"]
    response.writeHead(status, { "content-type": "text/plain; version=0.0.4; charset=utf-8" })
    response.end(body)
  })
  yield* Effect.acquireRelease(
    Effect.callback<void, Failure>((resume) => {
      server.once("error", (cause) =>
        resume(
          usageError(`--metrics ${text} cannot be listened to (${codeOf(cause)})`, "Choose another address."),
        ),
      )
      server.listen(address.port, address.host, () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      }),
  )
  return metrics
})
