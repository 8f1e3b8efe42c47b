/**
 * A mirror of an account that was synced on three nights of October 2026, and runs of the program that have the mirror alone: no address, no key, and
 * no service that would answer.
 */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { PropertyClient, Transport } from "@deedkit/core"
import type { Emulator, EmulatorOptions } from "@deedkit/emulator"
import { make } from "@deedkit/emulator"
import type { SyncOptions } from "@deedkit/sync"
import { sqliteStore, syncAccount } from "@deedkit/sync"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import type { Ended } from "./InProcess.ts"
import { call } from "./InProcess.ts"

type Contracts = Emulator["store"]["contracts"]

export interface Nights extends AsyncDisposable {
  readonly folder: string
  readonly mirror: string
  readonly emulator: Emulator
  /** The contracts of the service after each night. */
  readonly truths: ReadonlyArray<Contracts>
  /** Syncs at a moment. */
  readonly sync: (
    moment: string,
    more?: Partial<SyncOptions> & { readonly fetch?: Transport.Fetch },
  ) => Promise<void>
  /** Runs the program, at a moment where one is given. */
  readonly call: (args: ReadonlyArray<string>, moment?: string) => Promise<Ended>
  /** Changes the mirror behind the program's back. */
  readonly damage: (sql: string) => void
}

const clockAt = (moment: string): Promise<Clock.Clock> =>
  Effect.runPromise(
    Effect.map(Clock.Clock, (clock) => {
      const millis = Date.parse(moment)
      return Object.assign(Object.create(clock) as Clock.Clock, {
        currentTimeMillis: Effect.succeed(millis),
        currentTimeMillisUnsafe: () => millis,
      })
    }),
  )

/** The moments of the three nights. */
export const moments = ["2026-10-29T02:00:00.000Z", "2026-10-30T02:00:00.000Z", "2026-10-31T02:00:00.000Z"]

export const nights = async (options: EmulatorOptions = { contracts: 120 }): Promise<Nights> => {
  const folder = await mkdtemp(join(tmpdir(), "deedkit-nights-"))
  const mirror = join(folder, "mirror.sqlite")
  const emulator = make(options)
  const sync: Nights["sync"] = (moment, { fetch = emulator.fetch, ...more } = {}) =>
    Effect.runPromise(
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.parse(moment))
        const store = yield* sqliteStore({ path: mirror })
        const client = yield* PropertyClient.make({
          baseUrl: "https://acme.example.test",
          apiKey: emulator.apiKey,
          rate: 0,
          retry: { attempts: 1 },
        }).pipe(Effect.provideService(Transport.Transport, Transport.viaFetch(fetch)))
        yield* Effect.ignore(syncAccount({ store, client, account: "acme", ...more }))
      }).pipe(Effect.scoped, Effect.provide(TestClock.layer())),
    )
  const truths: Array<Contracts> = []
  for (const [night, moment] of moments.entries()) {
    const [first, second] = emulator.store.contracts
    if (night > 0) {
      // Long ago, so that no read takes it for a change that happened meanwhile.
      emulator.store.update(first!.id, { status: `night-${night}`, updated_at: "2026-01-02T10:00:00Z" })
      emulator.store.remove(second!.id)
    }
    await sync(moment)
    truths.push(structuredClone(emulator.store.contracts))
  }
  return {
    folder,
    mirror,
    emulator,
    truths,
    sync,
    call: async (args, moment = "2026-11-02T09:00:00Z") =>
      call(args, { env: { XDG_CONFIG_HOME: join(folder, ".config") }, clock: await clockAt(moment) }),
    damage: (sql) => {
      const db = new DatabaseSync(mirror)
      db.exec(sql)
      db.close()
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}
