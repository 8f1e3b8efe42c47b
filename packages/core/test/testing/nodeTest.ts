/** A test of a tool under node:test; `Exploration.test.ts` runs it. */
import assert from "node:assert/strict"
import { test } from "node:test"
import { createClient } from "@deedkit/core/promise"
import { explore, RandomServers } from "@deedkit/core/testing"

void test("the tool counts every contract", async () => {
  await explore(
    async ({ apiKey, baseUrl, clock, contracts, send: transport }) => {
      await using client = createClient({ baseUrl, apiKey, clock, transport })
      assert.equal((await client.contracts.collect({ max: "all" })).length, contracts.length)
    },
    RandomServers.sound,
    { count: 20 },
  )
})
