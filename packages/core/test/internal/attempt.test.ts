import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import * as ClientConfig from "../../src/ClientConfig.ts"
import { ClientError } from "../../src/ClientError.ts"
import type { Check } from "../../src/internal/answer.ts"
import { makeSender } from "../../src/internal/call.ts"
import { contracts, list } from "../../src/internal/serviceRequest.ts"
import { scripted } from "../../src/testing/index.ts"
import { virtualClock } from "../fixtures/VirtualClock.ts"
import type { ScriptedAnswer } from "../../src/testing/index.ts"
import type { Send } from "../../src/Transport.ts"
import { TransportFault } from "../../src/Transport.ts"
import { baseUrl, startMillis, world } from "../fixtures/Setup.ts"

const apiKey = "dk_secret_4711"
const config = Effect.runSync(ClientConfig.make({ baseUrl: `${baseUrl}/api`, apiKey }))

const attemptWith = (send: Send, limitMillis = 30_000) => {
  const clock = virtualClock(startMillis)
  const { once } = makeSender(config, send)
  const check: Check<unknown> = (value) => ({ _tag: "Value", value })
  return Effect.runPromise(
    Effect.provideService(once(list(contracts, {}), check, clock, limitMillis), Clock.Clock, clock),
  )
}
const failing =
  (cause: unknown): Send =>
  () =>
    Promise.reject(cause)
const reasonOf = async (send: Send) => {
  const { checked } = await attemptWith(send)
  return checked._tag === "Failed" ? checked.reason : checked.value
}

describe("an attempt", () => {
  it("sends the key and Accept to the base URL, and nothing besides", async () => {
    const sent: Array<Parameters<Send>[0]> = []
    const { send } = scripted([{ body: { ok: true } }])
    await attemptWith((request, cancellation) => (sent.push(request), send(request, cancellation)))
    expect(sent).toEqual([
      {
        url: `${baseUrl}/api/v1/contracts/`,
        headers: { authorization: `Bearer ${apiKey}`, accept: "application/json" },
        connectMillis: 10_000,
        idleMillis: 15_000,
        maxBodyBytes: 33_554_432,
      },
    ])
  })

  it("keeps the request id, Retry-After and Date of a failure", async () => {
    const headers = { "x-request-id": "req_1", "retry-after": "7", date: "Sun, 01 Mar 2026 14:00:00 GMT" }
    const answer: ScriptedAnswer = { status: 503, headers }
    expect(await attemptWith(scripted([answer]).send)).toMatchObject({
      status: 503,
      requestId: "req_1",
      retryAfter: "7",
      serviceDate: "Sun, 01 Mar 2026 14:00:00 GMT",
      phase: null,
    })
  })

  it("keeps status and request id of an answer that broke off", async () => {
    const head = { status: 200, header: (name: string) => (name === "x-request-id" ? "req_1" : null) }
    const settled = await attemptWith(
      failing(new TransportFault("body", "cut", { code: "ECONNRESET", head })),
    )
    expect(settled).toMatchObject({
      status: 200,
      requestId: "req_1",
      checked: { reason: { _tag: "TransportFailed", phase: "body", code: "ECONNRESET", detail: "cut" } },
    })
  })

  it.each([
    ["Unauthenticated", 401, "body"],
    ["NotFound", 404, "idle"],
    ["RateLimited", 429, "body"],
    ["RateLimited", 429, "idle"],
    ["RateLimited", 429, "too-large"],
    ["ServerFault", 503, "body"],
    ["Rejected", 400, "body"],
    ["Redirected", 302, "idle"],
  ] as const)("is %s by its status %i, also where its body fails: %s", async (reason, status, phase) => {
    const header = (name: string) => ({ "retry-after": "60", "x-request-id": "req_1" })[name] ?? null
    const fault = new TransportFault(phase, "cut", { code: "Z_BUF_ERROR", head: { status, header } })
    expect(await attemptWith(failing(fault))).toMatchObject({
      status,
      requestId: "req_1",
      retryAfter: "60",
      checked: { reason: { _tag: reason, status } },
    })
  })

  it("attempt limit: an answer that does not come is TimedOut, and its request is cancelled", async () => {
    let called = 0
    const never: Send = (_, { onCancel }) => {
      onCancel(() => void (called += 1))
      return new Promise(() => {})
    }
    const settled = await attemptWith(never)
    expect(settled.checked).toEqual({
      _tag: "Failed",
      reason: { _tag: "TimedOut", which: "attempt", afterMillis: 30_000 },
    })
    expect(called).toBe(1)
  })

  it("deadline: what is left of it is a shorter limit, and is named", async () => {
    const { checked } = await attemptWith(() => new Promise(() => {}), 5_000)
    expect(checked).toMatchObject({ reason: { _tag: "TimedOut", which: "deadline", afterMillis: 120_000 } })
  })

  it.each([
    ["too-large", { _tag: "BodyTooLarge", maxBodyBytes: 33_554_432 }],
    ["idle", { _tag: "TimedOut", which: "idle", afterMillis: 15_000 }],
    ["connect-timeout", { _tag: "TimedOut", which: "connect", afterMillis: 10_000 }],
    ["connect", { _tag: "TransportFailed", phase: "connect", code: null, detail: "why" }],
    ["request", { _tag: "TransportFailed", phase: "request", code: null, detail: "why" }],
    ["tls", { _tag: "TransportFailed", phase: "tls", code: null, detail: "why" }],
  ] as const)("a transport's fault in phase %s has its reason", async (phase, reason) => {
    expect(await reasonOf(failing(new TransportFault(phase, "why")))).toEqual(reason)
  })

  it.each([
    "DEPTH_ZERO_SELF_SIGNED_CERT",
    "SELF_SIGNED_CERT_IN_CHAIN",
    "CERT_HAS_EXPIRED",
    "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
    "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    "ERR_TLS_CERT_ALTNAME_INVALID",
  ])("%s is a certificate error: phase tls", async (code) => {
    const cause = new TypeError("fetch failed", { cause: Object.assign(new Error("no trust"), { code }) })
    expect(await reasonOf(failing(cause))).toEqual({
      _tag: "TransportFailed",
      phase: "tls",
      code,
      detail: "no trust",
    })
  })

  it.each([
    "ERR_SSL_WRONG_VERSION_NUMBER",
    "ERR_SSL_PACKET_LENGTH_TOO_LONG",
    "EPROTO",
    "HPE_HEADER_OVERFLOW",
  ])("%s is no certificate error: phase protocol", async (code) => {
    const cause = new TypeError("fetch failed", { cause: Object.assign(new Error("odd"), { code }) })
    expect(await reasonOf(failing(cause))).toMatchObject({ phase: "protocol", code })
  })

  it("names the proxy that a request took", async () => {
    const fault = new TransportFault("connect", "refused", {
      code: "ECONNREFUSED",
      proxy: "http://p:1 (HTTPS_PROXY)",
    })
    expect(await reasonOf(failing(fault))).toMatchObject({ proxy: "http://p:1 (HTTPS_PROXY)" })
  })

  it.each([undefined, null, "text", 7, new Error("broken"), { message: "" }])(
    "any other rejection is a failed connection: %o",
    async (cause) => {
      expect(await reasonOf(failing(cause))).toMatchObject({ _tag: "TransportFailed", phase: "connect" })
    },
  )

  it("a transport that throws instead of rejecting is a failed connection", async () => {
    const throwing: Send = () => {
      throw new TypeError("not ready")
    }
    expect(await reasonOf(throwing)).toMatchObject({ _tag: "TransportFailed", detail: "not ready" })
  })

  it("a detail never holds the key", async () => {
    const reason = await reasonOf(failing(new Error(`cannot send Bearer ${apiKey}`)))
    expect(reason).toMatchObject({ detail: "cannot send Bearer [API key]" })
  })
})

describe("a body that is hard to read", () => {
  /** Fails the test when the call has not come to an end in a short while. */
  const settles = async (call: Promise<unknown>): Promise<unknown> =>
    Promise.race([
      call.then(
        () => "value",
        (error: unknown) => (error instanceof ClientError ? "ClientError" : "another error"),
      ),
      new Promise((resolve) => setTimeout(resolve, 10_000, "never")),
    ])

  it("ends the call, however deeply nested beside a long number", async () => {
    const nested = `${"[".repeat(50_000)}${"]".repeat(50_000)}`
    const body = `{"ok":true,"long":12345678901234567890,"deep":${nested}}`
    const { send } = scripted([{ body }, { body }, { body }, { body }])
    const unhandled: Array<unknown> = []
    const listen = (cause: unknown) => void unhandled.push(cause)
    process.on("unhandledRejection", listen)
    const { client, run } = await world({ transport: send })
    const ended = await settles(run(client.me()))
    process.off("unhandledRejection", listen)
    expect(unhandled).toEqual([])
    expect(ended).toMatch(/^(?:value|ClientError)$/)
  })

  it("is read where nothing in it is a long number", async () => {
    const nested = `${"[".repeat(5_000)}${"]".repeat(5_000)}`
    const { send } = scripted([{ body: `{"ok":true,"deep":${nested}}` }])
    const { client, run } = await world({ transport: send })
    expect(await settles(run(client.me()))).toBe("value")
  })
})
