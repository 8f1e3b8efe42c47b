import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { Server } from "@deedkit/config/postgres"
import { hasPostgres, password, start } from "@deedkit/config/postgres"
import { Json } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"
import type { Emulator } from "@deedkit/emulator"
import { make } from "@deedkit/emulator"
import type { MirrorStore } from "@deedkit/sync"
import type { RunRow } from "@deedkit/sync"
import { isComplete, sqliteStore } from "@deedkit/sync"
import { hashOf, runOf } from "@deedkit/sync/store"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { schemaVersion } from "@deedkit/sync/store"
import type { Account } from "../harness/Accounts.ts"
import { accountOf, failing, syncInto, using } from "../harness/Accounts.ts"
import { locked, query } from "../harness/Query.ts"

let server: Server
let databases = 0
const database = () => server.database(`mirror-${(databases += 1)}`)

const asText = (rows: ReadonlyArray<Record<string, unknown>>) =>
  rows.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [
        name,
        Array.isArray(value) ? JSON.stringify(value) : String(value),
      ]),
    ),
  )

/** The same table as both stores hold it, without the times of the reads. */
const tables = {
  contract:
    "select account, id, version, run, hash, status, kind, listing_id, city, unit_label, body, data from contract order by account, id",
  contract_history:
    "select account, id, version, change, members, run, hash, body, data from contract_history order by account, id, version",
  api_key: "select account, id, version, run, hash, name, body from api_key order by account, id",
  api_key_history:
    "select account, id, version, change, members, run, hash, body from api_key_history order by account, id, version",
  sync_run:
    "select run, account, collection, state, pages, records, completeness, reason, rejected, without_data, added, changed, returned, removed, unlisted, resumed_at_page from sync_run order by run",
  contracts:
    "select account, base_url, id, version, status, kind, listing_id, city, unit_label, body, data from contracts order by account, id",
  api_keys: "select account, base_url, id, version, name, body from api_keys order by account, id",
  contract_versions:
    "select account, id, version, change, members, run, hash, body, data from contract_versions order by account, id, version",
  api_key_versions:
    "select account, id, version, change, members, run, hash, body from api_key_versions order by account, id, version",
  changes:
    "select account, collection, id, version, change, members, run, body, body_before, data, data_before from changes order by account, collection, id, version",
}

/** A sequence of numbers below a bound, the same for each seed. */
const numbers = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

/** What happens to an account between two reads. */
const live = ({ store }: Emulator, draw: (below: number) => number): void => {
  for (let left = draw(6); left > 0; left--) {
    const { contracts } = store
    const one = contracts[draw(contracts.length)]!
    switch (draw(4)) {
      case 0:
        store.remove(one.id)
        break
      case 1:
        store.insert({ ...one, id: one.id + 10_000 + draw(10), unit_label: `new ${draw(100)}` })
        break
      default:
        // Long ago, so that no read takes it for a change that happened meanwhile.
        store.update(one.id, {
          status: ["draft", "active", "ended", "on_hold"][draw(4)]!,
          updated_at: `2026-01-02T10:${10 + draw(50)}:00Z`,
        })
    }
  }
}

const serving = (record: string): Account => ({
  name: "own",
  apiKey: "dk_own_key_of_this_test",
  fetch: async (request) => {
    const url = new URL(request.url)
    const reply = (body: string) => new Response(body, { headers: { "content-type": "application/json" } })
    if (url.pathname.endsWith("/me/")) return reply('{"ok":true,"account":{"id":3}}')
    const items = url.pathname.endsWith("/contracts/") ? record : ""
    return reply(`{"ok":true,"items":[${items}],"next_before_id":null}`)
  },
})

describe.skipIf(!hasPostgres)("the mirror in PostgreSQL", () => {
  beforeAll(async () => {
    server = await start()
  }, 60_000)
  afterAll(() => server[Symbol.asyncDispose]())

  it.each([1, 2, 3])("holds what the mirror in SQLite holds, also after broken reads: %i", async (seed) => {
    const draw = numbers(seed)
    const folder = await mkdtemp(join(tmpdir(), "deedkit-both-"))
    const path = join(folder, "mirror.sqlite")
    const url = await database()
    const emulators = ["acme", "beta", "corp"].map(
      (name, at) =>
        [
          name,
          make({ contracts: 25 + 10 * at, assumptions: { cursorKind: at === 2 ? "string" : "integer" } }),
        ] as const,
    )
    const both = (work: (store: MirrorStore) => Effect.Effect<unknown, unknown>) =>
      Effect.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            yield* work(yield* sqliteStore({ path }))
            return yield* Effect.promise(() => using({ url }, work))
          }),
        ),
      )
    for (let step = 0; step < 12; step++) {
      const [name, emulator] = emulators[draw(emulators.length)]!
      live(emulator, draw)
      const most = draw(3) === 0 ? draw(8) : Infinity
      await both((store) => {
        let left = most
        const fetch: Account["fetch"] = async (request) =>
          left-- > 0 ? emulator.fetch(request) : new Response("broken", { status: 500 })
        const data = step % 3 === 1
        return Effect.ignore(syncInto(store, { ...accountOf(name, emulator), fetch }, { data }))
      })
    }
    const sqlite = new DatabaseSync(path, { readOnly: true })
    const inSqlite = Object.values(tables).map((sql) => asText(sqlite.prepare(sql).all()))
    const inPostgres = await Promise.all(
      Object.values(tables).map(async (sql) =>
        asText(await query(url, sql.replace(/ from (\w+) /, " from deedkit.$1 "))),
      ),
    )
    expect(inPostgres).toEqual(inSqlite)
    for (const rows of inSqlite) expect(rows.length).toBeGreaterThan(0)
    sqlite.close()
    const since = "2000-01-01T00:00:00.000Z"
    const there = await Effect.runPromise(
      Effect.scoped(Effect.flatMap(sqliteStore({ path, isReadOnly: true }), (store) => store.changes(since))),
    )
    const here = await using({ url, isReadOnly: true }, (store) => store.changes(since))
    const timeless = (lists: typeof here) =>
      JSON.stringify(lists, (name, value: unknown) => (name === "seenAt" ? "" : value))
    expect(timeless(here)).toBe(timeless(there))
    // Both clocks are their own, so each run is asked for by the moment of its end in that store.
    const finished =
      "select account, collection, run, ended_at from sync_run where state = 'finished' order by run"
    const moments = {
      there: new DatabaseSync(path, { readOnly: true }).prepare(finished).all(),
      here: await query(url, finished.replace("sync_run", "deedkit.sync_run")),
    }
    const kept = (which: keyof typeof moments) => (store: MirrorStore) =>
      Effect.forEach(moments[which], (row) => {
        const { account, collection, ended_at: end } = row as Record<string, string | Date>
        const list = { account: String(account), collection: collection as "contracts" | "api-keys" }
        return Effect.forEach([new Date(end!).toISOString(), null, since], (at) =>
          Effect.gen(function* () {
            const { baseUrl, brokenAt, missing, page, row: proof } = yield* store.snapshot({ ...list, at })
            const first = yield* page(null, 4)
            const rest = yield* page(first.at(-1)?.id ?? null, 1_000)
            return { list, baseUrl, brokenAt, missing, run: proof.run, records: [...first, ...rest] }
          }).pipe(Effect.catch(({ reason }) => Effect.succeed({ list, reason: reason._tag }))),
        )
      })
    const snapshots = async () => [
      await using({ url, isReadOnly: true }, kept("here")),
      await Effect.runPromise(
        Effect.scoped(Effect.flatMap(sqliteStore({ path, isReadOnly: true }), kept("there"))),
      ),
    ]
    const [keptHere, keptThere] = await snapshots()
    expect(keptHere).toEqual(keptThere)
    for (const [at, [then, , before]] of keptThere!.entries()) {
      expect(then).toMatchObject({ run: Number(moments.there[at]!["run"]), brokenAt: null, missing: 0 })
      expect(before).toMatchObject({ reason: "MomentUnknown" })
    }
    const samples = await using({ url, isReadOnly: true }, (store) =>
      store.sample(
        { account: "acme", baseUrl: "https://acme.example.test", identity: null, isConfirmed: false },
        "contracts",
        7,
      ),
    )
    expect(new Set(samples.map(({ id }) => id)).size).toBe(7)
    for (const { body, id } of samples) expect(JSON.parse(body)).toMatchObject({ id })
    const pruned = new Array<number>()
    await both((store) =>
      Effect.gen(function* () {
        pruned.push(yield* store.prune(new Date().toISOString()))
        yield* store.forget("beta")
      }),
    )
    expect(pruned[0]).toBeGreaterThan(0)
    expect(pruned[1]).toBe(pruned[0])
    const [prunedHere, prunedThere] = await snapshots()
    expect(prunedHere).toEqual(prunedThere)
    expect(JSON.stringify(prunedThere)).toContain("MomentUnknown")
    const left = "select account, id, version from contract_history order by account, id, version"
    expect(asText(await query(url, left.replace("contract_", "deedkit.contract_")))).toEqual(
      asText(new DatabaseSync(path, { readOnly: true }).prepare(left).all()),
    )
    const status = await using({ url, isReadOnly: true }, (store) => store.check)
    expect(
      status.flatMap(({ lists }) => lists.map(({ brokenAt, missing }) => brokenAt === null && missing === 0)),
    ).not.toContain(false)
    await rm(folder, { recursive: true, force: true })
  })

  it("tells the state of each list from its newest rows, and finds a changed row among all", async () => {
    const url = await database()
    const broken: Account["fetch"] = async () => new Response("broken", { status: 500 })
    await using({ url }, (store) =>
      Effect.gen(function* () {
        for (const name of ["acme", 'a "quoted" name \u{1f3e0}']) {
          const account = accountOf(name, make({ contracts: 3 }))
          for (let left = 3; left > 0; left--) yield* syncInto(store, account)
          yield* Effect.ignore(syncInto(store, { ...account, fetch: broken }))
          yield* syncInto(store, account, { resumeWithinMillis: -1 })
        }
        // Neither list of it was read to its end.
        yield* Effect.ignore(syncInto(store, { ...accountOf("never", make()), fetch: broken }))
      }),
    )
    const brokenAt = (rows: ReadonlyArray<RunRow>) =>
      rows.find(({ previous }, at) => previous !== (at === 0 ? null : hashOf(rows[at - 1]!)))?.run ?? null
    /** What all rows say. */
    const expected = async () => {
      const rows = (await query(url, "select * from deedkit.sync_run order by run")).map(runOf)
      return Array.from(
        Map.groupBy(rows, ({ account, collection }) => `${account} ${collection}`),
        ([list, own]) => ({
          list,
          last: own.findLast(({ state }) => state === "finished") ?? null,
          lastComplete: own.findLast(isComplete) ?? null,
          running: own.findLast(({ state }) => state === "running") ?? null,
          brokenAt: brokenAt(own.filter(({ state }) => state !== "running")),
        }),
      ).toSorted((one, other) => (one.list < other.list ? -1 : 1))
    }
    const told = async () =>
      (await using({ url, isReadOnly: true }, (store) => store.check))
        .flatMap(({ account, lists }) =>
          lists.map(({ brokenAt: at, collection, last, lastComplete, running }) => ({
            list: `${account} ${collection}`,
            last,
            lastComplete,
            running,
            brokenAt: at,
          })),
        )
        .toSorted((one, other) => (one.list < other.list ? -1 : 1))
    const [first] = await expected()
    expect(first).toMatchObject({ brokenAt: null, running: null })
    expect(await told()).toEqual(await expected())
    expect(await told()).toHaveLength(6)
    const seen = new Set<number | null>()
    for (const change of [
      "rejected = 2 where run = (select max(run) from deedkit.sync_run where account = 'acme' and collection = 'contracts')",
      "cursor_evidence = E'\\b\\f\\n\\r\\t\\x01\\\\/\\u00e9 \"' where run % 3 = 0",
      "previous = null where run % 4 = 0",
      "ended_at = ended_at + interval '1 millisecond' where run % 5 = 0",
      "completeness = 'unverified' where collection = 'api-keys'",
      "state = 'abandoned' where account = 'acme'",
    ]) {
      await query(url, `update deedkit.sync_run set ${change}`)
      const now = await expected()
      for (const list of now) seen.add(list.brokenAt)
      expect(await told()).toEqual(now)
    }
    expect(seen.size).toBeGreaterThan(3)
    for (const removed of ["min(run) + 1", "min(run)"]) {
      await query(
        url,
        `delete from deedkit.sync_run where run in (select ${removed} from deedkit.sync_run where account <> 'acme')`,
      )
      expect(await told()).toEqual(await expected())
    }
  })

  it("keeps each digit and letter of a record, also those that PostgreSQL's own types refuse", async () => {
    const url = await database()
    const text = Json.stringify(
      Fixtures.contract({
        id: 2 ** 53 - 1,
        unit_label: "a\ud800b\u0000c",
        created_at: "0000-01-01T00:00:00Z",
      }),
    ).replace(/\}$/, `,"big":12345678901234567890123,"tiny":1e-300,"na\\u0000me\\udc00":"\\u0000"}`)
    await using({ url }, (store) => syncInto(store, serving(text)))
    const rows = "select id, body, unit_label, created_at, updated_at from deedkit.contract"
    const [row] = await query(url, rows)
    expect(row).toMatchObject({
      id: BigInt(2 ** 53 - 1),
      body: text,
      unit_label: "a\uFFFDb\uFFFDc",
      created_at: null,
    })
    expect(row!["updated_at"]).toBeInstanceOf(Date)
    const [changed] = await using({ url }, (store) =>
      syncInto(store, serving(text.replace('"\\u0000"}', '"\\u0001"}'))),
    )
    expect(changed).toMatchObject({ changed: 1 })
    expect(await query(url, "select members from deedkit.contract_history where version = 2")).toEqual([
      { members: ["na\uFFFDme\uFFFD"] },
    ])
  })

  it("stores each page once when two processes sync one account at the same time", async () => {
    const url = await database()
    const emulator = make({ contracts: 60 })
    const account = accountOf("acme", emulator)
    const one = () => using({ url }, (store) => syncInto(store, account)).catch((error: unknown) => error)
    for (let night = 0; night < 3; night++) {
      live(emulator, numbers(night + 7))
      const ends = await Promise.all([one(), one(), one()])
      for (const end of ends) if (end instanceof Error) expect(String(end)).toContain("Another process")
    }
    await using({ url }, (store) => syncInto(store, account))
    const rows = await query(url, "select id, body from deedkit.contract order by id")
    expect(rows.map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual(
      emulator.store.contracts.toSorted((a, b) => a.id - b.id),
    )
    const gaps =
      "select id from deedkit.contract_history group by id having max(version) <> count(*) or min(version) <> 1"
    expect(await query(url, gaps)).toEqual([])
    expect(await query(url, "select * from deedkit.sync_page")).toEqual([])
  })

  const lockOf = (account: string) =>
    `select account from deedkit.account where account = '${account}' for update`

  it("fails one account alone when another program holds its row for longer than the server waits", async () => {
    const url = await database()
    const [acme, beta] = ["acme", "beta"].map((name) => accountOf(name, make({ contracts: 5 })))
    await using({ url }, (store) => Effect.andThen(syncInto(store, acme!), syncInto(store, beta!)))
    await query(url, `alter database "${new URL(url).pathname.slice(1)}" set lock_timeout = '50ms'`)
    await locked(url, lockOf("acme"), () =>
      using({ url }, (store) =>
        Effect.gen(function* () {
          const error = yield* Effect.flip(syncInto(store, acme!))
          expect(error.reason).toMatchObject({ _tag: "AccountLocked", account: "acme" })
          expect(yield* syncInto(store, beta!)).toMatchObject([{ completeness: "proven" }, {}])
        }),
      ),
    )
  })

  it("stores a page on another connection when the server ends the one on which it waits", async () => {
    const url = await database()
    const acme = accountOf("acme", make({ contracts: 5 }))
    await using({ url }, (store) => syncInto(store, acme))
    const waiting =
      "select pid from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'deedkit'"
    await using({ url }, (store) =>
      Effect.gen(function* () {
        const end = Promise.withResolvers<void>()
        const held = Promise.withResolvers<void>()
        const blocker = locked(url, lockOf("acme"), () => {
          held.resolve()
          return end.promise
        })
        yield* Effect.promise(() => held.promise)
        const synced = yield* Effect.forkChild(syncInto(store, acme))
        yield* Effect.promise(async () => {
          while ((await query(url, waiting)).length === 0);
          await query(url, `select pg_terminate_backend(pid) from (${waiting}) as those`)
          end.resolve()
          await blocker
        })
        expect(yield* Fiber.join(synced)).toMatchObject([{ completeness: "proven" }, {}])
      }),
    )
  })

  it("keeps the proof of a list that becomes complete while the runs before a moment are removed", async () => {
    const url = await database()
    const emulator = make({ contracts: 60 })
    const acme = accountOf("acme", emulator)
    const first = accountOf("aaa", make({ contracts: 3 }))
    const contracts = { collections: ["contracts"] } as const
    const waiting =
      "select pid from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'deedkit'"
    await using({ url }, (store) =>
      Effect.gen(function* () {
        yield* syncInto(store, acme, contracts)
        const gone = emulator.store.contracts.slice(20, 50)
        for (const { id } of gone) emulator.store.remove(id)
        expect(yield* syncInto(store, acme, contracts)).toMatchObject([{ held: 30 }])
        for (const record of gone) emulator.store.insert(record)
        for (const _night of [1, 2]) yield* syncInto(store, first, contracts)
        const before = new Date().toISOString()
        const held = Promise.withResolvers<void>()
        const end = Promise.withResolvers<void>()
        const blocker = locked(
          url,
          "select 1 from deedkit.sync_list where account = 'aaa' for update",
          () => {
            held.resolve()
            return end.promise
          },
        )
        yield* Effect.promise(() => held.promise)
        const pruned = yield* Effect.forkChild(store.prune(before))
        yield* Effect.promise(async () => {
          while ((await query(url, waiting)).length === 0);
        })
        expect(yield* syncInto(store, acme, contracts)).toMatchObject([{ completeness: "proven", held: 0 }])
        end.resolve()
        yield* Effect.promise(() => blocker)
        yield* Fiber.join(pruned)
        for (const { lists } of yield* store.check)
          expect(lists).toMatchObject([{ brokenAt: null, missing: 0 }])
      }),
    )
    expect(await query(url, "select run::int from deedkit.sync_run order by run")).toEqual([
      { run: 2 },
      { run: 4 },
      { run: 5 },
    ])
  })

  /** Does something while a prune of everything before now holds its lock on the lists of all accounts but the last one, for which it waits. */
  const whilePruning = (
    url: string,
    store: MirrorStore,
    last: string,
    work: Effect.Effect<unknown, unknown>,
  ) =>
    Effect.gen(function* () {
      const waiting =
        "select pid from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'deedkit'"
      const waitFor = (number: number) =>
        Effect.promise(async () => {
          while ((await query(url, waiting)).length < number);
        })
      const held = Promise.withResolvers<void>()
      const end = Promise.withResolvers<void>()
      const blocker = locked(
        url,
        `select 1 from deedkit.sync_list where account = '${last}' for update`,
        () => {
          held.resolve()
          return end.promise
        },
      )
      yield* Effect.promise(() => held.promise)
      const pruned = yield* Effect.forkChild(store.prune(new Date().toISOString()))
      yield* waitFor(1)
      const done = yield* Effect.forkChild(work)
      yield* waitFor(2)
      const running = yield* Effect.promise(() =>
        query(url, "select account from deedkit.sync_run where state = 'running'"),
      )
      end.resolve()
      yield* Effect.promise(() => blocker)
      yield* Fiber.join(pruned)
      yield* Fiber.join(done)
      return running
    })

  it("begins a sync while the runs before a moment are removed", async () => {
    const url = await database()
    const [acme, zeta] = ["acme", "zeta"].map((name) => accountOf(name, make({ contracts: 3 })))
    const contracts = { collections: ["contracts"] } as const
    await using({ url }, (store) =>
      Effect.gen(function* () {
        for (const account of [acme!, acme!, zeta!]) yield* syncInto(store, account, contracts)
        // The end of the sync waits for the prune.
        const running = yield* whilePruning(url, store, "zeta", syncInto(store, acme!, contracts))
        expect(running).toEqual([{ account: "acme" }])
        for (const { lists } of yield* store.check)
          expect(lists).toMatchObject([{ brokenAt: null, missing: 0, running: null }])
      }),
    )
  })

  it("keeps the runs linked of an account that is renamed while the runs before a moment are removed", async () => {
    const url = await database()
    const [acme, zeta] = ["acme", "zeta"].map((name) => accountOf(name, make({ contracts: 3 })))
    await using({ url }, (store) =>
      Effect.gen(function* () {
        for (const account of [acme!, acme!, acme!, zeta!]) yield* syncInto(store, account)
        yield* whilePruning(url, store, "zeta", store.rename("acme", "beta"))
        const all = yield* store.check
        expect(all.map(({ account }) => account)).toEqual(["beta", "zeta"])
        for (const { lists } of all)
          expect(lists).toMatchObject([
            { brokenAt: null, missing: 0 },
            { brokenAt: null, missing: 0 },
          ])
      }),
    )
  })

  it("loses and doubles nothing when its connections are ended and the server crashes in the middle of reads", async () => {
    const url = await database()
    const emulator = make({ contracts: 120 })
    const draw = numbers(5)
    let trouble: Promise<unknown> = Promise.resolve()
    const troubled: Account = {
      ...accountOf("acme", emulator),
      fetch: async (request) => {
        if (draw(6) === 0)
          trouble = query(
            url,
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'deedkit' and pid <> pg_backend_pid()",
          )
        await trouble
        return emulator.fetch(request)
      },
    }
    let failures = 0
    for (let step = 0; step < 8; step++) {
      live(emulator, draw)
      const ended = using({ url }, (store) => syncInto(store, troubled)).then(() => "", String)
      if (step === 3) await server.restart()
      const error = await ended
      if (error === "") continue
      failures += 1
      expect(error).toMatch(/cannot be reached/)
      expect(error).not.toContain(password)
    }
    expect(failures).toBeGreaterThan(0)
    await trouble
    // The first one resumes a read: what was removed since it began is for the second one.
    const sync = () => using({ url }, (store) => syncInto(store, accountOf("acme", emulator)))
    await sync()
    expect((await sync())[0]).toMatchObject({ state: "finished" })
    const rows = await query(url, "select body from deedkit.contract order by id")
    expect(rows.map(({ body }) => JSON.parse(String(body)) as unknown)).toEqual(
      emulator.store.contracts.toSorted((a, b) => a.id - b.id),
    )
    const gaps =
      "select id from deedkit.contract_history group by id having max(version) <> count(*) or min(version) <> 1"
    expect(await query(url, gaps)).toEqual([])
  })

  it("makes its tables once when processes open it at the same time", async () => {
    const url = await database()
    const opened = await Promise.all([1, 2, 3, 4].map(() => using({ url }, (store) => store.status)))
    expect(opened).toEqual([[], [], [], []])
    expect(await query(url, "select version from deedkit.mirror_version")).toEqual([
      { version: schemaVersion },
    ])
  })

  it("refuses a schema with other tables, one of a newer version, and one that is not there to be read", async () => {
    const url = await database()
    const reason = (options: object) =>
      failing({ url, ...options }, (store) => store.status).then(
        (error) => (error as { reason: object }).reason,
      )
    const path = `${url.replace(`owner:${password}@`, "")}#`
    await query(url, "create schema other")
    await query(url, "create table other.theirs (id int)")
    expect(await reason({ schema: "other" })).toEqual({ _tag: "NotAMirror", path: `${path}other` })
    expect(await reason({ isReadOnly: true })).toEqual({ _tag: "MirrorMissing", path: `${path}deedkit` })
    const odd = 'a "mirror"; drop table x'
    await using({ url, schema: odd }, (store) => store.status)
    await query(url, `update "${odd.replaceAll('"', '""')}".mirror_version set version = 9`)
    expect(await reason({ schema: odd })).toMatchObject({
      _tag: "SchemaNewer",
      found: 9,
      known: schemaVersion,
    })
    await query(url, `update "${odd.replaceAll('"', '""')}".mirror_version set version = 1`)
    for (const isReadOnly of [false, true])
      expect(await reason({ schema: odd, isReadOnly })).toMatchObject({ _tag: "SchemaOlder", found: 1 })
    expect(await query(url, "select count(*)::int as n from pg_tables where schemaname = 'other'")).toEqual([
      { n: 1 },
    ])
  })

  it("is made in a schema that its user owns, without a right to the database", async () => {
    const url = await database()
    await query(url, "create role tenant login password 'tenant-password'")
    await query(url, "create schema deedkit authorization tenant")
    const tenant = url.replace(`owner:${password}`, "tenant:tenant-password")
    expect(await using({ url: tenant }, (store) => store.status)).toEqual([])
  })

  it("is written where transactions are serializable unless they say otherwise", async () => {
    const url = await database()
    await query(
      url,
      `alter database "${new URL(url).pathname.slice(1)}" set default_transaction_isolation = 'serializable'`,
    )
    const accounts = Array.from({ length: 20 }, (_, at) => accountOf(`n${at}`, make({ contracts: 60 })))
    const rows = await using({ url }, (store) =>
      Effect.forEach(accounts, (account) => syncInto(store, account), { concurrency: 8 }),
    )
    expect(rows.flat().filter(({ completeness }) => completeness === "proven")).toHaveLength(40)
  })

  it("says what the server refuses, and never a password", async () => {
    const url = await database()
    await using({ url }, (store) => store.status)
    await query(url, "create role reader login password 'reader-password'")
    await query(url, "grant usage on schema deedkit to reader")
    await query(url, "grant select on all tables in schema deedkit to reader")
    const reader = url.replace(`owner:${password}`, "reader:reader-password")
    const account = accountOf("acme", make({ contracts: 3 }))
    expect(await using({ url: reader, isReadOnly: true }, (store) => store.status)).toEqual([])
    const cases = [
      [reader, "MirrorReadOnly"],
      [url.replace(password, "wrong-password"), "MirrorRefused"],
      [url.replace(/mirror-\d+$/, "nowhere"), "DatabaseMissing"],
      [url.replace(/:\d+\//, ":1/"), "MirrorUnreachable"],
    ] as const
    for (const [address, tag] of cases) {
      const error = await failing({ url: address }, (store) => syncInto(store, account))
      expect(error.reason._tag).toBe(tag)
      for (const secret of [password, "wrong-password", "reader-password"])
        expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain(secret)
    }
  })
})
