/** Requests of one's own: what they share with the client, and what their definitions cannot do. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as OpenClient from "../../../src/client/open/OpenClient.ts"
import type { ClientError } from "../../../src/error/ClientError.ts"
import type { ScriptedAnswer } from "../../../src/testing/index.ts"
import { scripted } from "../../../src/testing/index.ts"
import { baseUrl, eventsOf, world } from "../../fixtures/Setup.ts"

const cases = Number(process.env["DEEDKIT_CASES"] ?? 500)

const listings = { path: "/v1/listings/", scope: "read:listings" }

const scriptedClient = async (script: ReadonlyArray<ScriptedAnswer>) => {
  const { requests, send } = scripted(script)
  const made = await world({ transport: send })
  return { ...made, requests, client: OpenClient.of(made.client) }
}

describe("a request of one's own", () => {
  it("sends its path, its own parameters and those of the call, and returns the answer as it is", async () => {
    const { client, requests, run } = await scriptedClient([
      { body: '{"ok":true,"total":9007199254740993}', headers: { "x-request-id": "r-1" } },
    ])
    const response = await run(
      client.request(
        { ...listings, query: { city: "Chania & more", near: true } },
        { query: { page: 2, since: 5n, none: undefined } },
      ),
    )
    expect(requests[0]).toEqual({
      target: "/v1/listings/?city=Chania%20%26%20more&near=true&page=2&since=5",
      accept: "application/json",
    })
    expect(response).toMatchObject({
      value: { ok: true, total: 9007199254740993n },
      requestId: "r-1",
      status: 200,
      attempts: 1,
      waitedMillis: 0,
    })
  })

  it("is decoded by the Schema of its definition", async () => {
    const schema = Schema.Struct({ listing: Schema.Struct({ opened: Schema.DateTimeUtcFromString }) })
    const { client, fails, run } = await scriptedClient([
      { body: { ok: true, listing: { opened: "2026-03-01T09:30:00Z" } } },
      { body: { ok: true, listing: {} } },
      { body: { ok: true } },
    ])
    const { value } = await run(client.request({ ...listings, schema }))
    expect(value.listing.opened.epochMilliseconds).toBe(Date.parse("2026-03-01T09:30:00Z"))
    const error = await fails(client.request({ ...listings, schema, subject: "listing 12" }))
    expect(error.reason).toEqual({
      _tag: "RecordInvalid",
      id: null,
      issues: [{ path: "listing.opened", expected: "present", found: "nothing" }],
    })
    expect(error.message).toContain(
      "Could not read listing 12 from /v1/listings/: a record is not as specified",
    )
    expect((await fails(client.request({ ...listings, schema }))).reason).toMatchObject({
      issues: [{ path: "listing" }],
    })
  })

  const answers: ReadonlyArray<readonly [ScriptedAnswer, object]> = [
    [{ status: 403 }, { _tag: "Forbidden", scope: "read:listings" }],
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
    expect(new Set([own.value["n"], me["n"]])).toEqual(new Set([2, 3]))
    expect(own.attempts).toBe(2)
    expect(elapsed()).toBeGreaterThanOrEqual(30_000)
    expect(eventsOf(events, "Waiting").length).toBeGreaterThan(0)
  })

  it("takes the options of a call, and refuses others by name, as getResponse does", async () => {
    const failing = { status: 503 }
    const { client, fails, requests } = await scriptedClient([failing, failing, failing, failing])
    const once = { retry: { attempts: 1 } }
    expect((await fails(client.request(listings, once))).reason._tag).toBe("ServerFault")
    expect((await fails(client.contracts.getResponse(12, once))).reason._tag).toBe("ServerFault")
    expect(requests).toHaveLength(2)
    const misspelled = { retries: 1 } as never
    for (const refused of [
      client.request(listings, misspelled),
      client.contracts.getResponse(12, misspelled),
    ]) {
      expect((await fails(refused)).message).toContain("retry")
    }
    expect(requests).toHaveLength(2)
  })

  it("can read what the specification describes, too", async () => {
    const made = await world()
    const client = OpenClient.of(made.client)
    const [one] = await made.run(client.contracts.collect({ max: 1 }))
    const response = await made.run(client.request({ path: "/v1/contracts/" }, { query: { id: one!.id } }))
    expect(response.value["contract"]).toEqual(one)
  })

  it("has a Schema without services, by its type", async () => {
    const { client } = await scriptedClient([])
    const schema = Schema.String as unknown as Schema.Codec<string, string, "a service">
    // @ts-expect-error: nothing could provide the service.
    expect(client.request({ ...listings, schema })).toBeDefined()
    // @ts-expect-error: nothing could provide the service.
    expect(client.contracts.as(schema)).toBeDefined()
  })
})

/** Runs a request, and gives where the key went; the error where nothing was sent. */
const sentTo = async (definition: unknown, query?: unknown, base: string = baseUrl) => {
  const urls: Array<string> = []
  const made = await world({
    client: { baseUrl: base },
    transport: async ({ url }) => {
      urls.push(url)
      return { status: 200, header: () => null, text: '{"ok":true}' }
    },
  })
  const client = OpenClient.of(made.client)
  const request: Effect.Effect<unknown, ClientError> = client.request(definition as never, { query } as never)
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

describe("the path of a definition", () => {
  it.each(paths)("is refused before anything is sent: %j", async (path) => {
    const { error, urls } = await sentTo({ path })
    expect(urls).toEqual([])
    expect(error?.reason).toMatchObject({ _tag: "ConfigInvalid", setting: "path" })
  })

  it.each(["/v1/listings/", "/v1/listings", "/v2/a.b/c-d/~e_f/12/", "/v1/", "/v1/.../"])(
    "is sent as it is: %s",
    async (path) => {
      expect((await sentTo({ path })).urls).toEqual([baseUrl + path])
      const prefixed = `${baseUrl}/tenants/5`
      expect((await sentTo({ path }, undefined, prefixed)).urls).toEqual([prefixed + path])
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
    const client = OpenClient.of(made.client)
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
    const query = fc.dictionary(
      fc.string(),
      fc.oneof(fc.string({ unit: "binary" }), fc.double(), fc.boolean()),
    )
    const definitions = fc.array(fc.tuple(path, query), { minLength: cases, maxLength: cases })
    const [drawn] = fc.sample(definitions, 1)
    await made.run(
      Effect.forEach(drawn!, ([given, parameters]) =>
        Effect.exit(client.request({ path: given }, { query: parameters })),
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

  it("is read once: what was checked is what is sent", async () => {
    let reads = 0
    const shifting = {
      get path() {
        reads += 1
        return reads === 1 ? "/v1/listings/" : "@evil.test/"
      },
      get query() {
        return { city: "Chania" }
      },
    }
    expect((await sentTo(shifting)).urls).toEqual([`${baseUrl}/v1/listings/?city=Chania`])
    const definition: { path: string } = { path: "/v1/listings/" }
    const made = await world({ transport: scripted([{ body: { ok: true } }]).send })
    const request = OpenClient.of(made.client).request(definition)
    definition.path = "@evil.test/"
    expect((await made.fails(request)).reason).toMatchObject({ _tag: "ConfigInvalid", setting: "path" })
  })
})

describe("the query of a definition", () => {
  it.each([
    { "a&b": "1" },
    { "": "1" },
    { "a=b": "1" },
    { "a\r\nb": "1" },
    { a: null },
    { a: ["1"] },
    { a: { toString: () => "x" } },
    { a: Number.NaN },
    { a: Infinity },
    { a: "\ud800" },
    { a: () => 1 },
  ])("is refused before anything is sent: %o", async (query) => {
    const { error, urls } = await sentTo({ path: "/v1/listings/", query })
    expect(urls).toEqual([])
    expect(error?.reason).toMatchObject({ _tag: "ConfigInvalid" })
    expect((await sentTo({ path: "/v1/listings/" }, query)).urls).toEqual([])
  })

  it("and that of a call cannot both set a parameter", async () => {
    const { error, urls } = await sentTo({ path: "/v1/listings/", query: { city: "a" } }, { city: "b" })
    expect(urls).toEqual([])
    expect(error?.reason).toMatchObject({ setting: "query parameter city" })
  })

  it("is percent-encoded, so that no value can add a parameter or end the query", async () => {
    const { urls } = await sentTo({ path: "/v1/listings/" }, { a: "1&b=2#c?d+é " })
    const { hash, searchParams } = new URL(urls[0]!)
    expect([...searchParams]).toEqual([["a", "1&b=2#c?d+é "]])
    expect(hash).toBe("")
  })
})
