/**
 * The same sync of many accounts, eight at once, distributed by one engine in a separate process, which is started before anything is measured.
 * Arguments: the case, the mirror, the URL of the service, the number of accounts.
 */
import { PropertyClient, Transport } from "@deedkit/core"
import * as NodeTransport from "@deedkit/core/node"
import type { MirrorStore, RunRow, SyncError } from "@deedkit/sync"
import { isComplete, sqliteStore, syncAccount } from "@deedkit/sync"
import { postgresStore } from "@deedkit/sync-postgres"
import { queue, work } from "@deedkit/sync-postgres/worker"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as References from "effect/References"
import type * as Scope from "effect/Scope"
import { peer, start } from "./measure.ts"

const [name = "", mirror = "", baseUrl = "", accounts = "1"] = process.argv.slice(2)
const concurrency = 8

const { send } = NodeTransport.make({ maxSockets: 64 })
const clientOf = (account: string) =>
  PropertyClient.make({ baseUrl, apiKey: `key-${account}`, rate: 0 }).pipe(
    Effect.provideService(Transport.Transport, send),
  )

/** Accounts that were given to the engine and are not synced yet. */
const left = new Set<string>()
let all = Deferred.makeUnsafe<number>()
let records = 0

const done = (account: string, runs: ReadonlyArray<RunRow>): void => {
  if (!left.delete(account) || !runs.every(isComplete)) throw new Error(`${account} is not as it has to be`)
  records += runs.reduce((sum, run) => sum + run.records, 0)
  if (left.size === 0) Deferred.doneUnsafe(all, Effect.succeed(records))
}

const sync = (store: MirrorStore, account: string) =>
  Effect.gen(function* () {
    const client = yield* clientOf(account)
    done(account, yield* syncAccount({ store, client, account }))
  }).pipe(Effect.scoped)

const worker = (url: string) =>
  work({
    url,
    concurrency,
    open: clientOf,
    listen: (event) =>
      event._tag === "Synced"
        ? Effect.sync(() => done(event.account, event.rows))
        : Effect.die(new Error(JSON.stringify(event))),
  })

/** Gives accounts to the engine, which works until its scope closes. */
type Give = (names: ReadonlyArray<string>) => Effect.Effect<unknown, unknown, Scope.Scope>

/** No engine: a loop over the accounts. */
const loop =
  (opened: Effect.Effect<MirrorStore, SyncError, Scope.Scope>): Give =>
  (names) =>
    Effect.flatMap(opened, (store) =>
      Effect.forEach(names, (account) => sync(store, account), { concurrency, discard: true }),
    )

interface Graphile {
  readonly Logger: new (logFactory: () => () => void) => object
  readonly run: (options: object) => Promise<unknown>
  readonly makeWorkerUtils: (options: object) => Promise<{
    readonly addJobs: (
      jobs: ReadonlyArray<{ readonly identifier: string; readonly payload: object }>,
    ) => Promise<unknown>
  }>
}

const graphile = Effect.gen(function* () {
  const library = yield* Effect.promise(() => peer<Graphile>("graphile-worker"))
  const store = yield* postgresStore({ url: mirror })
  const run = Effect.runPromiseWith(yield* Effect.context())
  const shared = { connectionString: mirror, logger: new library.Logger(() => () => undefined) }
  const taskList = {
    sync: ({ account }: { readonly account: string }) => run(sync(store, account)),
  }
  const { addJobs } = yield* Effect.promise(async () => {
    await library.run({ ...shared, concurrency, noHandleSignals: true, taskList })
    return library.makeWorkerUtils(shared)
  })
  return (names: ReadonlyArray<string>) =>
    Effect.promise(() => addJobs(names.map((account) => ({ identifier: "sync", payload: { account } }))))
})

const cases: { readonly [name: string]: Effect.Effect<Give, unknown, Scope.Scope> } = {
  "graphile-worker, PostgreSQL": graphile,
  "deedkit sync worker, PostgreSQL": Effect.as(Effect.forkScoped(worker(mirror)), (names) =>
    queue({ url: mirror, accounts: names }),
  ),
  "deedkit sync, PostgreSQL": Effect.succeed(loop(postgresStore({ url: mirror }))),
  "deedkit sync, a file": Effect.succeed(loop(sqliteStore({ path: mirror }))),
}

const found = cases[name]
if (found === undefined) throw new Error(`there is no case "${name}"`)

/** Gives accounts to the engine, and returns the number of their records once all are synced. */
const night = (give: Give, names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    all = Deferred.makeUnsafe()
    records = 0
    for (const account of names) left.add(account)
    yield* give(names)
    return yield* Deferred.await(all)
  }).pipe(Effect.scoped)

const names = Array.from({ length: Number(accounts) }, (_, at) => `account-${at}`)
await Effect.gen(function* () {
  const give = yield* found
  // Creates the tables and ensures that the engine has started.
  yield* night(give, ["account-900000"])
  const print = start()
  print({ records: yield* night(give, names) })
}).pipe(
  Effect.scoped,
  // The engine logs to standard output.
  Effect.provideService(References.MinimumLogLevel, "Error"),
  Effect.runPromise,
)
process.exit()
