import { inspect } from "node:util"
import * as Effect from "effect/Effect"
import { describe, expect, expectTypeOf, it } from "vitest"
import type { ClientErrorJson, Reason, ReasonTag, Handlers } from "../../src/ClientError.ts"
import { ClientError, configInvalid, match, reasonTags, isTransient } from "../../src/ClientError.ts"
import { reasons } from "../fixtures/reasons.ts"

const request = { method: "GET", path: "/v1/contracts/", subject: "contract 12" }
const attempt = {
  at: "2026-03-01T14:00:00.000Z",
  status: 503,
  requestId: "req_1",
  reason: "ServerFault",
  phase: null,
  waitedMillis: 250,
  why: "backoff",
} as const

const make = (
  reason: Reason,
  more: Partial<ConstructorParameters<typeof ClientError>[0]> = {},
): ClientError => new ClientError({ reason, request, requestId: null, attempts: [], reading: null, ...more })

const named = reasons.map((reason) => [reason._tag, reason] as const)

describe("ClientError", () => {
  it("has a reason of each kind to be tried with", () => {
    expect(reasons.map((reason) => reason._tag).toSorted()).toEqual(reasonTags.toSorted())
  })

  it.each(named)("%s: says what happened, where, and what the reader can do", (_, reason) => {
    const { message } = make(reason)
    expect(message).toMatch(/^Could not read contract 12 from \/v1\/contracts\/: .+\. [A-Z"].+\.$/s)
    expect(message).not.toMatch(/undefined|null|NaN|\[object/)
    expect(message).not.toContain("\n")
  })

  it.each(named)("%s: is whole without a request", (_, reason) => {
    expect(make(reason, { request: null }).message).toMatch(/^[A-Z\d"].+\. .+\.$/s)
  })

  it.each(named)("%s: names no flag, variable, command or button of a surface", (_, reason) => {
    expect(make(reason).message).not.toMatch(/--|DEEDKIT|`|\b(?:deedkit|flag|option|button|click|press)/i)
  })

  it("names request id and number of attempts where there are some", () => {
    const error = make(reasons[5]!, { requestId: "req_7", attempts: [attempt, attempt] })
    expect(error.message).toContain("after 2 attempts")
    expect(error.message).toContain("(request id req_7)")
  })

  it("is an Error that Effect and others can catch", async () => {
    const error = make(reasons[0]!)
    expect(error).toBeInstanceOf(Error)
    expect(error.name).toBe("ClientError")
    expect(error._tag).toBe("ClientError")
    expect(await Effect.runPromise(Effect.catchTag(Effect.fail(error), "ClientError", Effect.succeed))).toBe(
      error,
    )
    await expect(Effect.runPromise(Effect.fail(error))).rejects.toBe(error)
  })

  it.each([
    [
      "Redirected",
      { _tag: "Redirected", status: 304, location: null, sameOrigin: false },
      /nothing has changed \(304\).*cache or a proxy/,
    ],
    [
      "Redirected",
      { _tag: "Redirected", status: 302, location: null, sameOrigin: false },
      /without a visible target \(302\).*base URL/,
    ],
    [
      "NotTheApi",
      { _tag: "NotTheApi", status: 101, contentType: null },
      /switched to another protocol \(101\)/,
    ],
    [
      "BodyInvalid",
      { _tag: "BodyInvalid", status: 200, problem: "encoding", bodyCharacters: 9 },
      /not valid UTF-8.*declare the charset/,
    ],
  ] as const)("%s has its own message for a special case", (_, reason, words) => {
    const { message } = make(reason)
    expect(message).toMatch(words)
    expect(message).not.toContain("to another host")
  })

  it.each<Reason>([
    ...reasons,
    { _tag: "RateLimited", status: 429, serverSays: null, retryAt: null, source: "backoff" },
    { _tag: "TimedOut", which: "deadline", afterMillis: 120_000 },
    { _tag: "TimedOut", which: "connect", afterMillis: 10_000 },
    { _tag: "RecordInvalid", id: null, issues: [] },
    { _tag: "Forbidden", status: 403, scope: null, serverSays: null },
    { _tag: "Redirected", status: 301, location: "https://example.test/", sameOrigin: true },
  ])("$_tag names no flag and no option: its readers use a library, a command or an extension", (reason) => {
    const options =
      /--|\b(cursorParam|onRejected|readAhead|maxPages|pageSize|timeLimits|deadline|maxBodyBytes|apiKey|baseUrl)\b|\blimit\./
    expect(make(reason).message).not.toMatch(options)
  })

  it("prints its message", () => {
    const error = make(reasons[0]!)
    expect(String(error)).toContain(error.message)
    expect(inspect(error)).toContain("Unauthenticated")
  })

  it.each(named)("%s: toJSON is plain data with message, tag and flags", (_, reason) => {
    const error = make(reason, { attempts: [attempt] })
    const json: ClientErrorJson = JSON.parse(JSON.stringify(error))
    expect(json).toEqual({
      error: reason._tag,
      message: error.message,
      retryable: error.retryable,
      documented: error.documented,
      reason,
      request,
      requestId: null,
      attempts: [attempt],
      reading: null,
    })
  })

  it("documented: only 429, and what never left the machine", () => {
    const documented = reasons.filter((reason) => make(reason).documented).map((reason) => reason._tag)
    expect(documented.toSorted()).toEqual(["ConfigInvalid", "RateLimited"])
  })

  it.each(named)("%s: retryable agrees with what is retried", (_, reason) => {
    expect(make(reason).retryable).toBe(isTransient(reason))
  })

  it("retryable: a deadline that ran out says nothing against another try", () => {
    expect(make({ _tag: "TimedOut", which: "deadline", afterMillis: 1 }).retryable).toBe(true)
    expect(make({ _tag: "Rejected", status: 408, serverSays: null }).retryable).toBe(true)
    expect(make({ _tag: "TransportFailed", phase: "connect", code: null, detail: "" }).retryable).toBe(true)
  })
})

describe("configInvalid", () => {
  it("names setting and problem, and that nothing was sent", () => {
    expect(configInvalid("limit", "must be a whole number from 1").message).toBe(
      "Invalid input: limit must be a whole number from 1. Nothing was sent.",
    )
  })
})

describe("match", () => {
  const tags = Object.fromEntries(
    reasonTags.map((tag) => [tag, (reason: Reason) => `${tag} ${reason._tag}`]),
  ) as unknown as Handlers<string>

  it("calls the handler of the reason with it", () => {
    expect(reasons.map((reason) => match(make(reason), tags))).toEqual(
      reasons.map((reason) => `${reason._tag} ${reason._tag}`),
    )
  })

  it("calls orElse for a reason without a handler of its own", () => {
    const answers = reasons.map((reason) =>
      match(make(reason), {
        NotFound: ({ _tag }) => `own ${_tag}`,
        orElse: ({ _tag }) => `other ${_tag}`,
      }),
    )
    expect(answers).toEqual(reasons.map(({ _tag }) => `${_tag === "NotFound" ? "own" : "other"} ${_tag}`))
  })

  it("asks for every reason or for orElse, and gives each handler its own", () => {
    type Accepted = Parameters<typeof match<number>>[1]
    expectTypeOf<keyof Handlers<number>>().toEqualTypeOf<ReasonTag>()
    expectTypeOf<Omit<Handlers<number>, "NotFound">>().not.toExtend<Accepted>()
    expectTypeOf<{ orElse: () => number }>().toExtend<Accepted>()
    expectTypeOf<Parameters<Handlers<number>["CursorIgnored"]>[0]["cursorParam"]>().toEqualTypeOf<string>()
    expectTypeOf<(typeof reasonTags)[number]>().toEqualTypeOf<ReasonTag>()
    expectTypeOf(match<number>).returns.toEqualTypeOf<number>()
  })
})
