/** An abort signal ends a wait at once; an aborted one sends nothing. */
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
  if (event._tag === "Waiting") controller.abort(new Error("the user had enough"))
})
await client.contracts
  .get(1, { signal: controller.signal })
  .catch((reason: unknown) => console.log(String(reason)))

const before = emulator.journal.entries.length
await client.contracts
  .get(1, { signal: AbortSignal.abort(new Error("never mind")) })
  .catch((reason: unknown) => console.log(String(reason)))
console.log("requests sent for the second one:", emulator.journal.entries.length - before)

// Output:
// => Error: the user had enough
// => Error: never mind
// => requests sent for the second one: 0
