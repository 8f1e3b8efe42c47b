/** A test of your own tool: scripted answers, short waits, no server. */
import assert from "node:assert/strict"
import { createClient } from "@deedkit/core/promise"
import type { Client } from "@deedkit/core/promise"
import { Fixtures, scripted } from "@deedkit/core/testing"

/** The tool: whether anything is for rent. */
const isAnythingForRent = async (client: Client): Promise<boolean> => {
  const contracts = await client.contracts.collect({ max: "all" })
  return contracts.some((contract) => contract.kind === "rent")
}

const { requests, send } = scripted([
  { status: 503 },
  { body: { ok: true, items: [Fixtures.contract({ kind: "rent" })], next_before_id: null } },
])
await using client = createClient({
  baseUrl: "https://api.example.test",
  apiKey: "test-key",
  transport: send,
  retry: { baseMillis: 1, leastMillis: 0 },
})
assert.equal(await isAnythingForRent(client), true)
console.log("asked for", requests.map((request) => request.target).join(" and "))

// Output:
// => asked for /v1/contracts/ and /v1/contracts/
