import { Json } from "@deedkit/core"
import { describe, expect, it } from "vitest"
import { clean, fromJson, meOf } from "../../src/proof/Account.ts"

const same = (text: string): string => text
const key = "sk_live_Zq9XvT4mB7nLpR2wYc8D"
const redact = (text: string): string => text.replaceAll(key, "[API key]")

describe("what is kept of what the service says about the caller", () => {
  it("is its texts, numbers and booleans, and those of the objects in it", () => {
    const answer = {
      ok: true,
      name: "Ada",
      id: 7,
      active: false,
      account: { id: 3, name: "Portfolio & Söhne", plan: null, deeper: { city: "Athens" } },
      scopes: ["read:me"],
      nothing: null,
    }
    expect(meOf(answer, same)).toEqual({
      name: "Ada",
      id: 7,
      active: false,
      "account.id": 3,
      "account.name": "Portfolio & Söhne",
    })
    expect(meOf({ ok: true }, same)).toEqual({})
  })

  it("has every digit of an integer, as a text where no number holds it", () => {
    const answer = Json.parse('{"id":9007199254740993,"n":9007199254740991,"x":1e400}') as { id: Json.Json }
    expect(meOf(answer, same)).toEqual({ id: "9007199254740993", n: 9007199254740991, x: "Infinity" })
  })

  it("holds no secret: not the key, in whatever disguise, and nothing with the name of one", () => {
    const answer = {
      note: `key: ${key}`,
      split: `${key.slice(0, 9)}\u0000\u202E${key.slice(9)}`,
      [`x ${key}`]: 1,
      nested: { [key]: key },
      api_key: "hidden-1",
      apiKey: "hidden-2",
      key: "hidden-3",
      access_token: "hidden-4",
      webhookSecret: "hidden-5",
      Password: "hidden-6",
      session: { id: "hidden-7" },
      token: { name: "hidden-8" },
      user: { otp: "hidden-9", private_note: "hidden-10", jwt: "hidden-11" },
      monkey: "shown",
    }
    const me = meOf(answer, redact)
    expect(JSON.stringify(me)).not.toMatch(/hidden|sk_live|Zq9X/)
    expect(me).toEqual({
      note: "key: [API key]",
      split: "[API key]",
      "x [API key]": 1,
      "nested.[API key]": "[API key]",
      monkey: "shown",
    })
    expect(meOf({ id: 20261121 }, (text) => text.replaceAll("20261121", "[API key]"))).toEqual({})
  })

  it("is short: twenty members of two hundred characters", () => {
    const many = Object.fromEntries(
      Array.from({ length: 500 }, (_, at) => [`m${at}`, "\u{1F3E0}".repeat(900)]),
    )
    const me = meOf({ ["n".repeat(900)]: 1, ...many, account: many }, same)
    expect(Object.keys(me)).toHaveLength(20)
    for (const text of [...Object.keys(me), me["m0"]]) {
      expect(Array.from(String(text)).length).toBeLessThanOrEqual(200)
      expect(String(text).isWellFormed()).toBe(true)
    }
    expect(me["m0"]).toBe(`${"\u{1F3E0}".repeat(199)}…`)
  })

  it("is on one line and in one direction", () => {
    expect(meOf({ name: "a\n\u001B[31mb\u202Ec\u2028d\u200Fe\uD800" }, same)).toEqual({
      name: "a[31mbcde\uFFFD",
    })
    expect(clean("x".repeat(300))).toHaveLength(200)
  })

  it("keeps members that an object has of its own kind", () => {
    const answer = Json.parse('{"__proto__":"a","constructor":{"name":"b"}}') as {
      [member: string]: Json.Json
    }
    expect(Object.entries(meOf(answer, same))).toEqual([
      ["__proto__", "a"],
      ["constructor.name", "b"],
    ])
  })
})

describe("an account in a manifest from a file", () => {
  const account = {
    profile: "office",
    keyFingerprint: "0123456789abcdef",
    me: { "user.name": "Ada", id: 7, "api_key.id": 1 },
    meReason: null,
  }

  it("is what was written", () => {
    expect(fromJson(account)).toEqual(account)
    expect(fromJson(fromJson(account) as unknown as Json.Json)).toEqual(account)
  })

  it.each<[Json.Json | undefined, unknown]>([
    [undefined, null],
    [null, null],
    [[], null],
    ["office", null],
    [{}, { profile: null, keyFingerprint: null, me: null, meReason: null }],
    [
      { profile: 1, keyFingerprint: {}, me: "Ada", meReason: ["why"] },
      { profile: null, keyFingerprint: null, me: null, meReason: null },
    ],
    [
      { profile: "a\u001B[2J", me: { a: "b\nc", d: [1], e: { f: 1 } } },
      { profile: "a[2J", keyFingerprint: null, me: { a: "bc", "e.f": 1 }, meReason: null },
    ],
  ])("may be anything: %j", (value, expected) => {
    expect(fromJson(value)).toEqual(expected)
  })
})
