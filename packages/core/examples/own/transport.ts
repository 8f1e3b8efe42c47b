/** A transport of your own: a function from a request to status, headers and text. This one caches answers. */
import { createClient } from "@deedkit/core/promise"
import { Transport } from "@deedkit/core"
import { make } from "@deedkit/emulator"

const emulator = make({ contracts: 120 })
const answers = new Map<string, Transport.TransportResponse>()
const direct = Transport.viaFetch(emulator.fetch)
const cached: Transport.Send = async (request, cancellation) => {
  const known = answers.get(request.url)
  if (known !== undefined) return known
  const answer = await direct(request, cancellation)
  if (answer.status === 200) answers.set(request.url, answer)
  return answer
}

await using client = createClient({
  baseUrl: "https://api.example.test",
  apiKey: emulator.apiKey,
  transport: cached,
})
const id = emulator.store.contracts[0]?.id ?? 0
const first = await client.contracts.get(id)
const second = await client.contracts.get(id)
console.log(first.id === second.id, emulator.journal.entries.length, "request")

// Output:
// => true 1 request
