/** Two nights of a mirror: all contracts, then what changed, with the texts before and after. */
import { PropertyClient, Transport } from "@deedkit/core"
import { make } from "@deedkit/emulator"
import { isComplete, sqliteStore, syncAccount } from "@deedkit/sync"
import * as Effect from "effect/Effect"

const emulator = make({ contracts: 120 })

const program = Effect.gen(function* () {
  const store = yield* sqliteStore({ path: ":memory:" })
  const client = yield* PropertyClient.make({ baseUrl: "https://api.example.test", apiKey: emulator.apiKey })
  const night = Effect.gen(function* () {
    for (const run of yield* syncAccount({ store, client, account: "acme" })) {
      const { added, changed, collection, completeness, removed } = run
      console.log(collection, completeness, isComplete(run), `+${added} ~${changed} -${removed}`)
    }
  })
  yield* night
  const [first, second] = emulator.store.contracts
  emulator.store.update(first!.id, { status: "on_hold" })
  emulator.store.remove(second!.id)
  yield* night
  for (const { changes } of yield* store.changes("2026-01-01T00:00:00.000Z")) {
    for (const { before, body, change, members } of changes) {
      const statusOf = (text: string | null) => (text === null ? "none" : String(JSON.parse(text).status))
      console.log(
        `${change}: ${statusOf(before)} -> ${statusOf(body)}${members.length === 0 ? "" : ` (${members.join(", ")})`}`,
      )
    }
  }
})

await Effect.runPromise(
  program.pipe(Effect.scoped, Effect.provideService(Transport.Transport, Transport.viaFetch(emulator.fetch))),
)

// Output:
// => contracts proven true +120 ~0 -0
// => api-keys proven true +12 ~0 -0
// => contracts proven true +0 ~1 -1
// => api-keys proven true +0 ~0 -0
// => removed: active -> none
// => changed: ended -> on_hold (status, updated_at)
