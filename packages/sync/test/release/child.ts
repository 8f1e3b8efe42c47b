/**
 * A process that syncs accounts until it is done or killed: `child.ts MIRROR ACCOUNTS`, with a JSON text of the accounts. It ends with 0 when every
 * account was synced, and with 3 when another process was faster.
 */
import type { Served } from "@deedkit/config/fleet"
import { PropertyClient, Transport } from "@deedkit/core"
import * as node from "@deedkit/core/node"
import * as Effect from "effect/Effect"
import { sqliteStore, syncAccount } from "../../src/index.ts"

const [mirror = "", text = "[]"] = process.argv.slice(2)
const accounts = JSON.parse(text) as ReadonlyArray<Served>
const { close, send } = node.make({ maxSockets: 16 })

const isTakenOver = (error: { readonly reason: { readonly _tag: string } }): boolean =>
  error.reason._tag === "TakenOver"

const all = Effect.gen(function* () {
  const store = yield* sqliteStore({ path: mirror, lockMillis: 2_000 })
  let late = 0
  yield* Effect.forEach(
    accounts,
    ({ apiKey, baseUrl, name }) =>
      Effect.flatMap(PropertyClient.make({ apiKey, baseUrl, rate: 0 }), (client) =>
        syncAccount({ store, client, account: name, pageSize: 10 }),
      ).pipe(
        Effect.catchIf(isTakenOver, () =>
          Effect.sync(() => {
            late += 1
          }),
        ),
      ),
    { concurrency: 4, discard: true },
  )
  return late
}).pipe(Effect.scoped, Effect.provideService(Transport.Transport, send))

const late = await Effect.runPromise(all)
close()
process.exitCode = late === 0 ? 0 : 3
