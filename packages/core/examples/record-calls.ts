/** Calls of a real service, recorded once and replayed in tests: the file holds no key, no address and nothing personal, so it can be committed. */
import { createClient, viaFetch } from "@deedkit/core/promise"
import { recordCalls, replayCalls } from "@deedkit/core/testing"
import { make } from "@deedkit/emulator"

const service = make({ contracts: 120 })
const recorder = recordCalls(viaFetch(service.fetch))

const titles = async (options: Parameters<typeof createClient>[0]) => {
  await using client = createClient(options)
  const contracts = await client.contracts.collect({ max: "all" })
  return contracts.flatMap(({ listing }) => (listing ? [listing.title] : []))
}

const real = await titles({
  baseUrl: "https://api.example.test",
  apiKey: service.apiKey,
  transport: recorder.send,
})
const file = JSON.stringify(recorder.recording(), null, 2)

const { left, send } = replayCalls(JSON.parse(file))
const again = await titles({ baseUrl: "http://localhost", apiKey: "any-key", transport: send })
console.log("requests:", recorder.recording().calls.length, "not asked for again:", left().length)
console.log("as many titles:", real.length === again.length)
console.log("titles in the file:", real.filter((title) => file.includes(title)).length)

// Output:
// => requests: 3 not asked for again: 0
// => as many titles: true
// => titles in the file: 0
