/** An abort signal ends a wait at once. With an aborted signal nothing is sent. */
import { createClient } from "@deedkit/core/promise"
import { make } from "@deedkit/emulator"

const emulator = make({ contracts: 120, faults: [{ name: "rate-limit", retryAfter: 30 }] })
await using client = createClient({
  baseUrl: "https://api.example.test",
  apiKey: emulator.apiKey,
  fetch: emulator.fetch,
})

const controller = new AbortController()
client.listen((event) => {
  if (event._tag === "Waiting") controller.abort(new Error("cancelled by the user"))
})
await client.contracts
  .get(1, { signal: controller.signal })
  .catch((reason: unknown) => console.log(String(reason)))

const before = emulator.journal.entries.length
await client.contracts
  .get(1, { signal: AbortSignal.abort(new Error("cancelled before it began")) })
  .catch((reason: unknown) => console.log(String(reason)))
console.log("requests sent for the second one:", emulator.journal.entries.length - before)

// Output:
// => Error: cancelled by the user
// => Error: cancelled before it began
// => requests sent for the second one: 0
