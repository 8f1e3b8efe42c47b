/** A list and a request that the specification only names: the same key, rate limiter, retries, cursor verification and proof. */
import { createClient } from "@deedkit/core/promise"
import { open } from "@deedkit/core/promise-open"
import { scripted } from "@deedkit/core/testing"
import * as Schema from "effect/Schema"

const Listing = Schema.Struct({ id: Schema.Int, city: Schema.String })
const listings = { path: "/v1/listings/", member: "listing", noun: "listing", scope: "read:listings" }

const cities = ["Chania", "Heraklion", "Rethymno"].map((city, at) => ({ id: 3 - at, city }))
const { requests, send } = scripted([
  { body: { ok: true, items: cities.slice(0, 2), next_before_id: 2 } },
  { body: { ok: true, items: cities.slice(2), next_before_id: null } },
  { body: { ok: true, count: 3 }, headers: { "x-request-id": "r-3" } },
])

await using client = open(
  createClient({ baseUrl: "https://api.example.test", apiKey: "a-key-of-yours", transport: send }),
)
for await (const listing of client.collection(listings, Listing).list()) console.log(listing.id, listing.city)

const { requestId, status, value } = await client.request(
  { path: "/v1/listings/count/", scope: "read:listings" },
  { query: { city: "Chania" } },
)
console.log(status, requestId, value["count"])
for (const { target } of requests) console.log(target)

// Output:
// => 3 Chania
// => 2 Heraklion
// => 1 Rethymno
// => 200 r-3 3
// => /v1/listings/
// => /v1/listings/?before_id=2
// => /v1/listings/count/?city=Chania
