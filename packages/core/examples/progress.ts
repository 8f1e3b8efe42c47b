/** Progress and the reasons of waits, from the events of a client; on a clock on which waits take no time. */
import { PropertyClient, Transport } from "@deedkit/core"
import { virtualClock } from "@deedkit/core/testing"
import { make } from "@deedkit/emulator"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

const clock = virtualClock(Date.parse("2026-03-01T14:02:30Z"))
const emulator = make({
  contracts: 120,
  clock: clock.plain,
  faults: [{ name: "rate-limit", retryAfter: 40, when: { requests: [2] } }],
})

const program = Effect.gen(function* () {
  const client = yield* PropertyClient.make({
    baseUrl: "https://api.example.test",
    apiKey: emulator.apiKey,
    retry: "patient",
  })
  client.listen((event) => {
    if (event._tag === "PageRead")
      console.log(`page ${event.summary.pages}: ${event.summary.records} contracts`)
    if (event._tag === "Waiting" && event.source === "retry-after") {
      console.log(`rate limited until ${event.until.slice(11, 16)}`)
    }
  })
  yield* Stream.runDrain(client.contracts.list({ limit: 50 }))
})

await program.pipe(
  Effect.provideService(Transport.Transport, Transport.viaFetch(emulator.fetch)),
  Effect.provideService(Clock.Clock, clock),
  Effect.runPromise,
)

// Output:
// => page 1: 50 contracts
// => rate limited until 14:03
// => page 2: 100 contracts
// => page 3: 120 contracts
