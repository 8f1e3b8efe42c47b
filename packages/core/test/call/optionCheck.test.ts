import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { describe, expect, expectTypeOf, it } from "vitest"
import type { CallOptions, ClientOptions, TimeLimits } from "../../src/ClientConfig.ts"
import { names, problemOfCall, problemOfOptions } from "../../src/ClientOptions.ts"
import type { RetryPolicy } from "../../src/RetryPolicy.ts"
import type { LookupOptions } from "../../src/Records.ts"
import * as PropertyClient from "../../src/PropertyClient.ts"
import type { CollectOptions, GetContractOptions, ListOptions, Service } from "../../src/PropertyClient.ts"
import type { ClientError } from "../../src/ClientError.ts"
import { failure, world } from "../fixtures/Setup.ts"

const problemOf = (error: ClientError | null) =>
  error?.reason._tag === "ConfigInvalid" ? `${error.reason.setting} ${error.reason.problem}` : null

describe("names of options", () => {
  it("are those of the types", () => {
    type NamesOf<Of extends keyof typeof names> = (typeof names)[Of][number]
    expectTypeOf<NamesOf<"client">>().toEqualTypeOf<keyof ClientOptions>()
    expectTypeOf<NamesOf<"timeLimits">>().toEqualTypeOf<keyof TimeLimits>()
    expectTypeOf<NamesOf<"retry">>().toEqualTypeOf<keyof RetryPolicy>()
    expectTypeOf<NamesOf<"call">>().toEqualTypeOf<keyof CallOptions>()
    expectTypeOf<NamesOf<"list">>().toEqualTypeOf<keyof ListOptions>()
    expectTypeOf<NamesOf<"collect">>().toEqualTypeOf<keyof CollectOptions>()
    expectTypeOf<NamesOf<"get">>().toEqualTypeOf<keyof GetContractOptions>()
    expectTypeOf<NamesOf<"getMany">>().toEqualTypeOf<keyof (GetContractOptions & LookupOptions)>()
  })

  it.each(Object.keys(names) as ReadonlyArray<keyof typeof names>)("of %s are known, each", (of) => {
    for (const name of names[of]) expect(problemOfOptions(of, { [name]: undefined })).toBeNull()
  })

  it.each<[keyof typeof names, string, string]>([
    ["call", "policy", 'option "policy" is unknown; the options are timeLimits, retry, priority'],
    [
      "timeLimits",
      "conect",
      'option "timeLimits.conect" is unknown; the options are connect, attempt, idle, deadline',
    ],
  ])("of %s: %s is answered with its place, and with all names", (of, typed, answer) => {
    expect(problemOf(problemOfOptions(of, { [typed]: undefined }))).toBe(answer)
  })

  it("of the client are listed with those of its entry", () => {
    const given = { baseURL: "https://api.example.test" }
    expect(problemOf(problemOfOptions("client", given, ["fetch"]))).toMatch(
      /^option "baseURL" is unknown; the options are baseUrl, apiKey, .*, fetch$/,
    )
  })

  it.each(["constructor", "toString", "__proto__", "hasOwnProperty", "", "0", "limit\n", "x".repeat(1e5)])(
    "do not include %j",
    (name) => {
      const given = Object.fromEntries([[name, 1]])
      const problem = problemOf(problemOfOptions("list", given))
      expect(problem).toContain("is unknown")
      expect(problem!.length).toBeLessThan(300)
    },
  )

  it("are not repeated where a key may stand in their place", () => {
    for (const key of ["dk_live_0123456789abcdef", "sk-abcdefghijk", "a".repeat(32), "key\n"]) {
      expect(problemOf(problemOfOptions("get", { [key]: true }))).toMatch(/^option is unknown; /)
    }
  })

  it("are not looked for in a prototype, nor among symbols", () => {
    expect(problemOfOptions("list", Object.create({ limt: 5 }) as object)).toBeNull()
    expect(problemOfOptions("list", { [Symbol("limt")]: 5 })).toBeNull()
  })

  it.each([null, 5, "limit", true, () => {}])("are not looked for in %j, which is no object", (given) => {
    expect(problemOf(problemOfOptions("list", given as never))).toBe("options must be an object")
    expect(problemOf(problemOfOptions("timeLimits", given as never))).toBe("timeLimits must be an object")
  })

  it("are any text that is among them, and no other", () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const known: ReadonlyArray<string> = names.list
        const given = Object.fromEntries([[name, 1]])
        expect(problemOfOptions("list", given) === null).toBe(known.includes(name))
      }),
    )
  })
})

describe("values of a call's options", () => {
  it.each<[string, CallOptions]>([
    ["nothing", {}],
    ["undefined", { timeLimits: undefined, retry: undefined, priority: undefined }],
    ["limits", { timeLimits: { connect: 1, attempt: "1 second", idle: Infinity, deadline: null } }],
    ["a preset", { retry: "patient" }],
    ["a policy", { retry: { attempts: 1, baseMillis: 0 } }],
    ["a schedule", { retry: Schedule.recurs(3) }],
    ["a priority", { priority: "background" }],
  ])("may be %s", (_, options) => expect(problemOfCall(options)).toBeNull())

  it.each<[string, object]>([
    ["retry", { retry: "exprot" }],
    ["retry", { retry: "constructor" }],
    ["retry", { retry: 3 }],
    ["retry", { retry: null }],
    ['option "retry.atempts"', { retry: { atempts: 2 } }],
    ['option "retry.atempts"', { retry: { atempts: undefined } }],
    ["retry.attempts", { retry: { attempts: 0 } }],
    ["retry.attempts", { retry: { attempts: 2.5 } }],
    ["retry.attempts", { retry: { attempts: Infinity } }],
    ["retry.baseMillis", { retry: { baseMillis: -1 } }],
    ["retry.baseMillis", { retry: { baseMillis: "500" } }],
    ["retry.capMillis", { retry: { capMillis: null } }],
    ["retry.longestWaitMillis", { retry: { longestWaitMillis: Number.NaN } }],
    ["timeLimits", { timeLimits: null }],
    ["timeLimits", { timeLimits: 30 }],
    ['option "timeLimits.total"', { timeLimits: { total: 5 } }],
    ["timeLimits.attempt", { timeLimits: { attempt: 0 } }],
    ["timeLimits.attempt", { timeLimits: { attempt: null } }],
    ["timeLimits.attempt", { timeLimits: { attempt: "soon" } }],
    ["timeLimits.idle", { timeLimits: { idle: -1 } }],
    ["timeLimits.deadline", { timeLimits: { deadline: 0 } }],
  ])("are refused: %s", (setting, options) => {
    expect(problemOfCall(options)?.reason).toMatchObject({ _tag: "ConfigInvalid", setting })
  })
})

describe("a value that one rule decides on", () => {
  const rules: ReadonlyArray<[keyof typeof names, string, ReadonlyArray<unknown>, ReadonlyArray<unknown>]> = [
    [
      "list",
      "limit",
      [1, 200, 2 ** 53 - 1],
      [0, -1, 1.5, "50", "all", NaN, Infinity, 2 ** 53, null, 5n, true],
    ],
    ["list", "maxPages", [1], [0, "3", null, [3]]],
    ["getMany", "concurrency", [1, 64], [0, "8", Infinity, null]],
    ["list", "readAhead", [0, 1], [2, -1, "1", true, null]],
    ["list", "onRejected", ["fail", "collect"], ["colect", "Fail", null, true]],
    ["list", "priority", ["interactive", "background"], ["high", "toString", null, 1]],
    ["list", "record", [true, false], ["false", 0, null]],
    ["list", "prove", [true, false], ["yes", 1, null]],
    ["get", "includeData", [true, false], ["true", 1, null]],
  ]

  it.each(rules)("%s: %s", (of, name, good, bad) => {
    for (const value of [undefined, ...good]) expect(problemOfOptions(of, { [name]: value })).toBeNull()
    for (const value of bad) {
      const problem = problemOfOptions(of, { [name]: value })?.reason
      expect(problem).toMatchObject({ _tag: "ConfigInvalid", setting: name })
    }
  })

  it("is never repeated in the message, for it may be a key", () => {
    const problem = problemOfOptions("list", { priority: "dk_live_0123456789abcdef" })
    expect(problem?.message).toBe(
      'Invalid input: priority must be "interactive" or "background". Nothing was sent.',
    )
  })
})

/** Each operation with these options, as the program of a person who mistyped one. */
const operations: Readonly<
  Record<string, (client: Service, options: object) => Effect.Effect<unknown, ClientError>>
> = {
  list: ({ contracts }, options) => Stream.runCollect(contracts.list(options)),
  pages: ({ apiKeys }, options) => Stream.runCollect(apiKeys.pages(options)),
  collect: ({ contracts }, options) => contracts.collect({ max: 5, ...options }),
  "collect of all": ({ contracts }, options) => contracts.collect({ max: "all", ...options }),
  get: ({ contracts }, options) => contracts.get(1, options),
  "get of a key": ({ apiKeys }, options) => apiKeys.get(1, options),
  getMany: ({ contracts }, options) => contracts.getMany([1, 2], options),
  me: ({ me }, options) => me(options),
}

describe.each(Object.entries(operations))("%s", (_, operation) => {
  it.each<[string, object]>([
    ['option "limt"', { limt: 50 }],
    ['option "prioriti"', { prioriti: undefined }],
    ['option "signal"', { signal: new AbortController().signal }],
    ['option "timeLimits.conect"', { timeLimits: { conect: 5 } }],
    ['option "retry.atempts"', { retry: { atempts: 5 } }],
    ["retry", { retry: "often" }],
    ["timeLimits.idle", { timeLimits: { idle: 0 } }],
    ["priority", { priority: "urgent" }],
    ["priority", { priority: null }],
  ])("is refused for %s before anything is sent", async (setting, options) => {
    const { client, emulator, fails } = await world()
    expect((await fails(operation(client, options))).reason).toMatchObject({ _tag: "ConfigInvalid", setting })
    expect(emulator.journal.entries).toEqual([])
  })
})

describe("the client", () => {
  const good = { baseUrl: "https://api.example.test", apiKey: "dk_4711" }

  it.each<[string, object]>([
    ['option "baseURL"', { baseURL: "https://api.example.test", apiKey: "dk_4711" }],
    ['option "fetch"', { ...good, fetch }],
    ['option "policy"', { ...good, policy: "patient" }],
    ['option "priority"', { ...good, priority: "background" }],
    ['option "retry.atempts"', { ...good, retry: { atempts: 1 } }],
    ['option "timeLimits.total"', { ...good, timeLimits: { total: 1 } }],
    ["retry", { ...good, retry: "export" }],
    ["rate", { ...good, rate: "20" }],
    ["rate", { ...good, rate: null }],
    ["maxBodyBytes", { ...good, maxBodyBytes: "5" }],
  ])("is refused for %s", (setting, options) => {
    const make = Effect.scoped(PropertyClient.make(options as ClientOptions))
    expect(Effect.runSync(failure(make)).reason).toMatchObject({ _tag: "ConfigInvalid", setting })
  })

  it("is told in one sentence", () => {
    const options = { ...good, baseURL: "https://api.example.test" }
    expect(Effect.runSync(failure(PropertyClient.make(options))).message).toBe(
      'Invalid input: option "baseURL" is unknown; the options are baseUrl, apiKey, cursorParam, retry, timeLimits, rate, maxBodyBytes. Nothing was sent.',
    )
  })
})
