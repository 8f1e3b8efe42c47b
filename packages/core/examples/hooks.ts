/** Hooks see each request and the head of each answer, without the key. They change nothing. */
import { createClient, viaFetch, withHooks } from "@deedkit/core/promise"
import { make } from "@deedkit/emulator"

const emulator = make({ contracts: 120 })
const transport = withHooks(
  {
    onRequest: ({ headers, method, url }) => console.log(method, url, Object.keys(headers).join(", ")),
    onResponse: ({ header, status }) => console.log(status, header("content-type")),
  },
  viaFetch(emulator.fetch),
)
await using client = createClient({
  baseUrl: "https://api.example.test",
  apiKey: emulator.apiKey,
  userAgent: "nightly-sync/2.1 (ops@example.com)",
  transport,
})
await client.me()

// Output:
// => GET https://api.example.test/v1/me/ accept, user-agent
// => 200 application/json; charset=utf-8
