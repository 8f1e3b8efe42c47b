import * as Fleet from "@deedkit/config/fleet"
import type { Server } from "@deedkit/config/postgres"
import { hasPostgres, start } from "@deedkit/config/postgres"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import type { Collection } from "@deedkit/sync"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { queue } from "../../src/worker/index.ts"
import { accountOf, syncInto, using } from "../harness/Accounts.ts"
import { query } from "../harness/Query.ts"
import type { Account, WorkerChoices } from "../worker/Inside.ts"
import * as Inside from "../worker/Inside.ts"
import { accounts, namesOf } from "../worker/Inside.ts"
import * as Workers from "../worker/Workers.ts"

/** A worker inside of this process, until it is disposed of. */
const worker = (url: string, some: ReadonlyArray<Account>, more: WorkerChoices = {}) =>
  Inside.worker({ url }, some, more)

const put = (url: string, names: ReadonlyArray<string>, since?: string) =>
  Effect.runPromise(queue({ url, accounts: names, since }))

/** Waits until a query returns no row. */
const untilNone = async (url: string, sql: string): Promise<void> => {
  while ((await query(url, sql)).length > 0) await new Promise((resolve) => setTimeout(resolve, 50))
}

const now = () => new Date().toISOString()

/** The jobs of accounts, as an operator sees them. */
const jobs =
  "select singleton_key as account, state::text, start_after from deedkit_queue.job where name = 'account'"
const open = `${jobs} and state < 'completed'`
const failed =
  "select singleton_key as account, source_output->>'problem' as problem from deedkit_queue.job where name = 'failed' order by 1"

/** Each list that was read more than once, and how often. */
const twice =
  "select account, collection, count(*)::int as reads from deedkit.sync_run where state <> 'running' group by 1, 2 having count(*) > 1"

// Workers are polling, and a machine that does much else is slow at it.
describe.skipIf(!hasPostgres)("the queue of a mirror", { timeout: 120_000 }, () => {
  let server: Server
  let databases = 0
  const database = () => server.database(`worker-${(databases += 1)}`)
  beforeAll(async () => {
    server = await start()
  }, 60_000)
  afterAll(() => server?.[Symbol.asyncDispose]())

  it("has each account once, however many processes queue it at the same time, and under whatever night", async () => {
    const url = await database()
    const names = namesOf(accounts(5))
    const all = await Promise.all(Array.from({ length: 4 }, () => put(url, [...names, ...names], now())))
    // One of them queues all, and the others find all.
    expect(all.filter(({ queued, waiting }) => queued === 5 && waiting === 0)).toHaveLength(1)
    expect(all.filter(({ queued, waiting }) => queued === 0 && waiting === 5)).toHaveLength(3)
    expect(await query(url, open)).toHaveLength(5)
  })

  it("syncs an account once a night, and in the next night again", async () => {
    const url = await database()
    const some = accounts(3)
    await using one = worker(url, some)
    const first = now()
    expect(await put(url, namesOf(some), first)).toEqual({ since: first, queued: 3, waiting: 0, synced: 0 })
    await one.until("Synced", 3)
    await untilNone(url, open)
    expect(await put(url, namesOf(some), first)).toMatchObject({ queued: 0, synced: 3 })
    expect(await put(url, namesOf(some))).toMatchObject({ queued: 0, synced: 3 })
    some[0]![1].store.update(some[0]![1].store.contracts[0]!.id, { status: "ended" })
    expect(await put(url, namesOf(some), now())).toMatchObject({ queued: 3, synced: 0 })
    await one.until("Synced", 6)
    expect(
      await query(url, "select account, change from deedkit.contract_history where change <> 'added'"),
    ).toEqual([{ account: "acct-0", change: "changed" }])
    expect(one.events.every(({ _tag }) => _tag === "Synced")).toBe(true)
  })

  it("sends nothing for an account that is complete in its night, whatever the engine says", async () => {
    const url = await database()
    const some = accounts(2)
    const since = now()
    await using one = worker(url, some)
    await put(url, namesOf(some), since)
    await one.until("Synced", 2)
    await untilNone(url, open)
    for (const [, { journal }] of some) journal.clear()
    // The engine hands the same accounts out once more, as after a worker was killed that had read them.
    await query(
      url,
      "insert into deedkit_queue.job (name, policy, singleton_key, data, heartbeat_seconds, expire_seconds) select 'account', 'exclusive', singleton_key, data, 30, 3600 from deedkit_queue.job where name = 'account'",
    )
    await untilNone(url, open)
    expect(some.map(([, { journal }]) => journal.entries)).toEqual([[], []])
    expect(await query(url, twice)).toEqual([])
  })

  it("makes dead letters of what failed for good, and takes them again, and only them: an unknown account, a refused key, a list that is not complete", async () => {
    const url = await database()
    const some: ReadonlyArray<Account> = [
      ["fine", make({ contracts: 8 })],
      ["refused", make({ contracts: 8, seed: 2, faults: ["key-revoked"] })],
      ["broken", make({ contracts: 8, seed: 3, faults: ["wrong-type"] })],
    ]
    const names = [...namesOf(some), "unknown"]
    await using one = worker(url, some)
    const first = now()
    await put(url, names, first)
    await one.until("Failed", 2)
    await one.until("Synced", 2)
    await untilNone(url, open)
    expect(await query(url, failed)).toMatchObject([
      { account: "broken", problem: "The account was read, and is not known to be complete" },
      { account: "refused" },
      { account: "unknown", problem: "There is no account unknown" },
    ])
    for (const [, { faults }] of some) faults.clear()
    expect(await put(url, names, first)).toMatchObject({ queued: 3, synced: 1 })
    await one.until("Failed", 3)
    await one.until("Synced", 4)
    await untilNone(url, open)
    const problems = one.events.flatMap((event) => (event._tag === "Failed" ? [event.account] : []))
    expect(problems.toSorted()).toEqual(["refused", "unknown", "unknown"])
    expect(await query(url, failed)).toMatchObject([{ account: "unknown" }])
    expect(await query(url, "select account from deedkit.account where problem is not null")).toEqual([])
  })

  it("tries an account again 5, 15, 45 and 120 minutes after its service has failed, and then no more", async () => {
    const url = await database()
    const some: ReadonlyArray<Account> = [["acct", make({ contracts: 3, faults: ["server-error"] })]]
    await using one = worker(url, some)
    const since = now()
    await put(url, ["acct"], since)
    for (const [at, minutes] of [5, 15, 45, 120].entries()) {
      await one.until("Delayed", at + 1)
      const delayed = one.events.filter(({ _tag }) => _tag === "Delayed")
      expect(delayed[at]).toMatchObject({ account: "acct", minutes })
      const [job] = await query(url, open)
      const wait = (Number(job?.["start_after"]) - Date.now()) / 60_000
      expect(wait).toBeGreaterThan(minutes - 1)
      expect(wait).toBeLessThanOrEqual(minutes)
      // Queued by hand, it is tried now.
      expect(await put(url, ["acct"], since)).toMatchObject({ queued: 0, waiting: 1 })
    }
    await one.until("Failed", 1)
    await untilNone(url, open)
    expect(await query(url, failed)).toMatchObject([{ account: "acct" }])
    some[0]![1].faults.clear()
    expect(await put(url, ["acct"], since)).toMatchObject({ queued: 1 })
    await one.until("Synced", 1)
    expect(await query(url, failed)).toEqual([])
  })

  it("has in the mirror why an account that it holds could not be opened", async () => {
    const url = await database()
    const some: ReadonlyArray<Account> = [["acct", make({ contracts: 3 })]]
    {
      await using one = worker(url, some)
      await put(url, ["acct"], now())
      await one.until("Synced", 1)
      await untilNone(url, open)
    }
    await using other = worker(url, [])
    await put(url, ["acct"], now())
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
    await untilNone(url, open)
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

  it("reads the lists of each account, and the night counts those", async () => {
    const url = await database()
    const some = accounts(2)
    const lists = (name: string) =>
      Effect.succeed<ReadonlyArray<Collection>>(name === "acct-0" ? ["contracts"] : ["contracts", "api-keys"])
    const nightly = { cron: "* * * * *", accounts: Effect.succeed(namesOf(some)) }
    await using one = worker(url, some, { lists, nightly })
    await one.until("NightEnded", 1)
    const ended = one.events.find(({ _tag }) => _tag === "NightEnded")
    expect(ended).toMatchObject({ sum: { accounts: 2, complete: 2, failed: 0 } })
    const read = "select distinct account, collection from deedkit.sync_run order by account, collection"
    expect(await query(url, read)).toEqual([
      { account: "acct-0", collection: "contracts" },
      { account: "acct-1", collection: "api-keys" },
      { account: "acct-1", collection: "contracts" },
    ])
  })

  it("does not take an account again whose lists are complete, where that is one list", async () => {
    const url = await database()
    const some = accounts(2)
    const lists = () => Effect.succeed<ReadonlyArray<Collection>>(["contracts"])
    const since = now()
    const names = namesOf(some)
    const again = () => Effect.runPromise(queue({ url, accounts: names, lists, since }))
    await using one = worker(url, some, { lists })
    expect(await again()).toMatchObject({ queued: 2, synced: 0 })
    await one.until("Synced", 2)
    await untilNone(url, open)
    expect(await again()).toMatchObject({ queued: 0, synced: 2 })
  })

  it("is filled at night by the workers, once for all of them, and one says what became of the night", async () => {
    const url = await database()
    const some: ReadonlyArray<Account> = [
      ...accounts(2),
      ["refused", make({ contracts: 3, faults: ["key-revoked"] })],
      ["down", make({ contracts: 3, faults: ["server-error"] })],
      // One of its lists is complete.
      ["broken", make({ contracts: 3, seed: 3, faults: ["wrong-type"] })],
    ]
    const nightly = { cron: "* * * * *", accounts: Effect.succeed(namesOf(some)) }
    await using plain = worker(url, some)
    await using one = worker(url, some, { nightly })
    await using other = worker(url, some, { nightly })
    const ended = await Promise.race([one.until("NightEnded", 1), other.until("NightEnded", 1)])
    expect(ended).toBeUndefined()
    const all = [...plain.events, ...one.events, ...other.events]
    const nights = all.flatMap((event) => (event._tag === "NightEnded" ? [event] : []))
    expect(nights[0]?.night).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00.000Z$/)
    expect(nights[0]?.sum).toMatchObject({ accounts: 5, complete: 2, again: 1, failed: 2 })
    expect(all.find(({ _tag }) => _tag === "NightQueued")).toMatchObject({
      night: nights[0]?.night,
      queued: { queued: 5, waiting: 0, synced: 0 },
    })
  })

  // Regression: accounts that waited since an earlier night counted as failed, at once.
  it("has not ended a night while accounts wait that an earlier one has queued", async () => {
    const url = await database()
    const some = accounts(3)
    const names = namesOf(some)
    await put(url, names, new Date(Date.now() - 3_600_000).toISOString())
    await query(
      url,
      `update deedkit_queue.job set start_after = now() + interval '1 day',
         data = case when singleton_key = 'acct-2' then data || '{"tries": 2}' else data end where name = 'account'`,
    )
    const nightly = { cron: "* * * * *", accounts: Effect.succeed(names) }
    await using one = worker(url, some, { nightly })
    await one.until("NightQueued", 1)
    await put(url, names.slice(0, 2))
    await one.until("NightEnded", 1)
    expect(one.events.find(({ _tag }) => _tag === "NightQueued")).toMatchObject({
      queued: { queued: 0, waiting: 3, synced: 0 },
    })
    expect(one.events.find(({ _tag }) => _tag === "NightEnded")).toMatchObject({
      sum: { accounts: 3, complete: 2, again: 1, failed: 0 },
    })
  })

  it("counts an account that was synced by hand while it waited for another try as complete, and as nothing else", async () => {
    const url = await database()
    const some = accounts(2)
    const names = namesOf(some)
    await put(url, names)
    await query(
      url,
      `update deedkit_queue.job set start_after = now() + interval '1 day',
         data = case when singleton_key = 'acct-0' then data || '{"tries": 1}' else data end where name = 'account'`,
    )
    const nightly = { cron: "* * * * *", accounts: Effect.succeed(names) }
    await using one = worker(url, some, { nightly })
    await one.until("NightQueued", 1)
    await using({ url }, (store) => syncInto(store, accountOf(...some[0]!)))
    await put(url, ["acct-1"])
    await one.until("NightEnded", 1)
    expect(one.events.find(({ _tag }) => _tag === "NightEnded")).toMatchObject({
      sum: { accounts: 2, complete: 2, again: 0, failed: 0 },
    })
  })

  it("is filled at each of its times, also twice a day", { timeout: 240_000 }, async () => {
    const url = await database()
    const some = accounts(2)
    const nightly = { cron: "* * * * *", accounts: Effect.succeed(namesOf(some)) }
    // A read that ends after the next night has begun counts for that one too.
    const inMinute = Date.now() % 60_000
    if (inMinute > 2_000) await new Promise((resolve) => setTimeout(resolve, 60_500 - inMinute))
    await using one = worker(url, some, { nightly })
    await one.until("NightEnded", 2)
    const queued = one.events.flatMap((event) => (event._tag === "NightQueued" ? [event.queued] : []))
    expect(queued.slice(0, 2)).toEqual(
      Array.from({ length: 2 }, () => ({ queued: 2, waiting: 0, synced: 0 })),
    )
  })

  it(
    "says when the accounts of a night cannot be listed, and queues the next one",
    { timeout: 240_000 },
    async () => {
      const url = await database()
      const some = accounts(1)
      let isListed = false
      await using one = worker(url, some, {
        nightly: {
          cron: "* * * * *",
          accounts: Effect.suspend(() =>
            isListed ? Effect.succeed(namesOf(some)) : Effect.fail({ message: "No file of accounts" }),
          ),
        },
      })
      await one.until("NightFailed", 1)
      isListed = true
      await one.until("Synced", 1)
      expect(one.events[0]).toMatchObject({ _tag: "NightFailed", problem: "No file of accounts" })
    },
  )

  it("is filled late where no worker ran at the time of the night: once, for the last one", async () => {
    const url = await database()
    const some = accounts(2)
    const time = new Date(Date.now() - 3_600_000)
    const nightly = {
      cron: `${time.getUTCMinutes()} ${time.getUTCHours()} * * *`,
      accounts: Effect.succeed(namesOf(some)),
    }
    // Makes the tables.
    await put(url, [])
    {
      await using one = worker(url, some, { nightly })
      // Times count from when they are saved, which may be after the first look at them.
      await untilNone(
        url,
        "select 1 where not exists (select 1 from deedkit_queue.version, deedkit_queue.schedule where cron_on is not null)",
      )
      expect(one.events).toEqual([])
    }
    await query(url, "update deedkit_queue.schedule set created_on = now() - interval '4 days'")
    await query(url, "update deedkit_queue.version set cron_on = now() - interval '3 days'")
    await using late = worker(url, some, { nightly })
    await late.until("Synced", 2)
    await late.until("NightEnded", 1)
    time.setUTCSeconds(0, 0)
    expect(late.events.filter(({ _tag }) => _tag === "NightQueued")).toEqual([
      { _tag: "NightQueued", night: time.toISOString(), queued: { queued: 2, waiting: 0, synced: 0 } },
    ])
    expect(await query(url, twice)).toEqual([])
  })

  it("keeps what a worker that is told to end has not begun, and lets it finish what it reads", async () => {
    const url = await database()
    await using fleet = await Fleet.start({
      emulators: accounts(3, 40).map(([, emulator]) => emulator),
      listen,
      seed: 3,
    })
    for (const [, { faults }] of fleet.emulators) faults.add("latency:ms=150")
    const names = fleet.served.map(({ name }) => name)
    const first = now()
    await put(url, names, first)
    const one = Workers.start({ where: { url }, accounts: fleet.served, concurrency: 1, pageSize: 10 })
    await new Promise<void>((resolve) => fleet.afterRequests(4, resolve))
    one.child.kill("SIGTERM")
    await one.ended
    expect(one.said()).toEqual([expect.stringMatching(/^Synced acct-\d$/)])
    expect(await put(url, names, first)).toMatchObject({ queued: 0, waiting: 2, synced: 1 })
    const other = Workers.start({ where: { url }, accounts: fleet.served, concurrency: 2, pageSize: 10 })
    await untilNone(url, open)
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
    await untilNone(url, open)
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
