import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Redacted from "effect/Redacted"
import { format, inspect } from "node:util"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { ClientOptions } from "../../src/ClientConfig.ts"
import { make } from "../../src/ClientConfig.ts"
import * as RetryPolicy from "../../src/RetryPolicy.ts"
import { failure, world } from "../fixtures/Setup.ts"

const secret = "dk_secret_4711"
const good: ClientOptions = { baseUrl: "https://api.example.test", apiKey: secret }
const made = (options: Partial<ClientOptions> = {}) => Effect.runSync(make({ ...good, ...options }))
const refused = (options: Partial<ClientOptions>) => Effect.runSync(failure(make({ ...good, ...options })))

describe("defaults", () => {
  it("are those of the table: 4 attempts, connect 10 s, attempt 30 s, idle 15 s, deadline 2 min, 32 MB, 20 a second", () => {
    expect(made()).toMatchObject({
      cursorParam: "before_id",
      probesCursor: false,
      retry: RetryPolicy.interactive,
      connectMillis: 10_000,
      attemptMillis: 30_000,
      idleMillis: 15_000,
      deadlineMillis: 120_000,
      rate: { start: 5, burst: 40, ceiling: 20 },
      maxBodyBytes: 33_554_432,
    })
  })

  it("of patient retries are 6 attempts and no deadline", () => {
    expect(made({ retry: "patient" })).toMatchObject({ retry: RetryPolicy.patient, deadlineMillis: Infinity })
  })

  it("yield to each option by itself", () => {
    expect(made({ retry: { attempts: 2 } }).retry).toEqual({ ...RetryPolicy.interactive, attempts: 2 })
    expect(made({ timeLimits: { idle: "3 seconds" } })).toMatchObject({
      idleMillis: 3_000,
      connectMillis: 10_000,
    })
    expect(made({ timeLimits: { deadline: null } }).deadlineMillis).toBe(Infinity)
    expect(made({ retry: "patient", timeLimits: { deadline: "1 hour" } }).deadlineMillis).toBe(3_600_000)
  })

  it("look for the cursor's parameter only with auto, and begin with the assumed one", () => {
    expect(made({ cursorParam: "auto" })).toMatchObject({ cursorParam: "before_id", probesCursor: true })
    expect(made({ cursorParam: "page[after]" })).toMatchObject({
      cursorParam: "page[after]",
      probesCursor: false,
    })
  })
})

describe("base URL", () => {
  it.each([
    ["https://api.example.test", "https://api.example.test"],
    ["https://api.example.test/", "https://api.example.test"],
    [" https://api.example.test\n", "https://api.example.test"],
    ["https://api.example.test/v1", "https://api.example.test"],
    ["https://api.example.test/v1/", "https://api.example.test"],
    ["https://api.example.test/property/api", "https://api.example.test/property/api"],
    ["https://api.example.test/property/v1//", "https://api.example.test/property"],
    ["https://api.example.test/v10", "https://api.example.test/v10"],
    ["https://API.example.test:443", "https://api.example.test"],
    ["https://api.example.test:8443/x", "https://api.example.test:8443/x"],
    ["http://localhost:8080", "http://localhost:8080"],
    ["http://dev.localhost", "http://dev.localhost"],
    ["http://127.0.0.1:1", "http://127.0.0.1:1"],
    ["http://127.1", "http://127.0.0.1"],
    ["http://[::1]:8080", "http://[::1]:8080"],
  ])("%j asks at %s", (baseUrl, base) => {
    expect(made({ baseUrl })).toMatchObject({ base, origin: new URL(base).origin })
  })

  it.each([
    ["", "is empty"],
    ["   ", "is empty"],
    ["api.example.test", "is not a URL"],
    ['"https://api.example.test"', "is in quotes"],
    ["“https://api.example.test”", "is in quotes"],
    ["https://", "is not a URL"],
    ["ftp://api.example.test", "starts with ftp://"],
    ["file:///etc/passwd", "starts with file://"],
    ["http://api.example.test", "plain http"],
    ["http://localhost.example.test", "plain http"],
    ["http://127.0.0.1.example.test", "plain http"],
    ["http://192.168.0.4", "plain http"],
    ["http://[::2]", "plain http"],
    ["https://ada@api.example.test", "user name or password"],
    ["https://ada:lovelace@api.example.test", "user name or password"],
    ["https://api.example.test/?key=1", "query or a fragment"],
    ["https://api.example.test/#top", "query or a fragment"],
  ])("%j is refused", (baseUrl, problem) => {
    expect(refused({ baseUrl }).reason).toEqual({
      _tag: "ConfigInvalid",
      setting: "base URL",
      problem: expect.stringContaining(problem),
    })
  })

  it("has no default", () => {
    const none = { apiKey: secret } as unknown as ClientOptions
    expect(Effect.runSync(failure(make(none))).reason).toMatchObject({ setting: "base URL" })
  })

  it("takes a URL as well as a text", () => {
    expect(made({ baseUrl: new URL("https://api.example.test/v1/") }).base).toBe("https://api.example.test")
  })
})

describe("API key", () => {
  it.each([
    ["empty", "", "is empty"],
    ["followed by a line break", `${secret}\n`, "begins or ends with white space"],
    ["behind a space", ` ${secret}`, "begins or ends with white space"],
    ["in quotes", `"${secret}"`, "is in quotes"],
    ["with a line break as JSON writes it", `${secret}\\r\\n`, "ends with a line break that is written as"],
    ["behind its variable", `DEEDKIT_API_KEY=${secret}`, "begins with the name of a variable"],
    ["as a shell exports it", `export SERVICE_API_KEY="${secret}"`, "begins with the name of a variable"],
    ["behind a name in small letters", `api_key=${secret}`, "begins with the name of a variable"],
    ["behind the name of a token", `API-TOKEN = ${secret}`, "begins with the name of a variable"],
    ["as PowerShell sets it", `$env:DEEDKIT_API_KEY="${secret}"`, "begins with the name of a variable"],
    ["in JSON", `{"apiKey":"${secret}"}`, "is a placeholder or JSON"],
    ["in the brackets of a placeholder", `<${secret}>`, "is a placeholder or JSON"],
    ["a variable that no shell replaced", `\${${secret}}`, "is a placeholder or JSON"],
    ["behind Bearer", `Bearer ${secret}`, "begins with Bearer"],
    ["in its header", `Authorization: Bearer ${secret}`, "begins with Bearer"],
    ["in other quotes", `'${secret}'`, "is in quotes"],
    ["in those of a word processor", `„${secret}“`, "is in quotes"],
    ["with a line break inside", `${secret}\r\nx-evil: 1`, "cannot stand in a header"],
    ["with a space inside", `${secret} ${secret}`, "cannot stand in a header"],
    ["with a letter outside of ASCII", `${secret}é`, "cannot stand in a header"],
    ["with a zero byte", `${secret}\u0000x`, "cannot stand in a header"],
  ])("%s is refused, and is not shown", (_, apiKey, problem) => {
    for (const given of [apiKey, Redacted.make(apiKey)]) {
      const error = refused({ apiKey: given })
      expect(error.reason).toMatchObject({ setting: "API key", problem: expect.stringContaining(problem) })
      expect(inspect(error, { depth: null }) + JSON.stringify(error)).not.toContain(secret)
    }
  })

  it.each(["c2VjcmV0IGtleQ==", "abcTOKEN=", "key-of-2026", "$2b$10$N9qo8uLOickgx2", "a=b"])(
    "can be %s",
    (apiKey) => {
      expect(Redacted.value(made({ apiKey }).apiKey)).toBe(apiKey)
    },
  )

  it("is kept out of whatever prints the configuration", () => {
    const config = made()
    expect(
      inspect(config, { depth: null }) + JSON.stringify(config) + format("%s", config.apiKey),
    ).not.toContain(secret)
    expect(Redacted.value(config.apiKey)).toBe(secret)
  })

  it("goes to the base URL's origin and nowhere else, whatever the cursor says", async () => {
    const origins = new Set<string>()
    const { client, run } = await world({
      emulator: { assumptions: { cursorKind: "string" } },
      around: (fetch) => (request) => {
        origins.add(new URL(request.url).origin)
        return fetch(request)
      },
    })
    await run(client.contracts.collect({ max: "all" }))
    expect([...origins]).toEqual(["https://api.example.test"])
  })
})

describe("cursor parameter", () => {
  it.each(["", "id", "limit", "include_data", "a b", "a&b", "a=b", "a#b", "ä"])(
    "%j is refused",
    (cursorParam) => {
      expect(refused({ cursorParam }).reason).toMatchObject({ setting: "cursor parameter" })
    },
  )
})

describe("numbers", () => {
  const figures = { start: 5, burst: 40, ceiling: 20 }
  it.each<[string, Partial<ClientOptions>]>([
    ["timeLimits.connect", { timeLimits: { connect: 0 } }],
    ["timeLimits.attempt", { timeLimits: { attempt: 0 } }],
    ["timeLimits.idle", { timeLimits: { idle: Number.NaN } }],
    ["timeLimits.deadline", { timeLimits: { deadline: 0 } }],
    ["rate", { rate: -1 }],
    ["rate", { rate: Number.NaN }],
    ["rate", { rate: { ...figures, start: 0 } }],
    ["rate", { rate: { ...figures, start: "5" as never } }],
    ["rate", { rate: { ...figures, burst: "5" as never } }],
    ["rate", { rate: "5" as never }],
    ["rate", { rate: { start: 5, brust: 5, ceiling: 20 } as never }],
    ["rate", { rate: null as never }],
    ["rate", { rate: { ...figures, burst: 0.5 } }],
    ["rate", { rate: { ...figures, burst: Number.NaN } }],
    ["rate", { rate: { ...figures, ceiling: 0 } }],
    ["maxBodyBytes", { maxBodyBytes: 0 }],
    ["retry.attempts", { retry: { attempts: 0 } }],
    ["retry.attempts", { retry: { attempts: 1.5 } }],
    ["retry.attempts", { retry: { attempts: Number.NaN } }],
  ])("%s is refused when it cannot work", (setting, options) => {
    expect(refused(options).reason).toMatchObject({ _tag: "ConfigInvalid", setting })
  })
})

describe("time limits", () => {
  it("may be of any length, and Infinity is none", () => {
    const long = { connect: "60 days", attempt: "60 days", idle: "60 days", deadline: "60 days" } as const
    const none = { connect: Infinity, attempt: Infinity, idle: Infinity, deadline: Infinity }
    for (const [timeLimits, millis] of [[long, 60 * 86_400_000] as const, [none, Infinity] as const]) {
      const { attemptMillis, connectMillis, deadlineMillis, idleMillis } = made({ timeLimits })
      expect([connectMillis, attemptMillis, idleMillis, deadlineMillis]).toEqual(Array(4).fill(millis))
    }
  })
})

describe("any options", () => {
  it("give a configuration or ConfigInvalid, and never show the key", () => {
    const options = fc.record({
      baseUrl: fc.oneof(fc.webUrl(), fc.string()),
      apiKey: fc.string().map((text) => `${secret}${text}`),
    })
    fc.assert(
      fc.property(options, (given) => {
        const outcome = Effect.runSync(Effect.exit(make(given)))
        expect(inspect(outcome, { depth: null })).not.toContain(secret)
        const { base, origin } = Exit.isSuccess(outcome) ? outcome.value : { base: "", origin: "" }
        expect(base).not.toMatch(/\/$|\/v1$/)
        expect(base.startsWith(origin)).toBe(true)
      }),
    )
  })
})
