import type { Contract as Stored, Emulator, EmulatorOptions } from "@deedkit/emulator"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import type { ClientOptions } from "../../src/ClientConfig.ts"
import * as Contract from "../../src/Contract.ts"
import { stringify } from "../../src/Json.ts"
import * as PropertyClient from "../../src/PropertyClient.ts"
import { Transport, viaFetch } from "../../src/Transport.ts"
import { baseUrl, eventsOf, failure, idsOf, readList, world } from "../fixtures/Setup.ts"

interface Reading {
  readonly name: string
  readonly assumptions: NonNullable<EmulatorOptions["assumptions"]>
  readonly client?: Partial<ClientOptions>
  readonly ordering: "descending" | "ascending" | "mixed"
  readonly sentinel?: string
}

/** Services that the specification allows, each answering its gaps in another way. */
const readings: ReadonlyArray<Reading> = [
  { name: "the emulator's defaults", assumptions: {}, ordering: "descending" },
  {
    name: "text cursors, ascending, nested errors, fractions of a second",
    assumptions: { cursorKind: "string", ordering: "ascending", errorShape: "nested", timestampDigits: 3 },
    ordering: "ascending",
  },
  {
    name: "cursors beyond 2^53, shuffled, ended by 0, a list of errors",
    assumptions: { cursorKind: "bigint", ordering: "random", endSentinel: 0, errorShape: "list" },
    ordering: "mixed",
    sentinel: "0",
  },
  {
    name: "cursors of digits under another name, latest update first, ended by -1, problem documents",
    assumptions: {
      cursorKind: "digits",
      cursorParameter: "page[after]",
      ordering: "updated",
      endSentinel: -1,
      errorShape: "problem",
      meShape: "flat",
    },
    client: { cursorParam: "page[after]" },
    ordering: "mixed",
    sentinel: "-1",
  },
  {
    name: "inclusive cursors, ended by an empty text, errors in plain text, no request ids",
    assumptions: {
      cursorBoundary: "inclusive",
      endSentinel: "",
      errorShape: "text",
      requestIdHeader: null,
      listingWhenNone: "absent",
    },
    ordering: "descending",
    sentinel: '""',
  },
  {
    name: "newest page first and ascending within, an empty page at the end, unknown members, errors of HTML",
    assumptions: {
      ordering: "ascending",
      ascendingPages: "newest-first",
      trailingEmptyPage: true,
      unknownMember: true,
      errorShape: "html",
      listingWhenNone: "object",
    },
    ordering: "mixed",
  },
  {
    name: "the next record as cursor, refused unknown parameters, other statuses, empty errors",
    assumptions: {
      cursorBoundary: "next",
      unknownParameter: "reject",
      malformedStatus: 422,
      unknownIdStatus: 410,
      aboveMaximum: "reject",
      requestIdHeader: "x-correlation-id",
      errorShape: "empty",
      payloadMember: "contract_data",
    },
    ordering: "descending",
  },
  {
    name: "no limit at all",
    assumptions: { limitSupported: false, unknownParameter: "reject", defaultLimit: 20, meScope: null },
    ordering: "descending",
  },
]

/** The store's records as a reader of JSON sees them. */
const plain = (records: ReadonlyArray<Stored>) => JSON.parse(stringify(records)) as ReadonlyArray<unknown>
const missing = (emulator: Emulator): number => Math.max(...idsOf(emulator.store.contracts)) + 1

describe.each(readings)("with $name", ({ assumptions, client: settings = {}, ordering, sentinel }) => {
  const make = (secret?: (emulator: Emulator) => string) =>
    world({ emulator: { assumptions }, client: settings }).then(async (it) =>
      secret === undefined ? it : { ...it, client: await it.another({ apiKey: secret(it.emulator) }) },
    )

  it("lists exactly the store's contracts, each once and as they are", async () => {
    const { client, emulator, run } = await make()
    const contracts = await run(client.contracts.collect({ max: "all" }))
    expect(idsOf(contracts)).toHaveLength(130)
    expect(new Map(contracts.map((contract) => [contract.id, contract]))).toEqual(
      new Map(idsOf(emulator.store.contracts).map((id, at) => [id, plain(emulator.store.contracts)[at]])),
    )
  })

  it("gives the right figures in the summary of the last page", async () => {
    const { client, emulator, run } = await make()
    const { error, pages, records } = await run(readList(client.contracts.pages({ limit: 20 })))
    expect(error).toBeNull()
    const summary = pages.at(-1)?.summary
    expect(summary).toMatchObject({
      collection: "contracts",
      pages: pages.length,
      records: 130,
      rejected: 0,
      changedDuringRead: 0,
      requests: emulator.journal.entries.length,
      limit: 20,
      idOrder: ordering,
      complete: true,
      cursor: { parameter: assumptions.cursorParameter ?? "before_id", state: "verified" },
    })
    expect(records).toHaveLength(130)
    expect(summary?.retries).toBe(0)
    expect(summary?.duplicates).toBe(assumptions.cursorBoundary === "inclusive" ? pages.length - 1 : 0)
    expect(summary?.anomalies["end-sentinel"]).toBe(sentinel === undefined ? undefined : 1)
    expect(pages.slice(0, -1).every((page) => !page.summary.complete && page.next !== null)).toBe(true)
  })

  it("lists the key records, each once", async () => {
    const { client, emulator, run } = await make()
    const keys = await run(client.apiKeys.collect({ max: "all", limit: 5 }))
    expect(new Set(keys)).toEqual(new Set(emulator.store.apiKeys))
    expect(keys).toHaveLength(emulator.store.apiKeys.length)
  })

  it("gets one contract and one key record by id", async () => {
    const { client, emulator, run } = await make()
    const wanted = emulator.store.contracts[3]!
    expect(await run(client.contracts.get(wanted.id))).toEqual(plain([wanted])[0])
    expect(await run(client.apiKeys.get(emulator.store.apiKeys[1]!.id))).toEqual(emulator.store.apiKeys[1])
  })

  it("adds the payload of a contract only where it is asked for, whole and under any name", async () => {
    const { client, emulator, run } = await make()
    const stored = emulator.store.contracts[0]!
    const member = assumptions.payloadMember ?? "data"
    const without = await run(client.contracts.get(stored.id))
    expect(Contract.extra(without)).not.toHaveProperty(member)
    const contract = await run(client.contracts.get(stored.id, { includeData: true }))
    expect(Contract.extra(contract)[member]).toEqual(emulator.store.payloadOf(stored))
    expect(emulator.journal.entries.at(-1)?.query).toEqual({ id: String(stored.id), include_data: "1" })
  })

  it("looks up many in the order asked and reports unknown ids", async () => {
    const { client, emulator, run } = await make()
    const [first, second, third] = idsOf(emulator.store.contracts)
    const unknown = missing(emulator)
    const asked = [third!, unknown, first!, second!]
    const found = await run(client.contracts.getMany(asked))
    expect(found.map((lookup) => [lookup.id, lookup._tag])).toEqual(
      asked.map((id) => [id, id === unknown ? "Unknown" : "Found"]),
    )
  })

  it("reads the caller as the JSON that came", async () => {
    const { client, run } = await make()
    expect(await run(client.me())).toMatchObject({ ok: true })
  })

  it("turns an unknown id into NotFound, whatever the body of the error says", async () => {
    const { client, emulator, fails } = await make()
    const error = await fails(client.contracts.get(missing(emulator)))
    expect(error.reason).toMatchObject({ _tag: "NotFound", status: assumptions.unknownIdStatus ?? 404 })
    expect(error).toMatchObject({ retryable: false, documented: false, request: { path: "/v1/contracts/" } })
    expect(error.requestId).toBe(
      assumptions.requestIdHeader === null ? null : emulator.journal.entries.at(-1)?.requestId,
    )
    expect(error.message).not.toMatch(/<|Traceback/)
    expect(emulator.journal.entries).toHaveLength(1)
  })

  it("names the missing scope of each endpoint", async () => {
    const { client, emulator, fails } = await make((it) => it.secrets.noScopes)
    const reasons = [
      (await fails(client.contracts.collect({ max: "all" }))).reason,
      (await fails(client.apiKeys.get(1))).reason,
    ]
    expect(reasons).toMatchObject([
      { _tag: "Forbidden", status: 403, scope: "read:contracts" },
      { _tag: "Forbidden", status: 403, scope: "read:api_keys" },
    ])
    expect(emulator.journal.entries).toHaveLength(2)
  })

  it("turns a revoked key and a wrong key into Unauthenticated, after one request each", async () => {
    const { another, client, emulator, fails } = await make((it) => it.secrets.revoked)
    const wrong = await another({ apiKey: "dk_nobody" })
    expect((await fails(client.contracts.collect({ max: "all" }))).reason._tag).toBe("Unauthenticated")
    expect((await fails(wrong.me())).reason._tag).toBe("Unauthenticated")
    expect(emulator.journal.entries).toHaveLength(2)
  })
})

describe("requests", () => {
  it("carry the key and Accept, and no header besides", async () => {
    const headers: Array<ReadonlyArray<string>> = []
    const { client, run } = await world({
      around: (fetch) => (request) => {
        headers.push([...request.headers.keys()])
        return fetch(request)
      },
    })
    await run(client.me())
    expect(headers).toEqual([["accept", "authorization"]])
  })

  it("keep the path prefix of the base URL, and drop /v1 at its end", async () => {
    const { another, emulator, run } = await world()
    const client = await another({ baseUrl: "https://example.test/property/api/v1/" })
    await run(client.me())
    expect(emulator.journal.entries[0]?.path).toBe("/property/api/v1/me/")
  })

  it.each([0, -1, 1.5, Number.NaN, 2 ** 53])("refuse the id %d before anything is sent", async (id) => {
    const { client, emulator, fails } = await world()
    expect((await fails(client.contracts.get(id))).reason._tag).toBe("ConfigInvalid")
    expect((await fails(client.apiKeys.getMany([id]))).reason._tag).toBe("ConfigInvalid")
    expect(emulator.journal.entries).toEqual([])
  })
})

describe("answers of another kind", () => {
  it("are ShapeMismatch when the list came for a record, and the other way round", async () => {
    const { client, emulator, fails } = await world({ emulator: { faults: ["wrong-form"] } })
    expect((await fails(client.contracts.get(1))).reason._tag).toBe("NotFound")
    expect((await fails(client.contracts.get(emulator.store.contracts[0]!.id))).reason).toEqual({
      _tag: "ShapeMismatch",
      expected: "retrieve",
    })
    expect((await fails(client.contracts.collect({ max: "all" }))).reason).toEqual({
      _tag: "ShapeMismatch",
      expected: "list",
    })
  })

  it("are IdentityMismatch when another record came", async () => {
    const { client, emulator, fails } = await world({ emulator: { faults: ["wrong-record"] } })
    const id = emulator.store.contracts[0]!.id
    const error = await fails(client.contracts.get(id))
    expect(error.reason).toMatchObject({ _tag: "IdentityMismatch", asked: id })
  })
})

describe("a read that is run again", () => {
  it("begins with the cursor's parameter that its first run has found", async () => {
    const { client, emulator, run } = await world({
      emulator: { assumptions: { cursorParameter: "after" } },
      client: { cursorParam: "auto" },
    })
    const read = client.contracts.collect({ max: "all" })
    expect(await run(read)).toHaveLength(130)
    const before = emulator.journal.entries.length
    expect(await run(read)).toHaveLength(130)
    const again = emulator.journal.entries.slice(before).flatMap(({ query }) => Object.keys(query))
    expect(again).toContain("after")
    expect(again).not.toContain("before_id")
  })
})

describe("layers", () => {
  const configured = async (
    options: Parameters<typeof PropertyClient.layerConfig>[0],
    settings: Readonly<Record<string, string>>,
  ) => {
    const { emulator, run } = await world({ emulator: { assumptions: { cursorParameter: "after" } } })
    const provider = ConfigProvider.fromUnknown({
      DEEDKIT: { BASE_URL: baseUrl, API_KEY: emulator.apiKey, ...settings },
    })
    const layer = PropertyClient.layerConfig({ rate: 0, ...options }).pipe(
      Layer.provide([ConfigProvider.layer(provider), Layer.succeed(Transport, viaFetch(emulator.fetch))]),
    )
    return {
      emulator,
      contracts: () =>
        run(
          Effect.provide(
            PropertyClient.PropertyClient.use((client) => client.contracts.collect({ max: "all" })),
            layer,
          ),
        ),
      config: () =>
        run(
          Effect.provide(
            PropertyClient.PropertyClient.useSync(({ config }) => config),
            layer,
          ),
        ),
    }
  }

  it("read base URL, key and cursor parameter from Effect's configuration", async () => {
    const { contracts } = await configured({}, { CURSOR_PARAM: "after" })
    expect(await contracts()).toHaveLength(130)
  })

  it.each([
    ["unset", {}],
    ["another name", { CURSOR_PARAM: "cursor" }],
    ["a name that cannot work", { CURSOR_PARAM: "limit" }],
  ])("an explicit cursorParam wins over the environment's: %s", async (_, settings) => {
    const { contracts } = await configured({ cursorParam: "after" }, settings)
    expect(await contracts()).toHaveLength(130)
  })

  it("an undefined cursorParam leaves the environment's, and without one the assumption stands", async () => {
    const set = await configured({ cursorParam: undefined }, { CURSOR_PARAM: "after" })
    expect((await set.config()).cursorParam).toBe("after")
    const unset = await configured({ cursorParam: undefined }, {})
    expect((await unset.config()).cursorParam).toBe("before_id")
  })

  it("take base URL and key from the environment, whatever else an untyped caller passes", async () => {
    const own = { baseUrl: "https://elsewhere.example.test", apiKey: "dk_other", rate: 3 }
    const { config, emulator } = await configured(own, {})
    const { apiKey, base, rate } = await config()
    expect([base, Redacted.value(apiKey), rate.ceiling]).toEqual([baseUrl, emulator.apiKey, 3])
    const without = { baseUrl: undefined, apiKey: undefined, rate: 0 }
    expect((await (await configured(without, {})).config()).base).toBe(baseUrl)
  })

  it("fail with ConfigError when the environment has no key", async () => {
    const { run } = await world()
    const provider = ConfigProvider.fromUnknown({ DEEDKIT: { BASE_URL: baseUrl } })
    const layer = Layer.provide(PropertyClient.layerConfig(), ConfigProvider.layer(provider))
    const error = await run(Effect.flip(Effect.scoped(Layer.build(layer))))
    expect([error._tag, error.message]).toEqual(["ConfigError", expect.stringContaining("API_KEY")])
  })

  it("fail with ConfigInvalid for options that cannot work", async () => {
    const { run } = await world()
    const built = Layer.build(PropertyClient.layer({ baseUrl: "ftp://example.test", apiKey: "key" }))
    expect((await run(failure(Effect.scoped(built)))).reason._tag).toBe("ConfigInvalid")
  })
})

describe("events", () => {
  it("tell of each attempt and page, with request ids and times of the clock", async () => {
    const { client, emulator, events, run } = await world()
    await run(client.contracts.collect({ max: "all" }))
    expect(eventsOf(events, "Attempted").map((event) => [event.requestId, event.at, event.status])).toEqual(
      emulator.journal.entries.map((entry) => [entry.requestId, entry.at, 200]),
    )
    expect(eventsOf(events, "PageRead").map((event) => event.summary.pages)).toEqual([1, 2, 3])
  })

  it("come as a stream, for as long as it runs", async () => {
    const { client, run } = await world()
    const tags = await run(
      Effect.gen(function* () {
        const fiber = yield* Effect.forkChild(Stream.runCollect(Stream.take(client.events, 2)), {
          startImmediately: true,
        })
        yield* client.me()
        yield* client.me()
        yield* client.me()
        return (yield* Fiber.join(fiber)).map((event) => event._tag)
      }),
    )
    expect(tags).toEqual(["Attempted", "Attempted"])
  })
})
