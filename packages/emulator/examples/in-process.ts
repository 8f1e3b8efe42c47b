/** The emulator in process: a page, a fault, the journal. */
import { make } from "@deedkit/emulator"

const emulator = make({ contracts: 5, faults: ["rate-limit:retryAfter=1,requests=2"] })
const headers = { authorization: `Bearer ${emulator.apiKey}` }
const ask = (query: string) => emulator.fetch(`https://api.example.test/v1/contracts/${query}`, { headers })

const page = await (await ask("?limit=2")).json()
console.log(
  page.items.length,
  "contracts, more before",
  page.next_before_id === page.items[1].id ? "the last of them" : "another",
)

const limited = await ask("?limit=2")
console.log(limited.status, "retry after", limited.headers.get("retry-after"))

emulator.store.update(page.items[0].id, { status: "ended" })
const changed = await (await ask(`?id=${page.items[0].id}`)).json()
console.log("status is now", changed.contract.status)

for (const { fault, status } of emulator.journal.entries)
  console.log(status, fault ?? "as the service answers")

// Output:
// => 2 contracts, more before the last of them
// => 429 retry after 1
// => status is now ended
// => 200 as the service answers
// => 429 rate-limit
// => 200 as the service answers
