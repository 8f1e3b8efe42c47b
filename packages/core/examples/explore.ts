/** Your own tool against many servers that are made at random: pages, cursors, orders and faults of every kind. No test runner is needed. */
import assert from "node:assert/strict"
import { createClient } from "@deedkit/core/promise"
import type { Contract } from "@deedkit/core/promise"
import { ExplorationFailed, explore, RandomServers } from "@deedkit/core/testing"
import type { ListServer } from "@deedkit/core/testing"

/** The tool counts contracts without a listing. */
const check = (hasNone: (contract: Contract) => boolean) => async (server: ListServer) => {
  const { apiKey, baseUrl, clock, contracts, send } = server
  await using client = createClient({ baseUrl, apiKey, transport: send, clock })
  let counted = 0
  for await (const contract of client.contracts.list()) if (hasNone(contract)) counted += 1
  assert.equal(counted, contracts.filter(({ listing_id }) => listing_id === null).length)
}

try {
  await explore(
    check(({ listing }) => listing === null),
    RandomServers.sound,
  )
} catch (error) {
  if (!(error instanceof ExplorationFailed)) throw error
  console.log("wrong on a server with", error.traits)
}

await explore(
  check(({ listing }) => !listing),
  RandomServers.sound,
  { count: 200 },
)
console.log("right on 200 servers")

// Output:
// => wrong on a server with { noListing: 'absent' }
// => right on 200 servers
