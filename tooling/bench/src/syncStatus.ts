/** The status of a mirror in a separate process. Argument: the mirror, a file or an address of PostgreSQL. */
import { sqliteStore } from "@deedkit/sync"
import { postgresStore } from "@deedkit/sync-postgres"
import * as Effect from "effect/Effect"
import { start } from "./measure.ts"

const [mirror = ""] = process.argv.slice(2)

const print = start()
const accounts = await Effect.gen(function* () {
  const store = yield* mirror.startsWith("postgres:")
    ? postgresStore({ url: mirror, isReadOnly: true })
    : sqliteStore({ path: mirror, isReadOnly: true })
  return yield* store.status
}).pipe(Effect.scoped, Effect.runPromise)
print({ records: accounts.flatMap(({ lists }) => lists).reduce((sum, { records }) => sum + records, 0) })
