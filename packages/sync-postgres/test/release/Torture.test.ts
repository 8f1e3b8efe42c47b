import type * as Fleet from "@deedkit/config/fleet"
import type { Server } from "@deedkit/config/postgres"
import { hasPostgres, start } from "@deedkit/config/postgres"
import type { Emulator } from "@deedkit/emulator"
import * as Effect from "effect/Effect"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { queue } from "../../src/worker/index.ts"
import type { WorkerProcess } from "../worker/Workers.ts"
import * as Workers from "../worker/Workers.ts"
import { using } from "../harness/Accounts.ts"
import { locked, query } from "../harness/Query.ts"
import * as Truth from "../harness/Truth.ts"

/** For a run by hand with more of them, as 500 accounts and 34 kills. */
const accounts = Number(process.env["DEEDKIT_TORTURE_ACCOUNTS"] ?? 60)
/** Kills in each of three nights. */
const kills = Number(process.env["DEEDKIT_TORTURE_KILLS"] ?? 4)

/** The lease of a worker is 30 seconds: one that is stopped for longer has lost what it held. */
const longerThanLease = 45_000

const now = () => new Date().toISOString()

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

describe.skipIf(!hasPostgres)("workers on one PostgreSQL", () => {
  let server: Server
  let workers: Array<WorkerProcess> = []
  beforeAll(async () => {
    server = await start()
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())
  afterEach(() => {
    for (const { child } of workers) child.kill("SIGKILL")
    workers = []
  })

  const add = (url: string, fleet: Fleet.Fleet<Emulator>): WorkerProcess => {
    const worker = Workers.start({ where: { url }, accounts: fleet.served, concurrency: 4, pageSize: 10 })
    workers.push(worker)
    return worker
  }

  /** Queues a night again and again, as whoever wants it done does, until every account is synced. Returns how often. */
  const untilSynced = async (url: string, fleet: Fleet.Fleet<Emulator>, night: string): Promise<void> => {
    for (;;) {
      const names = fleet.served.map(({ name }) => name)
      const queued = await Effect.runPromise(
        // The server is down for moments.
        Effect.option(queue({ url, accounts: names, since: night })),
      )
      if (queued._tag === "Some" && queued.value.synced === names.length) return
      await pause(500)
    }
  }

  const rows = async (url: string, sql: string) =>
    (await query(url, sql)).map((row) => Object.assign({}, row))

  const expectTruth = (url: string, fleet: Fleet.Fleet<Emulator>): Promise<void> =>
    Truth.expectTruth(
      fleet,
      (sql) => rows(url, sql),
      () => using({ url, isReadOnly: true }, (store) => store.check),
    )

  it(
    "that are killed, stopped past their lease and cut off from it leave the mirror as it has to be",
    { timeout: 1_800_000 },
    async () => {
      const url = await server.database("torture")
      await using fleet = await Truth.serve(accounts, 100)
      const { afterRequests, random } = fleet
      let killed = 0
      let restarted = 0
      for (const _ of [1, 2, 3]) add(url, fleet)
      for (let night = 0; night < 3; night++) {
        const began = performance.now()
        const since = now()
        // Of 100 records 2 % change, 1 % are new and 0.5 % are removed.
        if (night > 0) fleet.change(night, (at) => ({ changed: 2, added: 1, removed: at % 2 }))
        let isOver = false
        const done = untilSynced(url, fleet, since).then(() => {
          isOver = true
        })
        /** Resolves at a random request of this night, or when the night is over. */
        const moment = () =>
          Promise.race([
            new Promise<void>((resolve) =>
              afterRequests(1 + random(Math.ceil((accounts * 8) / kills)), resolve),
            ),
            done,
          ])
        /** One that was starting while the server was down has ended, as it should: whoever runs workers starts it again. */
        const any = () => {
          for (const ended of workers.filter(({ child }) => child.exitCode !== null)) {
            expect(ended.said()[0]).toContain("cannot be reached")
            workers.splice(workers.indexOf(ended), 1)
            add(url, fleet)
          }
          return workers[random(workers.length)]!
        }
        if (night === 1) {
          await moment()
          const { child } = any()
          child.kill("SIGSTOP")
          setTimeout(() => child.kill("SIGCONT"), longerThanLease)
        }
        for (let at = 0; at < kills; at++) {
          await moment()
          const one = any()
          if (!isOver && one.child.kill("SIGKILL")) killed += 1
          workers.splice(workers.indexOf(one), 1)
          add(url, fleet)
          if (at === 2 && night < 2) {
            await moment()
            await server.restart()
            restarted += 1
          }
        }
        await done
        console.log(`night ${night}: ${Math.round(performance.now() - began)} ms`)
        await expectTruth(url, fleet)
      }
      expect([killed, restarted]).toEqual([3 * kills, 2])
      const last = "select max(run) from deedkit.sync_run group by account, collection"
      expect(
        await rows(
          url,
          `select * from deedkit.sync_run where run in (${last}) and not completeness in ('proven', 'confirmed')`,
        ),
      ).toEqual([])
    },
  )

  it(
    "fence off one that was stopped in the middle of a read, and take it back afterwards",
    { timeout: 300_000 },
    async () => {
      const url = await server.database("fence")
      await using fleet = await Truth.serve(1, 400)
      const [[, emulator]] = fleet.emulators as [(typeof fleet.emulators)[0]]
      const stale = add(url, fleet)
      fleet.afterRequests(8, () => stale.child.kill("SIGSTOP"))
      await Effect.runPromise(queue({ url, accounts: ["acct-0"], since: now() }))
      await new Promise<void>((resolve) => {
        const stop = emulator.journal.watch(() => {
          if (emulator.journal.entries.length < 8) return
          stop()
          resolve()
        })
      })
      const other = add(url, fleet)
      await other.says("Synced acct-0")
      const finished = "select run, pages, records, resumed_at_page from deedkit.sync_run order by run"
      const before = await rows(url, finished)
      stale.child.kill("SIGCONT")
      other.child.kill("SIGTERM")
      await other.ended
      // It takes accounts again, and is the only one.
      fleet.change(1, () => ({ changed: 1, added: 0, removed: 0 }))
      await untilSynced(url, fleet, now())
      const after = await rows(url, finished)
      expect(after.slice(0, before.length)).toEqual(before)
      // A list of contracts and one of keys, in each night.
      expect([before.length, after.length]).toEqual([2, 4])
      expect(stale.said().filter((line) => line.startsWith("Synced"))).toHaveLength(1)
      expect(before[0]).toMatchObject({ records: 400 })
      expect(Number(before[0]?.["resumed_at_page"])).toBeGreaterThan(0)
      await expectTruth(url, fleet)
    },
  )

  it(
    "take over from one that was stopped in the middle of a transaction, whose locks end with its lease",
    { timeout: 300_000 },
    async () => {
      const url = await server.database("locked")
      await using fleet = await Truth.serve(1, 60)
      const stale = add(url, fleet)
      await untilSynced(url, fleet, now())
      fleet.change(1, () => ({ changed: 1, added: 0, removed: 0 }))
      const waiting =
        "select 1 from pg_stat_activity where application_name = 'deedkit' and wait_event_type = 'Lock'"
      const seen = async (sql: string) => {
        while ((await query(url, sql)).length === 0) await pause(50)
      }
      const second = now()
      await locked(url, "select * from deedkit.account for update", async () => {
        await Effect.runPromise(queue({ url, accounts: ["acct-0"], since: second }))
        await seen(waiting)
        stale.child.kill("SIGSTOP")
      })
      await seen(
        "select 1 from pg_stat_activity where application_name = 'deedkit' and state = 'idle in transaction'",
      )
      add(url, fleet)
      await untilSynced(url, fleet, second)
      stale.child.kill("SIGCONT")
      await expectTruth(url, fleet)
      // It may have found by now that the server has undone its transaction, and says so once.
      const [synced, ...said] = stale.said()
      expect([synced, ...said.map((line) => line.slice(0, 14))]).toBeOneOf([
        ["Synced acct-0"],
        ["Synced acct-0", "Delayed acct-0"],
      ])
    },
  )
})
