/**
 * The nights of a year in a mirror, in one process: each night a share of the contracts of each account is changed, added and removed. Arguments: the
 * file, the number of nights, accounts and contracts, and how many days of history the weekly `prune` keeps; 0 for all.
 */
import { PropertyClient, Transport } from "@deedkit/core"
import { make } from "@deedkit/emulator"
import { sqliteStore, syncAccount } from "@deedkit/sync"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { start } from "./measure.ts"

const [mirror = "", ...sizes] = process.argv.slice(2)
const [nights = 0, accounts = 0, contracts = 0, kept = 0] = sizes.map(Number)
const day = 86_400_000
const first = Date.UTC(2026, 0, 1, 2)

/** Does work at a moment. */
const at =
  (millis: number) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.Clock, (clock) =>
      Effect.provideService(
        work,
        Clock.Clock,
        Object.assign(Object.create(clock) as Clock.Clock, {
          currentTimeMillis: Effect.succeed(millis),
          currentTimeMillisUnsafe: () => millis,
        }),
      ),
    )

const services = Array.from({ length: accounts }, (_, seed) => make({ contracts, seed }))

/** A night's changes: 2 % of the contracts are changed, and 1 % and 0.5 % of the first ones are added and removed. */
const change = (night: number): void => {
  for (const [number, { store }] of services.entries()) {
    const all = store.contracts
    const share = (of: number, part: number): number =>
      Math.floor(of * part + ((night * 7 + number * 3) % 10) / 10)
    const idAt = (step: number): number => all[(night * 31 + step * 17) % all.length]!.id
    const updated_at = new Date(first + night * day).toISOString()
    for (let step = share(all.length, 0.02); step > 0; step--)
      store.update(idAt(step), { status: `night-${night}`, updated_at })
    for (let step = share(contracts, 0.01); step > 0; step--) store.insert()
    const gone = Array.from({ length: share(contracts, 0.005) }, (_, step) => idAt(step))
    for (const id of new Set(gone)) store.remove(id)
  }
}

const print = start()
const records = await Effect.gen(function* () {
  const store = yield* sqliteStore({ path: mirror })
  let read = 0
  for (let night = 0; night < nights; night++) {
    if (night > 0) change(night)
    yield* Effect.forEach(
      services,
      ({ apiKey, fetch }, number) =>
        Effect.gen(function* () {
          const baseUrl = `https://service-${number}.example.test`
          const client = yield* PropertyClient.make({ baseUrl, apiKey, rate: 0 })
          for (const run of yield* syncAccount({ store, client, account: `owner-${number}` }))
            read += run.records
        }).pipe(Effect.provideService(Transport.Transport, Transport.viaFetch(fetch))),
      { concurrency: 8, discard: true },
    ).pipe(at(first + night * day))
    if (kept > 0 && night % 7 === 0) yield* store.prune(new Date(first + (night - kept) * day).toISOString())
  }
  return read
}).pipe(Effect.scoped, Effect.runPromise)
print({ records })
