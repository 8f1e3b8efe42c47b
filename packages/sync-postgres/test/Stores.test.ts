/** What every store of a mirror does, in either database. */
import type { Server } from "@deedkit/config/postgres"
import { hasPostgres, start } from "@deedkit/config/postgres"
import { PropertyClient, Transport } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"
import { make } from "@deedkit/emulator"
import type { Collection, MirrorStore } from "@deedkit/sync"
import { isComplete, syncAccount } from "@deedkit/sync"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Account } from "./harness/Accounts.ts"
import { accountOf, syncInto } from "./harness/Accounts.ts"
import type { Place } from "./harness/Stores.ts"
import { inFile, onServer } from "./harness/Stores.ts"

let server: Server | undefined
let databases = 0

beforeAll(async () => {
  if (hasPostgres) server = await start()
}, 60_000)
afterAll(() => server?.[Symbol.asyncDispose]())

const stores: ReadonlyArray<readonly [name: string, place: () => Promise<Place>]> = [
  ["SQLite", inFile],
  ...(hasPostgres ? [["PostgreSQL", () => onServer(server!, `store-${(databases += 1)}`)] as const] : []),
]

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

const emulated = (name: string, contracts: number) => {
  const emulator = make({ contracts })
  return { emulator, account: accountOf(name, emulator) }
}

const scoped = <A, E>(work: Effect.Effect<A, E, Scope.Scope>) => Effect.runPromise(Effect.scoped(work))

/** Does the work at a moment. Only the time is given: the connections of a database wait as they do. */
const at =
  (millis: number) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(Clock.Clock, (clock) =>
      Effect.provideService(
        work,
        Clock.Clock,
        Object.assign(Object.create(clock) as Clock.Clock, {
          currentTimeMillis: Effect.succeed(millis),
          currentTimeMillisUnsafe: () => millis,
        }),
      ),
    )

const twoProcesses = (
  { open }: Place,
  work: (one: MirrorStore, other: MirrorStore) => Effect.Effect<void, unknown>,
) =>
  scoped(
    Effect.gen(function* () {
      yield* work(yield* open, yield* open)
    }),
  )

const sync = (place: Place, account: Account, data = false) =>
  place.using((store) => syncInto(store, account, { data }))

const bodiesOf = async (place: Place, name: string) =>
  (await place.rows(`select body from deedkit.contract where account = '${name}' order by id`)).map(
    ({ body }) => JSON.parse(String(body)) as unknown,
  )

const inOrder = (contracts: ReadonlyArray<{ readonly id: number }>) =>
  contracts.toSorted((one, other) => one.id - other.id)

/** Each record has all of its versions, the current rows are the last ones, and nothing is left of a read. */
const expectSound = async ({ rows }: Place) => {
  for (const table of ["contract", "api_key"]) {
    expect(
      await rows(
        `select account, id from deedkit.${table}_history group by account, id having max(version) <> count(*) or min(version) <> 1`,
      ),
    ).toEqual([])
    expect(
      await rows(
        `select last.account, last.id from deedkit.${table}_history as last
           left join deedkit.${table} as held on held.account = last.account and held.id = last.id
         where last.version = (select max(version) from deedkit.${table}_history where account = last.account and id = last.id)
           and ((last.change = 'removed') <> (held.version is null) or held.version <> last.version)`,
      ),
    ).toEqual([])
  }
  const left =
    "select run from deedkit.sync_page where run not in (select run from deedkit.sync_run where state = 'running')"
  expect(await rows(left)).toEqual([])
}

/** What another program does to the rows of three records: a new one, one that was changed and one that was removed. */
const tampering = [
  ["no version of a record", ["delete from deedkit.contract_history where id = :new"], 1],
  [
    "no last version of a record",
    ["delete from deedkit.contract_history where id = :changed and version = 2"],
    1,
  ],
  [
    "no removal of a record",
    ["delete from deedkit.contract_history where id = :removed and version = 2"],
    -1,
  ],
  [
    "a record that no read has found",
    [
      "insert into deedkit.contract_history (account, id, version, change, members, seen_at, run, hash, body, data) select account, 1, 1, 'added', members, seen_at, run, hash, body, data from deedkit.contract_history where id = :new",
    ],
    -1,
  ],
  [
    "a last version that says that it was replaced",
    ["update deedkit.contract_history set valid_to = seen_at where id = :new"],
    1,
  ],
] as const

const ofAccounts = ["contract_history", "api_key_history", "sync_run"]

describe.each(stores)("a mirror in %s", (_, place) => {
  it("counts a record once that came before and after an interruption", async () => {
    await using it = await place()
    await twoProcesses(it, (one, other) =>
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

  it("refuses a page that another process has stored, and changes nothing", async () => {
    await using it = await place()
    await twoProcesses(it, (one, other) =>
      Effect.gen(function* () {
        const run = yield* beginning(one)
        const late = yield* beginning(other)
        expect(late.run).toBe(run.run)
        yield* one.applyPage({ ...pageOf([1, 2], "active"), run, page: 0 })
        const error = yield* Effect.flip(other.applyPage({ ...pageOf([2, 3], "ended"), run: late, page: 0 }))
        expect(error.reason).toEqual({ _tag: "TakenOver", account: "acme" })
      }),
    )
    expect(await it.rows("select id, status, version from deedkit.contract order by id")).toEqual([
      { id: 1, status: "active", version: 1 },
      { id: 2, status: "active", version: 1 },
    ])
    expect(await it.rows("select pages, added from deedkit.sync_run")).toEqual([{ pages: 1, added: 2 }])
    await expectSound(it)
  })

  it("refuses a page of a run that has ended, or was begun anew, and a second end", async () => {
    await using it = await place()
    const { summary } = Fixtures.page([])
    await twoProcesses(it, (one, other) =>
      Effect.gen(function* () {
        const tagOf = <A>(work: Effect.Effect<A, { readonly reason: { readonly _tag: string } }>) =>
          Effect.map(Effect.flip(work), ({ reason }) => reason._tag)
        const run = yield* beginning(one)
        const ending = { run, summary, removed: [], unlisted: 0, at: summary.endedAt }
        yield* one.finish(ending)
        expect(yield* tagOf(other.finish(ending))).toBe("TakenOver")
        expect(yield* tagOf(other.applyPage({ ...pageOf([1], "active"), run, page: 0 }))).toBe("TakenOver")
        const next = yield* beginning(one)
        const fresh = yield* beginning(other, true)
        expect(fresh.run).toBe(next.run + 1)
        expect(yield* tagOf(one.applyPage({ ...pageOf([1], "active"), run: next, page: 0 }))).toBe(
          "TakenOver",
        )
      }),
    )
    expect(await it.rows("select * from deedkit.contract_history")).toEqual([])
  })

  it("holds the hash of the row before in each row of a run, and shows one that was changed or deleted", async () => {
    await using it = await place()
    const { account } = emulated("acme", 4)
    for (let night = 0; night < 4; night++) await sync(it, account)
    const brokenAt = async () => {
      const [status] = await it.using((store) => store.check)
      return status!.lists.map((list) => list.brokenAt)
    }
    expect(await brokenAt()).toEqual([null, null])
    await it.edit("update deedkit.sync_run set completeness = 'confirmed' where run = 3")
    expect(await brokenAt()).toEqual([5, null])
    await it.edit(
      "update deedkit.sync_run set completeness = 'proven' where run = 3",
      "delete from deedkit.sync_run where run = 4",
    )
    expect(await brokenAt()).toEqual([null, 6])
    await it.edit("delete from deedkit.sync_run where run <= 2")
    expect(await brokenAt()).toEqual([3, 6])
    await it.edit("delete from deedkit.sync_run where run < 6")
    expect(await brokenAt()).toEqual([7, 6])
  })

  it.each(tampering)(
    "shows that a list is not as its reads have left it: %s",
    async (__, statements, missing) => {
      await using it = await place()
      const { account, emulator } = emulated("acme", 12)
      const [changed, removed] = emulator.store.contracts.map(({ id }) => id)
      await sync(it, account)
      const { id: added } = emulator.store.insert({ ...emulator.store.contracts[0]!, id: 90_001 })
      emulator.store.update(changed!, { status: "ended", updated_at: "2026-01-01T00:00:00Z" })
      emulator.store.remove(removed!)
      await sync(it, account)
      const [first] = await it.rows("select ended_at from deedkit.sync_run where run = 1")
      const found = () =>
        it.using((store) =>
          Effect.gen(function* () {
            const [status] = yield* store.check
            const list = { account: "acme", collection: "contracts" } as const
            const latest = yield* store.snapshot({ ...list, at: null })
            const before = yield* store.snapshot({ ...list, at: String(first!["ended_at"]) })
            return [status!.lists[0]!, latest, before].map((each) => each.missing)
          }),
        )
      expect(await found()).toEqual([0, 0, 0])
      await it.edit(
        ...statements.map((sql) =>
          sql
            .replaceAll(":new", String(added))
            .replaceAll(":changed", String(changed))
            .replaceAll(":removed", String(removed)),
        ),
      )
      expect(await found()).toEqual([missing, missing, missing])
    },
  )

  it("gives a row whose text was changed its own text again, and fails as damaged where it cannot", async () => {
    await using it = await place()
    const { account, emulator } = emulated("acme", 5)
    await sync(it, account)
    const all = async () => [
      await it.rows("select * from deedkit.contract order by id"),
      await it.rows("select * from deedkit.contract_history order by id"),
    ]
    // At first a version has the only text, then a later read has brought its payload.
    for (const data of [false, true]) {
      await sync(it, account, data)
      const before = await all()
      for (const _night of [1, 2]) {
        await it.edit("update deedkit.contract_history set body = 'x', status = 'x'")
        expect(await sync(it, account)).toMatchObject([{ changed: 0, completeness: "proven" }, {}])
        expect(await all()).toEqual(before)
      }
      await it.edit("update deedkit.contract_latest set body = 'x'")
      expect(await sync(it, account)).toMatchObject([{ changed: 0, completeness: "proven" }, {}])
      expect(await all()).toEqual(before)
      // The next read brings payloads as well, for the first time.
      await it.edit(
        "update deedkit.contract_history set body = 'x'",
        "update deedkit.contract_latest set body = 'x'",
      )
    }
    await sync(it, account)
    expect(await bodiesOf(it, "acme")).toEqual(inOrder(emulator.store.contracts))
    await it.edit(
      "update deedkit.contract_history set body = 'x', hash = 'x'",
      "update deedkit.contract_latest set body = 'x', hash = 'x'",
    )
    const failed = await it.using((store) => Effect.flip(syncInto(store, account)))
    expect(failed).toMatchObject({ reason: { _tag: "AccountDamaged" } })
  })

  it("has accounts in the order in which people count them", async () => {
    await using it = await place()
    for (const name of ["owner-10", "owner-2", "Owner-3", "owner-1"])
      await it.using((store) =>
        store.note({ account: name, baseUrl: "" }, "down", "2026-03-01T09:00:00.000Z"),
      )
    const names = (await it.using((store) => store.status)).map(({ account }) => account)
    expect(names).toEqual(["owner-1", "owner-2", "Owner-3", "owner-10"])
  })

  it("shows a list whose runs were all deleted as one that was never read", async () => {
    await using it = await place()
    await sync(it, emulated("acme", 4).account)
    await it.edit("delete from deedkit.sync_run where collection = 'api-keys'")
    for (const statusOf of [(store: MirrorStore) => store.status, (store: MirrorStore) => store.check]) {
      const [status] = await it.using(statusOf)
      expect(status!.lists).toMatchObject([
        { collection: "contracts", records: 4 },
        { collection: "api-keys", records: 12, last: null, running: null },
      ])
    }
  })

  it.each(ofAccounts)("shows an account whose row was deleted while it has rows in %s", async (kept) => {
    await using it = await place()
    for (const name of ["acme", "beta", "corp"]) await sync(it, emulated(name, 5).account)
    const others = ofAccounts.filter((table) => table !== kept)
    await it.edit(
      ...[...others, "account"].map((table) => `delete from deedkit.${table} where account <> 'acme'`),
    )
    const accounts = await it.using((store) => store.check)
    expect(await it.using((store) => Effect.map(store.status, ({ length }) => length))).toBe(3)
    expect(accounts.map(({ account, addedAt, baseUrl }) => [account, addedAt === null, baseUrl])).toEqual([
      ["acme", false, "https://acme.example.test"],
      ["beta", true, ""],
      ["corp", true, ""],
    ])
  })

  it("has an account whose row was deleted, and its proof, again after a sync, and can remove it", async () => {
    await using it = await place()
    const { account, emulator } = emulated("acme", 4)
    await sync(it, account)
    await sync(it, emulated("beta", 5).account)
    await it.edit("delete from deedkit.account")
    expect(await sync(it, account)).toMatchObject([{ added: 0, completeness: "proven" }, {}])
    const [acme, beta] = await it.using((store) => store.check)
    expect(acme).toMatchObject({ account: "acme", lists: [{ brokenAt: null, missing: 0 }, {}] })
    expect([acme!.addedAt, beta!.addedAt]).toEqual([expect.any(String), null])
    await it.using((store) => store.forget("beta"))
    expect(await it.using((store) => store.status)).toHaveLength(1)
    expect(await bodiesOf(it, "acme")).toEqual(inOrder(emulator.store.contracts))
    await expectSound(it)
  })

  it("misses no change when the clock of the machine is set back", async () => {
    await using it = await place()
    const { account, emulator } = emulated("acme", 4)
    const { id } = emulator.store.contracts[0]!
    const nights = Effect.gen(function* () {
      const store = yield* it.open
      const night = (moment: string) => at(Date.parse(moment))(syncInto(store, account))
      yield* night("2026-03-01T02:00:00Z")
      yield* night("2026-03-03T02:00:00Z")
      emulator.store.update(id, { status: "ended" })
      yield* night("2026-03-02T02:00:00Z")
      return yield* store.changes("2026-03-03T00:00:00.000Z")
    })
    const [list] = await scoped(nights)
    expect(list?.changes).toMatchObject([{ id, change: "changed", version: 2 }])
    expect(await it.rows(`select seen_at from deedkit.contract where id = ${id}`)).toEqual([
      { seen_at: "2026-03-02T02:00:00.000Z" },
    ])
  })

  it("has one version of a record for each moment when the clock of the machine was set back", async () => {
    await using it = await place()
    const { account, emulator } = emulated("acme", 2)
    const { id } = emulator.store.contracts[0]!
    const night = (store: MirrorStore, second: number) =>
      at(Date.parse(`2026-03-01T00:00:${second}Z`))(
        Effect.andThen(syncInto(store, account), Effect.ignore(store.accept("acme"))),
      )
    await it.using((store) =>
      Effect.gen(function* () {
        yield* night(store, 10)
        emulator.store.update(id, { status: "ended" })
        yield* night(store, 30)
        emulator.store.update(id, { status: "on_hold" })
        yield* night(store, 20)
        emulator.store.remove(id)
        yield* night(store, 40)
        yield* night(store, 41)
      }),
    )
    const of = `from deedkit.contract_versions where id = ${id}`
    expect(await it.rows(`select version, valid_from, valid_to ${of} order by version`)).toEqual(
      [
        [1, 10, 20],
        [2, 30, 20],
        [3, 20, 40],
      ].map(([version, from, to]) => ({
        version,
        valid_from: `2026-03-01T00:00:${from}.000Z`,
        valid_to: `2026-03-01T00:00:${to}.000Z`,
      })),
    )
  })

  it("has the changes since a moment, with the text before and after", async () => {
    await using it = await place()
    const { account, emulator } = emulated("acme", 4)
    const [first, second] = emulator.store.contracts
    await sync(it, account)
    emulator.store.update(first!.id, { status: "on_hold" })
    emulator.store.remove(second!.id)
    const { id } = emulator.store.insert()
    await sync(it, account)
    const all = await it.using((store) => store.changes("2000-01-01T00:00:00.000Z"))
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
    expect(await it.using((store) => store.changes("2100-01-01T00:00:00.000Z"))).toEqual([])
  })

  it("notes the failure of an account with its time until a sync succeeds, also of one that was never read", async () => {
    await using it = await place()
    const { account } = emulated("acme", 4)
    const status = await it.using((store) =>
      Effect.andThen(Effect.ignore(syncInto(store, { ...account, apiKey: "dk_wrong_key" })), store.status),
    )
    expect(status).toMatchObject([{ account: "acme", problem: expect.stringContaining("401") }])
    expect(status[0]!.problemAt).toMatch(/Z$/)
    await sync(it, account)
    expect(await it.using((store) => store.status)).toMatchObject([
      { account: "acme", problem: null, problemAt: null },
    ])
  })

  it("removes the history before a moment, but for what held then", async () => {
    await using it = await place()
    const { account, emulator } = emulated("acme", 3)
    const [first, second] = emulator.store.contracts
    const nights = Effect.gen(function* () {
      const store = yield* it.open
      const night = (day: number, status: string) =>
        Effect.suspend(() => {
          emulator.store.update(first!.id, { status })
          return at(Date.UTC(2026, 2, day))(syncInto(store, account))
        })
      for (const day of [1, 2, 3, 4]) yield* night(day, `day-${day}`)
      emulator.store.remove(second!.id)
      yield* night(5, "day-5")
      const removed = yield* store.prune("2026-03-03T12:00:00.000Z")
      const again = yield* store.prune("2026-03-03T12:00:00.000Z")
      emulator.store.insert({ ...second! })
      yield* night(6, "day-6")
      return [removed, again]
    })
    expect(await scoped(nights)).toEqual([2, 0])
    const versions = (id: number) =>
      it.rows(`select version, change from deedkit.contract_history where id = ${id} order by version`)
    expect((await versions(first!.id)).map(({ version }) => version)).toEqual([3, 4, 5, 6])
    expect((await versions(second!.id)).map(({ change }) => change)).toEqual(["added", "removed", "returned"])
    expect(await bodiesOf(it, "acme")).toEqual(inOrder(emulator.store.contracts))
  })

  it("removes the runs before a moment, and knows all that it knew of later ones", async () => {
    await using it = await place()
    const { account, emulator } = emulated("acme", 6)
    const broken = { ...account, fetch: async () => new Response("broken", { status: 500 }) }
    const { id } = emulator.store.contracts[0]!
    const list = { account: "acme", collection: "contracts" } as const
    await it.using((store) =>
      Effect.gen(function* () {
        const night = <A, E>(day: number, work: Effect.Effect<A, E>) => at(Date.UTC(2026, 2, day))(work)
        for (const day of [1, 2, 3, 4, 5, 6]) {
          emulator.store.update(id, { status: `day-${day}` })
          emulator.store.insert()
          if (day === 3) emulator.store.remove(emulator.store.contracts.find((one) => one.id !== id)!.id)
          yield* night(day, syncInto(store, account))
        }
        yield* night(7, Effect.ignore(syncInto(store, broken)))
        const known = () =>
          Effect.gen(function* () {
            const at = "2026-03-04T12:00:00.000Z"
            const { missing, page, row } = yield* store.snapshot({ ...list, at })
            const changes = yield* store.changes("2026-03-04T12:00:00.000Z")
            return [yield* store.status, yield* store.check, missing, row, yield* page(null, 100), changes]
          })
        const before = yield* known()
        yield* store.prune("2026-03-04T12:00:00.000Z")
        expect(yield* known()).toEqual(before)
        yield* store.prune("2026-03-04T12:00:00.000Z")
        expect(yield* known()).toEqual(before)
        const early = yield* Effect.flip(store.snapshot({ ...list, at: "2026-03-03T12:00:00.000Z" }))
        expect(early.reason).toMatchObject({ _tag: "MomentUnknown", first: "2026-03-04T00:00:00.000Z" })
        yield* night(8, syncInto(store, account))
        for (const { brokenAt, missing } of (yield* store.check)[0]!.lists)
          expect([brokenAt, missing]).toEqual([null, 0])
      }),
    )
    const runs = "select run from deedkit.sync_run where collection = 'contracts' order by run"
    expect(await it.rows(runs)).toMatchObject([{ run: 7 }, { run: 9 }, { run: 11 }, { run: 13 }])
    expect(await it.rows("select count(*) as changes from deedkit.changes where run < 7")).toMatchObject([
      { changes: 1 },
    ])
    await it.edit("delete from deedkit.sync_run where run = 7")
    const [status] = await it.using((store) => store.check)
    expect(status!.lists.map(({ brokenAt }) => brokenAt)).toEqual([9, null])
  })

  it("keeps the runs of a list since its last complete one, however old they are", async () => {
    await using it = await place()
    const { account, emulator } = emulated("acme", 60)
    await sync(it, account)
    await sync(it, account)
    for (const { id } of emulator.store.contracts.slice(20, 50)) emulator.store.remove(id)
    await sync(it, account)
    await sync(it, account)
    await it.using((store) => store.prune("2100-01-01T00:00:00.000Z"))
    const runs = await it.rows("select run, collection from deedkit.sync_run order by run")
    expect(runs).toMatchObject([{ run: 3 }, { run: 5 }, { run: 7 }, { run: 8, collection: "api-keys" }])
    expect(await it.using((store) => store.status)).toMatchObject([
      { lists: [{ records: 60, last: { run: 7, held: 30 }, lastComplete: { run: 3 } }, {}] },
    ])
    expect(await it.using((store) => store.accept("acme"))).toEqual([{ collection: "contracts", held: 30 }])
    expect(await sync(it, account)).toMatchObject([{ removed: 30, held: 0 }, {}])
  })

  it("tells its state from a few rows of each list, also while a read is under way", async () => {
    await using it = await place()
    await twoProcesses(it, (one, other) =>
      Effect.gen(function* () {
        const summary = { ...Fixtures.page([]).checkpoint.summary, records: 3 }
        const run = yield* beginning(one)
        yield* one.applyPage({ run, page: 0, ...pageOf([3, 2], "active") })
        const records = () => Effect.map(other.status, (all) => all[0]!.lists.map((list) => list.records))
        expect(yield* records()).toEqual([2])
        const fresh = yield* beginning(one, true)
        yield* one.applyPage({ run: fresh, page: 0, ...pageOf([3, 2, 1], "ended") })
        expect(yield* records()).toEqual([3])
        const ended = { ...fresh, pages: 1 }
        yield* one.finish({ run: ended, summary, removed: [3], unlisted: 0, at: summary.endedAt })
        expect(yield* records()).toEqual([2])
        expect((yield* other.check)[0]!.lists).toMatchObject([{ records: 2, missing: 0, brokenAt: null }])
        expect((yield* other.status)[0]!.lists).toMatchObject([{ last: { run: fresh.run }, missing: null }])
      }),
    )
  })

  it("holds the removal of half a list until it is accepted, and shows that it does", async () => {
    await using it = await place()
    const { account, emulator } = emulated("acme", 60)
    await sync(it, account)
    const gone = emulator.store.contracts.slice(20, 50).map(({ id }) => id)
    for (const id of gone) emulator.store.remove(id)
    const since = new Date().toISOString()
    for (const _night of [1, 2]) {
      const [row] = await sync(it, account)
      expect(row).toMatchObject({ completeness: "proven", records: 30, removed: 0, held: 30 })
      expect(row && isComplete(row)).toBe(false)
    }
    expect(await it.rows("select id from deedkit.contract")).toHaveLength(60)
    const completeAt =
      "select distinct complete_at = ended_at as is_first from deedkit.contracts, deedkit.sync_run"
    expect(await it.rows(`${completeAt} where run = 1`)).toMatchObject([
      { is_first: expect.toSatisfy(Boolean) },
    ])
    expect(await it.using((store) => store.changes(since))).toEqual([
      { account: "acme", collection: "contracts", firstRead: 0, held: 30, run: 5, changes: [] },
    ])
    const lists = [{ collection: "contracts", held: 30 }]
    expect(await it.using((store) => store.accept("acme"))).toEqual(lists)
    expect(await it.using((store) => store.status)).toMatchObject([
      { acceptedRun: 5, lists: [{ last: { run: 5, held: 30 }, lastComplete: { run: 1 } }, {}] },
    ])
    const { id } = emulator.store.contracts[0]!
    emulator.store.remove(id)
    expect(await sync(it, account)).toMatchObject([{ removed: 31, held: 0 }, {}])
    expect(await it.using((store) => store.changes(since))).toMatchObject([{ held: 0 }])
    expect(await it.using((store) => store.accept("acme"))).toEqual([])
    expect(await bodiesOf(it, "acme")).toEqual(inOrder(emulator.store.contracts))
    await expectSound(it)
  })

  it("accepts what was held, and not what is gone in a later night", async () => {
    await using it = await place()
    const { account, emulator } = emulated("acme", 90)
    const removeHalf = () => {
      const all = emulator.store.contracts.toSorted((one, other) =>
        one.updated_at < other.updated_at ? -1 : 1,
      )
      for (const { id } of all.slice(0, all.length / 2)) emulator.store.remove(id)
    }
    await sync(it, account)
    removeHalf()
    expect(await sync(it, account)).toMatchObject([{ held: 45 }, {}])
    await it.using((store) => store.accept("acme"))
    removeHalf()
    expect(await sync(it, account)).toMatchObject([{ removed: 0, held: 67 }, {}])
    await it.using((store) => store.accept("acme"))
    expect(await sync(it, account)).toMatchObject([{ removed: 67, held: 0 }, {}])
    for (const { id } of emulator.store.contracts.toReversed()) emulator.store.remove(id)
    expect(await sync(it, account)).toMatchObject([{ records: 0, removed: 0, held: 23 }, {}])
    const unknown = await it.using((store) => Effect.flip(store.accept("nobody")))
    expect(unknown.reason).toEqual({ _tag: "AccountUnknown", account: "nobody" })
  })

  it("does not count removals as accepted if their read ended after another list was accepted", async () => {
    await using it = await place()
    await it.using((store) =>
      Effect.gen(function* () {
        const page = pageOf([3, 2, 1], "active")
        const { summary } = page.checkpoint
        const begin = (...collections: ReadonlyArray<Collection>) =>
          store.begin({ caller, collections, at: page.at, resumeWithinMillis: 1_000, isFresh: false })
        const emptied = (run: Parameters<MirrorStore["absent"]>[0]) =>
          store.finish({
            run,
            summary: { ...summary, records: 0 },
            removed: [1, 2, 3],
            unlisted: 0,
            at: page.at,
          })
        for (const run of yield* begin("contracts", "api-keys")) {
          yield* store.applyPage({ ...page, run, page: 0 })
          const ended = { ...run, pages: 1 }
          yield* store.finish({
            run: ended,
            summary: { ...summary, records: 3 },
            removed: [],
            unlisted: 0,
            at: page.at,
          })
        }
        const [interrupted, keys] = yield* begin("contracts", "api-keys")
        expect(yield* emptied(keys!)).toMatchObject({ run: 4, removed: 0, held: 3 })
        expect(yield* store.accept("acme")).toEqual([{ collection: "api-keys", held: 3 }])
        const [resumed] = yield* begin("contracts")
        expect(resumed).toMatchObject({ run: interrupted!.run })
        expect(yield* emptied(resumed!)).toMatchObject({ run: 3, removed: 0, held: 3 })
        const [next] = yield* begin("contracts")
        expect(yield* emptied(next!)).toMatchObject({ removed: 0, held: 3 })
        expect(yield* store.accept("acme")).toHaveLength(2)
        for (const run of yield* begin("contracts", "api-keys"))
          expect(yield* emptied(run)).toMatchObject({ removed: 3, held: 0 })
      }),
    )
  })

  it("removes nothing where a list lacks its newest records, as an older copy of a service does", async () => {
    await using it = await place()
    const { account, emulator } = emulated("acme", 60)
    const updatedAt = { created_at: "2026-11-01T00:00:00Z", updated_at: "2026-11-01T00:00:00Z" }
    await sync(it, account)
    const added = [1, 2, 3].map(() => emulator.store.insert(updatedAt))
    await sync(it, account)
    for (const { id } of added) emulator.store.remove(id)
    expect(await sync(it, account)).toMatchObject([{ records: 60, removed: 0, held: 3 }, {}])
    for (const record of added) emulator.store.insert(record)
    expect(await sync(it, account)).toMatchObject([{ records: 63, returned: 0, held: 0 }, {}])
    await expectSound(it)
  })

  it("has the members with columns in every version, and none in a removal", async () => {
    await using it = await place()
    const { account, emulator } = emulated("acme", 3)
    const [first, second] = emulator.store.contracts
    await sync(it, account)
    emulator.store.update(first!.id, { status: "on_hold", unit_label: "Loft" })
    emulator.store.remove(second!.id)
    await sync(it, account)
    const history = (id: number) =>
      it.rows(
        `select version, status, kind, listing_id, city, unit_label, created_at is not null and updated_at is not null as has_times
           from deedkit.contract_history where id = ${id} order by version`,
      )
    const { kind, listing, listing_id, status, unit_label } = first!
    const same = {
      kind,
      listing_id,
      city: listing?.city ?? null,
      has_times: expect.toSatisfy(Boolean) as unknown,
    }
    expect(await history(first!.id)).toEqual([
      { version: 1, status, unit_label, ...same },
      { version: 2, status: "on_hold", unit_label: "Loft", ...same },
    ])
    const nothing = { status: null, kind: null, listing_id: null, city: null, unit_label: null }
    expect((await history(second!.id)).at(1)).toEqual({
      version: 2,
      ...nothing,
      has_times: expect.toSatisfy((value: unknown) => value === false || value === 0) as unknown,
    })
    const versions = "select status from deedkit.contract_versions where valid_to is null order by id"
    const current = "select status from deedkit.contract order by id"
    expect(await it.rows(versions)).toEqual(await it.rows(current))
    expect(await it.rows("select name from deedkit.api_key_versions order by id")).toEqual(
      await it.rows("select name from deedkit.api_key order by id"),
    )
  })

  it("has each listing as the contract that was updated last has it, and the day of each read", async () => {
    await using it = await place()
    const { account, emulator } = emulated("acme", 3)
    const [one, other, none] = emulator.store.contracts
    const listing = { id: 7, slug: "old", title: "Loft \u0001", city: "Athens", area: "Plaka" }
    const updated = (day: number) => ({ updated_at: `2026-11-0${day}T00:00:00Z`, listing_id: 7 })
    emulator.store.update(one!.id, { ...updated(1), listing })
    emulator.store.update(other!.id, { ...updated(2), listing: { ...listing, slug: "new" } })
    emulator.store.update(none!.id, { listing_id: null, listing: null })
    await sync(it, account)
    const found = await it.rows("select * from deedkit.listings")
    expect(
      found.map((row) =>
        Object.assign(row, { listing_id: Number(row["listing_id"]), contracts: Number(row["contracts"]) }),
      ),
    ).toEqual([
      {
        account: "acme",
        listing_id: 7,
        slug: "new",
        title: "Loft \u0001",
        city: "Athens",
        area: "Plaka",
        contracts: 2,
      },
    ])
    const [night] = await it.rows("select distinct cast(night as text) as day from deedkit.sync_run")
    expect(night).toEqual({ day: new Date().toISOString().slice(0, 10) })
  })

  it("has a random id and epoch, which stay", async () => {
    await using it = await place()
    await using other = await place()
    const { account } = emulated("acme", 2)
    await sync(it, account)
    const before = await it.rows("select id, epoch from deedkit.mirror")
    await sync(it, account)
    await sync(other, account)
    expect(await it.rows("select id, epoch from deedkit.mirror")).toEqual(before)
    const values = [...before, ...(await other.rows("select id, epoch from deedkit.mirror"))].flatMap(
      Object.values,
    )
    expect(new Set(values).size).toBe(4)
  })

  it("renames an account with its history and its proof, in place of one that was never read", async () => {
    await using it = await place()
    const { account, emulator } = emulated("acme", 6)
    await sync(it, emulated("beta", 5).account)
    for (const status of ["one", "two", "three"]) {
      emulator.store.update(emulator.store.contracts[0]!.id, { status })
      await sync(it, account)
    }
    // What a later read had without a new version: the last use of a key, and payloads.
    for (const { id } of emulator.store.apiKeys)
      emulator.store.updateKey(id, { last_used_at: "2026-03-02T08:00:00Z" })
    await sync(it, account, true)
    const later = ["contract_latest", "api_key_latest"]
    const kept = async (name: string) =>
      Promise.all(later.map((table) => it.rows(`select id from deedkit.${table} where account = '${name}'`)))
    expect((await kept("acme")).map(({ length }) => length)).toEqual([6, 12])
    await it.using((store) =>
      store.tag(
        new Map([
          ["acme", ["crete", "sea"]],
          ["athens", ["sea"]],
        ]),
      ),
    )
    // A changed row stays one that is seen to be changed.
    await it.edit(
      "update deedkit.sync_run set unlisted = 7 where run = 4",
      "insert into deedkit.account (account, base_url, added_at, problem) values ('athens', '', '2026-01-01T00:00:00Z', 'refused')",
    )
    const known = (name: string) =>
      it.using((store) =>
        Effect.gen(function* () {
          const { baseUrl, page } = yield* store.snapshot({
            account: name,
            collection: "contracts",
            at: null,
          })
          const own = (yield* store.check).find((each) => each.account === name)
          return [baseUrl, yield* page(null, 100), yield* store.changes("2000-01-01T00:00:00.000Z"), own]
        }),
      )
    const before = JSON.stringify(await known("acme")).replaceAll('"acme"', '"athens"')
    const taken = await it.using((store) => Effect.flip(store.rename("acme", "beta")))
    expect(taken.reason).toEqual({ _tag: "AccountExists", account: "beta" })
    await it.using((store) => store.rename("acme", "athens"))
    const withoutHashes = (text: string) =>
      text
        .replaceAll(/"previous":"[0-9a-f]{64}"/g, "")
        .split("},{")
        .toSorted()
    expect(withoutHashes(JSON.stringify(await known("athens")))).toEqual(withoutHashes(before))
    const [status] = await it.using((store) => store.check)
    expect(status!.lists).toMatchObject([
      { brokenAt: null, missing: 0 },
      { brokenAt: 6, missing: 0 },
    ])
    for (const table of ["account", "account_tag", ...ofAccounts, ...later, "sync_list"])
      expect(await it.rows(`select account from deedkit.${table} where account = 'acme'`)).toEqual([])
    expect((await kept("athens")).map(({ length }) => length)).toEqual([6, 12])
    const renamed = await it.using((store) =>
      Effect.flatMap(
        PropertyClient.make({
          baseUrl: "https://acme.example.test",
          apiKey: account.apiKey,
          rate: 0,
        }).pipe(Effect.provideService(Transport.Transport, Transport.viaFetch(account.fetch))),
        (client) => syncAccount({ store, client, account: "athens" }),
      ),
    )
    expect(renamed).toMatchObject([{ added: 0, completeness: "proven" }, { added: 0 }])
    const unknown = await it.using((store) => Effect.flip(store.rename("acme", "corp")))
    expect(unknown.reason).toEqual({ _tag: "AccountUnknown", account: "acme" })
    const invalid = await it.using((store) => Effect.flip(store.rename("athens", "a/b")))
    expect(invalid.reason).toMatchObject({ _tag: "AccountNameInvalid" })
  })

  it("has no row of an account that is refused because it is there under another name", async () => {
    await using it = await place()
    const { account } = emulated("a.cme", 6)
    await sync(it, account)
    const twin = await it.using((store) => Effect.flip(syncInto(store, { ...account, name: "ac.me" })))
    expect(twin).toMatchObject({ reason: { _tag: "AccountTwice", account: "ac.me", other: "a.cme" } })
    expect(await it.rows("select account from deedkit.account")).toEqual([{ account: "a.cme" }])
    await it.using((store) => store.drop("a.cme"))
    expect(await it.rows("select account from deedkit.account")).toEqual([{ account: "a.cme" }])
  })

  it("removes one list of an account, and keeps the other", async () => {
    await using it = await place()
    const { account } = emulated("acme", 6)
    await sync(it, account)
    await sync(it, emulated("beta", 5).account)
    await it.using((store) => Effect.andThen(beginning(store), store.forget("acme", "contracts")))
    const status = await it.using((store) => store.check)
    expect(status.map(({ lists }) => lists.map(({ collection }) => collection))).toEqual([
      ["api-keys"],
      ["contracts", "api-keys"],
    ])
    expect(await it.rows("select distinct account from deedkit.contract_history")).toEqual([
      { account: "beta" },
    ])
    await expectSound(it)
    const gone = await it.using((store) => Effect.flip(store.forget("acme", "contracts")))
    expect(gone.reason).toEqual({ _tag: "AccountUnknown", account: "acme" })
    expect(await sync(it, account)).toMatchObject([{ added: 6 }, { added: 0 }])
  })

  it("knows what was told, also when a clock was set back and while a read is under way", async () => {
    await using it = await place()
    const { account, emulator } = emulated("acme", 20)
    const { id } = emulator.store.contracts[0]!
    await it.using((store) =>
      Effect.gen(function* () {
        expect(yield* store.toldAt).toBe(null)
        const untold = () =>
          Effect.gen(function* () {
            const lists = yield* store.changes(null)
            yield* store.tell(lists, "2026-03-09T00:00:00.000Z")
            return lists.map(({ changes, collection, firstRead }) => [collection, firstRead, changes.length])
          })
        const night = (day: number, status: string) =>
          Effect.suspend(() => {
            emulator.store.update(id, { status })
            return at(Date.UTC(2026, 2, day))(syncInto(store, account))
          })
        yield* night(5, "five")
        expect(yield* untold()).toEqual([
          ["contracts", 20, 0],
          ["api-keys", 12, 0],
        ])
        expect(yield* untold()).toEqual([])
        yield* night(3, "three")
        let left = 2
        const broken: Account["fetch"] = async (...request) =>
          left-- > 0 ? account.fetch(...request) : new Response("broken", { status: 500 })
        emulator.store.update(emulator.store.contracts[1]!.id, { status: "four" })
        yield* Effect.ignore(syncInto(store, { ...account, fetch: broken }))
        expect(yield* untold()).toEqual([["contracts", 0, 1]])
        yield* night(6, "six")
        expect(yield* untold()).toEqual([["contracts", 0, 2]])
        expect(yield* untold()).toEqual([])
        expect(yield* store.toldAt).toBe("2026-03-09T00:00:00.000Z")
      }),
    )
  })

  it("has the last version of a record that was removed, with the time, until it returns", async () => {
    await using it = await place()
    const { account, emulator } = emulated("acme", 6)
    const [kept, gone] = emulator.store.contracts
    await sync(it, account)
    emulator.store.update(kept!.id, { status: "on_hold" })
    emulator.store.remove(gone!.id)
    await sync(it, account)
    const of = (id: number) =>
      it.rows(
        `select version, status, removed_at is not null as is_gone from deedkit.contracts_with_removed where id = ${id}`,
      )
    const flag = (is: boolean) => expect.toSatisfy((value: unknown) => Boolean(value) === is) as unknown
    expect(await of(kept!.id)).toEqual([{ version: 2, status: "on_hold", is_gone: flag(false) }])
    expect(await of(gone!.id)).toEqual([{ version: 1, status: gone!.status, is_gone: flag(true) }])
    expect(await it.rows("select id from deedkit.contracts_with_removed")).toHaveLength(6)
    expect(await it.rows("select id from deedkit.api_keys_with_removed")).toHaveLength(12)
    emulator.store.insert({ ...gone! })
    await sync(it, account)
    expect(await of(gone!.id)).toEqual([{ version: 3, status: gone!.status, is_gone: flag(false) }])
    expect(await it.rows("select id from deedkit.contracts_with_removed")).toHaveLength(6)
  })

  // Regression: they were dropped with their version, and the next one seemed to have brought them.
  it("keeps what a later read had of a version once that is replaced or removed, until it is pruned", async () => {
    await using it = await place()
    const { account, emulator } = emulated("acme", 4)
    const [changed, removed] = emulator.store.contracts.map(({ id }) => id)
    const [key] = emulator.store.apiKeys
    const night = (day: number, data = false) =>
      it.using((store) => at(Date.UTC(2026, 2, day))(syncInto(store, account, { data })))
    await night(1)
    emulator.store.updateKey(key!.id, { last_used_at: "2026-03-01T08:00:00Z" })
    await night(2, true)
    const payload = async (id: number) =>
      (await it.rows(`select data from deedkit.contract where id = ${id}`))[0]!["data"]
    const payloads = [await payload(changed!), await payload(removed!)]
    expect(payloads).toEqual([expect.any(String), expect.any(String)])
    emulator.store.update(changed!, { status: "on_hold" })
    emulator.store.remove(removed!)
    emulator.store.updateKey(key!.id, { name: "Renamed" })
    await night(3)
    const [contracts, keys] = await it.using((store) => store.changes("2026-03-03T00:00:00.000Z"))
    const byId = new Map(contracts!.changes.map((change) => [change.id, change]))
    expect(byId.get(changed!)).toMatchObject({ version: 2, dataBefore: payloads[0], data: payloads[0] })
    expect(byId.get(removed!)).toMatchObject({ version: 2, dataBefore: payloads[1], data: null })
    expect(JSON.parse(keys!.changes[0]!.before!)).toMatchObject({
      name: key!.name,
      last_used_at: "2026-03-01T08:00:00Z",
    })
    const before = await it.rows(
      "select id, data_before from deedkit.changes where collection = 'contracts' order by id",
    )
    expect(new Map(before.map((row) => [row["id"], row["data_before"]]))).toEqual(
      new Map([
        [changed, payloads[0]],
        [removed, payloads[1]],
      ]),
    )
    const last = "select id, data from deedkit.contracts_with_removed order by id"
    expect((await it.rows(last)).map(({ data }) => data)).not.toContain(null)
    expect(
      await it.rows(
        "select last_used_at is not null as is_used from deedkit.api_keys_with_removed where name = 'Renamed'",
      ),
    ).toEqual([{ is_used: expect.toSatisfy(Boolean) as unknown }])
    emulator.store.insert({ ...emulator.store.contracts[1]!, id: removed! })
    await night(4)
    expect(await payload(removed!)).toBe(payloads[1])
    const replaced = `select latest.id from deedkit.contract_latest as latest left join deedkit.contract_history as kept
      on kept.account = latest.account and kept.id = latest.id and kept.version = latest.version
      where kept.valid_to is not null or kept.version is null`
    expect(await it.rows(replaced)).toHaveLength(2)
    await it.using((store) => store.prune("2026-03-05T00:00:00.000Z"))
    expect(await it.rows(replaced)).toEqual([])
    expect(await it.rows("select id from deedkit.contract_latest")).toHaveLength(2)
    expect([await payload(changed!), await payload(removed!)]).toEqual(payloads)
    expect(await bodiesOf(it, "acme")).toEqual(inOrder(emulator.store.contracts))
  })

  it("never shows a text of a version that another program has deleted as one of the version in its place", async () => {
    await using it = await place()
    const { account, emulator } = emulated("acme", 2)
    const { id } = emulator.store.contracts[0]!
    await sync(it, account)
    emulator.store.update(id, { status: "on_hold" })
    await sync(it, account)
    await sync(it, account, true)
    expect(await it.rows(`select version from deedkit.contract_latest where id = ${id}`)).toEqual([
      { version: 2 },
    ])
    await it.edit(`delete from deedkit.contract_history where id = ${id} and version = 2`)
    emulator.store.update(id, { status: "ended" })
    await sync(it, account)
    expect(await it.rows(`select version, status from deedkit.contract where id = ${id}`)).toEqual([
      { version: 2, status: "ended" },
    ])
    expect(await bodiesOf(it, "acme")).toEqual(inOrder(emulator.store.contracts))
  })

  it("has the tags of accounts, which stay until they get others, and go with their account", async () => {
    await using it = await place()
    const tagged = () =>
      it.using((store) => Effect.map(store.status, (all) => all.map(({ account, tags }) => [account, tags])))
    await it.using((store) =>
      store.tag(
        new Map([
          ["acme", ["sea", "crete", "sea", "a\u0000b"]],
          ["beta", ["sea"]],
          ["later", ["crete"]],
        ]),
      ),
    )
    expect(await tagged()).toEqual([])
    for (const name of ["acme", "beta"]) await sync(it, emulated(name, 3).account)
    expect(await tagged()).toEqual([
      ["acme", ["a\uFFFDb", "crete", "sea"]],
      ["beta", ["sea"]],
    ])
    const invalid = await it.using((store) => Effect.flip(store.tag(new Map([["a/b", []]]))))
    expect(invalid.reason).toMatchObject({ _tag: "AccountNameInvalid" })
    await it.using((store) => store.tag(new Map([["acme", []]])))
    expect(await tagged()).toEqual([
      ["acme", []],
      ["beta", ["sea"]],
    ])
    await it.using((store) => store.forget("beta"))
    expect(await it.rows("select account, tag from deedkit.account_tag")).toEqual([
      { account: "later", tag: "crete" },
    ])
  })

  it("removes an account by its name, and no other one", async () => {
    await using it = await place()
    const other = emulated("beta", 5)
    const { account, emulator } = emulated("acme", 40)
    await sync(it, account)
    for (const { id } of emulator.store.apiKeys)
      emulator.store.updateKey(id, { last_used_at: "2026-03-02T08:00:00Z" })
    await sync(it, account)
    await sync(it, other.account)
    expect(await it.rows("select id from deedkit.api_key_latest where account = 'acme'")).toHaveLength(12)
    const unknown = await it.using((store) => Effect.flip(store.forget("nobody")))
    expect(unknown.reason).toEqual({ _tag: "AccountUnknown", account: "nobody" })
    await it.using((store) => store.forget("acme"))
    for (const table of ["account", "contract_latest", "api_key_latest", ...ofAccounts])
      expect(await it.rows(`select account from deedkit.${table} where account = 'acme'`)).toEqual([])
    expect(await bodiesOf(it, "beta")).toEqual(inOrder(other.emulator.store.contracts))
  })

  it.each([
    ["before a first page is stored", 2],
    ["between two pages", 3],
    ["while another list is read", 7],
  ] as const)("does not bring back an account that is removed during its sync, %s", async (__, nth) => {
    await using it = await place()
    const { account } = emulated("acme", 40)
    let requests = 0
    const forgetful: Account = {
      ...account,
      fetch: async (...request) => {
        requests += 1
        if (requests === nth) await it.using((store) => store.forget("acme"))
        return account.fetch(...request)
      },
    }
    const error = await it.using((store) => Effect.flip(syncInto(store, forgetful)))
    expect(error.reason).toEqual({ _tag: "AccountUnknown", account: "acme" })
    for (const table of ["account", "contract_history", "sync_run"])
      expect(await it.rows(`select * from deedkit.${table}`)).toEqual([])
    expect(await it.rows("select * from deedkit.sync_page")).toEqual([])
  })
})

describe.skipIf(!hasPostgres)("the views of a mirror in PostgreSQL", () => {
  it.each([
    ["what changed since a moment", "changes where seen_at >= '2026-10-24'", "history_by_time"],
    ["the versions of a time", "contract_versions where valid_from >= '2026-10-24'", "history_by_time"],
    ["the contracts of a listing", "contracts where listing_id = 7", "history_by_listing"],
  ])("look up %s by an index", async (_, view, index) => {
    await using it = await onServer(server!, `plans-${(databases += 1)}`)
    await sync(it, emulated("acme", 5).account)
    // A few rows would be read one after the other in any case.
    await it.edit(
      "do $$ begin execute format('alter database %I set enable_seqscan = off', current_database()); end $$",
    )
    const plan = await it.rows(`explain select * from deedkit.${view}`)
    expect(plan.map((row) => String(row["QUERY PLAN"])).join("\n")).toContain(`contract_${index}`)
  })
})
