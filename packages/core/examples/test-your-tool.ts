/** A test of your own tool: scripted answers, waits that take no time, no server. */
import assert from "node:assert/strict"
import { PropertyClient, Transport } from "@deedkit/core"
import { Fixtures, scripted, virtualClock } from "@deedkit/core/testing"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** The tool: whether anything is for rent. */
const isAnythingForRent = Effect.gen(function* () {
  const client = yield* PropertyClient.make({ baseUrl: "https://api.example.test", apiKey: "test-key" })
  const contracts = yield* client.contracts.collect({ max: "all" })
  return contracts.some((contract) => contract.kind === "rent")
})

const script = scripted([
  { status: 429, headers: { "retry-after": "30" } },
  { body: { ok: true, items: [Fixtures.contract({ kind: "rent" })], next_before_id: null } },
])
const clock = virtualClock(0)

const answer = await isAnythingForRent.pipe(
  Effect.provideService(Transport.Transport, script.send),
  Effect.provideService(Clock.Clock, clock),
  Effect.runPromise,
)
assert.equal(answer, true)
assert.ok(clock.plain.now() >= 30_000)
console.log("asked for", script.requests.map((request) => request.target).join(" and "))

// Output:
// => asked for /v1/contracts/ and /v1/contracts/
