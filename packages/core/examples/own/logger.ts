/** Log lines with UTC timestamps and request ids, for any logger. No line holds the key. */
import { createClient, eventLine } from "@deedkit/core/promise"
import { make } from "@deedkit/emulator"

const emulator = make({
  contracts: 120,
  faults: [{ name: "server-error", status: 503, when: { requests: [1] } }],
})
await using client = createClient({
  baseUrl: "https://api.example.test",
  apiKey: emulator.apiKey,
  fetch: emulator.fetch,
})

const lines: Array<string> = []
client.listen((event) => lines.push(eventLine(event)))
await client.contracts.get(emulator.store.contracts[0]?.id ?? 0)

for (const line of lines) {
  console.log(line.replaceAll(/\d{4}-\S+Z/g, "TIME").replaceAll(/\d+ ms/g, "N ms"))
}
console.log(
  "holds the key:",
  lines.some((line) => line.includes(emulator.apiKey)),
)

// Output:
// => TIME #1 GET /v1/contracts/?id=1152: 503 ServerFault in N ms, request id req_402f_000001
// => TIME waiting N ms until TIME: retry (ServerFault), named by backoff
// => TIME #2 GET /v1/contracts/?id=1152: 200 ok in N ms, request id req_402f_000002, attempt 2
// => holds the key: false
