/** Spans of a client, in the tracer of the program: one for each call, and one for each of its attempts. */
import { PropertyClient, Transport } from "@deedkit/core"
import { make } from "@deedkit/emulator"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"

const emulator = make({
  contracts: 120,
  faults: [{ name: "server-error", status: 503, when: { requests: [1] } }],
})

// In a program this is the tracer of `@effect/opentelemetry` or of `effect/observability`.
const tracer = Tracer.make({
  span: (options) => {
    console.log(options.kind, options.name)
    return new Tracer.NativeSpan(options)
  },
})

const program = Effect.gen(function* () {
  const { contracts } = yield* PropertyClient.PropertyClient
  yield* contracts.collect({ max: "all", limit: 100 })
})

await program.pipe(
  Effect.withSpan("nightly"),
  Effect.provide(PropertyClient.layer({ baseUrl: "https://api.example.test", apiKey: emulator.apiKey })),
  Effect.provideService(Transport.Transport, Transport.viaFetch(emulator.fetch)),
  Effect.withTracer(tracer),
  Effect.runPromise,
)

// Output:
// => internal nightly
// => internal contracts.page
// => client GET /v1/contracts/
// => client GET /v1/contracts/
// => internal contracts.page
// => client GET /v1/contracts/
