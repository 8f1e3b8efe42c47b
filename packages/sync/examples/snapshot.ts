/** A list as it was: the contracts of the first of two nights, with the proof of its read, after the second one. */
import { PropertyClient, Transport } from "@deedkit/core"
import { make } from "@deedkit/emulator"
import { isComplete, sqliteStore, syncAccount } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"

const emulator = make({ contracts: 120 })

const program = Effect.gen(function* () {
  const store = yield* sqliteStore({ path: ":memory:" })
  const client = yield* PropertyClient.make({ baseUrl: "https://api.example.test", apiKey: emulator.apiKey })
  const night = (moment: string) =>
    Effect.andThen(
      TestClock.setTime(Date.parse(moment)),
      syncAccount({ store, client, account: "acme", collections: ["contracts"] }),
    )
  yield* night("2026-10-30T02:00:00Z")
  emulator.store.remove(emulator.store.contracts[0]!.id)
  yield* night("2026-10-31T02:00:00Z")

  for (const at of ["2026-10-31T00:00:00.000Z", null]) {
    const snapshot = yield* store.snapshot({ account: "acme", collection: "contracts", at })
    let records = 0
    let after: number | null = null
    do {
      const page: ReadonlyArray<{ readonly id: number }> = yield* snapshot.page(after, 50)
      records += page.length
      after = page.length < 50 ? null : page.at(-1)!.id
    } while (after !== null)
    console.log(`${records} contracts, run ${snapshot.row.run}, complete: ${isComplete(snapshot.row)}`)
  }
  const early = store.snapshot({ account: "acme", collection: "contracts", at: "2026-10-01T00:00:00.000Z" })
  console.log((yield* Effect.flip(early)).message)
})

await Effect.runPromise(
  program.pipe(
    Effect.scoped,
    Effect.provideService(Transport.Transport, Transport.viaFetch(emulator.fetch)),
    Effect.provide(TestClock.layer()),
  ),
)

// Output:
// => 120 contracts, run 1, complete: true
// => 119 contracts, run 2, complete: true
// => The mirror does not know the contracts of acme at 2026-10-01T00:00:00.000Z. It knows them from 2026-10-30T02:00:00.000Z on.
