import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type * as Fleet from "@deedkit/config/fleet"
import { PropertyClient, Transport } from "@deedkit/core"
import * as node from "@deedkit/core/node"
import type { Emulator } from "@deedkit/emulator"
import { sqliteStore, syncAccount } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { queue, work } from "../../src/cluster/index.ts"
import type { WorkerProcess } from "../cluster/Workers.ts"
import * as Workers from "../cluster/Workers.ts"
import { queryFile } from "../harness/Query.ts"
import * as Truth from "../harness/Truth.ts"

/** For a run by hand with more of them, as 500 accounts and 34 kills. */
const accounts = Number(process.env["DEEDKIT_TORTURE_ACCOUNTS"] ?? 30)
/** Kills in each of three nights. */
const kills = Number(process.env["DEEDKIT_TORTURE_KILLS"] ?? 4)

describe("the one worker of a mirror in a file", () => {
  let folder = ""
  let path = ""
  let workers: Array<WorkerProcess> = []
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "deedkit-embedded-"))
    path = join(folder, "mirror.sqlite")
  })
  afterEach(async () => {
    for (const { child } of workers) child.kill("SIGKILL")
    await Promise.all(workers.map(({ ended }) => ended))
    workers = []
    await rm(folder, { recursive: true })
  })

  const add = (fleet: Fleet.Fleet<Emulator>): WorkerProcess => {
    const worker = Workers.start({ where: { path }, accounts: fleet.served, concurrency: 4, pageSize: 10 })
    workers.push(worker)
    return worker
  }

  /** Syncs an account in this process, as a sync by hand beside a worker does. */
  const syncHere = ({ apiKey, baseUrl, name }: Fleet.Served) => {
    const { close, send } = node.make({ maxSockets: 4 })
    return Effect.runPromiseExit(
      Effect.gen(function* () {
        const store = yield* sqliteStore({ path, lockMillis: 100 })
        const client = yield* PropertyClient.make({ apiKey, baseUrl, rate: 0 })
        return yield* syncAccount({ store, client, account: name, pageSize: 10 })
      }).pipe(
        Effect.scoped,
        Effect.provideService(Transport.Transport, send),
        Effect.ensuring(Effect.sync(close)),
      ),
    )
  }

  it(
    "leaves the mirror as it has to be when it is killed, and stopped while others try to do its work",
    { timeout: 1_800_000 },
    async () => {
      await using fleet = await Truth.serve(accounts, 100)
      const { afterRequests, forget, random, served } = fleet
      const names = served.map(({ name }) => name)
      let killed = 0
      let doubled = 0
      for (let night = 0; night < 3; night++) {
        const began = performance.now()
        // Of 100 records 2 % change, 1 % are new and 0.5 % are removed.
        if (night > 0) fleet.change(night, (at) => ({ changed: 2, added: 1, removed: at % 2 }))
        /** Queues the night as whoever wants it done does, and returns how many accounts are still to be synced. */
        const left = async (): Promise<number> => {
          const queued = await Effect.runPromise(queue({ path, accounts: names, night: `night ${night}` }))
          expect(queued.queued + queued.waiting + queued.synced).toBe(accounts)
          return accounts - queued.synced
        }
        /** Resolves at a random request of this night. */
        const moment = () =>
          new Promise<void>((resolve) =>
            afterRequests(1 + random(Math.ceil((accounts * 8) / kills)), resolve),
          )
        for (let at = 0; at < kills; at++) {
          expect(await left()).toBeGreaterThan(0)
          const one = add(fleet)
          await moment()
          if (night === 1 && at % 8 === 0) {
            one.child.kill("SIGSTOP")
            const second = await Effect.runPromise(
              Effect.flip(work({ path, open: () => Effect.die("There is one worker") })),
            )
            // The one that was stopped may be in the middle of a transaction, and then has the lock of the mirror too.
            expect(second.reason._tag).toBeOneOf(["QueueLocked", "MirrorLocked"])
            for (const account of served.slice(0, 20))
              if (Exit.isSuccess(await syncHere(account))) doubled += 1
            one.child.kill("SIGCONT")
            await moment()
          }
          if (one.child.kill("SIGKILL")) killed += 1
          await one.ended
          forget()
        }
        for (;;) {
          const number = await left()
          if (number === 0) break
          const one = add(fleet)
          // An account whose outcome was stored in part before the kill is completed without a word: who waits for it looks again.
          const done = () => one.said().filter((line) => !line.startsWith("Delayed")).length
          for (let [seen, quiet] = [0, 0]; seen < number && quiet < 500; quiet += 1) {
            await new Promise((resolve) => setTimeout(resolve, 20))
            if (done() > seen) [seen, quiet] = [done(), 0]
          }
          one.child.kill("SIGTERM")
          expect(await one.ended).toBe(130)
        }
        console.log(`night ${night}: ${Math.round(performance.now() - began)} ms`)
        await Truth.expectTruth(
          fleet,
          (sql) => Promise.resolve(queryFile(path, sql)),
          () =>
            Effect.runPromise(
              Effect.scoped(Effect.flatMap(sqliteStore({ path, isReadOnly: true }), ({ check }) => check)),
            ),
        )
      }
      console.log(
        `${accounts} accounts: ${killed} workers killed, ${doubled} accounts synced beside one that was stopped`,
      )
      expect(killed).toBe(3 * kills)
      const last = "select max(run) from deedkit.sync_run group by account, collection"
      expect(
        queryFile(
          path,
          `select * from deedkit.sync_run where run in (${last}) and not completeness in ('proven', 'confirmed')`,
        ),
      ).toEqual([])
    },
  )
})
