import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { describe, expect, expectTypeOf, it } from "vitest"
import type { CallOptions, ClientOptions, TimeLimits } from "../../src/call/ClientOptions.ts"
import { names, problemOfCall, unknownOption } from "../../src/call/optionCheck.ts"
import type { RetryPolicy } from "../../src/call/RetryPolicy.ts"
import type { Hooks } from "../../src/client/Hooks.ts"
import type { LookupOptions } from "../../src/client/Lookup.ts"
import * as PropertyClient from "../../src/client/PropertyClient.ts"
import type {
  CollectOptions,
  GetContractOptions,
  ListOptions,
  Service,
} from "../../src/client/PropertyClient.ts"
import type { ClientError } from "../../src/error/ClientError.ts"
import { failure, world } from "../fixtures/Setup.ts"

const problemOf = (error: ClientError | null) =>
  error?.reason._tag === "ConfigInvalid" ? `${error.reason.setting} ${error.reason.problem}` : null

describe("names of options", () => {
  it("are those of the types", () => {
    type NamesOf<Of extends keyof typeof names> = (typeof names)[Of][number]
    expectTypeOf<NamesOf<"client">>().toEqualTypeOf<keyof ClientOptions>()
    expectTypeOf<NamesOf<"timeLimits">>().toEqualTypeOf<keyof TimeLimits>()
    expectTypeOf<NamesOf<"retry">>().toEqualTypeOf<keyof RetryPolicy>()
    expectTypeOf<NamesOf<"hooks">>().toEqualTypeOf<keyof Hooks>()
    expectTypeOf<NamesOf<"call">>().toEqualTypeOf<keyof CallOptions>()
    expectTypeOf<NamesOf<"list">>().toEqualTypeOf<keyof ListOptions>()
    expectTypeOf<NamesOf<"collect">>().toEqualTypeOf<keyof CollectOptions>()
    expectTypeOf<NamesOf<"get">>().toEqualTypeOf<keyof GetContractOptions>()
    expectTypeOf<NamesOf<"getMany">>().toEqualTypeOf<keyof (GetContractOptions & LookupOptions)>()
  })

  it.each(Object.keys(names) as ReadonlyArray<keyof typeof names>)("of %s are known, each", (of) => {
    for (const name of names[of]) expect(unknownOption(of, { [name]: undefined })).toBeNull()
  })

  it.each<[keyof typeof names, string, string]>([
    ["client", "baseURL", "baseUrl"],
    ["client", "baseUri", "baseUrl"],
    ["client", "url", "baseUrl"],
    ["client", "apikey", "apiKey"],
    ["client", "key", "apiKey"],
    ["client", "cursor_param", "cursorParam"],
    ["client", "useragent", "userAgent"],
    ["client", "retries", "retry"],
    ["client", "maxBodySize", "maxBodyBytes"],
    ["list", "limt", "limit"],
    ["list", "Limit", "limit"],
    ["list", "pageLimit", "limit"],
    ["list", "readahead", "readAhead"],
    ["list", "proof", "prove"],
    ["collect", "maximum", "max"],
    ["get", "include_data", "includeData"],
    ["getMany", "concurency", "concurrency"],
    ["call", "prio", "priority"],
    ["hooks", "onRequst", "onRequest"],
  ])("of %s: %s is answered with %s", (of, typed, meant) => {
    expect(problemOf(unknownOption(of, { [typed]: undefined }))).toBe(
      `option "${typed}" is unknown; the nearest one is "${meant}"`,
    )
  })

  it.each<[keyof typeof names, string, string]>([
    [
      "timeLimits",
      "conect",
      'option "timeLimits.conect" is unknown; the nearest one is "timeLimits.connect"',
    ],
    ["retry", "atempts", 'option "retry.atempts" is unknown; the nearest one is "retry.attempts"'],
    [
      "timeLimits",
      "total",
      'option "timeLimits.total" is unknown; the options are connect, attempt, idle, deadline',
    ],
    ["call", "policy", 'option "policy" is unknown; the options are timeLimits, retry, priority'],
    ["call", "x", 'option "x" is unknown; the options are timeLimits, retry, priority'],
  ])("of %s: %s is answered with its place, and with all names where none is near", (of, typed, answer) => {
    expect(problemOf(unknownOption(of, { [typed]: 1 }))).toBe(answer)
  })

  it.each(["constructor", "toString", "__proto__", "hasOwnProperty", "", "0", "limit\n", "x".repeat(1e5)])(
    "do not include %j",
    (name) => {
      const given = Object.fromEntries([[name, 1]])
      const problem = problemOf(unknownOption("list", given))
      expect(problem).toContain("is unknown")
      expect(problem!.length).toBeLessThan(300)
    },
  )

  it("are not repeated where a key may stand in their place", () => {
    for (const key of ["dk_live_0123456789abcdef", "sk-abcdefghijk", "a".repeat(32), "key\n"]) {
      expect(problemOf(unknownOption("get", { [key]: true }))).toMatch(/^option is unknown; /)
    }
  })

  it("are not looked for in a prototype, nor among symbols", () => {
    expect(unknownOption("list", Object.create({ limt: 5 }) as object)).toBeNull()
    expect(unknownOption("list", { [Symbol("limt")]: 5 })).toBeNull()
  })

  it.each([null, 5, "limit", true, () => {}])("are not looked for in %j, which is no object", (given) => {
    expect(problemOf(unknownOption("list", given as never))).toBe("options must be an object")
    expect(problemOf(unknownOption("timeLimits", given as never))).toBe("timeLimits must be an object")
  })

  it("are suggested for any of their own with a letter too few", () => {
    const short = (name: string) =>
      Array.from({ length: name.length }, (_, at) => name.slice(0, at) + name.slice(at + 1))
    const missed = (Object.keys(names) as ReadonlyArray<keyof typeof names>).flatMap((of) =>
      names[of].flatMap((name) =>
        short(name).filter((typed) => !problemOf(unknownOption(of, { [typed]: 1 }))?.endsWith(`${name}"`)),
      ),
    )
    // What is left of `max` are two letters, and no name is sure to be the nearest.
    expect(missed).toEqual([])
  })

  it("are any text that is among them, and no other", () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        const known: ReadonlyArray<string> = names.list
        const given = Object.fromEntries([[name, 1]])
        expect(unknownOption("list", given) === null).toBe(known.includes(name))
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
    ["priority", { priority: "high" }],
    ["priority", { priority: null }],
  ])("are refused: %s", (setting, options) => {
    expect(problemOfCall(options)?.reason).toMatchObject({ _tag: "ConfigInvalid", setting })
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
      'Option "baseURL": is unknown; the nearest one is "baseUrl". Nothing was sent.',
    )
  })
})
