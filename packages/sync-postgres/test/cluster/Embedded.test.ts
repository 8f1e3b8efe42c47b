import { renameSync } from "node:fs"
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as Fleet from "@deedkit/config/fleet"
import { make } from "@deedkit/emulator"
import { listen } from "@deedkit/emulator/node"
import { sqliteStore } from "@deedkit/sync"
import * as Cron from "effect/Cron"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { queue, work } from "../../src/cluster/index.ts"
import * as Worker from "../../src/cluster/Worker.ts"
import * as SqliteEngine from "../../src/cluster/SqliteEngine.ts"
import { syncInto } from "../harness/Accounts.ts"
import { queryFile } from "../harness/Query.ts"
import type { Account } from "./Inside.ts"
import { accounts, namesOf, worker } from "./Inside.ts"
import * as Workers from "./Workers.ts"

const put = (path: string, names: ReadonlyArray<string>, night?: string) =>
  Effect.runPromise(queue({ path, accounts: names, night }))

const refused = (path: string) => Effect.runPromise(Effect.flip(queue({ path, accounts: ["one"] })))

/** Rows of the queue while no process has it. */
const queryQueue = (path: string, sql: string) => {
  const db = new DatabaseSync(`${path}.queue`)
  try {
    return db
      .prepare(sql)
      .all()
      .map((row) => Object.assign({}, row))
  } finally {
    db.close()
  }
}

const nightly = (expression: string, some: ReadonlyArray<Account>) => ({
  cron: Cron.parseUnsafe(expression, "UTC"),
  accounts: Effect.succeed(namesOf(some)),
})

// Workers are polling, and a machine that does much else is slow at it.
describe("the queue of a mirror in a file", { timeout: 60_000 }, () => {
  let folder = ""
  let path = ""
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "deedkit-embedded-"))
    path = join(folder, "mirror.sqlite")
  })
  afterEach(() => rm(folder, { recursive: true }))

  it("has each account once, and its worker syncs it once a night, and in the next night again", async () => {
    const some = accounts(3)
    const names = namesOf(some)
    expect(await put(path, [...names, ...names], "first")).toEqual({
      night: "first",
      queued: 3,
      waiting: 0,
      synced: 0,
    })
    expect(await put(path, names, "another")).toMatchObject({ queued: 0, waiting: 3 })
    {
      await using one = worker({ path }, some)
      await one.until("Synced", 3)
    }
    expect(await put(path, names, "first")).toMatchObject({ queued: 0, waiting: 0, synced: 3 })
    some[0]![1].store.update(some[0]![1].store.contracts[0]!.id, { status: "ended" })
    expect(await put(path, names, "second")).toMatchObject({ queued: 3, synced: 0 })
    await using other = worker({ path }, some)
    await other.until("Synced", 3)
    expect(
      queryFile(path, "select account, change from deedkit.contract_history where change <> 'added'"),
    ).toEqual([{ account: "acct-0", change: "changed" }])
  })

  it("takes again what failed, and only that", async () => {
    const some: ReadonlyArray<Account> = [
      ["fine", make({ contracts: 8 })],
      ["refused", make({ contracts: 8, seed: 2, faults: ["key-revoked"] })],
      ["broken", make({ contracts: 8, seed: 3, faults: ["wrong-type"] })],
    ]
    const names = [...namesOf(some), "unknown"]
    await put(path, names, "first")
    {
      await using one = worker({ path }, some)
      await one.until("Failed", 2)
      await one.until("Synced", 2)
    }
    for (const [, { faults }] of some) faults.clear()
    expect(await put(path, names, "first")).toMatchObject({ queued: 3, synced: 1 })
  })

  it("is for one process: neither another worker nor another program has it meanwhile", async () => {
    const some = accounts(2)
    const [[, emulator]] = some as [Account]
    await put(path, namesOf(some), "first")
    await using one = worker({ path }, some)
    await one.until("Synced", 2)
    const second = await Effect.runPromise(
      Effect.flip(work({ path, open: () => Effect.die("There is one worker") })),
    )
    expect([second.reason, second.message]).toEqual([
      { _tag: "QueueLocked", path },
      `Another process has locked the queue of the mirror ${path}.`,
    ])
    expect(await refused(path)).toMatchObject({ reason: { _tag: "QueueLocked" } })
    // The mirror is everybody's: it is read, and an account is synced by hand.
    emulator.store.insert({ status: "draft" })
    const rows = await Effect.runPromise(
      Effect.scoped(
        Effect.flatMap(sqliteStore({ path }), (store) =>
          syncInto(store, { name: "acct-0", apiKey: emulator.apiKey, fetch: emulator.fetch }),
        ),
      ),
    )
    expect(rows.map(({ added }) => added)).toEqual([1, 0])
  })

  it("is continued at once by the next worker where one was killed, at the last page of its read", async () => {
    await using fleet = await Fleet.start({
      emulators: accounts(2, 60).map(([, emulator]) => emulator),
      listen,
      seed: 3,
    })
    const names = fleet.served.map(({ name }) => name)
    await put(path, names, "first")
    const told = { where: { path }, accounts: fleet.served, concurrency: 1, pageSize: 10 }
    const one = Workers.start(told)
    await new Promise<void>((resolve) => fleet.afterRequests(5, resolve))
    one.child.kill("SIGKILL")
    await one.ended
    const other = Workers.start(told)
    await other.says("Synced acct-0")
    await other.says("Synced acct-1")
    other.child.kill("SIGTERM")
    await other.ended
    expect(await put(path, names, "first")).toMatchObject({ queued: 0, waiting: 0, synced: 2 })
    expect(
      queryFile(
        path,
        "select count(*) as runs, sum(records) as records, sum(resumed_at_page > 0) as resumed from deedkit.sync_run where collection = 'contracts'",
      ),
    ).toEqual([{ runs: 2, records: 120, resumed: 1 }])
  })

  it("is filled at night by its worker, and late where none ran at that time: once, for the last one", async () => {
    const some = accounts(2)
    // Once a year, so that no other time comes in this test.
    const yearly = nightly("0 0 1 1 *", some)
    {
      await using one = worker({ path }, some, { nightly: nightly("* * * * * *", some) })
      await one.until("NightQueued", 1)
      await one.until("Synced", 2)
    }
    await rm(`${path}.queue`)
    const stored = "select payload, deliver_at from cluster_messages where deliver_at is not null"
    await put(path, [])
    // Nobody can look while a worker has the file: it is given more time until it has stored the night.
    for (let millis = 250; queryQueue(path, stored).length === 0; millis *= 2) {
      await using one = worker({ path }, some, { nightly: yearly })
      await new Promise((resolve) => setTimeout(resolve, millis))
      expect(one.events).toEqual([])
    }
    const missed = new Date("2019-04-01T00:00:00.000Z")
    const replaced = ["payload", "entity_id", "message_id"].map(
      (column) =>
        `${column} = replace(${column}, '${Cron.next(yearly.cron).toISOString()}', '${missed.toISOString()}')`,
    )
    queryQueue(
      path,
      `update cluster_messages set deliver_at = ${missed.getTime()}, ${replaced.join(", ")} where deliver_at is not null`,
    )
    await using late = worker({ path }, some, { nightly: yearly })
    await late.until("Synced", 2)
    expect(late.events.filter(({ _tag }) => _tag === "NightQueued")).toEqual([
      {
        _tag: "NightQueued",
        night: Cron.prev(yearly.cron).toISOString().slice(0, 10),
        queued: { queued: 2, waiting: 0, synced: 0 },
      },
    ])
  })

  it("holds no key and no record, and is its owner's", async () => {
    const some = accounts(1)
    const [[, emulator]] = some as [Account]
    emulator.faults.add({ name: "key-revoked", from: 2 })
    await put(path, namesOf(some))
    {
      await using one = worker({ path }, some)
      await one.until("Failed", 1)
    }
    const bytes = await readFile(`${path}.queue`, "latin1")
    expect(bytes).toContain("acct-0")
    expect(bytes).not.toContain(emulator.apiKey)
    expect(bytes).not.toContain("unit_label")
    expect(((await stat(`${path}.queue`)).mode & 0o777).toString(8)).toBe("600")
    expect((await readdir(folder)).toSorted()).toEqual(["mirror.sqlite", "mirror.sqlite.queue"])
  })

  it("is cleaned of what has ended some time ago, and of nothing that waits", async () => {
    const some = accounts(2)
    const engine = SqliteEngine.make({ path })
    const clean = (before: number) =>
      Effect.runPromise(
        engine.failing(Effect.scoped(Effect.provide(Worker.clean(engine, before), engine.client))),
      )
    await put(path, namesOf(some), "first")
    {
      await using one = worker({ path }, some)
      await one.until("Synced", 2)
    }
    await put(path, ["acct-0"], "second")
    expect(await clean(Date.now() - 60_000)).toBe(0)
    // Of each account that was synced, its execution and the one activity in it.
    expect(await clean(Date.now() + 60_000)).toBe(4)
    expect(queryQueue(path, "select id from cluster_replies")).toEqual([])
    expect(queryQueue(path, "select 1 from cluster_messages")).toHaveLength(1)
    await using later = worker({ path }, some)
    await later.until("Synced", 1)
  })

  it("ends its worker when the mirror is moved away, and the next one fills the file that is there", async () => {
    const some = accounts(2)
    await put(path, namesOf(some), "first")
    const begun = new Set<string>()
    for (const [name, { journal }] of some)
      journal.watch(() => {
        // The first account is in the file that is moved, and the second one is not to be taken for synced. It is moved before that is answered.
        if (!begun.has(name) && begun.add(name).size === 2) renameSync(path, join(folder, "away.sqlite"))
      })
    const one = worker({ path }, some, { concurrency: 1 })
    expect(await one.ended).toMatchObject({ reason: { _tag: "MirrorMoved", path } })
    expect(one.events.map(({ _tag }) => _tag)).toEqual(["Synced", "Failed"])
    await put(path, namesOf(some), "second")
    await using next = worker({ path }, some)
    await next.until("Synced", 2)
    expect(queryFile(path, "select account from deedkit.account order by 1")).toEqual([
      { account: "acct-0" },
      { account: "acct-1" },
    ])
  })

  it("is deleted where it is damaged, and the mirror is not touched", async () => {
    const some = accounts(1)
    await put(path, namesOf(some), "first")
    {
      await using one = worker({ path }, some)
      await one.until("Synced", 1)
    }
    const bytes = await readFile(`${path}.queue`)
    await writeFile(`${path}.queue`, bytes.fill(0x55, 4_096))
    const queued = { path: `${path}.queue` }
    expect(await refused(path)).toMatchObject({ reason: { _tag: "QueueDamaged", ...queued } })
    expect(await worker({ path }, some).ended).toMatchObject({ reason: { _tag: "QueueDamaged", ...queued } })
    await rm(`${path}.queue`)
    expect(await put(path, namesOf(some), "first")).toMatchObject({ queued: 1 })
    await using next = worker({ path }, some)
    await next.until("Synced", 1)
    expect(next.events).toMatchObject([{ rows: [{ added: 0 }, { added: 0 }] }])
  })

  it("takes no name that no account can have", async () => {
    expect(await Effect.runPromise(Effect.flip(queue({ path, accounts: ["acme", "a\0b"] })))).toMatchObject({
      reason: { _tag: "AccountNameInvalid", account: "a\0b" },
    })
    expect(await readdir(folder)).toEqual([])
  })

  it("is not made, and not changed, where a file is something else, or cannot be", async () => {
    await writeFile(path, "not a database, but long enough to be read as the header of one")
    expect(await refused(path)).toMatchObject({ reason: { _tag: "NotAMirror", path } })
    expect(await readdir(folder)).toEqual(["mirror.sqlite"])
    expect(await refused(join(folder, "none", "mirror.sqlite"))).toMatchObject({
      reason: { _tag: "MirrorUnopenable", code: "ENOENT" },
    })
    const other = join(folder, "other.sqlite")
    const db = new DatabaseSync(`${other}.queue`)
    db.exec("create table theirs (a)")
    db.close()
    const before = await readFile(`${other}.queue`)
    expect(await refused(other)).toMatchObject({ reason: { _tag: "NotAMirror", path: `${other}.queue` } })
    expect(await readFile(`${other}.queue`)).toEqual(before)
    const third = join(folder, "third.sqlite")
    await copyFile(other, `${third}.queue`)
    expect(await refused(third)).toMatchObject({ reason: { _tag: "NotAMirror", path: `${third}.queue` } })
    const fourth = join(folder, "fourth.sqlite")
    await mkdir(`${fourth}.queue`)
    expect(await refused(fourth)).toMatchObject({ reason: { _tag: "MirrorUnopenable", code: "EISDIR" } })
  })
})
