/** Many records by id: one request for each id, results in the order of the ids, unknown ids included. */
import { createClient } from "@deedkit/core/promise"
import { make } from "@deedkit/emulator"

const emulator = make({ contracts: 120 })
await using client = createClient({
  baseUrl: "https://api.example.test",
  apiKey: emulator.apiKey,
  fetch: emulator.fetch,
})

const [a, b] = emulator.store.contracts.map((contract) => contract.id)
const lookups = await client.contracts.getMany([b ?? 0, 999_999, a ?? 0, b ?? 0])
for (const lookup of lookups) {
  console.log(lookup._tag === "Found" ? `${lookup.record.unit_label} (${lookup.record.kind})` : "unknown")
}
console.log(emulator.journal.entries.length, "requests")

// Output:
// => Ap. 152 32 (seasonal)
// => unknown
// => 1-2 (sale)
// => Ap. 152 32 (seasonal)
// => 3 requests
