import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaGetter from "effect/SchemaGetter"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import * as OpenClient from "../../../src/client/open/OpenClient.ts"
import { contractFields } from "../../../src/model/schema/ContractSchema.ts"
import { contract } from "../../../src/testing/Fixtures.ts"
import { scripted } from "../../../src/testing/index.ts"
import { pagedList, records } from "../../fixtures/PagedList.ts"
import { eventsOf, world } from "../../fixtures/Setup.ts"
import type { WorldOptions } from "../../fixtures/Setup.ts"

const open = async (options: WorldOptions = {}) => {
  const made = await world(options)
  return { ...made, client: OpenClient.of(made.client) }
}

/** A contract with its dates as moments, and a label that is not empty. */
const Dated = Schema.Struct({
  ...contractFields,
  updated_at: Schema.DateTimeUtcFromString,
  unit_label: Schema.NonEmptyString,
})

/** Pages of contracts; the records of `labels` have these labels. */
const labelled = (labels: { readonly [id: number]: unknown }) => {
  const list = records(30)
  return scripted(({ target }) => {
    const query = new URL(target, "http://localhost").searchParams
    const recordOf = (id: number) => ({
      ...contract({ id }),
      ...(id in labels ? { unit_label: labels[id] } : {}),
    })
    const id = Number(query.get("id"))
    if (id > 0) return { body: { ok: true, contract: recordOf(id) } }
    const from = list.findIndex((one) => one.id < Number(query.get("before_id") ?? 99))
    const items = list.slice(from, from + 10).map((one) => recordOf(one.id))
    return { body: { ok: true, items, next_before_id: from + 10 < list.length ? items.at(-1)!.id : null } }
  })
}

describe("records of a Schema of one's own", () => {
  it("are decoded in every operation", async () => {
    const { client, run } = await open()
    const dated = client.contracts.as(Dated)
    const plain = await run(client.contracts.collect({ max: "all" }))
    const all = await run(dated.collect({ max: "all" }))
    expect(all.map(({ updated_at }) => updated_at.epochMilliseconds)).toEqual(
      plain.map(({ updated_at }) => Date.parse(updated_at)),
    )
    expect(await run(Stream.runCollect(dated.list({ limit: 50 })))).toEqual(all)
    const pages = await run(Stream.runCollect(dated.pages({ limit: 50 })))
    expect(pages.flatMap((page) => page.records)).toEqual(all)
    const [first] = all
    expect(await run(dated.get(first!.id))).toEqual(first)
    expect(await run(dated.getMany([first!.id, 999_999]))).toEqual([
      { _tag: "Found", id: first!.id, record: first },
      { _tag: "Unknown", id: 999_999 },
    ])
  })

  it("are still those of the service for the proof: a list with decoded dates is proven", async () => {
    const { client, run } = await open()
    const pages = await run(Stream.runCollect(client.contracts.as(Dated).pages({ limit: 20, prove: true })))
    expect(pages.at(-1)!.summary.completeness.state).toBe("proven")
  })

  it("fail with RecordInvalid and the path of the issue where they are not decoded", async () => {
    const { client, fails } = await open({ transport: labelled({ 17: "" }).send })
    const dated = client.contracts.as(Dated)
    const error = await fails(dated.collect({ max: "all" }))
    expect(error.reason).toMatchObject({
      _tag: "RecordInvalid",
      id: 17,
      issues: [{ path: "unit_label", found: "string" }],
    })
    expect(error.reading).toMatchObject({ records: 10, complete: false })
    expect((await fails(dated.get(17))).reason).toMatchObject({ _tag: "RecordInvalid", id: 17 })
    expect((await fails(dated.getResponse(17))).reason).toMatchObject({ _tag: "RecordInvalid", id: 17 })
  })

  it("are in the rejected of their page where a read collects them, and counted as rejected", async () => {
    const { client, run } = await open({ transport: labelled({ 17: "", 3: null }).send })
    const pages = await run(
      Stream.runCollect(client.contracts.as(Dated).pages({ onRejected: "collect", prove: true })),
    )
    expect(pages.flatMap((page) => page.rejected)).toMatchObject([
      { id: 17, issues: [{ path: "unit_label" }], raw: { id: 17, unit_label: "" } },
      // What the specification says comes first.
      { id: 3, issues: [{ path: "unit_label", expected: "string", found: "null" }] },
    ])
    expect(pages.at(-1)!.summary).toMatchObject({ records: 28, rejected: 2, complete: true })
  })

  it("can have other names and types than those sent, and newer versions are decoded, too", async () => {
    const Renamed = Schema.Struct({
      key: Schema.Int.pipe(Schema.brand("Id")),
      changed: Schema.DateTimeUtcFromString,
    }).pipe(Schema.encodeKeys({ key: "id", changed: "updated_at" }))
    const list = records(25)
    const { send } = pagedList(list, {
      cursor: "position",
      before: (_, count) => {
        if (count !== 2) return
        // A record of the first page changes, and comes again on the second.
        const [moved] = list.splice(3, 1)
        list.splice(12, 0, { ...moved!, updated_at: "2026-03-01T13:59:59.9Z" })
      },
    })
    const { client, run } = await open({ transport: send })
    const pages = await run(Stream.runCollect(client.contracts.as(Renamed).pages()))
    const decoded = pages.flatMap((page) => page.records)
    expect(new Set(decoded.map(({ key }) => key)).size).toBe(decoded.length)
    const superseded = pages.flatMap((page) => page.superseded)
    expect(superseded.map(({ changed }) => changed.epochMilliseconds)).toEqual([
      Date.parse("2026-03-01T13:59:59.9Z"),
    ])
  })

  it("hold integers beyond 2^53 exactly", async () => {
    const large = `{"ok":true,"items":[${JSON.stringify(contract({ id: 2 })).replace('"unit_id":null', '"unit_id":9007199254740993')}],"next_before_id":null}`
    const { client, run } = await open({ transport: scripted([{ body: large }]).send })
    const exact = client.contracts.as(Schema.Struct({ unit_id: Schema.BigInt }))
    expect(await run(exact.collect({ max: "all" }))).toEqual([{ unit_id: 9007199254740993n }])
  })

  it("share one request for identical calls, and one checkpoint with the plain list", async () => {
    const { client, emulator, run } = await open()
    const dated = client.contracts.as(Dated)
    const [one] = await run(client.contracts.collect({ max: 1 }))
    const before = emulator.journal.entries.length
    const [a, b] = await run(Effect.all([dated.get(one!.id), dated.get(one!.id)], { concurrency: 2 }))
    expect(a).toBe(b)
    expect(emulator.journal.entries.length).toBe(before + 1)
    const [page] = await run(Stream.runCollect(Stream.take(dated.pages({ limit: 30 }), 1)))
    const rest = await run(client.contracts.collect({ from: page!.checkpoint, max: "all" }))
    expect(page!.records.length + rest.length).toBe(130)
  })

  it("can be of another Schema again", async () => {
    const { client, run } = await open()
    const ids = client.contracts.as(Dated).as(Schema.Struct({ id: Schema.Int }))
    expect(Object.keys((await run(ids.collect({ max: 1 })))[0]!)).toEqual(["id"])
  })

  it("show neither a value nor the key in the issues of a hostile record", async () => {
    let key = ""
    const { send } = scripted(() => {
      const strange = { ...contract(), prices: { [`${key}${"x".repeat(500)}\ud800`]: "Ada" } }
      return { body: { ok: true, items: [strange], next_before_id: null } }
    })
    const { client, emulator, fails } = await open({ transport: send })
    key = emulator.apiKey
    const Priced = Schema.Struct({ prices: Schema.Record(Schema.String, Schema.Finite) })
    const error = await fails(client.contracts.as(Priced).collect({ max: "all" }))
    const told = JSON.stringify(error)
    expect(error.reason).toMatchObject({ _tag: "RecordInvalid", issues: [{ found: "string" }] })
    expect(told).not.toContain("Ada")
    expect(told).not.toContain(key)
    expect(told.length).toBeLessThan(3_000)
  })

  it("die with the error of a Schema that throws or waits, because it is one of the program", async () => {
    const { client, run } = await open()
    const filtered = (check: () => never) => Schema.Struct({ id: Schema.Int.check(Schema.makeFilter(check)) })
    const throwing = filtered(() => {
      throw new TypeError("a mistake of the builder")
    })
    await expect(run(client.contracts.as(throwing).collect({ max: 1 }))).rejects.toThrow("a mistake")
    const waiting = Schema.Struct({ id: Schema.Int }).pipe(
      Schema.decodeTo(Schema.Struct({ id: Schema.Int }), {
        decode: SchemaGetter.transformEffect((given) => Effect.delay(Effect.succeed(given), 1)),
        encode: SchemaGetter.passthrough(),
      }),
    )
    await expect(run(client.contracts.as(waiting).collect({ max: 1 }))).rejects.toThrow("asynchronous")
  })
})

describe("getResponse", () => {
  it("has the record, request id, status, headers in any case, attempts and waits", async () => {
    const answer = { body: { ok: true, contract: contract({ id: 12 }) } }
    const { send } = scripted([
      { status: 503, headers: { "retry-after": "7" } },
      { ...answer, headers: { "x-request-id": "r-2", "x-ratelimit-remaining": "41" } },
    ])
    const { client, run } = await open({ transport: send })
    const response = await run(client.contracts.getResponse(12))
    expect(response).toMatchObject({
      value: contract({ id: 12 }),
      requestId: "r-2",
      status: 200,
      attempts: 2,
    })
    expect(response.waitedMillis).toBeGreaterThanOrEqual(7_000)
    expect(response.headers.get("X-RateLimit-Remaining")).toBe("41")
    expect(response.headers.get("retry-after")).toBe(null)
  })

  it.each(["constructor", "__proto__", "toString", "", "a b", "x\r\ny", "x-absent", ":status"])(
    "has no header %j",
    async (name) => {
      const headers = { header: (asked: string) => ({})[asked as never] ?? null }
      const { client, run } = await open({
        transport: async () => ({
          status: 200,
          ...headers,
          text: JSON.stringify({ ok: true, contract: contract({ id: 12 }) }),
        }),
      })
      const response = await run(client.contracts.getResponse(12))
      expect(response.headers.get(name)).toBe(null)
    },
  )

  it("redacts the key where the service echoes it in a header", async () => {
    const { client, run } = await open({
      around: (fetch) => async (request) => {
        const response = await fetch(request)
        const headers = new Headers(response.headers)
        headers.set("x-echo", `seen ${request.headers.get("authorization")}`)
        return new Response(response.body, { status: response.status, headers })
      },
    })
    const [one] = await run(client.contracts.collect({ max: 1 }))
    const response = await run(client.contracts.getResponse(one!.id))
    expect(response.headers.get("x-echo")).toBe("seen Bearer [API key]")
  })

  it("sends a request of its own, and refuses an id that no record has", async () => {
    const { client, emulator, fails, run } = await open()
    const [one] = await run(client.apiKeys.collect({ max: 1 }))
    const before = emulator.journal.entries.length
    const { value } = await run(client.apiKeys.getResponse(one!.id))
    expect(value.id).toBe(one!.id)
    expect(emulator.journal.entries.length).toBe(before + 1)
    expect((await fails(client.apiKeys.getResponse(0))).reason._tag).toBe("ConfigInvalid")
    expect((await fails(client.contracts.getResponse(999_999))).reason._tag).toBe("NotFound")
  })
})

describe("the open client", () => {
  it("is the same client: its events, key and rate limiter", async () => {
    const { client, events, run } = await open()
    await run(client.request({ path: "/v1/me/" }))
    expect(eventsOf(events, "Attempted").map(({ target }) => target)).toEqual(["/v1/me/"])
  })
})
