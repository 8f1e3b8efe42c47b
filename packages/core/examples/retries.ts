/** Retries and time limits of the client, over them those of a call, and a schedule of Effect instead of a policy. */
import type { RetryPolicy } from "@deedkit/core"
import { ClientError, createClient } from "@deedkit/core/promise"
import { make } from "@deedkit/emulator"
import * as Schedule from "effect/Schedule"

const emulator = make({ contracts: 120, faults: [{ name: "server-error", status: 503 }] })
await using client = createClient({
  baseUrl: "https://api.example.test",
  apiKey: emulator.apiKey,
  fetch: emulator.fetch,
  retry: { attempts: 2, baseMillis: 1, leastMillis: 0 },
})

const capped = Schedule.min([Schedule.exponential("2 millis"), Schedule.spaced("1 second")]).pipe(
  Schedule.jittered,
  Schedule.upTo({ times: 5 }),
)
const rateLimitsOnly = capped.pipe(
  Schedule.setInputType<RetryPolicy.Failure>(),
  Schedule.while(({ input }) => input.reason._tag === "RateLimited"),
)

const attempts = async (options: Parameters<typeof client.me>[0]) => {
  const error: unknown = await client.me(options).catch((reason: unknown) => reason)
  return error instanceof ClientError ? error.attempts.length : String(error)
}
console.log("as the client says:", await attempts({}))
console.log("one call, three attempts:", await attempts({ retry: { attempts: 3 } }))
console.log("by a schedule:", await attempts({ retry: capped, timeLimits: { deadline: "10 seconds" } }))
console.log("by one for rate limits only:", await attempts({ retry: rateLimitsOnly }))

// Output:
// => as the client says: 2
// => one call, three attempts: 3
// => by a schedule: 6
// => by one for rate limits only: 1
