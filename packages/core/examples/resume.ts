/** A read that stops after a page and resumes later from a checkpoint, which is plain JSON. */
import { createClient } from "@deedkit/core/promise"
import type { Checkpoint } from "@deedkit/core/promise"
import { make } from "@deedkit/emulator"

const emulator = make({ contracts: 120 })
const options = { baseUrl: "https://api.example.test", apiKey: emulator.apiKey, fetch: emulator.fetch }

let saved = ""
await using client = createClient(options)
for await (const page of client.contracts.pages({ limit: 50 })) {
  saved = JSON.stringify(page.checkpoint)
  console.log("first run:", page.records.length, "records")
  break
}

const checkpoint: Checkpoint = JSON.parse(saved)
for await (const page of client.contracts.pages({ limit: 50, from: checkpoint })) {
  console.log("second run:", page.records.length, "records,", page.summary.records, "in all")
}

const other = createClient({ ...options, apiKey: emulator.secrets.contractsOnly })
try {
  await other.contracts.collect({ max: "all", from: checkpoint })
} catch (error) {
  console.log(error instanceof Error ? error.message : error)
}

// Output:
// => first run: 50 records
// => second run: 50 records, 100 in all
// => second run: 20 records, 120 in all
// => The checkpoint belongs to another read: its key differs. Start again without the checkpoint, or use the account, address and list of the checkpoint.
