import { DatabaseSync } from "node:sqlite"
import { Json } from "@deedkit/core"
import { Fixtures } from "@deedkit/core/testing"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { isComplete, sqliteStore, SyncError } from "../src/index.ts"
import type { Account, Fetch } from "./harness/World.ts"
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
} from "./harness/World.ts"

const reasonOf = (error: { readonly reason: { readonly _tag: string } }) => error.reason

/** A service that answers list and records from a table of JSON texts. */
const serving = (records: Map<number, string>, me: unknown = { ok: true, account: { id: 3 } }): Account => ({
  name: "own",
  baseUrl: "https://own.example.test",
  apiKey: "dk_own_key_of_this_test",
  fetch: async (request) => {
    const url = new URL(request.url)
    const reply = (body: string, status = 200) =>
      new Response(body, { status, headers: { "content-type": "application/json" } })
    if (url.pathname.endsWith("/me/")) return me === null ? reply("{}", 403) : reply(JSON.stringify(me))
    const id = url.searchParams.get("id")
    if (id === null)
      return reply(`{"ok":true,"items":[${[...records.values()].join(",")}],"next_before_id":null}`)
    const record = records.get(Number(id))
    return record === undefined ? reply("{}", 404) : reply(`{"ok":true,"contract":${record}}`)
  },
})

const only = { collections: ["contracts"] } as const

describe("syncAccount", () => {
  it("mirrors contracts and keys, page by page, and proves the read", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 35 })
    const [contracts, keys] = await sync(place.mirror, account)
    expectTruth(place.mirror, account, emulator)
    expectSound(place.mirror)
    expect(contracts).toMatchObject({
      account: "acme",
      state: "finished",
      completeness: "proven",
      reason: "linked-pages",
      records: 35,
      added: 35,
      cursorParameter: "before_id",
      cursorState: "verified",
      previous: null,
    })
    expect(keys).toMatchObject({ collection: "api-keys", completeness: "proven", added: 12 })
    const [row] = query(
      place.mirror,
      "select status, kind, city, updated_at from contract order by id limit 1",
    )
    const { kind, listing, status, updated_at } = emulator.store.contracts.at(-1)!
    expect(row).toEqual({ status, kind, updated_at, city: listing?.city ?? null })
  })

  it("writes nothing but its proof when nothing has changed", async () => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 35 })
    await sync(place.mirror, account)
    const before = query(place.mirror, "select * from contract")
    const [contracts] = await sync(place.mirror, account)
    expect(contracts).toMatchObject({ added: 0, changed: 0, removed: 0, returned: 0, completeness: "proven" })
    expect(query(place.mirror, "select * from contract")).toEqual(before)
    expect(query(place.mirror, "select count(*) as rows from contract_history")).toEqual([{ rows: 35 }])
  })

  it("keeps every version with what changed, and when and in which run it was first seen", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 12 })
    const { id, listing } = emulator.store.contracts.find(
      (each) => each.listing !== null && each.listing !== undefined,
    )!
    await sync(place.mirror, account)
    emulator.store.update(id, { status: "on_hold", listing: { ...listing!, title: "New title" } })
    const [changed] = await sync(place.mirror, account)
    emulator.store.remove(id)
    const [removed] = await sync(place.mirror, account)
    expect(query(place.mirror, "select id from contract where id = ?", id)).toEqual([])
    emulator.store.insert({ ...emulator.store.contracts[0]!, id, status: "draft" })
    const [returned] = await sync(place.mirror, account)
    expectTruth(place.mirror, account, emulator)
    expectSound(place.mirror)
    const versions = query(
      place.mirror,
      "select version, change, members, run, seen_at from contract_history where id = ? order by version",
      id,
    )
    expect(versions).toMatchObject([
      { version: 1, change: "added", members: "[]", run: 1 },
      { version: 2, change: "changed", run: changed!.run },
      { version: 3, change: "removed", run: removed!.run },
      { version: 4, change: "returned", run: returned!.run },
    ])
    expect(JSON.parse(String(versions[1]!["members"]))).toEqual(
      expect.arrayContaining(["status", "updated_at", "listing.title"]),
    )
    for (const { seen_at } of versions) expect(seen_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect([changed!.changed, removed!.removed, returned!.returned]).toEqual([1, 1, 1])
  })

  it("takes the use of a key for no version of it, and keeps its row up to date", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 1 })
    await sync(place.mirror, account)
    const { id } = emulator.store.apiKeys[0]!
    emulator.store.updateKey(id, { last_used_at: "2026-03-01T00:00:00Z" })
    const [, keys] = await sync(place.mirror, account)
    expect(keys).toMatchObject({ changed: 0 })
    expect(query(place.mirror, "select version, last_used_at from api_key where id = ?", id)).toEqual([
      { version: 1, last_used_at: "2026-03-01T00:00:00Z" },
    ])
    expectTruth(place.mirror, account, emulator)
  })

  it("resumes after the page that it stored last, and does not read the pages before again", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 45 })
    const requests: Array<string> = []
    let left = 4
    const fetch: Fetch = async (request) => {
      requests.push(new URL(request.url).search)
      if (left-- <= 0) return new Response("broken", { status: 500 })
      return emulator.fetch(request)
    }
    const error = await failing(place.mirror, { ...account, fetch }, only)
    expect(reasonOf(error)._tag).toBe("ServerFault")
    const pages = Number(query(place.mirror, "select pages from sync_run")[0]!["pages"])
    expect(pages).toBeGreaterThan(0)
    expect(query(place.mirror, "select problem from account")[0]!["problem"]).toContain("500")
    const [, firstPage] = requests
    left = Infinity
    requests.length = 0
    const [row] = await sync(place.mirror, { ...account, fetch }, only)
    expect(row).toMatchObject({ run: 1, resumedAtPage: pages, records: 45, completeness: "proven" })
    // The list is not begun again: its first page is requested once, last, to compare its head.
    expect(requests.map((each) => each === firstPage).lastIndexOf(true)).toBe(requests.length - 1)
    expect(requests.filter((each) => each === firstPage)).toHaveLength(1)
    expect(query(place.mirror, "select problem from account")).toEqual([{ problem: null }])
    expectTruth({ ...place }.mirror, account, {
      ...emulator,
      store: { ...emulator.store, contracts: emulator.store.contracts, apiKeys: [] },
    })
  })

  it("begins anew when the interrupted read is too old, and keeps what it had seen", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 45 })
    let left = 4
    const fetch: Fetch = async (request) => {
      if (left-- <= 0) return new Response("broken", { status: 500 })
      return emulator.fetch(request)
    }
    await failing(place.mirror, { ...account, fetch }, only)
    const [row] = await sync(place.mirror, account, { ...only, resumeWithinMillis: -1 })
    expect(row).toMatchObject({ run: 2, resumedAtPage: 0, completeness: "proven", records: 45 })
    expect(query(place.mirror, "select run, state from sync_run order by run")).toEqual([
      { run: 1, state: "abandoned" },
      { run: 2, state: "finished" },
    ])
    expect(
      query(place.mirror, "select count(*) as rows, max(version) as version from contract_history"),
    ).toEqual([{ rows: 45, version: 1 }])
    expectSound(place.mirror)
    const lists = await using(place.mirror, (store) => store.changes("2000-01-01T00:00:00.000Z"))
    expect(lists).toMatchObject([{ firstRead: 45, changes: [] }])
  })

  it("removes only what a proven read did not have and the service does not find by id", async () => {
    await using place = await folder()
    const records = new Map([1, 2, 3].map((id) => [id, Json.stringify(Fixtures.contract({ id }))]))
    const account = serving(records)
    await sync(place.mirror, account, only)
    const hidden = new Map(records)
    hidden.delete(2)
    const fetch: Fetch = (request) =>
      (request.url.includes("?id=") ? account : serving(hidden)).fetch(request)
    const [unlisted] = await sync(place.mirror, { ...account, fetch }, only)
    expect(unlisted).toMatchObject({ removed: 0, unlisted: 1 })
    const [gone] = await sync(place.mirror, serving(hidden), only)
    expect(gone).toMatchObject({ removed: 1, unlisted: 0 })
    expect(query(place.mirror, "select id from contract")).toEqual([{ id: 1 }, { id: 3 }])
  })

  it("removes nothing where a service finds no record by its id, not even one that its list shows", async () => {
    await using place = await folder()
    const records = new Map([1, 2, 3].map((id) => [id, Json.stringify(Fixtures.contract({ id }))]))
    await sync(place.mirror, serving(records), only)
    const hidden = new Map(records)
    hidden.delete(2)
    const html = { status: 404, headers: { "content-type": "text/html" } }
    for (const missing of [
      () => Response.json({ ok: false }, { status: 404 }),
      () => new Response("<h1>No route", html),
    ]) {
      const fetch: Fetch = (request) =>
        request.url.includes("?id=") ? Promise.resolve(missing()) : serving(hidden).fetch(request)
      const [row] = await sync(place.mirror, { ...serving(hidden), fetch }, only)
      expect(row).toMatchObject({ removed: 0, unlisted: 1 })
    }
    expect(query(place.mirror, "select id from contract")).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
    const [emptied] = await sync(place.mirror, serving(new Map()), only)
    expect(emptied).toMatchObject({ removed: 0, unlisted: 0, held: 3 })
    expect(query(place.mirror, "select id from contract")).toHaveLength(3)
  })

  it("removes nothing after a read that is unverified", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 40 })
    await sync(place.mirror, account, only)
    const { id } = emulator.store.contracts[3]!
    emulator.store.remove(id)
    // A list in another order for each request is proven by nothing.
    let turn = 0
    const fetch: Fetch = async (request) => {
      const response = await emulator.fetch(request)
      const url = new URL(request.url)
      if (!url.pathname.endsWith("/contracts/") || url.searchParams.has("id")) return response
      turn += 1
      const all = emulator.store.contracts.map((each, at) => [(at * 7919 * turn) % 101, each] as const)
      const sorted = all.toSorted((a, b) => a[0] - b[0]).map(([, each]) => each)
      const from = Number(url.searchParams.get("before_id")?.slice(1) ?? 0)
      const items = sorted.slice(from, from + 10)
      const next = from + 10 < sorted.length ? `p${from + 10}` : null
      return Response.json({ ok: true, items, next_before_id: next })
    }
    const [row] = await sync(place.mirror, { ...account, fetch }, only)
    expect(row).toMatchObject({ completeness: "unverified", removed: 0 })
    expect(query(place.mirror, "select count(*) as rows from contract where id = ?", id)).toEqual([
      { rows: 1 },
    ])
  })

  it("never takes a record that is not as specified for removed, and counts it", async () => {
    await using place = await folder()
    const records = new Map([1, 2].map((id) => [id, Json.stringify(Fixtures.contract({ id }))]))
    const account = serving(records)
    await sync(place.mirror, account, only)
    const bad = Json.stringify({ ...Fixtures.contract({ id: 2 }), kind: null })
    const [row] = await sync(place.mirror, serving(new Map([...records, [2, bad]])), only)
    expect(row).toMatchObject({ rejected: 1, removed: 0 })
    const nameless = Json.stringify({ ...Fixtures.contract(), id: null })
    const listed: Fetch = (request) =>
      serving(
        request.url.includes("?id=")
          ? new Map([[2, bad]])
          : new Map([
              [1, records.get(1)!],
              [2, nameless],
            ]),
      ).fetch(request)
    const [again] = await sync(place.mirror, { ...account, fetch: listed }, only)
    expect(again).toMatchObject({ rejected: 1, removed: 0, unlisted: 1 })
    expect(query(place.mirror, "select id, status from contract")).toHaveLength(2)
  })

  it("keeps integers beyond 2^53, lone surrogates, unknown members and deep nesting exactly", async () => {
    await using place = await folder()
    const deep = `${"[".repeat(1_500)}${"]".repeat(1_500)}`
    const text = Json.stringify(Fixtures.contract({ id: 1, unit_label: "a\ud800b" })).replace(
      /\}$/,
      `,"big":12345678901234567890,"negative":-9007199254740993,"deep":${deep},"a.b":{"c":1}}`,
    )
    await sync(place.mirror, serving(new Map([[1, text]])), only)
    expect(query(place.mirror, "select body from contract")[0]!["body"]).toBe(text)
    const [row] = await sync(place.mirror, serving(new Map([[1, text.replace("567890,", "567891,")]])), only)
    expect(row).toMatchObject({ changed: 1 })
    expect(query(place.mirror, "select members from contract_history where version = 2")).toEqual([
      { members: '["big"]' },
    ])
    expect(query(place.mirror, "select status, unit_label from contract")).toEqual([
      { status: "active", unit_label: "a\ufffdb" },
    ])
  })

  it("gives a row whose text was changed in the mirror its own text again, and makes no version of it", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 5 })
    await sync(place.mirror, account)
    const { id } = emulator.store.contracts[0]!
    const db = new DatabaseSync(place.mirror)
    db.exec(`update contract_history set body = replace(body, '"status"', '"other"'), status = 'x' where id = ${id};
      update contract_history set body = 'x' where id <> ${id}`)
    db.close()
    const [row] = await sync(place.mirror, account)
    expect(row).toMatchObject({ added: 0, changed: 0, completeness: "proven" })
    expectTruth(place.mirror, account, emulator)
    expectSound(place.mirror)
    expect(query(place.mirror, "select status from contract where id = ?", id)).toEqual([
      { status: emulator.store.contracts[0]!.status },
    ])
  })

  it("begins every list before it reads the first, so that what was not read shows whatever ends it", async () => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 5 })
    const status = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const store = yield* sqliteStore({ path: place.mirror })
          // The disk is full once the first list is stored: nothing can be written, also not why.
          let isFull = false
          const whileRoom = <A>(write: Effect.Effect<A, SyncError>): Effect.Effect<A, SyncError> =>
            Effect.suspend(() =>
              isFull
                ? Effect.fail(new SyncError({ reason: { _tag: "DiskFull", path: place.mirror } }))
                : write,
            )
          const full: typeof store = {
            ...store,
            begin: (options) => whileRoom(store.begin(options)),
            applyPage: (page) => whileRoom(store.applyPage(page)),
            note: (...note) => whileRoom(store.note(...note)),
            finish: (ending) =>
              Effect.tap(whileRoom(store.finish(ending)), () => Effect.sync(() => void (isFull = true))),
          }
          yield* Effect.flip(syncInto(full, account))
          return yield* store.status
        }),
      ),
    )
    expect(status).toMatchObject([
      {
        problem: null,
        lists: [
          { collection: "contracts", last: { completeness: "proven" } },
          { collection: "api-keys", last: null, running: { pages: 0 } },
        ],
      },
    ])
  })

  it("takes another order of members for no change", async () => {
    await using place = await folder()
    const record = Fixtures.contract({ id: 1, listing: Fixtures.listing() })
    await sync(place.mirror, serving(new Map([[1, Json.stringify(record)]])), only)
    const turned = Object.fromEntries(Object.entries(record).toReversed())
    const [row] = await sync(place.mirror, serving(new Map([[1, JSON.stringify(turned)]])), only)
    expect(row).toMatchObject({ changed: 0 })
    expect(query(place.mirror, "select version from contract")).toEqual([{ version: 1 }])
  })

  it("leaves no trace of the key in the mirror", async () => {
    await using place = await folder()
    const { account } = emulated("acme", { contracts: 5, assumptions: { meShape: "key" } })
    await sync(place.mirror, account)
    const db = JSON.stringify(
      ["account", "contract", "contract_history", "api_key", "api_key_history", "sync_run"].flatMap((table) =>
        query(place.mirror, `select * from ${table}`),
      ),
    )
    expect(db).not.toContain(account.apiKey)
    expect(db).not.toContain(account.apiKey.slice(-8))
  })

  it("keeps payloads when they are read, versions them, and leaves them where a later read has none", async () => {
    await using place = await folder()
    const payloads = new Map([
      [1, 100],
      [2, 200],
    ])
    const records = () =>
      new Map([...payloads.keys()].map((id) => [id, Json.stringify(Fixtures.contract({ id }))]))
    const account = (): Account => {
      const { fetch, ...own } = serving(records())
      return {
        ...own,
        fetch: async (request) => {
          const url = new URL(request.url)
          const id = Number(url.searchParams.get("id"))
          if (url.searchParams.get("include_data") !== "1") return fetch(request)
          const data = payloads.get(id)
          if (data === undefined || data < 0) return Response.json({}, { status: 404 })
          return Response.json({
            ok: true,
            contract: { ...Fixtures.contract({ id }), data: { rent: { amount: data } } },
          })
        },
      }
    }
    const rows = () => query(place.mirror, "select id, version, data from contract order by id")
    await sync(place.mirror, account(), only)
    expect(rows()).toEqual([
      { id: 1, version: 1, data: null },
      { id: 2, version: 1, data: null },
    ])
    const [first] = await sync(place.mirror, account(), { ...only, data: true })
    expect(first).toMatchObject({ changed: 0, withoutData: 0 })
    payloads.set(1, 150)
    payloads.set(2, -1)
    const [second] = await sync(place.mirror, account(), { ...only, data: true })
    expect(second).toMatchObject({ changed: 1, withoutData: 1, removed: 0 })
    expect(isComplete(second!)).toBe(false)
    await sync(place.mirror, account(), only)
    expect(rows()).toEqual([
      { id: 1, version: 2, data: '{"data":{"rent":{"amount":150}}}' },
      { id: 2, version: 1, data: '{"data":{"rent":{"amount":200}}}' },
    ])
    expect(query(place.mirror, "select members, data from contract_history where version = 2")).toEqual([
      { members: '["data.rent.amount"]', data: '{"data":{"rent":{"amount":150}}}' },
    ])
    const [list] = await using(place.mirror, (store) => store.changes("2000-01-01T00:00:00.000Z"))
    expect(list!.changes).toMatchObject([
      {
        members: ["data.rent.amount"],
        dataBefore: '{"data":{"rent":{"amount":100}}}',
        data: '{"data":{"rent":{"amount":150}}}',
      },
    ])
    expectSound(place.mirror)
  })

  it("keeps a contract that the service refuses by its id, and fails where it refuses all", async () => {
    await using place = await folder()
    const records = new Map([1, 2, 3].map((id) => [id, Json.stringify(Fixtures.contract({ id }))]))
    const { fetch, ...own } = serving(records)
    const refused = new Set([3])
    const account: Account = {
      ...own,
      fetch: async (request) => {
        const id = Number(new URL(request.url).searchParams.get("id"))
        if (refused.has(id)) return Response.json({ ok: false }, { status: 403 })
        if (id === 0) return fetch(request)
        return Response.json({ ok: true, contract: { ...Fixtures.contract({ id }), data: id } })
      },
    }
    const [first] = await sync(place.mirror, account, { ...only, data: true })
    expect(first).toMatchObject({ records: 3, withoutData: 1 })
    expect(query(place.mirror, "select id from contract where data is null")).toEqual([{ id: 3 }])
    // The list no longer has it, and the service does not say that it is gone.
    const unlisted = records.get(3)!
    records.delete(3)
    const [second] = await sync(place.mirror, account, only)
    expect(second).toMatchObject({ records: 2, removed: 0, unlisted: 1 })
    records.set(3, unlisted)
    for (const id of records.keys()) refused.add(id)
    const error = await failing(place.mirror, account, { ...only, data: true })
    expect(reasonOf(error)._tag).toBe("Forbidden")
  })

  it("reads a list once more in one go where an interruption left nothing to prove it by", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 45, assumptions: { cursorKind: "string" } })
    let left = 4
    const fetch: Fetch = async (request) => {
      if (left-- <= 0) return new Response("broken", { status: 500 })
      return emulator.fetch(request)
    }
    await failing(place.mirror, { ...account, fetch }, only)
    const [row] = await sync(place.mirror, account, only)
    expect(row).toMatchObject({ run: 2, resumedAtPage: 0 })
    expect(["proven", "confirmed"]).toContain(row!.completeness)
    expectSound(place.mirror)
  })

  it("reads a list once more in one go where records were changed during an interruption", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 45 })
    let left = 4
    const fetch: Fetch = async (request) => {
      if (left-- <= 0) return new Response("broken", { status: 500 })
      return emulator.fetch(request)
    }
    await failing(place.mirror, { ...account, fetch }, only)
    const stored = query(place.mirror, "select id from contract").map(({ id }) => Number(id))
    const later = emulator.store.contracts.find(({ id }) => !stored.includes(id))!
    emulator.store.remove(stored[0]!)
    emulator.store.update(stored[1]!, { unit_label: "Renumbered" })
    emulator.store.update(later.id, { unit_label: "Renamed" })
    const [row] = await sync(place.mirror, account, only)
    expect(row).toMatchObject({ run: 2, resumedAtPage: 0, completeness: "proven", records: 44, removed: 1 })
    expect(query(place.mirror, "select unit_label from contract where id = ?", stored[1]!)).toEqual([
      { unit_label: "Renumbered" },
    ])
    expect(query(place.mirror, "select run, reason from sync_run where run = 1")).toEqual([
      { run: 1, reason: "resumed" },
    ])
    expectSound(place.mirror)
  })

  // Regression: the proof of the day before was given out as one of now, without a request of the list.
  it("reads a list anew where its last read was interrupted after its proof", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 45 })
    await sync(place.mirror, account, only)
    const { id } = emulator.store.contracts[3]!
    emulator.store.remove(id)
    const requests: Array<URL> = []
    let isDown = true
    const fetch: Fetch = async (request) => {
      const url = new URL(request.url)
      requests.push(url)
      return isDown && url.searchParams.has("id")
        ? new Response("", { status: 503 })
        : emulator.fetch(request)
    }
    const error = await failing(place.mirror, { ...account, fetch }, only)
    expect(reasonOf(error)._tag).toBe("ServerFault")
    expect(query(place.mirror, "select completeness from sync_run where run = 2")).toEqual([
      { completeness: null },
    ])
    isDown = false
    requests.length = 0
    emulator.store.update(emulator.store.contracts[0]!.id, { unit_label: "Renamed meanwhile" })
    const [row] = await sync(place.mirror, { ...account, fetch }, only)
    expect(row).toMatchObject({ run: 3, resumedAtPage: 0, records: 44, changed: 1, removed: 1 })
    const lists = requests.filter(
      ({ pathname, searchParams }) => !pathname.endsWith("/me/") && !searchParams.has("id"),
    )
    expect(lists.length).toBeGreaterThan(4)
    const asked = requests.flatMap(({ searchParams }) => searchParams.get("id") ?? [])
    expect(asked).toEqual([String(id), expect.any(String)])
    expect(query(place.mirror, "select run, state from sync_run order by run")).toEqual([
      { run: 1, state: "finished" },
      { run: 2, state: "abandoned" },
      { run: 3, state: "finished" },
    ])
    expectSound(place.mirror)
  })

  it("reads a list once more where it was interrupted between its last page and its proof", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 45, assumptions: { cursorKind: "string" } })
    const killed = Effect.flatMap(sqliteStore({ path: place.mirror }), (store) =>
      syncInto(
        {
          ...store,
          applyPage: (page) =>
            Effect.andThen(
              store.applyPage(page),
              page.checkpoint.next === null ? Effect.die("killed") : Effect.void,
            ),
        },
        account,
        only,
      ),
    )
    await Effect.runPromiseExit(Effect.scoped(killed))
    const [row] = await sync(place.mirror, account, only)
    expect(row).toMatchObject({ records: 45 })
    expect([row!.run, row!.completeness]).toEqual([2, "confirmed"])
    expectSound(place.mirror)
    expect(query(place.mirror, "select count(*) as rows from contract")).toEqual([
      { rows: emulator.store.contracts.length },
    ])
  })
})

describe("another account under a known name", () => {
  const records = new Map([[1, Json.stringify(Fixtures.contract({ id: 1 }))]])
  const me = (id: number) => ({ ok: true, account: { id }, user: { id: 7 } })

  it("is refused by what the service says about the caller, also with the same key", async () => {
    await using place = await folder()
    await sync(place.mirror, serving(records, me(3)), only)
    for (const apiKey of ["dk_own_key_of_this_test", "dk_another_key_of_this"]) {
      const error = await failing(place.mirror, { ...serving(new Map(), me(4)), apiKey }, only)
      expect(reasonOf(error)).toEqual({ _tag: "OtherAccount", account: "own", differs: "caller" })
    }
    expect(query(place.mirror, "select id from contract")).toEqual([{ id: 1 }])
    expect(query(place.mirror, "select count(*) as runs from sync_run")).toEqual([{ runs: 1 }])
  })

  it("is refused when its key is another one and the service does not say whose it is", async () => {
    await using place = await folder()
    const own = serving(records, null)
    await sync(place.mirror, own, only)
    const error = await failing(
      place.mirror,
      { ...serving(new Map(), null), apiKey: "dk_another_key_of_this" },
      only,
    )
    expect(reasonOf(error)).toEqual({ _tag: "OtherAccount", account: "own", differs: "key" })
    expect(query(place.mirror, "select id from contract")).toEqual([{ id: 1 }])
    expect(
      (
        await sync(place.mirror, { ...own, apiKey: "dk_another_key_of_this" }, { ...only, isConfirmed: true })
      )[0],
    ).toMatchObject({ added: 0 })
    expect(reasonOf(await failing(place.mirror, own, only))).toMatchObject({ differs: "key" })
  })

  it("is refused at another address", async () => {
    await using place = await folder()
    await sync(place.mirror, serving(records), only)
    const error = await failing(
      place.mirror,
      { ...serving(new Map()), baseUrl: "https://other.example.test" },
      only,
    )
    expect(reasonOf(error)).toEqual({ _tag: "OtherAccount", account: "own", differs: "address" })
  })

  it("is the same account when only its key was replaced, also in the middle of a read", async () => {
    await using place = await folder()
    const { account, emulator } = emulated("acme", { contracts: 45 })
    const { secret } = emulator.store.insertKey({ scopes: ["read:contracts", "read:me"] })
    let left = 4
    const fetch: Fetch = async (request) => {
      if (left-- <= 0) return new Response("broken", { status: 500 })
      return emulator.fetch(request)
    }
    await failing(place.mirror, { ...account, fetch }, only)
    const [row] = await sync(place.mirror, { ...account, apiKey: secret }, only)
    expect(row).toMatchObject({ run: 2, completeness: "proven", records: 45 })
    expectSound(place.mirror)
  })

  it("is refused under two names", async () => {
    await using place = await folder()
    await sync(place.mirror, serving(records), only)
    const error = await failing(place.mirror, { ...serving(records), name: "twin" }, only)
    expect(reasonOf(error)).toEqual({ _tag: "AccountTwice", account: "twin", other: "own" })
    expect(error).toBeInstanceOf(SyncError)
    expect(query(place.mirror, "select account from contract")).toEqual([{ account: "own" }])
  })
})
