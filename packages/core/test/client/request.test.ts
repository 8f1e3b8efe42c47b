/** Requests that the specification only names: what they share with the client, and where their paths cannot lead. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ClientError } from "../../src/ClientError.ts"
import { createClient } from "../../src/promise.ts"
import type { ScriptedAnswer } from "../../src/testing/index.ts"
import { scripted } from "../../src/testing/index.ts"
import { baseUrl, eventsOf, world } from "../fixtures/Setup.ts"

const cases = Number(process.env["DEEDKIT_CASES"] ?? 500)

const listings = "/v1/listings/"

const scriptedClient = async (script: ReadonlyArray<ScriptedAnswer>) => {
  const { requests, send } = scripted(script)
  return { ...(await world({ transport: send })), requests }
}

const Opened = Schema.Struct({ listing: Schema.Struct({ opened: Schema.DateTimeUtcFromString }) })

describe("a request", () => {
  it("sends its path and its parameters, and returns the answer as it is", async () => {
    const { client, requests, run } = await scriptedClient([{ body: '{"ok":true,"total":9007199254740993}' }])
    const query = { city: "Chania & more", page: 2, none: undefined }
    expect(await run(client.request(listings, { query }))).toEqual({ ok: true, total: 9007199254740993n })
    expect(requests).toEqual([
      { target: "/v1/listings/?city=Chania%20%26%20more&page=2", accept: "application/json" },
    ])
  })

  it("is decoded by a Schema", async () => {
    const { client, fails, run } = await scriptedClient([
      { body: { ok: true, listing: { opened: "2026-03-01T09:30:00Z" } } },
      { body: { ok: true, listing: {} } },
      { body: { ok: true } },
    ])
    const { listing } = await run(client.request(listings, { schema: Opened }))
    expect(listing.opened.epochMilliseconds).toBe(Date.parse("2026-03-01T09:30:00Z"))
    const error = await fails(client.request(listings, { schema: Opened }))
    expect(error.reason).toEqual({
      _tag: "RecordInvalid",
      id: null,
      issues: [{ path: "listing.opened", expected: "present", found: "nothing" }],
    })
    expect(error.message).toContain(
      "Could not read the answer from /v1/listings/: a record is not as specified",
    )
    expect((await fails(client.request(listings, { schema: Opened }))).reason).toMatchObject({
      issues: [{ path: "listing" }],
    })
  })

  it("has issues without the key, where the service echoes it", async () => {
    const { client, emulator, fails } = await scriptedClient([])
    const echoing = await world({
      transport: scripted(() => ({ body: { ok: true, [emulator.apiKey]: 1 } })).send,
    })
    const schema = Schema.Struct({ ok: Schema.Literal(true), [emulator.apiKey]: Schema.String })
    const error = await fails(echoing.client.request(listings, { schema }))
    expect(error.reason._tag).toBe("RecordInvalid")
    expect(JSON.stringify(error)).not.toContain(emulator.apiKey)
    expect(client).toBeDefined()
  })

  const answers: ReadonlyArray<readonly [ScriptedAnswer, object]> = [
    [{ status: 403 }, { _tag: "Forbidden", scope: null }],
    [{ status: 404 }, { _tag: "NotFound" }],
    [
      { status: 422, body: { message: "no" } },
      { _tag: "Rejected", serverSays: "no" },
    ],
    [
      { status: 302, headers: { location: "https://evil.test/" } },
      { _tag: "Redirected", sameOrigin: false },
    ],
    [{ body: { ok: false } }, { _tag: "NotOk" }],
    [{ body: [1] }, { _tag: "NotOk" }],
    [{ body: "<html>", headers: { "content-type": "text/html" } }, { _tag: "NotTheApi" }],
  ]
  it.each(answers)("fails as every call: %j", async (answer, reason) => {
    const { client, fails, requests } = await scriptedClient([answer])
    expect((await fails(client.request(listings))).reason).toMatchObject(reason)
    expect(requests).toHaveLength(1)
  })

  it("is retried, waits as the service asks, and pauses the other calls of the key", async () => {
    const { client, elapsed, events, run } = await scriptedClient([
      { status: 429, headers: { "retry-after": "30" } },
      { body: { ok: true, n: 2 } },
      { body: { ok: true, n: 3 } },
    ])
    const [own, me] = await run(
      Effect.all([client.request(listings), Effect.delay(client.me(), 1_000)], { concurrency: 2 }),
    )
    expect(new Set([own["n"], me["n"]])).toEqual(new Set([2, 3]))
    expect(elapsed()).toBeGreaterThanOrEqual(30_000)
    expect(eventsOf(events, "Waiting").length).toBeGreaterThan(0)
  })

  it("takes the options of a call, and refuses others by name", async () => {
    const { client, fails, requests } = await scriptedClient([{ status: 503 }, { status: 503 }])
    expect((await fails(client.request(listings, { retry: { attempts: 1 } }))).reason._tag).toBe(
      "ServerFault",
    )
    expect((await fails(client.request(listings, { retries: 1 } as never))).message).toContain("retry")
    expect(requests).toHaveLength(1)
  })

  it("can read what the specification describes, too", async () => {
    const { client, run } = await world()
    const [one] = await run(client.contracts.collect({ max: 1 }))
    const answer = await run(client.request("/v1/contracts/", { query: { id: one!.id } }))
    expect(answer["contract"]).toEqual(one)
  })

  it("of the promise client is the same, and ends with a signal", async () => {
    const { requests, send } = scripted([
      { body: { ok: true, listing: { opened: "2026-03-01T09:30:00Z" } } },
      { body: { ok: true, listing: {} } },
    ])
    const client = createClient({ baseUrl, apiKey: "dk_4711", rate: 0, transport: send })
    const standard = Schema.toStandardSchemaV1(Opened)
    const { listing } = await client.request(listings, { schema: standard, query: { city: "Chania" } })
    expect(listing.opened.epochMilliseconds).toBe(Date.parse("2026-03-01T09:30:00Z"))
    await expect(client.request(listings, { schema: standard })).rejects.toMatchObject({
      reason: { _tag: "RecordInvalid", issues: [{ path: "listing.opened", found: "nothing" }] },
    })
    const signal = AbortSignal.abort(new Error("no more"))
    await expect(client.request(listings, { signal })).rejects.toThrow("no more")
    expect(requests.map(({ target }) => target)).toEqual(["/v1/listings/?city=Chania", "/v1/listings/"])
  })

  it("has a Schema without services, by its type", async () => {
    const { client } = await scriptedClient([])
    const schema = Schema.String as unknown as Schema.Codec<string, string, "a service">
    // @ts-expect-error: nothing could provide the service.
    expect(client.request(listings, { schema })).toBeDefined()
  })
})

/** Runs a request, and gives where the key went; the error where nothing was sent. */
const sentTo = async (path: unknown, query?: unknown, base: string = baseUrl) => {
  const urls: Array<string> = []
  const made = await world({
    client: { baseUrl: base },
    transport: async ({ url }) => {
      urls.push(url)
      return { status: 200, header: () => null, text: '{"ok":true}' }
    },
  })
  const request: Effect.Effect<unknown, ClientError> = made.client.request(path as never, { query } as never)
  const error = await made.run(
    Effect.match(request, { onFailure: (failed) => failed, onSuccess: () => null }),
  )
  return { urls, error }
}

const paths: ReadonlyArray<unknown> = [
  "",
  "/",
  "v1/listings/",
  "/v1",
  "/v/listings/",
  "//evil.test/v1/listings/",
  "/v1//evil.test/",
  "https://evil.test/v1/listings/",
  "@evil.test/v1/listings/",
  ":443@evil.test/",
  ".evil.test/v1/",
  "/v1/../../evil",
  "/v1/..",
  "/v1/.",
  "/v1/./listings/",
  "/v1/listings/..",
  "/v1/listings/../",
  "/v1/%2e%2e/",
  "/v1/%2E./x",
  "/v1/a%2fb",
  "/v1/a%00b",
  "/v1/..\\x",
  "/v1/\\evil.test/",
  "\\\\evil.test/v1/",
  "/v1/listings/?limit=5",
  "/v1/listings/#x",
  "/v1/listings/;x",
  "/v1/a:b",
  "/v1/a b/",
  "/v1/a\tb/",
  "/v1/a\n",
  "\n/v1/a",
  " /v1/a",
  "/v1/\u0000",
  "/v1/é/",
  "/v1/\u2025/",
  "/v1/\uff0e\uff0e/",
  "/V1/listings/",
  null,
  undefined,
  5,
  ["/v1/listings/"],
  { toString: () => "/v1/listings/" },
  new String("/v1/listings/"),
]

describe("the path of a request", () => {
  it.each(paths)("is refused before anything is sent: %j", async (path) => {
    const { error, urls } = await sentTo(path)
    expect(urls).toEqual([])
    expect(error?.reason).toMatchObject({ _tag: "ConfigInvalid", setting: "path" })
  })

  it.each(["/v1/listings/", "/v1/listings", "/v2/a.b/c-d/~e_f/12/", "/v1/", "/v1/.../"])(
    "is sent as it is: %s",
    async (path) => {
      expect((await sentTo(path)).urls).toEqual([baseUrl + path])
      const prefixed = `${baseUrl}/tenants/5`
      expect((await sentTo(path, undefined, prefixed)).urls).toEqual([prefixed + path])
    },
  )

  it("never leads the key out of the base URL, whatever it is", async () => {
    const base = `${baseUrl}/tenant`
    const urls: Array<string> = []
    const made = await world({
      client: { baseUrl: base, retry: { attempts: 1 } },
      transport: async ({ url }) => {
        urls.push(url)
        return { status: 200, header: () => null, text: '{"ok":true}' }
      },
    })
    const { client } = made
    const piece = fc.constantFrom(
      "/",
      "v1",
      "..",
      ".",
      "\\",
      "@",
      ":",
      "%2e",
      "%2F",
      "?",
      "#",
      "//",
      "evil.test",
      "a",
      "\t",
      "\u0000",
      "。",
    )
    const path = fc.oneof(
      fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join("")),
      fc.array(piece, { maxLength: 6 }).map((pieces) => `/v1/${pieces.join("")}`),
      fc.string({ unit: "binary" }).map((text) => `/v1/${text}`),
    )
    const query = fc.oneof(
      fc.constant({}),
      fc.dictionary(fc.string(), fc.oneof(fc.string({ unit: "binary" }), fc.double(), fc.boolean())),
    )
    const definitions = fc.array(fc.tuple(path, query), { minLength: cases, maxLength: cases })
    const [drawn] = fc.sample(definitions, 1)
    await made.run(
      Effect.forEach(drawn!, ([given, parameters]) =>
        Effect.exit(client.request(given, { query: parameters as never })),
      ),
    )
    expect(urls.length).toBeGreaterThan(cases / 100)
    for (const url of urls) {
      const { hash, origin, password, pathname, username } = new URL(url)
      expect({ hash, origin, password, username }).toEqual({
        hash: "",
        origin: baseUrl,
        password: "",
        username: "",
      })
      expect(pathname.startsWith("/tenant/v")).toBe(true)
      expect(pathname).toBe(url.slice(baseUrl.length).split("?")[0])
    }
  })
})

describe("the query of a request", () => {
  it.each([
    { "a&b": "1" },
    { "": "1" },
    { "a=b": "1" },
    { "a\r\nb": "1" },
    { a: null },
    { a: true },
    { a: ["1"] },
    { a: { toString: () => "x" } },
    { a: Number.NaN },
    { a: Infinity },
    { a: "\ud800" },
    { a: () => 1 },
  ])("is refused before anything is sent: %o", async (query) => {
    const { error, urls } = await sentTo(listings, query)
    expect(urls).toEqual([])
    expect(error?.reason).toMatchObject({ _tag: "ConfigInvalid" })
  })

  it("is percent-encoded, so that no value can add a parameter or end the query", async () => {
    const { urls } = await sentTo(listings, { a: "1&b=2#c?d+é " })
    const { hash, searchParams } = new URL(urls[0]!)
    expect([...searchParams]).toEqual([["a", "1&b=2#c?d+é "]])
    expect(hash).toBe("")
  })
})
