/**
 * One night of a mirror in a separate process, as `deedkit sync` does it: every account is read and stored. Arguments: the mirror, a file or an
 * address of PostgreSQL; the URL of the service; the number of accounts; records per page.
 */
import { PropertyClient, Transport } from "@deedkit/core"
import * as NodeTransport from "@deedkit/core/node"
import { isComplete, sqliteStore, syncAccount } from "@deedkit/sync"
import { postgresStore } from "@deedkit/sync-postgres"
import * as Effect from "effect/Effect"
import { start } from "./measure.ts"

const [mirror = "", baseUrl = "", accounts = "1", page = "100"] = process.argv.slice(2)

const print = start()
const { close, send } = NodeTransport.make({ maxSockets: 64 })
const names = Array.from({ length: Number(accounts) }, (_, at) => `account-${at}`)
const records = await Effect.gen(function* () {
  const store = yield* mirror.startsWith("postgres:")
    ? postgresStore({ url: mirror })
    : sqliteStore({ path: mirror })
  let read = 0
  yield* Effect.forEach(
    names,
    (account) =>
      Effect.gen(function* () {
        const client = yield* PropertyClient.make({ baseUrl, apiKey: `key-${account}`, rate: 0 })
        for (const run of yield* syncAccount({ store, client, account, pageSize: Number(page) })) {
          if (!isComplete(run)) throw new Error(`${account} is not complete: ${run.reason}`)
          read += run.records
        }
      }),
    { concurrency: 8, discard: true },
  )
  return read
}).pipe(Effect.scoped, Effect.provideService(Transport.Transport, send), Effect.runPromise)
close()
print({ records })
