import * as Fleet from "@deedkit/config/fleet"
import type { Server } from "@deedkit/config/postgres"
import { hasPostgres, start } from "@deedkit/config/postgres"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import * as Cron from "effect/Cron"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { queue } from "../../src/cluster/index.ts"
import * as PostgresEngine from "../../src/cluster/PostgresEngine.ts"
import * as Worker from "../../src/cluster/Worker.ts"
import { query } from "../harness/Query.ts"
import type { Account, WorkerChoices } from "../cluster/Inside.ts"
import * as Inside from "../cluster/Inside.ts"
import { accounts, namesOf } from "../cluster/Inside.ts"
import * as Workers from "../cluster/Workers.ts"

/** A worker inside of this process, until it is disposed of. */
const worker = (url: string, some: ReadonlyArray<Account>, more: WorkerChoices = {}) =>
  Inside.worker({ url }, some, more)

const put = (url: string, names: ReadonlyArray<string>, night?: string) =>
  Effect.runPromise(queue({ url, accounts: names, night }))

/** Waits until a query returns no row. */
const untilNone = async (url: string, sql: string): Promise<void> => {
  while ((await query(url, sql)).length > 0) await new Promise((resolve) => setTimeout(resolve, 50))
}

const unanswered = "select id from deedkit_queue.deedkit_messages where tag = 'run' and not processed"

const syncing = `${unanswered} and entity_type = 'Workflow/SyncAccount'`

// Workers are polling, and a machine that does much else is slow at it.
describe.skipIf(!hasPostgres)("the queue of a mirror", { timeout: 120_000 }, () => {
  let server: Server
  let databases = 0
  const database = () => server.database(`cluster-${(databases += 1)}`)
  beforeAll(async () => {
    server = await start()
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  it("has each account once, however many processes queue it at the same time, and under whatever night", async () => {
    const url = await database()
    const names = namesOf(accounts(5))
    const all = await Promise.all(
      Array.from({ length: 4 }, (_, at) => put(url, [...names, ...names], `night ${at}`)),
    )
    // One of them queues all, and the others find all.
    expect(all.filter(({ queued, waiting }) => queued === 5 && waiting === 0)).toHaveLength(1)
    expect(all.filter(({ queued, waiting }) => queued === 0 && waiting === 5)).toHaveLength(3)
    expect(await query(url, unanswered)).toHaveLength(5)
  })

  it("syncs an account once a night, and in the next night again", async () => {
    const url = await database()
    const some = accounts(3)
    await using one = worker(url, some)
    expect(await put(url, namesOf(some), "first")).toEqual({
      night: "first",
      queued: 3,
      waiting: 0,
      synced: 0,
    })
    await one.until("Synced", 3)
    await untilNone(url, unanswered)
    expect(await put(url, namesOf(some), "first")).toMatchObject({ queued: 0, synced: 3 })
    some[0]![1].store.update(some[0]![1].store.contracts[0]!.id, { status: "ended" })
    expect(await put(url, namesOf(some), "second")).toMatchObject({ queued: 3, synced: 0 })
    await one.until("Synced", 6)
    expect(
      await query(url, "select account, change from deedkit.contract_history where change <> 'added'"),
    ).toEqual([{ account: "acct-0", change: "changed" }])
    expect(one.events.every(({ _tag }) => _tag === "Synced")).toBe(true)
  })

  it("takes again what failed, and only that: an unknown account, a refused key, a list that is not complete", async () => {
    const url = await database()
    const some: ReadonlyArray<Account> = [
      ["fine", make({ contracts: 8 })],
      ["refused", make({ contracts: 8, seed: 2, faults: ["key-revoked"] })],
      ["broken", make({ contracts: 8, seed: 3, faults: ["wrong-type"] })],
    ]
    const names = [...namesOf(some), "unknown"]
    await using one = worker(url, some)
    await put(url, names, "first")
    await one.until("Failed", 2)
    await one.until("Synced", 2)
    await untilNone(url, unanswered)
    for (const [, { faults }] of some) faults.clear()
    expect(await put(url, names, "first")).toMatchObject({ queued: 3, synced: 1 })
    await one.until("Failed", 3)
    await one.until("Synced", 4)
    const failed = one.events.flatMap((event) => (event._tag === "Failed" ? [event] : []))
    expect(failed.map(({ account }) => account).toSorted()).toEqual(["refused", "unknown", "unknown"])
    expect(failed.find(({ account }) => account === "unknown")?.problem).toBe("There is no account unknown")
    expect(await query(url, "select account from deedkit.account where problem is not null")).toEqual([])
  })

  it("has in the mirror why an account that it holds could not be opened", async () => {
    const url = await database()
    const some: ReadonlyArray<Account> = [["acct", make({ contracts: 3 })]]
    {
      await using one = worker(url, some)
      await put(url, ["acct"], "first")
      await one.until("Synced", 1)
      await untilNone(url, unanswered)
    }
    await using other = worker(url, [])
    await put(url, ["acct"], "second")
    await other.until("Failed", 1)
    expect(await query(url, "select account, problem from deedkit.account")).toEqual([
      { account: "acct", problem: "There is no account acct" },
    ])
  })

  it("holds no key and no record: the names of account and night, and whether it went well", async () => {
    const url = await database()
    const some = accounts(1)
    const [[, emulator]] = some as [Account]
    emulator.faults.add({ name: "key-revoked", from: 2 })
    await using one = worker(url, some)
    await put(url, namesOf(some))
    await one.until("Failed", 1)
    await untilNone(url, unanswered)
    const tables = await query(
      url,
      "select table_name::text as name from information_schema.tables where table_schema = 'deedkit_queue'",
    )
    const texts = await Promise.all(
      tables.map(({ name }) =>
        query(url, `select row_to_json(t)::text as row from deedkit_queue.${String(name)} as t`),
      ),
    )
    const all = texts
      .flat()
      .map(({ row }) => String(row))
      .join("\n")
    expect(all).toContain("acct-0")
    expect(all).not.toContain(emulator.apiKey)
    expect(all).not.toContain("unit_label")
  })

  it("is cleaned of what has ended some time ago, and of nothing that waits", async () => {
    const url = await database()
    const some = accounts(2)
    const engine = PostgresEngine.make({ url })
    const clean = (before: number) =>
      Effect.runPromise(
        engine.failing(Effect.scoped(Effect.provide(Worker.clean(engine, before), engine.client))),
      )
    {
      await using one = worker(url, some)
      await put(url, namesOf(some), "first")
      await one.until("Synced", 2)
      await untilNone(url, unanswered)
    }
    await put(url, ["acct-0"], "second")
    expect(await clean(Date.now() - 60_000)).toBe(0)
    // Of each account that was synced, its execution and the one activity in it.
    expect(await clean(Date.now() + 60_000)).toBe(4)
    expect(await query(url, "select id from deedkit_queue.deedkit_replies")).toEqual([])
    expect(await query(url, unanswered)).toHaveLength(1)
    await using later = worker(url, some)
    await later.until("Synced", 1)
  })

  it("is filled at night also where most workers do not queue nights", async () => {
    const url = await database()
    const some = accounts(2)
    await using others = new AsyncDisposableStack()
    for (const _ of [1, 2, 3, 4]) others.use(worker(url, some))
    await using one = worker(url, some, {
      nightly: { cron: Cron.parseUnsafe("* * * * * *", "UTC"), accounts: Effect.succeed(namesOf(some)) },
    })
    await one.until("NightQueued", 2)
    await untilNone(url, syncing)
    expect(
      await query(url, "select account from deedkit.sync_run where collection = 'contracts'"),
    ).toHaveLength(2)
  })

  it("says when the accounts of a night cannot be listed, and queues the next one", async () => {
    const url = await database()
    const some = accounts(1)
    let isListed = false
    await using one = worker(url, some, {
      nightly: {
        cron: Cron.parseUnsafe("* * * * * *", "UTC"),
        accounts: Effect.suspend(() =>
          isListed ? Effect.succeed(namesOf(some)) : Effect.fail({ message: "No file of accounts" }),
        ),
      },
    })
    await one.until("NightFailed", 1)
    isListed = true
    await one.until("Synced", 1)
    expect(one.events[0]).toMatchObject({ _tag: "NightFailed", problem: "No file of accounts" })
  })

  it("is filled at night by the workers, once for all of them", async () => {
    const url = await database()
    const some = accounts(3)
    const cron = Cron.parseUnsafe("* * * * * *", "UTC")
    const nightly = { cron, accounts: Effect.succeed(namesOf(some)) }
    await using one = worker(url, some, { nightly })
    await using other = worker(url, some, { nightly })
    const nights = () =>
      [...one.events, ...other.events].flatMap((event) => (event._tag === "NightQueued" ? [event] : []))
    await Promise.race([one.until("NightQueued", 3), other.until("NightQueued", 3)])
    await untilNone(
      url,
      unanswered.replace("processed", "processed and entity_type = 'Workflow/SyncAccount'"),
    )
    const dates = new Set(nights().map(({ night }) => night))
    for (const date of dates) expect(date).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(nights().reduce((sum, { queued }) => sum + queued.queued, 0)).toBe(3 * dates.size)
    expect(
      await query(url, "select account from deedkit.sync_run where collection = 'contracts' order by 1"),
    ).toHaveLength(3 * dates.size)
  })

  it.each([
    ["three days ago", () => new Date(Date.now() - 3 * 86_400_000)],
    ["years ago, and others after it", () => new Date("2019-04-01T00:00:00.000Z")],
  ])(
    "is filled late where no worker ran at the time of the night, %s: once, for the last one",
    async (_, missedAt) => {
      const url = await database()
      const some = accounts(2)
      // Once a year, so that no other time comes in this test.
      const cron = Cron.parseUnsafe("0 0 1 1 *", "UTC")
      const nightly = { cron, accounts: Effect.succeed(namesOf(some)) }
      const stored =
        "select payload, deliver_at from deedkit_queue.deedkit_messages where deliver_at is not null"
      // Makes the tables.
      await put(url, [])
      const waits = async (rows: number) => {
        while ((await query(url, stored)).length < rows)
          await new Promise((resolve) => setTimeout(resolve, 50))
      }
      {
        await using one = worker(url, some, { nightly })
        await waits(1)
        expect(one.events).toEqual([])
      }
      const missed = missedAt()
      const replaced = ["payload", "entity_id", "message_id"].map(
        (column) =>
          `${column} = replace(${column}, '${Cron.next(cron).toISOString()}', '${missed.toISOString()}')`,
      )
      await query(
        url,
        `update deedkit_queue.deedkit_messages set deliver_at = ${missed.getTime()}, ${replaced.join(", ")} where deliver_at is not null`,
      )
      await using late = worker(url, some, { nightly })
      await late.until("Synced", 2)
      // The next one waits, and is not due.
      await waits(2)
      const last = Math.max(missed.getTime(), Cron.prev(cron).getTime())
      expect(late.events.filter(({ _tag }) => _tag === "NightQueued")).toEqual([
        {
          _tag: "NightQueued",
          night: new Date(last).toISOString().slice(0, 10),
          queued: { queued: 2, waiting: 0, synced: 0 },
        },
      ])
      await untilNone(url, syncing)
      expect(
        await query(url, "select account from deedkit.sync_run where collection = 'contracts'"),
      ).toHaveLength(2)
    },
  )

  it("keeps what a worker that is told to end has not begun, and lets it finish what it reads", async () => {
    const url = await database()
    await using fleet = await Fleet.start({
      emulators: accounts(3, 40).map(([, emulator]) => emulator),
      listen,
      seed: 3,
    })
    for (const [, { faults }] of fleet.emulators) faults.add("latency:ms=150")
    const names = fleet.served.map(({ name }) => name)
    await put(url, names, "first")
    const one = Workers.start({ where: { url }, accounts: fleet.served, concurrency: 1, pageSize: 10 })
    await new Promise<void>((resolve) => fleet.afterRequests(4, resolve))
    one.child.kill("SIGTERM")
    await one.ended
    expect(one.said()).toEqual([expect.stringMatching(/^Synced acct-\d$/)])
    expect(await put(url, names, "first")).toMatchObject({ queued: 0, waiting: 2, synced: 1 })
    const other = Workers.start({ where: { url }, accounts: fleet.served, concurrency: 2, pageSize: 10 })
    await untilNone(url, unanswered)
    other.child.kill("SIGTERM")
    await other.ended
    expect(other.said()).toHaveLength(2)
    expect(
      await query(url, "select resumed_at_page from deedkit.sync_run where resumed_at_page > 0"),
    ).toEqual([])
  })

  it("syncs as many accounts at once as a worker is told to", async () => {
    const url = await database()
    const some = accounts(12)
    const inside = new Set<string>()
    let most = 0
    for (const [name, { journal }] of some)
      journal.watch(() => {
        inside.add(name)
        most = Math.max(most, inside.size)
      })
    await using one = worker(url, some, {
      concurrency: 3,
      listen: (event) => Effect.sync(() => void ("account" in event && inside.delete(event.account))),
    })
    void one
    await put(url, namesOf(some))
    await untilNone(url, unanswered)
    expect(await query(url, "select 1 from deedkit.sync_run where state = 'finished'")).toHaveLength(24)
    expect(most).toBe(3)
  })

  it("is refused where the server is not there, or another program owns the schema, and nothing is queued", async () => {
    const failure = (url: string) => Effect.runPromise(Effect.flip(queue({ url, accounts: ["one"] })))
    expect(await failure("postgres://owner:secret@127.0.0.1:1/none")).toMatchObject({
      reason: { _tag: "MirrorUnreachable" },
      message: "The mirror postgres://127.0.0.1:1/none cannot be reached (ECONNREFUSED).",
    })
    const url = await database()
    await query(url, "create schema deedkit")
    await query(url, "create table deedkit.other (id int)")
    expect(await failure(url)).toMatchObject({ reason: { _tag: "NotAMirror" } })
    expect(await query(url, "select 1 from pg_namespace where nspname = 'deedkit_queue'")).toEqual([])
  })
})
