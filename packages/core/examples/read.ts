/** Every contract, once, with a `for await` loop. */
import { createClient } from "@deedkit/core/promise"
import { make } from "@deedkit/emulator"

const emulator = make({ contracts: 120 })
await using client = createClient({
  baseUrl: "https://api.example.test",
  apiKey: emulator.apiKey,
  fetch: emulator.fetch,
})

const byStatus = new Map<string, number>()
for await (const contract of client.contracts.list()) {
  byStatus.set(contract.status, (byStatus.get(contract.status) ?? 0) + 1)
}
console.log(
  [...byStatus.values()].reduce((sum, count) => sum + count, 0),
  "contracts",
)

for await (const page of client.contracts.pages({ limit: 50 })) {
  const { complete, cursor, records } = page.summary
  console.log(`${records} so far, cursor ${cursor.parameter} ${cursor.state}, complete: ${complete}`)
}

// Output:
// => 120 contracts
// => 50 so far, cursor before_id unverified, complete: false
// => 100 so far, cursor before_id verified, complete: false
// => 120 so far, cursor before_id verified, complete: true
