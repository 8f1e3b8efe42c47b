import { DatabaseSync } from "node:sqlite"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, it } from "vitest"
import type { Collection, Kept, MirrorStore, Snapshot } from "../../src/index.ts"
import { sqliteStore } from "../../src/index.ts"
import type { Account } from "../harness/World.ts"
import { emulated, folder, query, sync, syncInto, using } from "../harness/World.ts"

const moment = (day: number): string => new Date(Date.UTC(2026, 2, day)).toISOString()

/** Syncs at two in the morning of a day. */
const night = (store: MirrorStore, day: number, account: Account) =>
  Effect.andThen(
    TestClock.setTime(Date.parse(moment(day)) + 7_200_000),
    Effect.exit(syncInto(store, account)),
  )

const inTime = (mirror: string, work: (store: MirrorStore) => Effect.Effect<void, unknown>) =>
  Effect.runPromise(
    Effect.scoped(Effect.provide(Effect.flatMap(sqliteStore({ path: mirror }), work), TestClock.layer())),
  )

/** All records of a snapshot, by pages of seven. */
const recordsOf = (snapshot: Snapshot) =>
  Effect.gen(function* () {
    const all: Array<Kept> = []
    for (;;) {
      const page = yield* snapshot.page(all.at(-1)?.id ?? null, 7)
      all.push(...page)
      if (page.length < 7) return all
    }
  })

const asked = (
  mirror: string,
  at: string | null,
  collection: Collection = "contracts",
  account = "acme",
): Promise<{ readonly snapshot: Snapshot; readonly records: ReadonlyArray<Kept> }> =>
  using(mirror, (store) =>
    Effect.flatMap(store.snapshot({ account, collection, at }), (snapshot) =>
      Effect.map(recordsOf(snapshot), (records) => ({ snapshot, records })),
    ),
  )

const refused = (mirror: string, at: string | null, account = "acme") =>
  using(mirror, (store) =>
    Effect.map(
      Effect.flip(store.snapshot({ account, collection: "contracts", at })),
      ({ reason }) => reason,
    ).pipe(Effect.catch(() => Effect.die("it is known"))),
  )

const parsed = (records: ReadonlyArray<Kept>) => records.map(({ body }) => JSON.parse(body) as unknown)

describe("a snapshot", () => {
  it("is the list as each night left it, whatever later reads have stored, whole or in part", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 25 })
    const { store: service } = emulator
    const truths: Array<ReadonlyArray<unknown>> = []
    await inTime(place.mirror, (store) =>
      Effect.gen(function* () {
        for (const day of [1, 2, 3, 4]) {
          const [first, second, third] = service.contracts
          service.update(first!.id, { status: `day-${day}`, updated_at: "2026-01-01T00:00:00Z" })
          service.remove(second!.id)
          if (day === 3) service.insert({ ...second! })
          service.update(third!.id, { status: `day-${day}`, updated_at: "2026-01-01T00:00:00Z" })
          yield* night(store, day, account)
          truths.push(structuredClone(service.contracts).toSorted((a, b) => b.id - a.id))
        }
        // The fifth night breaks off after its first page.
        for (const { id } of service.contracts)
          service.update(id, { status: "day-5", updated_at: "2026-01-01T00:00:00Z" })
        let left = 2
        yield* night(store, 5, {
          ...account,
          fetch: async (request) =>
            left-- > 0 ? emulator.fetch(request) : new Response("broken", { status: 500 }),
        })
      }),
    )
    expect(query(place.mirror, "select count(*) as news from contract where status = 'day-5'")).not.toEqual([
      { news: 0 },
    ])
    for (const [at, truth] of truths.entries()) {
      const { records, snapshot } = await asked(place.mirror, moment(at + 2))
      expect(parsed(records)).toEqual(truth)
      expect(records.every(({ isIntact }) => isIntact)).toBe(true)
      expect(snapshot).toMatchObject({ baseUrl: account.baseUrl, brokenAt: null })
      expect(snapshot.row.startedAt).toBe(moment(at + 1).replace("T00", "T02"))
    }
    expect(parsed((await asked(place.mirror, null)).records)).toEqual(truths[3])
    expect(parsed((await asked(place.mirror, moment(9))).records)).toEqual(truths[3])
    const keys = await asked(place.mirror, moment(2), "api-keys")
    expect(parsed(keys.records)).toEqual([...service.apiKeys].toSorted((a, b) => b.id - a.id))
  })

  it("has the hash that the row of the next run names, and says which row was changed", async () => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 3 })
    for (let nights = 0; nights < 3; nights++)
      await sync(place.mirror, account, { collections: ["contracts"] })
    const [, second, third] = query(place.mirror, "select ended_at, previous from sync_run order by run")
    const { snapshot } = await asked(place.mirror, String(second!["ended_at"]))
    expect(snapshot.hash).toBe(third!["previous"])
    const db = new DatabaseSync(place.mirror)
    db.exec("update sync_run set records = 4 where run = 1")
    db.close()
    expect((await asked(place.mirror, null)).snapshot.brokenAt).toBe(2)
  })

  it("shows a text that is not the one that was stored", async () => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 3 })
    await sync(place.mirror, account)
    const [{ id } = { id: 0 }] = query(place.mirror, "select id from contract limit 1")
    const db = new DatabaseSync(place.mirror)
    db.prepare("update contract_history set body = replace(body, 'active', 'ended') || ' ' where id = ?").run(
      Number(id),
    )
    db.close()
    for (const at of [null, new Date().toISOString()]) {
      const { records } = await asked(place.mirror, at)
      expect(records.filter(({ isIntact }) => !isIntact).map((each) => each.id)).toEqual([id])
    }
  })

  it("has the latest payloads and uses of keys where no moment is named, and else those of then", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 2 })
    const [key] = emulator.store.apiKeys
    const used = (records: ReadonlyArray<Kept>) =>
      JSON.parse(records.find(({ id }) => id === key!.id)!.body) as unknown
    await sync(place.mirror, account)
    const before = new Date().toISOString()
    emulator.store.updateKey(key!.id, { last_used_at: "2026-03-01T00:00:00Z" })
    await sync(place.mirror, account, { data: true })
    expect(used((await asked(place.mirror, null, "api-keys")).records)).toMatchObject({
      last_used_at: "2026-03-01T00:00:00Z",
    })
    expect(used((await asked(place.mirror, before, "api-keys")).records)).toEqual(key)
    expect((await asked(place.mirror, null)).records.every(({ data }) => data !== null)).toBe(true)
    expect((await asked(place.mirror, before)).records.every(({ data }) => data === null)).toBe(true)
  })

  it("holds records with ids up to the largest", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 1 })
    emulator.store.insert({ ...emulator.store.contracts[0]!, id: Number.MAX_SAFE_INTEGER })
    await sync(place.mirror, account)
    const { records } = await asked(place.mirror, null)
    expect(records.map(({ id }) => id)).toContain(Number.MAX_SAFE_INTEGER)
  })
})

// Regression: the pages after such a change were empty or had fewer records, and the list counted as complete.
describe("a snapshot that is no longer in the mirror between two of its pages", () => {
  const list = { account: "acme", collection: "contracts" } as const
  const unknown = { _tag: "AccountUnknown", account: "acme" }
  const unread = { _tag: "MomentUnknown", ...list, first: null }
  const pruned = { _tag: "MomentUnknown", ...list, first: expect.any(String) as unknown }

  /** What the pages of a mirror with two nights end with where it is changed after the first one. */
  const endOf = async (
    atOf: (first: string) => string | null,
    change: (store: MirrorStore, again: Effect.Effect<unknown, unknown>) => Effect.Effect<unknown, unknown>,
  ) => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 25 })
    const updated = (status: string) => {
      for (const { id } of emulator.store.contracts)
        emulator.store.update(id, { status, updated_at: "2026-01-01T00:00:00Z" })
    }
    const work = Effect.gen(function* () {
      const store = yield* sqliteStore({ path: place.mirror })
      const again = Effect.suspend(() => {
        updated("later")
        return syncInto(store, account)
      })
      const [first] = yield* syncInto(store, account)
      updated("ended")
      yield* syncInto(store, account)
      yield* syncInto(store, emulated("beta", { contracts: 25 }).account)
      const snapshot = yield* store.snapshot({ ...list, at: atOf(first!.endedAt) })
      const page = yield* snapshot.page(null, 7)
      yield* change(store, again)
      return yield* Effect.match(snapshot.page(page.at(-1)!.id, 7), {
        onSuccess: (records) => records.length,
        onFailure: ({ reason }) => reason,
      })
    })
    return await Effect.runPromise(Effect.scoped(work))
  }

  it.each([
    ["its account is removed", unknown, (store: MirrorStore) => store.forget("acme")],
    ["its list is removed", unread, (store: MirrorStore) => store.forget("acme", "contracts")],
    ["its account gets another name", unknown, (store: MirrorStore) => store.rename("acme", "athens")],
    [
      "another account gets its name",
      pruned,
      (store: MirrorStore) => Effect.andThen(store.rename("acme", "athens"), store.rename("beta", "acme")),
    ],
    [
      "its account is read anew",
      pruned,
      (store: MirrorStore, again: Effect.Effect<unknown, unknown>) =>
        Effect.andThen(store.forget("acme"), again),
    ],
    [
      "what it holds is replaced, and pruned",
      pruned,
      (store: MirrorStore, again: Effect.Effect<unknown, unknown>) =>
        Effect.andThen(again, store.prune("2100-01-01T00:00:00.000Z")),
    ],
  ] as const)("fails where %s", async (_, reason, change) => {
    expect(await endOf(() => null, change)).toMatchObject(reason)
    expect(await endOf((first) => first, change)).toMatchObject(reason)
  })

  it("fails at a moment whose versions are pruned, and goes on where others are", async () => {
    const prune = (store: MirrorStore) => store.prune("2100-01-01T00:00:00.000Z")
    expect(await endOf((first) => first, prune)).toMatchObject(pruned)
    expect(await endOf(() => null, prune)).toBe(7)
    expect(
      await endOf(
        (first) => first,
        (_, again) => again,
      ),
    ).toBe(7)
    expect(
      await endOf(
        () => null,
        (_, again) => again,
      ),
    ).toBe(7)
    expect(
      await endOf(
        () => null,
        (store) => store.forget("beta"),
      ),
    ).toBe(7)
    expect(
      await endOf(
        (first) => first,
        (store) => store.prune("2000-01-01T00:00:00.000Z"),
      ),
    ).toBe(7)
  })
})

describe("a moment that a mirror does not know", () => {
  it("is one before the first read came to its end, and the first that it knows is named", async () => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 3 })
    await inTime(place.mirror, (store) => Effect.asVoid(night(store, 2, account)))
    const first = moment(2).replace("T00", "T02")
    expect(await refused(place.mirror, moment(1))).toEqual({
      _tag: "MomentUnknown",
      account: "acme",
      collection: "contracts",
      at: moment(1),
      first,
    })
    expect((await asked(place.mirror, first)).records).toHaveLength(3)
    expect(await refused(place.mirror, moment(1), "beta")).toEqual({
      _tag: "AccountUnknown",
      account: "beta",
    })
  })

  it("is every one where no read came to its end", async () => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 3 })
    const broken = async () => new Response("broken", { status: 500 })
    await inTime(place.mirror, (store) => Effect.asVoid(night(store, 2, { ...account, fetch: broken })))
    for (const at of [null, moment(9)])
      expect(await refused(place.mirror, at)).toMatchObject({ _tag: "MomentUnknown", at, first: null })
  })

  it("is one whose history was pruned: what is not known to have held then is never shown", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 3 })
    const [first] = emulator.store.contracts
    await inTime(place.mirror, (store) =>
      Effect.gen(function* () {
        for (const day of [1, 2, 3, 4]) {
          emulator.store.update(first!.id, { status: `day-${day}`, updated_at: "2026-01-01T00:00:00Z" })
          yield* night(store, day, account)
        }
        yield* store.prune(moment(4))
      }),
    )
    const since = moment(3).replace("T00", "T02")
    for (const day of [1.5, 2, 3])
      expect(await refused(place.mirror, moment(day))).toMatchObject({ _tag: "MomentUnknown", first: since })
    const { records } = await asked(place.mirror, since)
    expect(records.map(({ id }) => id)).toContain(first!.id)
    expect(records.find(({ id }) => id === first!.id)!.body).toContain("day-3")
  })
})
