/** Spans, metrics and log lines of a client: each is a layer, and none costs anything where it is not provided. */
import { ClientMetrics, EventLog, PropertyClient, Transport } from "@deedkit/core"
import { make } from "@deedkit/emulator"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import * as References from "effect/References"
import * as Tracer from "effect/Tracer"

const emulator = make({
  contracts: 120,
  faults: [{ name: "server-error", status: 503, when: { requests: [1] } }],
})

// In a program this is the tracer of `@effect/opentelemetry` or of `effect/observability`.
const tracer = Tracer.make({
  span: (options) => {
    console.log("span:", options.kind, options.name)
    return new Tracer.NativeSpan(options)
  },
})
const logger = Logger.make(({ message }) => {
  const [, ...words] = String(message).split(" ")
  console.log(
    "log:",
    words
      .slice(0, 4)
      .join(" ")
      .replace(/\d+ ms/, "N ms"),
  )
})

const client = PropertyClient.layer({ baseUrl: "https://api.example.test", apiKey: emulator.apiKey })
const observed = Layer.mergeAll(EventLog.layer, ClientMetrics.layer).pipe(
  Layer.provideMerge(client),
  Layer.provide(Layer.succeed(Transport.Transport, Transport.viaFetch(emulator.fetch))),
  Layer.provideMerge(Logger.layer([logger])),
)

const program = Effect.gen(function* () {
  const { contracts } = yield* PropertyClient.PropertyClient
  yield* contracts.collect({ max: "all", limit: 100 })
  const pages = Metric.withAttributes(ClientMetrics.pages, { "deedkit.collection": "contracts" })
  console.log("pages:", (yield* Metric.value(pages)).count)
})

await Effect.runPromise(
  program.pipe(
    Effect.provide(observed),
    Effect.provideService(Tracer.Tracer, tracer),
    Effect.provideService(References.MinimumLogLevel, "Debug"),
  ),
)

// Output:
// => span: internal contracts.list
// => span: internal contracts.page
// => span: client GET /v1/contracts/
// => log: #1 GET /v1/contracts/?limit=100: 503
// => log: waiting N ms until
// => span: client GET /v1/contracts/
// => log: #2 GET /v1/contracts/?limit=100: 200
// => log: not in the specification:
// => log: not in the specification:
// => log: page 1 of contracts
// => span: internal contracts.page
// => span: client GET /v1/contracts/
// => log: #3 GET /v1/contracts/?limit=100&before_id=1026: 200
// => log: page 2 of contracts
// => pages: 2
