/** One error with a tagged reason: what happened, and an action id for what to do. */
import { actionOf, ClientError, createClient, match } from "@deedkit/core/promise"
import { make } from "@deedkit/emulator"

const emulator = make({ contracts: 120 })
await using client = createClient({
  baseUrl: "https://api.example.test",
  apiKey: emulator.secrets.keysOnly,
  fetch: emulator.fetch,
})

try {
  await client.contracts.get(1)
} catch (error) {
  if (!(error instanceof ClientError)) throw error
  console.log(error.message)
  match(error, {
    Forbidden: ({ scope }) => console.log("missing scope:", scope),
    RateLimited: ({ retryAt }) => console.log("try again at:", retryAt),
    orElse: ({ _tag }) => console.log("reason:", _tag),
  })
  console.log("action:", actionOf(error.reason))
  console.log("retryable:", error.retryable, "- documented:", error.documented)
}

// Output:
// => Could not read contract 1 from /v1/contracts/: the API key lacks the scope read:contracts (403, server says "This API key lacks the scope read:contracts.") (request id req_402f_000001). Create a key with read:contracts in the service's dashboard, and use that one.
// => missing scope: read:contracts
// => action: ask-for-scope
// => retryable: false - documented: false
