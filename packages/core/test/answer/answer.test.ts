import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import * as answer from "../../src/internal/answer.ts"
import * as redaction from "../../src/internal/redaction.ts"
import { contracts, list, me, retrieve } from "../../src/internal/serviceRequest.ts"

const origin = "https://api.example.test"
const key = "dk_secret+4711/x"
const redact = redaction.make(key)

const respond = (status: number, text: string, headers: Readonly<Record<string, string>> = {}) => {
  const all = new Headers({ "content-type": "application/json", ...headers })
  return { status, text, header: (name: string) => all.get(name) }
}
const read = (...given: Parameters<typeof respond>) =>
  answer.read(respond(...given), list(contracts, {}), origin, redact)
const reason = (...given: Parameters<typeof respond>) => {
  const reading = read(...given)
  return reading._tag === "Failed" ? reading.reason : reading._tag
}

describe("a 2xx", () => {
  it("of JSON whose ok is true is a body", () => {
    expect(read(200, '{"ok":true,"items":[]}')).toMatchObject({ _tag: "Body", body: { ok: true, items: [] } })
  })

  it("of JSON is a body without a content-type and with a wrong one", () => {
    const noType = { status: 200, text: '{"ok":true}', header: () => null }
    expect(answer.read(noType, me, origin, redact)._tag).toBe("Body")
    for (const type of ["text/html", "text/plain; charset=utf-8", "application/octet-stream"]) {
      expect(read(200, '{"ok":true}', { "content-type": type })._tag).toBe("Body")
    }
  })

  it("gives integers exactly when asked again", () => {
    const reading = read(200, '{"ok":true,"next_before_id":9007199254740993}')
    expect(reading._tag === "Body" && reading.exact()).toEqual({
      ok: true,
      next_before_id: 9007199254740993n,
    })
  })

  it.each([
    ['{"ok":false,"message":"busy"}', "busy"],
    ['{"ok":"true"}', null],
    ['{"ok":1}', null],
    ["{}", null],
    ["[]", null],
    ["null", null],
    ['"text"', null],
    ["7", null],
  ])("NotOk: %s, whose ok is not true", (text, serverSays) => {
    expect(reason(200, text)).toEqual({ _tag: "NotOk", status: 200, serverSays })
  })

  it.each([
    ["a page of HTML", "<!doctype html><title>Sign in</title>", "text/html; charset=utf-8"],
    ["HTML that says it is JSON", "\n <html>", "application/json"],
    ["plain text", "It works!", "text/plain"],
    ["JSON of another API", '{"hello":"world"}', "text/html"],
    ["nothing, as HTML", "", "text/html"],
  ])("NotTheApi: %s", (_, text, type) => {
    expect(reason(200, text, { "content-type": type })).toEqual({
      _tag: "NotTheApi",
      status: 200,
      contentType: type,
    })
  })

  it.each(["", " ", "{", '{"ok":true,"items":[', "{'ok':true}", '{"ok":true}{"ok":true}', "It works!"])(
    "BodyInvalid: %j, which says it is JSON and is not",
    (text) => {
      expect(reason(200, text)).toEqual({
        _tag: "BodyInvalid",
        status: 200,
        problem: "json",
        bodyCharacters: text.length,
      })
    },
  )

  it.each(["application/json", "application/json; charset=utf-8", "application/vnd.api+json", "text/json"])(
    "%s is a JSON type",
    (type) => {
      expect(reason(200, "{", { "content-type": type })).toMatchObject({ _tag: "BodyInvalid" })
    },
  )
})

describe("a 3xx", () => {
  it.each([
    [`${origin}/v1/contracts/?limit=1#x`, `${origin}/v1/contracts/`, true],
    ["/moved/v1/contracts/", `${origin}/moved/v1/contracts/`, true],
    ["//elsewhere.example/x", "https://elsewhere.example/x", false],
    ["http://api.example.test/v1/", "http://api.example.test/v1/", false],
    ["https://ada:pw@elsewhere.example/", "https://elsewhere.example/", false],
    ["file:///etc/hosts", "file:///etc/hosts", false],
    [`/x/${key}/y`, `${origin}/x/[API key]/y`, true],
    [`/x/${encodeURIComponent(key)}/y`, `${origin}/x/[API key]/y`, true],
  ])("Redirected: to %s, shown as %s", (location, shown, sameOrigin) => {
    expect(reason(302, "", { location })).toEqual({
      _tag: "Redirected",
      status: 302,
      location: shown,
      sameOrigin,
    })
  })

  it("Redirected: without a place, and to one that is no URL", () => {
    const nowhere = { _tag: "Redirected", status: 304, location: null, sameOrigin: false }
    expect(reason(304, "")).toEqual(nowhere)
    expect(reason(304, "", { location: "https://" })).toEqual(nowhere)
  })
})

describe("a 101", () => {
  it("NotTheApi: the connection speaks another protocol now", () => {
    expect(reason(101, "")).toEqual({ _tag: "NotTheApi", status: 101, contentType: "application/json" })
  })
})

describe("a body with characters that are not known", () => {
  const mangled = { ...respond(200, '{"ok":true,"name":"Zo\ufffd","items":[]}'), wellEncoded: false }

  it("of a list is a body that says so", () => {
    expect(answer.read(mangled, list(contracts, {}), origin, redact)).toMatchObject({
      _tag: "Body",
      wellEncoded: false,
    })
  })

  it.each([me, retrieve(contracts, 7)])("BodyInvalid: of $subject", (request) => {
    expect(answer.read(mangled, request, origin, redact)).toEqual({
      _tag: "Failed",
      reason: { _tag: "BodyInvalid", status: 200, problem: "encoding", bodyCharacters: mangled.text.length },
    })
  })
})

describe("a status", () => {
  it.each([
    [400, "Rejected"],
    [401, "Unauthenticated"],
    [402, "Rejected"],
    [403, "Forbidden"],
    [404, "NotFound"],
    [405, "Rejected"],
    [408, "Rejected"],
    [410, "NotFound"],
    [418, "Rejected"],
    [422, "Rejected"],
    [429, "RateLimited"],
    [499, "Rejected"],
    [500, "ServerFault"],
    [501, "ServerFault"],
    [503, "ServerFault"],
    [599, "ServerFault"],
    [0, "Rejected"],
  ])("%i is %s, whatever the body says", (status, tag) => {
    for (const body of ["", "<html>", "{", '{"ok":true,"items":[],"next_before_id":null}', "[[[["]) {
      expect(reason(status, body)).toMatchObject({ _tag: tag, status })
    }
  })

  it("403 names the scope that the endpoint needs, or none where none is documented", () => {
    expect(reason(403, "")).toMatchObject({ scope: "read:contracts" })
    expect(answer.read(respond(403, ""), me, origin, redact)).toMatchObject({ reason: { scope: null } })
  })
})

const says = (text: string) => answer.serverSays(text, redact)

describe("server says", () => {
  it.each([
    ['{"ok":false,"error":"not_found","message":"There is no record 7."}', "There is no record 7."],
    ['{"error":{"code":"x","message":"Nested."}}', "Nested."],
    ['{"errors":[{"code":"x","detail":"A list."}]}', "A list."],
    ['{"type":"about:blank","title":"Gone","status":410}', "Gone"],
    ['{"error":"invalid_token","error_description":"Expired."}', "Expired."],
    ['"Just a text."', "Just a text."],
    ['["First.","Second."]', "First."],
    ["Plain text.", "Plain text."],
    ["{ cut off", "{ cut off"],
  ])("%s says %s", (body, said) => {
    expect(says(body)).toBe(said)
  })

  it.each([
    "",
    "  \n",
    "{}",
    "[]",
    "null",
    "7",
    '{"error":{}}',
    '{"message":7}',
    '{"message":""}',
    "<h1>Oops</h1>",
    " <html>",
  ])("%j says nothing", (body) => {
    expect(says(body)).toBeNull()
  })

  it("is without control characters, line breaks and marks that turn the direction of text", () => {
    expect(says("one\u0000\u001b[31mtwo\r\nthree\u2028four\u202efive\u200b\u007f six")).toBe(
      "one [31mtwo three four five six",
    )
  })

  it("is without the key, plain and encoded", () => {
    expect(says(`the key ${key} is revoked`)).toBe("the key [API key] is revoked")
    expect(says(JSON.stringify({ message: `?key=${encodeURIComponent(key)}` }))).toBe("?key=[API key]")
  })

  it("is cut to 200 characters, and never in the middle of one", () => {
    const said = says("é😀".repeat(500))!
    expect(said.length).toBeLessThanOrEqual(200)
    expect(said.isWellFormed()).toBe(true)
    expect(said.endsWith("…")).toBe(true)
  })

  it("is short, printable and without the key for every body", () => {
    const part = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(key, encodeURIComponent(key), "\u0000", "\ud800", "{", '"', "\n"),
    )
    const text = fc.array(part, { maxLength: 20 }).map((parts) => parts.join(""))
    const body = fc.oneof(
      text,
      text.map((message) => JSON.stringify({ message })),
      text.map((detail) => JSON.stringify({ errors: [{ detail }] })),
      fc.json(),
    )
    fc.assert(
      fc.property(body, (it) => {
        const said = says(it) ?? "-"
        expect(said.length).toBeGreaterThan(0)
        expect(said.length).toBeLessThanOrEqual(200)
        expect(said.isWellFormed()).toBe(true)
        expect(said).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
        expect(said).not.toContain(key)
        expect(said).not.toContain(encodeURIComponent(key))
      }),
      { numRuns: 1_000 },
    )
  })

  it("comes of a body of any depth and of one of megabytes", () => {
    const deep = `${"[".repeat(100_000)}"deep"${"]".repeat(100_000)}`
    expect(says(`{"errors":${deep}}`)?.length ?? 0).toBeLessThanOrEqual(200)
    expect(says(`{"message":"${"x".repeat(5_000_000)}"}`)!.length).toBeLessThanOrEqual(200)
  })
})

describe("request ids", () => {
  const idOf = (headers: Record<string, string>) =>
    answer.requestIdOf(respond(200, "", headers).header, redact)

  it.each(["x-request-id", "request-id", "x-correlation-id"])("are looked for in %s", (name) => {
    expect(idOf({ [name]: "req-1:a.b" })).toBe("req-1:a.b")
  })

  it("are taken from x-request-id first, and are null when none came", () => {
    expect(idOf({ "x-correlation-id": "c", "request-id": "r", "x-request-id": "x" })).toBe("x")
    expect(idOf({})).toBeNull()
  })

  it("are cut, and never hold the key", () => {
    expect(idOf({ "x-request-id": "x".repeat(500) })!.length).toBeLessThanOrEqual(100)
    expect(idOf({ "x-request-id": `for ${key}` })).toBe("for [API key]")
    const plain = answer.requestIdOf(
      (name) => (name === "x-request-id" ? "dk_plain" : null),
      redaction.make("dk_plain"),
    )
    expect(plain).toBe("[API key]")
  })
})

it.each([202, 206])("a %i is not the whole answer, whatever it holds", (status) => {
  expect(reason(status, '{"ok":true,"items":[],"next_before_id":null}')).toMatchObject({
    _tag: "BodyInvalid",
    status,
    problem: "partial",
  })
})
