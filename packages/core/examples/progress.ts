/** Progress and the reasons of waits, from the events of a client. */
import { createClient } from "@deedkit/core/promise"
import { make } from "@deedkit/emulator"

const emulator = make({
  contracts: 120,
  faults: [{ name: "rate-limit", retryAfter: 1, when: { requests: [2] } }],
})
await using client = createClient({
  baseUrl: "https://api.example.test",
  apiKey: emulator.apiKey,
  fetch: emulator.fetch,
  retry: "patient",
})
client.listen((event) => {
  if (event._tag === "PageRead")
    console.log(`page ${event.summary.pages}: ${event.summary.records} contracts`)
  if (event._tag === "Waiting" && event.why === "rate-limited")
    console.log(`rate limited: waiting ${Math.floor(event.waitMillis / 1_000)} s`)
})
await client.contracts.collect({ max: "all", limit: 50 })

// Output:
// => page 1: 50 contracts
// => rate limited: waiting 1 s
// => page 2: 100 contracts
// => page 3: 120 contracts
