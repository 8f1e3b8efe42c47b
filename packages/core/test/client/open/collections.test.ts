/** Lists of one's own: read, verified, proven and resumed as contracts are. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import * as OpenClient from "../../../src/client/open/OpenClient.ts"
import type { CollectionDefinition } from "../../../src/client/open/OpenClient.ts"
import type { ClientError } from "../../../src/error/ClientError.ts"
import type { ScriptedAnswer } from "../../../src/testing/index.ts"
import { scripted } from "../../../src/testing/index.ts"
import { eventsOf, world } from "../../fixtures/Setup.ts"
import type { WorldOptions } from "../../fixtures/Setup.ts"

const Photo = Schema.Struct({ id: Schema.Int, title: Schema.NonEmptyString })

const listings: CollectionDefinition = {
  path: "/v1/listings/",
  member: "listing",
  noun: "listing",
  scope: "read:listings",
}

interface ServiceOptions {
  readonly count?: number
  readonly parameter?: string
  readonly titleOf?: (id: number) => unknown
  readonly instead?: (query: URLSearchParams, count: number) => ScriptedAnswer | undefined
}

/** A service that has listings, by descending id. */
const service = ({ count = 35, instead, parameter = "before_id", titleOf }: ServiceOptions = {}) =>
  scripted(({ target }, number) => {
    const { pathname, searchParams: query } = new URL(target, "http://localhost")
    const other = instead?.(query, number)
    if (other !== undefined) return other
    if (pathname !== "/v1/listings/") return { status: 404 }
    const recordOf = (id: number) => ({ id, title: titleOf === undefined ? `no. ${id}` : titleOf(id) })
    const id = query.get("id")
    if (id !== null) {
      return Number(id) > count ? { status: 404 } : { body: { ok: true, listing: recordOf(Number(id)) } }
    }
    const size = Math.min(10, Number(query.get("limit") ?? 10))
    const last = Number(query.get(parameter) ?? count + 1) - 1
    const ids = Array.from({ length: Math.min(size, last) }, (_, at) => last - at)
    const next = last - size > 0 ? ids.at(-1)! : null
    return { body: { ok: true, items: ids.map(recordOf), next_before_id: next } }
  })

const open = async (options: ServiceOptions = {}, client: WorldOptions["client"] = {}) => {
  const { requests, send } = service(options)
  const made = await world({ transport: send, client })
  return { ...made, requests, client: OpenClient.of(made.client) }
}

const ids = (records: ReadonlyArray<{ readonly id: number }>) => records.map(({ id }) => id)

describe("a list of one's own", () => {
  it("is read to its end, each id once, decoded by its Schema", async () => {
    const { client, events, run } = await open()
    const pages = await run(Stream.runCollect(client.collection(listings, Photo).pages()))
    expect(pages.flatMap((page) => ids(page.records))).toEqual(Array.from({ length: 35 }, (_, at) => 35 - at))
    const { summary } = pages.at(-1)!
    expect(summary).toMatchObject({ collection: "/v1/listings/", records: 35, complete: true })
    expect(summary.cursor.state).toBe("verified")
    expect(eventsOf(events, "PageRead").every(({ collection }) => collection === "/v1/listings/")).toBe(true)
  })

  it("is retrieved by id, one and many", async () => {
    const { client, fails, run } = await open()
    const list = client.collection(listings, Photo)
    expect(await run(list.get(12))).toEqual({ id: 12, title: "no. 12" })
    expect((await run(list.getMany([3, 99, 3]))).map(({ _tag }) => _tag)).toEqual([
      "Found",
      "Unknown",
      "Found",
    ])
    expect((await run(list.getResponse(12))).value.title).toBe("no. 12")
    const error = await fails(list.get(99))
    expect(error.message).toContain("Could not read listing 99 from /v1/listings/")
    expect((await fails(list.get(0))).reason).toMatchObject({ setting: "listing id" })
  })

  it("is proven, in an order and with a cursor that its pages show", async () => {
    const { client, run } = await open()
    const pages = await run(Stream.runCollect(client.collection(listings, Photo).pages({ prove: true })))
    expect(pages.at(-1)!.summary.completeness).toMatchObject({ state: "proven", reason: "linked-pages" })
  })

  it("rejects records that its Schema does not decode or that have no id", async () => {
    const options = {
      titleOf: (id: number) => (id === 20 ? "" : "x"),
      instead: (_: URLSearchParams, count: number) =>
        count === 4
          ? {
              body: {
                ok: true,
                items: [{ title: "x" }, { id: 1.5 }, 7, [], { id: "4" }],
                next_before_id: null,
              },
            }
          : undefined,
    }
    const { client, fails } = await open(options)
    const list = client.collection(listings, Photo)
    expect((await fails(list.collect({ max: "all" }))).reason).toMatchObject({
      _tag: "RecordInvalid",
      id: 20,
    })
    const again = await open(options)
    const pages = await again.run(
      Stream.runCollect(again.client.collection(listings, Photo).pages({ onRejected: "collect" })),
    )
    const rejected = pages.flatMap((page) => page.rejected)
    expect(rejected.map(({ id, issues }) => [id, issues[0]!.path, issues[0]!.found])).toEqual([
      [20, "title", "string"],
      [null, "id", "nothing"],
      [null, "id", "number with a fraction"],
      [null, "", "number"],
      [null, "", "array"],
      [null, "id", "string"],
    ])
  })

  it("has its cursor verified: a service that ignores it is found out", async () => {
    const { client, fails } = await open({ parameter: "page_token" })
    const error = await fails(client.collection(listings, Photo).collect({ max: "all" }))
    expect(error.reason).toMatchObject({ _tag: "CursorIgnored", cursorParam: "before_id" })
  })

  it("has its cursor's parameter searched for with auto", async () => {
    const { client, run } = await open({ parameter: "page_token" }, { cursorParam: "auto" })
    const list = client.collection({ ...listings, query: { city: "Chania" } }, Photo)
    expect(await run(list.collect({ max: "all" }))).toHaveLength(35)
    expect(await run(list.probeCursor)).toMatchObject({ _tag: "Verified", parameter: "page_token" })
  })

  it("names its scope in a 403", async () => {
    const { client, fails } = await open({ instead: () => ({ status: 403 }) })
    const error = await fails(client.collection(listings, Photo).collect({ max: "all" }))
    expect(error.reason).toMatchObject({ _tag: "Forbidden", scope: "read:listings" })
  })

  it("is the contracts of the service, too, with a Schema of one's own alone", async () => {
    const made = await world()
    const client = OpenClient.of(made.client)
    const contracts = client.collection(
      { path: "/v1/contracts/", member: "contract" },
      Schema.Struct({ id: Schema.Int }),
    )
    const pages = await made.run(Stream.runCollect(contracts.pages({ prove: true, limit: 40 })))
    expect(pages.flatMap((page) => page.records)).toHaveLength(130)
    expect(pages.at(-1)!.summary.completeness.state).toBe("proven")
  })
})

describe("the query of a list", () => {
  it("is sent with every request: pages, records by id, requests of a search and a proof", async () => {
    const { client, requests, run } = await open({ parameter: "cursor" }, { cursorParam: "auto" })
    const list = client.collection({ ...listings, query: { city: "Chania", rooms: 3 } }, Photo)
    await run(Stream.runDrain(list.pages({ prove: true, limit: 7 })))
    await run(list.get(3))
    await run(list.getResponse(3))
    expect(requests.length).toBeGreaterThan(8)
    for (const { target } of requests) expect(target).toMatch(/^\/v1\/listings\/\?city=Chania&rooms=3&/)
  })

  it.each(["id", "limit", "before_id"])("cannot set %s, which the client sets", async (name) => {
    const { client, fails, requests } = await open()
    const list = client.collection({ ...listings, query: { [name]: "5" } }, Photo)
    for (const operation of [
      list.collect({ max: "all" }),
      list.get(3),
      list.getMany([3]),
      list.getResponse(3),
      list.probeCursor,
    ]) {
      expect((await fails(operation)).reason).toMatchObject({
        _tag: "ConfigInvalid",
        setting: `query parameter ${name}`,
      })
    }
    expect(requests).toEqual([])
  })

  it("cannot set the parameter that takes the cursor: the client's, that of one read, or one that is searched for", async () => {
    const own = await open({}, { cursorParam: "after_id" })
    const list = { ...listings, query: { after_id: 1 } }
    expect((await own.fails(own.client.collection(list, Photo).collect({ max: 1 }))).reason._tag).toBe(
      "ConfigInvalid",
    )
    const searching = await open({}, { cursorParam: "auto" })
    const candidate = { ...listings, query: { starting_after: 1 } }
    const searched = searching.client.collection(candidate, Photo).collect({ max: 1 })
    expect((await searching.fails(searched)).reason._tag).toBe("ConfigInvalid")
    const plain = await open()
    const named = plain.client.collection(list, Photo).collect({ max: "all", cursorParam: "after_id" })
    expect((await plain.fails(named)).reason).toMatchObject({ setting: "query parameter after_id" })
    expect((await plain.fails(plain.client.collection(candidate, Photo).probeCursor)).reason._tag).toBe(
      "ConfigInvalid",
    )
    const found = plain.client.collection(candidate, Photo).as(Photo).pages({ cursorParam: "auto" })
    expect((await plain.fails(Stream.runDrain(found))).reason).toMatchObject({
      setting: "query parameter starting_after",
    })
    expect(plain.requests).toEqual([])
  })

  it.each([
    { path: "https://evil.test/v1/", member: "listing" },
    { path: "/v1/../admin/", member: "listing" },
    { path: "@evil.test/", member: "listing" },
    {},
  ])("and path cannot lead elsewhere: %j", async (definition) => {
    const { client, fails, requests } = await open()
    const list = client.collection(definition as CollectionDefinition, Photo)
    for (const operation of [
      list.collect({ max: "all" }),
      list.get(3),
      Stream.runDrain(list.list({ prove: true })),
    ]) {
      expect((await fails(operation)).reason).toMatchObject({ _tag: "ConfigInvalid", setting: "path" })
    }
    expect(requests).toEqual([])
  })
})

describe("a checkpoint", () => {
  const firstPage = async (definition: CollectionDefinition, made: Awaited<ReturnType<typeof open>>) => {
    const pages = made.client.collection(definition, Photo).pages({ limit: 10 })
    const [page] = await made.run(Stream.runCollect(Stream.take(pages, 1)))
    return page!.checkpoint
  }

  it("resumes its list, also after JSON", async () => {
    const made = await open()
    const checkpoint = JSON.parse(JSON.stringify(await firstPage(listings, made)))
    const rest = made.client.collection(listings, Photo).collect({ from: checkpoint, max: "all" })
    expect(ids(await made.run(rest))).toEqual(Array.from({ length: 25 }, (_, at) => 25 - at))
  })

  it("is refused by every other list: another path, another query, contracts", async () => {
    const made = await open()
    const checkpoint = await firstPage(listings, made)
    const definitions = [
      { ...listings, path: "/v1/listings" },
      { ...listings, path: "/v1/photos/" },
      { ...listings, query: { city: "Chania" } },
    ]
    const lists = definitions.map((definition) => made.client.collection(definition, Photo))
    const sent = made.requests.length
    for (const list of [...lists, made.client.contracts, made.client.apiKeys]) {
      const read = Stream.runDrain<unknown, ClientError, never>(list.pages({ from: checkpoint }))
      expect((await made.fails(read)).reason).toEqual({
        _tag: "CheckpointRefused",
        mismatch: { field: "collection" },
      })
    }
    expect(made.requests).toHaveLength(sent)
  })

  it("of a query is refused by the same parameters in other places or values", async () => {
    const made = await open()
    const checkpoint = await firstPage({ ...listings, query: { a: "1", b: "2" } }, made)
    for (const query of [{ a: "1" }, { a: "1", b: "3" }, { a: "1&b=2" }]) {
      const read = made.client.collection({ ...listings, query }, Photo).collect({ from: checkpoint, max: 1 })
      expect((await made.fails(read)).reason._tag).toBe("CheckpointRefused")
    }
  })

  it("comes with a recording that replays without requests", async () => {
    const made = await open()
    const list = made.client.collection(listings, Photo)
    const pages = await made.run(Stream.runCollect(list.pages({ record: true })))
    const sent = made.requests.length
    const recorded = pages.map((page) => page.recorded!)
    const { checkpoint, summary } = pages.at(-1)!
    const { collection, keyFingerprint, origin } = checkpoint
    let at = 0
    const next = Effect.sync(() => recorded[at++] ?? null)
    const recording = { collection, keyFingerprint, origin, startedAt: summary.startedAt, next }
    expect(await made.run(list.collect({ recording, max: "all" }))).toHaveLength(35)
    expect(made.requests).toHaveLength(sent)
  })
})
