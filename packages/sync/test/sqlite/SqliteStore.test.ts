import { readFile } from "node:fs/promises"
import { Fixtures } from "@deedkit/core/testing"
import { PropertyClient, Transport } from "@deedkit/core"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { DatabaseSync } from "node:sqlite"
import { describe, expect, it } from "vitest"
import type { MirrorStore } from "../../src/index.ts"
import { sqliteStore } from "../../src/index.ts"
import type { Fetch } from "../harness/World.ts"
import {
  emulated,
  expectSound,
  expectTruth,
  failing,
  folder,
  query,
  sync,
  syncInto,
  using,
} from "../harness/World.ts"

const caller = { account: "acme", baseUrl: "https://acme.example.test", identity: null, isConfirmed: false }

const beginning = (store: MirrorStore, isFresh = false, resumeWithinMillis = 1_000) =>
  Effect.map(
    store.begin({
      caller,
      collections: ["contracts"],
      at: "2026-03-01T09:00:00.000Z",
      resumeWithinMillis,
      isFresh,
    }),
    ([run]) => run!,
  )

const pageOf = (ids: ReadonlyArray<number>, status: string) => {
  const { checkpoint } = Fixtures.page([])
  return {
    checkpoint,
    caller,
    ids,
    rejected: 0,
    withoutData: 0,
    at: checkpoint.summary.endedAt,
    versions: ids.map((id) => ({
      id,
      body: JSON.stringify({ id, status }),
      hash: `${id} ${status}`,
      data: null,
      columns: { status },
    })),
  }
}

const twoProcesses = (
  path: string,
  work: (one: MirrorStore, other: MirrorStore) => Effect.Effect<void, unknown>,
) =>
  Effect.runPromise(
    Effect.scoped(
      Effect.gen(function* () {
        yield* work(yield* sqliteStore({ path }), yield* sqliteStore({ path }))
      }),
    ),
  )

describe("a run that was resumed", () => {
  it("counts a record once that came before and after the interruption", async () => {
    await using place = await folder()
    await twoProcesses(place.mirror, (one, other) =>
      Effect.gen(function* () {
        const { summary } = Fixtures.page([]).checkpoint
        const first = yield* beginning(one)
        yield* one.applyPage({ run: first, page: 0, ...pageOf([3, 2], "active") })
        const resumed = yield* beginning(other, false, Number.MAX_SAFE_INTEGER)
        expect([resumed.run, resumed.pages]).toEqual([first.run, 1])
        yield* other.applyPage({ run: resumed, page: 1, ...pageOf([2, 1], "active") })
        const row = yield* other.finish({
          run: { ...resumed, pages: 2 },
          summary: { ...summary, records: 4 },
          removed: [],
          unlisted: 0,
          at: "2026-03-01T09:00:01.000Z",
        })
        expect(row).toMatchObject({ records: 3, resumedAtPage: 1 })
      }),
    )
  })
})

describe("a page", () => {
  it("that another process has stored is refused, and changes nothing", async () => {
    await using place = await folder()
    await twoProcesses(place.mirror, (one, other) =>
      Effect.gen(function* () {
        const run = yield* beginning(one)
        const late = yield* beginning(other)
        expect(late.run).toBe(run.run)
        yield* one.applyPage({ ...pageOf([1, 2], "active"), run, page: 0 })
        const error = yield* Effect.flip(other.applyPage({ ...pageOf([2, 3], "ended"), run: late, page: 0 }))
        expect(error.reason).toEqual({ _tag: "TakenOver", account: "acme" })
      }),
    )
    expect(query(place.mirror, "select id, status, version from contract")).toEqual([
      { id: 1, status: "active", version: 1 },
      { id: 2, status: "active", version: 1 },
    ])
    expect(query(place.mirror, "select pages, added from sync_run")).toEqual([{ pages: 1, added: 2 }])
    expectSound(place.mirror)
  })

  it("of a run that has ended, or was begun anew, is refused, and so is a second end", async () => {
    await using place = await folder()
    const { summary } = Fixtures.page([])
    await twoProcesses(place.mirror, (one, other) =>
      Effect.gen(function* () {
        const run = yield* beginning(one)
        const ending = { run, summary, removed: [], unlisted: 0, at: summary.endedAt }
        yield* one.finish(ending)
        expect((yield* Effect.flip(other.finish(ending))).reason._tag).toBe("TakenOver")
        expect(
          (yield* Effect.flip(other.applyPage({ ...pageOf([1], "active"), run, page: 0 }))).reason._tag,
        ).toBe("TakenOver")
        const next = yield* beginning(one)
        const fresh = yield* beginning(other, true)
        expect(fresh.run).toBe(next.run + 1)
        expect(
          (yield* Effect.flip(one.applyPage({ ...pageOf([1], "active"), run: next, page: 0 }))).reason._tag,
        ).toBe("TakenOver")
      }),
    )
    expect(query(place.mirror, "select * from contract_history")).toEqual([])
  })
})

describe("the proof", () => {
  it("holds the hash of the row before, and shows a row that was changed or deleted", async () => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 4 })
    for (let night = 0; night < 4; night++) await sync(place.mirror, account)
    const brokenAt = async () => {
      const [status] = await using(place.mirror, (store) => store.status)
      return status!.lists.map((list) => list.brokenAt)
    }
    expect(await brokenAt()).toEqual([null, null])
    const db = new DatabaseSync(place.mirror)
    db.exec("update sync_run set completeness = 'confirmed' where run = 3")
    expect(await brokenAt()).toEqual([5, null])
    db.exec("update sync_run set completeness = 'proven' where run = 3; delete from sync_run where run = 4")
    expect(await brokenAt()).toEqual([null, 6])
    db.exec("delete from sync_run where run <= 2")
    expect(await brokenAt()).toEqual([3, 6])
    db.exec("delete from sync_run where run < 6")
    expect(await brokenAt()).toEqual([7, 6])
    db.close()
  })
})

const columns = "status, kind, listing_id, city, unit_label, created_at, updated_at, body, data"

/** What another program does to the rows of three records: a new one, one that was changed and one that was removed. */
const tampering = [
  ["a current row less", "delete from contract where id = :new", 1],
  [
    "no row of a record",
    "delete from contract where id = :new; delete from contract_history where id = :new",
    1,
  ],
  ["no version of a record", "delete from contract_history where id = :new", 1],
  ["no last version of a record", "delete from contract_history where id = :changed and version = 2", 1],
  ["no removal of a record", "delete from contract_history where id = :removed and version = 2", -1],
  [
    "a record that no read has found",
    `insert into contract_history select account, 1, 1, 'added', '[]', seen_at, run, hash, body, data from contract_history where id = :new;
     insert into contract select account, 1, 1, seen_at, run, hash, ${columns} from contract where id = :new`,
    -1,
  ],
  [
    "a current row that no read has found",
    `insert into contract select account, 1, 1, seen_at, run, hash, ${columns} from contract where id = :new`,
    -1,
  ],
] as const

describe("a list", () => {
  it.each(tampering)(
    "that has %s shows that it is not as its reads have left it",
    async (_, sql, missing) => {
      await using place = await folder()
      const { account, emulator } = emulated("acme", { contracts: 12 })
      const [changed, removed] = emulator.store.contracts.map(({ id }) => id)
      await sync(place.mirror, account)
      const { id: added } = emulator.store.insert({ ...emulator.store.contracts[0]!, id: 90_001 })
      emulator.store.update(changed!, { status: "ended", updated_at: "2026-01-01T00:00:00Z" })
      emulator.store.remove(removed!)
      await sync(place.mirror, account)
      const [first] = query(place.mirror, "select ended_at from sync_run where run = 1")
      const found = () =>
        using(place.mirror, (store) =>
          Effect.gen(function* () {
            const [status] = yield* store.status
            const list = { account: "acme", collection: "contracts" } as const
            const latest = yield* store.snapshot({ ...list, at: null })
            const before = yield* store.snapshot({ ...list, at: String(first!["ended_at"]) })
            return [status!.lists[0]!, latest, before].map((each) => each.missing)
          }),
        )
      expect(await found()).toEqual([0, 0, 0])
      const db = new DatabaseSync(place.mirror)
      db.exec(
        sql
          .replaceAll(":new", String(added))
          .replaceAll(":changed", String(changed))
          .replaceAll(":removed", String(removed)),
      )
      db.close()
      expect(await found()).toEqual([missing, missing, missing])
    },
  )

  it("whose current rows were deleted has them again after the next sync, with no new version", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 12 })
    await sync(place.mirror, account, { data: true })
    const all = "select * from contract order by id"
    const before = query(place.mirror, all)
    const db = new DatabaseSync(place.mirror)
    db.exec("delete from contract where id % 2 = 0; delete from api_key")
    db.close()
    const changed = emulator.store.contracts.find(({ id }) => id % 2 === 0)
    emulator.store.update(changed!.id, { status: "on_hold", updated_at: "2026-01-01T00:00:00Z" })
    const [row] = await sync(place.mirror, account)
    expect(row).toMatchObject({ added: 0, changed: 1, returned: 0, removed: 0 })
    const others = (rows: typeof before) => rows.filter(({ id }) => id !== changed!.id)
    expect(others(query(place.mirror, all))).toEqual(others(before))
    expectSound(place.mirror)
    expectTruth(place.mirror, account, emulator)
  })

  it("whose runs were all deleted is one that was never read, and does not disappear", async () => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 4 })
    await sync(place.mirror, account)
    const db = new DatabaseSync(place.mirror)
    db.exec("delete from sync_run where collection = 'api-keys'")
    db.close()
    const [status] = await using(place.mirror, (store) => store.status)
    expect(status!.lists).toMatchObject([
      { collection: "contracts", records: 4 },
      { collection: "api-keys", records: 12, last: null, running: null },
    ])
  })
})

describe("an account whose row was deleted", () => {
  const tables = ["contract", "contract_history", "api_key", "api_key_history", "sync_run"]

  it.each(tables)("is among the accounts while it has rows in %s", async (kept) => {
    await using place = await folder()
    for (const name of ["acme", "beta", "corp"]) await sync(place.mirror, emulated(name).account)
    const db = new DatabaseSync(place.mirror, { enableForeignKeyConstraints: false })
    const others = tables.filter((table) => table !== kept)
    for (const table of [...others, "account"]) db.exec(`delete from ${table} where account <> 'acme'`)
    db.close()
    const accounts = await using(place.mirror, (store) => store.status)
    expect(accounts.map(({ account, addedAt, baseUrl }) => [account, addedAt === null, baseUrl])).toEqual([
      ["acme", false, "https://acme.example.test"],
      ["beta", true, ""],
      ["corp", true, ""],
    ])
  })

  it("has its row and its proof again after a sync, and leaves nothing where it is removed", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 4 })
    await sync(place.mirror, account)
    await sync(place.mirror, emulated("beta").account)
    const db = new DatabaseSync(place.mirror, { enableForeignKeyConstraints: false })
    db.exec("delete from account")
    db.close()
    expect(await sync(place.mirror, account)).toMatchObject([{ added: 0, completeness: "proven" }, {}])
    const [acme, beta] = await using(place.mirror, (store) => store.status)
    expect(acme).toMatchObject({ account: "acme", lists: [{ brokenAt: null, missing: 0 }, {}] })
    expect([acme!.addedAt, beta!.addedAt]).toEqual([expect.any(String), null])
    await Effect.runPromise(
      Effect.scoped(Effect.flatMap(sqliteStore({ path: place.mirror }), (store) => store.forget("beta"))),
    )
    expect(await using(place.mirror, (store) => store.status)).toHaveLength(1)
    expect((await readFile(place.mirror, "latin1")).includes("beta")).toBe(false)
    expectTruth(place.mirror, account, emulator)
    expectSound(place.mirror)
  })
})

describe("changes", () => {
  it("miss nothing when the clock of the machine is set back", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 4 })
    const { id } = emulator.store.contracts[0]!
    const nights = Effect.gen(function* () {
      const store = yield* sqliteStore({ path: place.mirror })
      const night = (moment: string) =>
        Effect.andThen(TestClock.setTime(Date.parse(moment)), syncInto(store, account))
      yield* night("2026-03-01T02:00:00Z")
      yield* night("2026-03-03T02:00:00Z")
      emulator.store.update(id, { status: "ended" })
      yield* night("2026-03-02T02:00:00Z")
      return yield* store.changes("2026-03-03T00:00:00.000Z")
    })
    const [list] = await Effect.runPromise(Effect.scoped(Effect.provide(nights, TestClock.layer())))
    expect(list?.changes).toMatchObject([{ id, change: "changed", version: 2 }])
    expect(query(place.mirror, "select seen_at from contract where id = ?", id)).toEqual([
      { seen_at: "2026-03-02T02:00:00.000Z" },
    ])
  })

  it("are those since a moment, with the text before and after", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 4 })
    const [first, second] = emulator.store.contracts
    await sync(place.mirror, account)
    emulator.store.update(first!.id, { status: "on_hold" })
    emulator.store.remove(second!.id)
    const { id } = emulator.store.insert()
    await sync(place.mirror, account)
    const all = await using(place.mirror, (store) => store.changes("2000-01-01T00:00:00.000Z"))
    expect(all).toMatchObject([
      { account: "acme", collection: "contracts", firstRead: 4 },
      { account: "acme", collection: "api-keys", firstRead: 12, changes: [] },
    ])
    expect(new Map(all[0]!.changes.map(({ change, id: of }) => [of, change]))).toEqual(
      new Map([
        [first!.id, "changed"],
        [second!.id, "removed"],
        [id, "added"],
      ]),
    )
    const changed = all[0]!.changes.find(({ change }) => change === "changed")!
    expect([JSON.parse(changed.before!), JSON.parse(changed.body!)]).toEqual([
      first,
      emulator.store.contract(first!.id),
    ])
    expect(await using(place.mirror, (store) => store.changes("2100-01-01T00:00:00.000Z"))).toEqual([])
  })
})

describe("a failure of an account", () => {
  it("is noted with its time until a sync succeeds, also for an account that was never read", async () => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 4 })
    const client = PropertyClient.make({ baseUrl: account.baseUrl, apiKey: "dk_wrong", rate: 0 }).pipe(
      Effect.provideService(Transport.Transport, Transport.viaFetch(account.fetch)),
    )
    const wrong = Effect.scoped(
      Effect.gen(function* () {
        const store = yield* sqliteStore({ path: place.mirror })
        yield* Effect.ignore(syncInto(store, { ...account, apiKey: "dk_wrong_key" }))
        return { client: yield* client, status: yield* store.status }
      }),
    )
    const { status } = await Effect.runPromise(wrong)
    expect(status).toMatchObject([{ account: "acme", problem: expect.stringContaining("401") }])
    expect(status[0]!.problemAt).toMatch(/Z$/)
    await sync(place.mirror, account)
    expect(await using(place.mirror, (store) => store.status)).toMatchObject([
      { account: "acme", problem: null, problemAt: null },
    ])
  })
})

describe("what is removed from a mirror", () => {
  it("by a moment is the history before it, but for what held then", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 3 })
    const [first, second] = emulator.store.contracts
    const nights = Effect.gen(function* () {
      const store = yield* sqliteStore({ path: place.mirror })
      const night = (day: number, status: string) =>
        Effect.gen(function* () {
          yield* TestClock.setTime(Date.UTC(2026, 2, day))
          emulator.store.update(first!.id, { status })
          yield* syncInto(store, account)
        })
      for (const day of [1, 2, 3, 4]) yield* night(day, `day-${day}`)
      emulator.store.remove(second!.id)
      yield* night(5, "day-5")
      const removed = yield* store.prune("2026-03-03T12:00:00.000Z")
      const again = yield* store.prune("2026-03-03T12:00:00.000Z")
      emulator.store.insert({ ...second! })
      yield* night(6, "day-6")
      return { removed, again }
    })
    const { again, removed } = await Effect.runPromise(
      Effect.scoped(Effect.provide(nights, TestClock.layer())),
    )
    expect([removed, again]).toEqual([2, 0])
    const versions = (id: number) =>
      query(place.mirror, "select version, change from contract_history where id = ? order by version", id)
    expect(versions(first!.id).map(({ version }) => version)).toEqual([3, 4, 5, 6])
    expect(versions(second!.id).map(({ change }) => change)).toEqual(["added", "removed", "returned"])
    expectTruth(place.mirror, account, emulator)
  })

  it("by its name is an account, with nothing left of it in the file, and no other one", async () => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 40, seed: 2 })
    const other = emulated("beta", { contracts: 5, seed: 3 })
    await sync(place.mirror, account)
    await sync(place.mirror, other.account)
    const forgetting = (name: string) =>
      Effect.runPromise(
        Effect.scoped(
          Effect.flatMap(sqliteStore({ path: place.mirror }), (store) =>
            Effect.match(store.forget(name), { onFailure: ({ reason }) => reason, onSuccess: () => null }),
          ),
        ),
      )
    expect(await forgetting("nobody")).toEqual({ _tag: "AccountUnknown", account: "nobody" })
    expect(await forgetting("acme")).toBeNull()
    expect((await readFile(place.mirror, "latin1")).includes("acme")).toBe(false)
    expectTruth(place.mirror, other.account, other.emulator)
    await sync(place.mirror, account)
    // As a process leaves it that was killed after it had removed the rows.
    const db = new DatabaseSync(place.mirror)
    for (const table of ["contract", "contract_history", "api_key", "api_key_history", "sync_run", "account"])
      db.exec(`delete from ${table} where account = 'acme'`)
    db.close()
    expect((await readFile(place.mirror, "latin1")).includes("acme")).toBe(true)
    expect(await forgetting("acme")).toEqual({ _tag: "AccountUnknown", account: "acme" })
    expect((await readFile(place.mirror, "latin1")).includes("acme")).toBe(false)
    await sync(place.mirror, account)
    expect(query(place.mirror, "select count(*) as rows from contract where account = 'acme'")).toEqual([
      { rows: 40 },
    ])
  })
  it.each([
    ["before a first page is stored", 2],
    ["between two pages", 3],
    ["while another list is read", 7],
  ] as const)(
    "by its name during a sync, %s, is an account that the sync does not bring back",
    async (_, at) => {
      await using place = await folder()
      const { account } = emulated("acme", { contracts: 40 })
      let requests = 0
      const forgetful = {
        ...account,
        fetch: (async (...request) => {
          requests += 1
          if (requests === at)
            await Effect.runPromise(
              Effect.scoped(
                Effect.flatMap(sqliteStore({ path: place.mirror }), (store) => store.forget("acme")),
              ),
            )
          return account.fetch(...request)
        }) satisfies Fetch,
      }
      expect((await failing(place.mirror, forgetful)).reason).toEqual({
        _tag: "AccountUnknown",
        account: "acme",
      })
      for (const table of ["account", "contract", "contract_history", "sync_run", "sync_page"])
        expect(query(place.mirror, `select * from ${table}`)).toEqual([])
    },
  )
})
